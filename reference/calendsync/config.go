package calendsync

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Config is the server's configuration. FromEnv reads it.
type Config struct {
	Endpoint  string // AWS_ENDPOINT_URL
	Region    string // AWS_REGION
	AccessKey string // AWS_ACCESS_KEY_ID
	SecretKey string // AWS_SECRET_ACCESS_KEY
	Table     string // DYNAMODB_TABLE_NAME, default calendsync

	Version  string // BUILD_SHA, default dev
	Patience Patience

	Storage http.RoundTripper // carries the storage calls; nil: its own connections. Not from the environment
}

// Patience is how long and how often a storage call is attempted.
type Patience struct {
	MaxRetries int           // STORAGE_MAX_RETRIES, default 3
	RetryDelay time.Duration // STORAGE_RETRY_DELAY, default 100ms; doubles with each retry
	TryTimeout time.Duration // STORAGE_TRY_TIMEOUT, default 3s, for each attempt
}

// FromEnv reads a Config; getenv returns "" for unset variables. Errors name the missing or malformed variables, never
// their values.
func FromEnv(getenv func(string) string) (Config, error) {
	r := variables{getenv: getenv}
	c := Config{
		Endpoint:  r.endpoint(),
		Region:    r.required("AWS_REGION"),
		AccessKey: r.required("AWS_ACCESS_KEY_ID"),
		SecretKey: r.required("AWS_SECRET_ACCESS_KEY"),
		Table:     cmp.Or(getenv("DYNAMODB_TABLE_NAME"), "calendsync"),
		Version:   cmp.Or(getenv("BUILD_SHA"), "dev"),
		Patience: Patience{
			MaxRetries: r.number("STORAGE_MAX_RETRIES", 3, 10),
			RetryDelay: r.duration("STORAGE_RETRY_DELAY", "100ms"),
			TryTimeout: r.duration("STORAGE_TRY_TIMEOUT", "3s"),
		},
	}
	return c, errors.Join(r.wrong...)
}

// variables reads variables, and gathers what is wrong with them.
type variables struct {
	getenv func(string) string
	wrong  []error
}

func (r *variables) refuse(format string, args ...any) {
	r.wrong = append(r.wrong, fmt.Errorf(format, args...))
}

func (r *variables) required(name string) string {
	value := r.getenv(name)
	if value == "" {
		r.refuse("%s is not set", name)
	}
	return value
}

func (r *variables) endpoint() string {
	value := r.required("AWS_ENDPOINT_URL")
	if parsed, err := url.Parse(value); value != "" && (err != nil || parsed.Host == "") {
		r.refuse("AWS_ENDPOINT_URL is not a URL")
	}
	return value
}

// number reads a number from 0 to most.
func (r *variables) number(name string, otherwise, most int) int {
	n, err := strconv.Atoi(cmp.Or(r.getenv(name), strconv.Itoa(otherwise)))
	if err != nil || n < 0 || n > most {
		r.refuse("%s must be a number from 0 to %d", name, most)
	}
	return n
}

// duration reads a duration above 0.
func (r *variables) duration(name, otherwise string) time.Duration {
	d, err := time.ParseDuration(cmp.Or(r.getenv(name), otherwise))
	if err != nil || d <= 0 {
		r.refuse("%s must be a duration above 0, such as %s", name, otherwise)
	}
	return d
}
