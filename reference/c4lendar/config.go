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

// FromEnv reads a Config; getenv returns "" for unset variables. Errors name a missing or malformed variable, never its
// value.
func FromEnv(getenv func(string) string) (Config, error) {
	c := Config{
		API:           cmp.Or(getenv("CLOUDFLARE_API_BASE_URL"), "https://api.cloudflare.com/client/v4"),
		Account:       getenv("CLOUDFLARE_ACCOUNT_ID"),
		Namespace:     getenv("KV_NAMESPACE_ID"),
		APIToken:      getenv("CLOUDFLARE_API_TOKEN"),
		EncryptionKey: getenv("ENCRYPTION_KEY"),
		PreviousKey:   getenv("ENCRYPTION_KEY_PREVIOUS"),
		AdminToken:    getenv("ADMIN_TOKEN"),
		BotToken:      getenv("TELEGRAM_BOT_TOKEN"),
		WebhookSecret: getenv("TELEGRAM_WEBHOOK_SECRET"),
		TelegramURL:   cmp.Or(getenv("TELEGRAM_BASE_URL"), "https://api.telegram.org"),
		ClientID:      getenv("GOOGLE_CLIENT_ID"),
		ClientSecret:  getenv("GOOGLE_CLIENT_SECRET"),
		GoogleURL:     getenv("GOOGLE_BASE_URL"),
		PublicURL:     getenv("PUBLIC_URL"),
		Version:       cmp.Or(getenv("BUILD_SHA"), "dev"),
	}
	for _, name := range []string{"CLOUDFLARE_ACCOUNT_ID", "KV_NAMESPACE_ID", "CLOUDFLARE_API_TOKEN", "ADMIN_TOKEN",
		"TELEGRAM_BOT_TOKEN", "TELEGRAM_WEBHOOK_SECRET", "GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET", "PUBLIC_URL"} {
		if getenv(name) == "" {
			return Config{}, fmt.Errorf("%s is not set", name)
		}
	}
	retries, notANumber := strconv.ParseUint(cmp.Or(getenv("STORAGE_MAX_RETRIES"), "3"), 10, 8)
	delay, noDelay := time.ParseDuration(cmp.Or(getenv("STORAGE_RETRY_DELAY"), "300ms"))
	timeout, noTimeout := time.ParseDuration(cmp.Or(getenv("STORAGE_TRY_TIMEOUT"), "3s"))
	c.Patience = Patience{MaxRetries: int(retries), RetryDelay: delay, TryTimeout: timeout}
	if errors.Join(notANumber, noDelay, noTimeout) != nil {
		return Config{}, errors.New("STORAGE_MAX_RETRIES is a number, and the other STORAGE_ variables are durations")
	}
	return c, nil
}
