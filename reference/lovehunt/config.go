package lovehunt

import (
	"errors"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/storespec/storespec/reference/account"
	"github.com/storespec/storespec/reference/environment"
	"github.com/storespec/storespec/reference/web"
)

// Config is the server's configuration. FromEnv reads it.
type Config struct {
	Connection string // AZURE_STORAGE_CONNECTION_STRING; BlobEndpoint may be missing in tables-only
	// Tables is AZURE_TABLES_ENDPOINT, and Identity the managed identity that reads and writes there, instead of
	// Connection; in tables-only.
	Tables   string
	Identity *account.Identity

	Container string // BLOB_CONTAINER, default lovehunt
	Phase     phase  // MIGRATION_PHASE, or the design's flags

	BreakerReset  time.Duration // BREAKER_RESET_MS, default 30 s: how long the tables are left alone after 5 failures
	Retention     time.Duration // RETENTION_DAYS after a hunt's last day; 0: hunts are kept forever
	CleanupEvery  time.Duration // CLEANUP_INTERVAL_MS, default a day
	SamplePercent int           // CONSISTENCY_SAMPLE_PERCENT, 0 to 100: reads that are compared with the other store
	Verbose       bool          // AZURE_LOG_LEVEL=verbose: one log line for each storage operation

	Version string       // BUILD_SHA, default dev
	Audit   *slog.Logger // one line for each mutation; nil: the server's log. Not from the environment

	Patience environment.Patience

	tools bool // it is for tools, which use both stores in every phase

	Storage http.RoundTripper // carries the storage calls; nil: its own connections. Not from the environment
}

const (
	day          = 24 * time.Hour
	maxRetention = 36500 // days: a hundred years
)

// FromEnv reads a Config; getenv returns "" for unset variables. Errors name the missing or malformed variable, never
// its value.
func FromEnv(getenv func(string) string) (Config, error) {
	r := environment.New(getenv)
	c := Config{
		Container:    r.Text("BLOB_CONTAINER", "lovehunt"),
		BreakerReset: milliseconds(r.Number("BREAKER_RESET_MS", 30_000, 1, 3_600_000)),
		CleanupEvery: milliseconds(r.Number("CLEANUP_INTERVAL_MS", int(day/time.Millisecond), 10,
			int(30*day/time.Millisecond))),
		Retention:     day * time.Duration(r.Number("RETENTION_DAYS", 0, 0, maxRetention)),
		SamplePercent: r.Number("CONSISTENCY_SAMPLE_PERCENT", 0, 0, 100),
		Verbose:       getenv("AZURE_LOG_LEVEL") == "verbose",
		Version:       r.Text("BUILD_SHA", "dev"),
		Patience:      r.Patience("100ms"),
	}
	var noPhase error
	c.Phase, noPhase = phaseOf(getenv)
	return c, errors.Join(c.readAccount(getenv), noPhase, r.Err())
}

func milliseconds(n int) time.Duration { return time.Duration(n) * time.Millisecond }

// readAccount reads where the store is, and by what right the server uses it: a connection string has a key, and
// without one there must be a managed identity (LH-SEC-1). The design names no address of blobs.
func (c *Config) readAccount(getenv func(string) string) (err error) {
	c.Connection = getenv("AZURE_STORAGE_CONNECTION_STRING")
	if c.Connection != "" {
		return nil
	}
	switch c.Tables = getenv("AZURE_TABLES_ENDPOINT"); {
	case c.Tables == "":
		return errors.New("AZURE_STORAGE_CONNECTION_STRING is not set, nor AZURE_TABLES_ENDPOINT")
	case !strings.HasPrefix(c.Tables, "https://"):
		return errors.New("AZURE_TABLES_ENDPOINT must begin with https://, which tokens need")
	case c.Phase != tablesOnly:
		return errors.New("AZURE_TABLES_ENDPOINT is for MIGRATION_PHASE tables-only; the others need " +
			"AZURE_STORAGE_CONNECTION_STRING")
	}
	c.Identity, err = account.IdentityFromEnv(getenv)
	return err
}

// Open is New with the environment variables of the contract. storage carries the storage calls; nil: the server's own
// connections. Errors: those of FromEnv and New.
func Open(getenv func(string) string, storage http.RoundTripper, _ func() string, log *slog.Logger) (
	web.Server, error) {
	config, err := FromEnv(getenv)
	if err != nil {
		return nil, err
	}
	config.Storage = storage
	if getenv("AUDIT_LOG") == "stdout" {
		config.Audit = slog.New(slog.NewJSONHandler(os.Stdout, nil))
	}
	return New(config, time.Now, log)
}
