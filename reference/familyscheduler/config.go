package familyscheduler

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"time"
)

// Config is what the server is given. FromEnv reads it.
type Config struct {
	TablesConnection string // AZURE_TABLES_CONNECTION_STRING
	BlobsConnection  string // AzureWebJobsStorage: the same account
	Container        string // STATE_CONTAINER, default state

	OpenAIBaseURL string // OPENAI_BASE_URL, ends in /v1; without it every chat is answered 502
	OpenAIKey     string // OPENAI_API_KEY
	OpenAIModel   string // OPENAI_MODEL, default gpt-4o-mini

	MagicLinkSecret string // MAGIC_LINK_SECRET signs the links people sign in with
	MagicLinkOutbox string // MAGIC_LINK_OUTBOX, a directory; without it links are made and dropped

	Version string // BUILD_SHA, default dev

	MaxRetries int           // STORAGE_MAX_RETRIES, default 3
	RetryDelay time.Duration // STORAGE_RETRY_DELAY, default 100ms; doubles with each retry
	TryTimeout time.Duration // STORAGE_TRY_TIMEOUT, default 3s, for each attempt

	Storage http.RoundTripper // carries the storage calls; nil: connections of its own. Not from the environment
}

// FromEnv reads a Config. Errors name what is missing or malformed, never a value.
func FromEnv(getenv func(string) string) (Config, error) {
	or := func(name, otherwise string) string {
		if value := getenv(name); value != "" {
			return value
		}
		return otherwise
	}
	c := Config{
		TablesConnection: getenv("AZURE_TABLES_CONNECTION_STRING"),
		BlobsConnection:  getenv("AzureWebJobsStorage"),
		Container:        or("STATE_CONTAINER", "state"),
		OpenAIBaseURL:    getenv("OPENAI_BASE_URL"),
		OpenAIKey:        getenv("OPENAI_API_KEY"),
		OpenAIModel:      or("OPENAI_MODEL", "gpt-4o-mini"),
		MagicLinkSecret:  getenv("MAGIC_LINK_SECRET"),
		MagicLinkOutbox:  getenv("MAGIC_LINK_OUTBOX"),
		Version:          or("BUILD_SHA", "dev"),
	}
	var retries, delay, timeout, outbox error
	c.MaxRetries, retries = strconv.Atoi(or("STORAGE_MAX_RETRIES", "3"))
	c.RetryDelay, delay = time.ParseDuration(or("STORAGE_RETRY_DELAY", "100ms"))
	c.TryTimeout, timeout = time.ParseDuration(or("STORAGE_TRY_TIMEOUT", "3s"))
	if c.MagicLinkOutbox != "" {
		_, outbox = os.Stat(c.MagicLinkOutbox)
	}
	return c, errors.Join(
		needed("AZURE_TABLES_CONNECTION_STRING", c.TablesConnection),
		needed("AzureWebJobsStorage", c.BlobsConnection),
		needed("MAGIC_LINK_SECRET", c.MagicLinkSecret),
		malformed("MAGIC_LINK_OUTBOX must be a directory that exists", outbox != nil),
		malformed("STORAGE_MAX_RETRIES must be a number from 0 to 10", retries != nil || c.MaxRetries < 0 || c.MaxRetries > 10),
		malformed("STORAGE_RETRY_DELAY must be a duration above 0, such as 100ms", delay != nil || c.RetryDelay <= 0),
		malformed("STORAGE_TRY_TIMEOUT must be a duration above 0, such as 3s", timeout != nil || c.TryTimeout <= 0),
	)
}

func needed(name, value string) error {
	if value == "" {
		return fmt.Errorf("%s is not set", name)
	}
	return nil
}

func malformed(what string, is bool) error {
	if is {
		return errors.New(what)
	}
	return nil
}
