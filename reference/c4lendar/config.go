package c4lendar

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/storespec/storespec/reference/environment"
	"github.com/storespec/storespec/reference/web"
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
	GoogleURL    string // GOOGLE_BASE_URL: one host instead of Google's three; "": Google's
	PublicURL    string // PUBLIC_URL, where this server is reached

	Version  string // BUILD_SHA, default dev
	Patience environment.Patience

	Storage http.RoundTripper // carries the storage calls; nil: its own connections. Not from the environment
}

// FromEnv reads a Config; getenv returns "" for unset variables. Errors name the missing or malformed variables, never
// their values.
func FromEnv(getenv func(string) string) (Config, error) {
	r := environment.New(getenv)
	c := Config{
		API:           r.Address("CLOUDFLARE_API_BASE_URL", "https://api.cloudflare.com/client/v4"),
		Account:       r.Required("CLOUDFLARE_ACCOUNT_ID"),
		Namespace:     r.Required("KV_NAMESPACE_ID"),
		APIToken:      r.Required("CLOUDFLARE_API_TOKEN"),
		EncryptionKey: getenv("ENCRYPTION_KEY"), // newVault judges both
		PreviousKey:   getenv("ENCRYPTION_KEY_PREVIOUS"),
		AdminToken:    r.Required("ADMIN_TOKEN"),
		BotToken:      r.Required("TELEGRAM_BOT_TOKEN"),
		WebhookSecret: r.Required("TELEGRAM_WEBHOOK_SECRET"),
		TelegramURL:   r.Address("TELEGRAM_BASE_URL", "https://api.telegram.org"),
		ClientID:      r.Required("GOOGLE_CLIENT_ID"),
		ClientSecret:  r.Required("GOOGLE_CLIENT_SECRET"),
		GoogleURL:     r.Address("GOOGLE_BASE_URL", ""),
		PublicURL:     r.RequiredAddress("PUBLIC_URL"),
		Version:       r.Text("BUILD_SHA", "dev"),
		Patience:      r.Patience("300ms"),
	}
	return c, r.Err()
}

// Open is New with the environment variables of the contract. storage carries the storage calls; nil: the server's own
// connections. Errors: those of FromEnv and New.
func Open(getenv func(string) string, storage http.RoundTripper, newID func() string, log *slog.Logger) (
	web.Server, error) {
	config, err := FromEnv(getenv)
	if err != nil {
		return nil, err
	}
	config.Storage = storage
	return New(config, time.Now, newID, log)
}
