package actions

import (
	"cmp"
	"errors"
	"log/slog"
	"net/http"
	"regexp"
	"time"

	"github.com/storespec/storespec/reference/environment"
	"github.com/storespec/storespec/reference/web"
)

// Config is the server's configuration. FromEnv reads it.
type Config struct {
	TableConnection string // ACTIONS_TABLE_CONNECTION, default AzureWebJobsStorage
	BlobConnection  string // AzureWebJobsStorage, default ACTIONS_TABLE_CONNECTION
	Table           string // ACTIONS_TABLE_NAME, default actions

	HistoryContainer string        // ACTIONS_HISTORY_CONTAINER; without it old payloads are not kept
	RedisURL         string        // REDIS_URL, such as redis://localhost:6379/0; without it there is no cache
	RedisTimeout     time.Duration // REDIS_TIMEOUT, default 100ms; what the cache may cost a request at most

	Version string // BUILD_SHA, default dev

	Patience environment.Patience

	Storage http.RoundTripper // carries the storage calls; nil: its own connections. Not from the environment
}

// The names that the services accept (REST documentation, "Understanding the Table service data model", "Naming and
// referencing containers, blobs, and metadata").
var (
	tableName      = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]{2,62}$`)
	containerChars = regexp.MustCompile(`^[a-z0-9-]{3,63}$`)
	containerParts = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
)

func isContainerName(name string) bool {
	return containerChars.MatchString(name) && containerParts.MatchString(name)
}

// FromEnv reads a Config; getenv returns "" for unset variables. Errors name the missing or malformed variable, never
// its value.
func FromEnv(getenv func(string) string) (Config, error) {
	r := environment.New(getenv)
	tables, blobs := getenv("ACTIONS_TABLE_CONNECTION"), getenv("AzureWebJobsStorage")
	c := Config{
		TableConnection:  cmp.Or(tables, blobs),
		BlobConnection:   cmp.Or(blobs, tables),
		Table:            r.Text("ACTIONS_TABLE_NAME", "actions"),
		HistoryContainer: getenv("ACTIONS_HISTORY_CONTAINER"),
		RedisURL:         getenv("REDIS_URL"),
		RedisTimeout:     r.Duration("REDIS_TIMEOUT", cacheTimeout.String()),
		Version:          r.Text("BUILD_SHA", "dev"),
		Patience:         r.Patience("100ms"),
	}
	if c.TableConnection == "" {
		r.Refuse(errors.New("ACTIONS_TABLE_CONNECTION is not set"))
	}
	if !tableName.MatchString(c.Table) {
		r.Refuse(errors.New("ACTIONS_TABLE_NAME must be 3 to 63 letters and digits that begin with a letter"))
	}
	if c.HistoryContainer != "" && !isContainerName(c.HistoryContainer) {
		r.Refuse(errors.New("ACTIONS_HISTORY_CONTAINER must be 3 to 63 small letters, digits and single dashes"))
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
