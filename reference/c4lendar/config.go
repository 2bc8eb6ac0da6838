package c4lendar

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strconv"
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

// FromEnv reads a Config; getenv returns "" for unset variables. Errors name the missing or malformed variable, never
// its value.
func FromEnv(getenv func(string) string) (Config, error) {
	var wrong []error
	required := func(name string) string {
		value := getenv(name)
		if value == "" {
			wrong = append(wrong, fmt.Errorf("%s is not set", name))
		}
		return value
	}
	c := Config{
		API:       cmp.Or(getenv("CLOUDFLARE_API_BASE_URL"), "https://api.cloudflare.com/client/v4"),
		Account:   required("CLOUDFLARE_ACCOUNT_ID"),
		Namespace: required("KV_NAMESPACE_ID"),
		APIToken:  required("CLOUDFLARE_API_TOKEN"),

		EncryptionKey: required("ENCRYPTION_KEY"),
		PreviousKey:   getenv("ENCRYPTION_KEY_PREVIOUS"),

		AdminToken:    required("ADMIN_TOKEN"),
		BotToken:      required("TELEGRAM_BOT_TOKEN"),
		WebhookSecret: required("TELEGRAM_WEBHOOK_SECRET"),
		TelegramURL:   cmp.Or(getenv("TELEGRAM_BASE_URL"), "https://api.telegram.org"),

		ClientID:     required("GOOGLE_CLIENT_ID"),
		ClientSecret: required("GOOGLE_CLIENT_SECRET"),
		GoogleURL:    getenv("GOOGLE_BASE_URL"),
		PublicURL:    required("PUBLIC_URL"),

		Version: cmp.Or(getenv("BUILD_SHA"), "dev"),
	}
	retries, err := strconv.Atoi(cmp.Or(getenv("STORAGE_MAX_RETRIES"), "3"))
	if err != nil || retries < 0 || retries > 10 {
		wrong = append(wrong, errors.New("STORAGE_MAX_RETRIES must be a number from 0 to 10"))
	}
	delay, noDelay := duration(getenv, "STORAGE_RETRY_DELAY", "300ms")
	timeout, noTimeout := duration(getenv, "STORAGE_TRY_TIMEOUT", "3s")
	c.Patience = Patience{MaxRetries: retries, RetryDelay: delay, TryTimeout: timeout}
	return c, errors.Join(append(wrong, noDelay, noTimeout)...)
}

// duration reads a variable that must be a duration above 0.
func duration(getenv func(string) string, name, otherwise string) (time.Duration, error) {
	d, err := time.ParseDuration(cmp.Or(getenv(name), otherwise))
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%s must be a duration above 0, such as %s", name, otherwise)
	}
	return d, nil
}
