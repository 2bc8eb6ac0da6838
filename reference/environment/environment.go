// Package environment reads the environment variables of a reference server, and gathers everything that is wrong with
// them.
package environment

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Reader reads variables. A method returns whatever it can for one that is missing or malformed; Err returns why.
type Reader struct {
	getenv func(string) string
	wrong  []error
}

// New returns a reader; getenv returns "" for unset variables.
func New(getenv func(string) string) *Reader { return &Reader{getenv: getenv} }

// Err returns what is wrong so far, by the names of the variables, never by their values; nil if nothing is.
func (r *Reader) Err() error { return errors.Join(r.wrong...) }

// Refuse takes note of something wrong.
func (r *Reader) Refuse(err error) { r.wrong = append(r.wrong, err) }

func (r *Reader) refuse(format string, args ...any) { r.Refuse(fmt.Errorf(format, args...)) }

// Text returns a variable, or otherwise if it is unset.
func (r *Reader) Text(name, otherwise string) string { return cmp.Or(r.getenv(name), otherwise) }

// Required returns a variable that must be set.
func (r *Reader) Required(name string) string {
	value := r.getenv(name)
	if value == "" {
		r.refuse("%s is not set", name)
	}
	return value
}

// RequiredAddress is Address for a variable that must be set.
func (r *Reader) RequiredAddress(name string) string { return r.Address(name, r.Required(name)) }

// Address returns a URL that others are made of, without a slash at its end; "" is not checked.
func (r *Reader) Address(name, otherwise string) string {
	value := r.Text(name, otherwise)
	if parsed, err := url.Parse(value); value != "" && (err != nil || parsed.Host == "") {
		r.refuse("%s is not a URL", name)
	}
	return strings.TrimSuffix(value, "/")
}

// Number returns a number from least to most.
func (r *Reader) Number(name string, otherwise, least, most int) int {
	n, err := strconv.Atoi(r.Text(name, strconv.Itoa(otherwise)))
	if err != nil || n < least || n > most {
		r.refuse("%s must be a number from %d to %d", name, least, most)
	}
	return n
}

// Duration returns a duration above 0.
func (r *Reader) Duration(name, otherwise string) time.Duration {
	d, err := time.ParseDuration(r.Text(name, otherwise))
	if err != nil || d <= 0 {
		r.refuse("%s must be a duration above 0, such as %s", name, otherwise)
	}
	return d
}

// Patience is how long and how often a storage call is attempted.
type Patience struct {
	MaxRetries int           // STORAGE_MAX_RETRIES, default 3
	RetryDelay time.Duration // STORAGE_RETRY_DELAY; doubles with each retry
	TryTimeout time.Duration // STORAGE_TRY_TIMEOUT, default 3s, for each attempt
}

// Patience returns the patience of the server; delay is what STORAGE_RETRY_DELAY defaults to.
func (r *Reader) Patience(delay string) Patience {
	return Patience{MaxRetries: r.Number("STORAGE_MAX_RETRIES", 3, 0, 10),
		RetryDelay: r.Duration("STORAGE_RETRY_DELAY", delay),
		TryTimeout: r.Duration("STORAGE_TRY_TIMEOUT", "3s")}
}
