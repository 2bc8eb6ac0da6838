package calendsync

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/storespec/storespec/reference/environment"
	"github.com/storespec/storespec/reference/web"
)

// Config is the server's configuration. FromEnv reads it.
type Config struct {
	Endpoint  string // AWS_ENDPOINT_URL
	Region    string // AWS_REGION
	AccessKey string // AWS_ACCESS_KEY_ID
	SecretKey string // AWS_SECRET_ACCESS_KEY
	Table     string // DYNAMODB_TABLE_NAME, default calendsync

	Version  string // BUILD_SHA, default dev
	Patience environment.Patience

	Storage http.RoundTripper // carries the storage calls; nil: its own connections. Not from the environment
}

// FromEnv reads a Config; getenv returns "" for unset variables. Errors name the missing or malformed variables, never
// their values.
func FromEnv(getenv func(string) string) (Config, error) {
	r := environment.New(getenv)
	c := Config{
		Endpoint:  r.RequiredAddress("AWS_ENDPOINT_URL"),
		Region:    r.Required("AWS_REGION"),
		AccessKey: r.Required("AWS_ACCESS_KEY_ID"),
		SecretKey: r.Required("AWS_SECRET_ACCESS_KEY"),
		Table:     r.Text("DYNAMODB_TABLE_NAME", "calendsync"),
		Version:   r.Text("BUILD_SHA", "dev"),
		Patience:  r.Patience("100ms"),
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
	return New(config, time.Now, newID, log), nil
}
