package c4lendar

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Config is the server's configuration. FromEnv reads it.
type Config struct {
	API       string // CLOUDFLARE_API_BASE_URL, default Cloudflare's
	Account   string // CLOUDFLARE_ACCOUNT_ID
	Namespace string // KV_NAMESPACE_ID
	APIToken  string // CLOUDFLARE_API_TOKEN

	EncryptionKey string // ENCRYPTION_KEY: its first 32 characters are the key
	PreviousKey   string // ENCRYPTION_KEY_PREVIOUS, which is still read; "": none

	AdminToken    string // ADMIN_TOKEN
	BotToken      string // TELEGRAM_BOT_TOKEN
	WebhookSecret string // TELEGRAM_WEBHOOK_SECRET
	TelegramURL   string // TELEGRAM_BASE_URL, default Telegram's

	ClientID     string // GOOGLE_CLIENT_ID
	ClientSecret string // GOOGLE_CLIENT_SECRET
	GoogleURL    string // GOOGLE_BASE_URL: one host in place of Google's three; "": Google's
	PublicURL    string // PUBLIC_URL, where this server is reached

	Version  string // BUILD_SHA, default dev
	Patience Patience

	Storage http.RoundTripper // carries the storage calls; nil: its own connections. Not from the environment
}

// Patience is how long and how often a storage call is attempted.
type Patience struct {
	MaxRetries int           // STORAGE_MAX_RETRIES, default 3
	RetryDelay time.Duration // STORAGE_RETRY_DELAY, default 300ms; doubles with each retry
	TryTimeout time.Duration // STORAGE_TRY_TIMEOUT, default 3s, for each attempt
}

// FromEnv reads a Config; getenv returns "" for unset variables. Errors name the missing or malformed variables, never
// their values.
func FromEnv(getenv func(string) string) (Config, error) {
	r := reader{getenv: getenv}
	c := Config{
		API:           r.address("CLOUDFLARE_API_BASE_URL", "https://api.cloudflare.com/client/v4"),
		Account:       r.required("CLOUDFLARE_ACCOUNT_ID"),
		Namespace:     r.required("KV_NAMESPACE_ID"),
		APIToken:      r.required("CLOUDFLARE_API_TOKEN"),
		EncryptionKey: getenv("ENCRYPTION_KEY"), // newVault judges both
		PreviousKey:   getenv("ENCRYPTION_KEY_PREVIOUS"),
		AdminToken:    r.required("ADMIN_TOKEN"),
		BotToken:      r.required("TELEGRAM_BOT_TOKEN"),
		WebhookSecret: r.required("TELEGRAM_WEBHOOK_SECRET"),
		TelegramURL:   r.address("TELEGRAM_BASE_URL", "https://api.telegram.org"),
		ClientID:      r.required("GOOGLE_CLIENT_ID"),
		ClientSecret:  r.required("GOOGLE_CLIENT_SECRET"),
		GoogleURL:     r.address("GOOGLE_BASE_URL", ""),
		PublicURL:     r.address("PUBLIC_URL", r.required("PUBLIC_URL")),
		Version:       cmp.Or(getenv("BUILD_SHA"), "dev"),
		Patience: Patience{
			MaxRetries: r.number("STORAGE_MAX_RETRIES", 3, 10),
			RetryDelay: r.duration("STORAGE_RETRY_DELAY", "300ms"),
			TryTimeout: r.duration("STORAGE_TRY_TIMEOUT", "3s"),
		},
	}
	return c, errors.Join(r.wrong...)
}

// reader reads variables, and gathers what is wrong with them.
type reader struct {
	getenv func(string) string
	wrong  []error
}

func (r *reader) refuse(format string, args ...any) {
	r.wrong = append(r.wrong, fmt.Errorf(format, args...))
}

func (r *reader) required(name string) string {
	value := r.getenv(name)
	if value == "" {
		r.refuse("%s is not set", name)
	}
	return value
}

// address reads a URL that others are made of, without a slash at its end.
func (r *reader) address(name, otherwise string) string {
	value := cmp.Or(r.getenv(name), otherwise)
	if parsed, err := url.Parse(value); value != "" && (err != nil || parsed.Host == "") {
		r.refuse("%s is not a URL", name)
	}
	return strings.TrimSuffix(value, "/")
}

// number reads a number from 0 to most.
func (r *reader) number(name string, otherwise, most int) int {
	value := cmp.Or(r.getenv(name), strconv.Itoa(otherwise))
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 || n > most {
		r.refuse("%s must be a number from 0 to %d", name, most)
	}
	return n
}

// duration reads a duration above 0.
func (r *reader) duration(name, otherwise string) time.Duration {
	d, err := time.ParseDuration(cmp.Or(r.getenv(name), otherwise))
	if err != nil || d <= 0 {
		r.refuse("%s must be a duration above 0, such as %s", name, otherwise)
	}
	return d
}
