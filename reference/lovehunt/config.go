package lovehunt

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/storespec/storespec/reference/account"
)

// Config is the server's configuration. FromEnv reads it.
type Config struct {
	Connection string // AZURE_STORAGE_CONNECTION_STRING; BlobEndpoint may be missing in tables-only
	// Tables is AZURE_TABLES_ENDPOINT, and Identity the managed identity that reads and writes there, in place of
	// Connection; in tables-only.
	Tables   string
	Identity *account.Identity

	Container string // BLOB_CONTAINER, default lovehunt
	Phase     phase  // MIGRATION_PHASE, or the design's flags

	BreakerReset  time.Duration // BREAKER_RESET_MS, default 30 s: how long the tables are left alone after 5 failures
	Retention     time.Duration // RETENTION_DAYS after a hunt's last day; 0: hunts are kept for ever
	CleanupEvery  time.Duration // CLEANUP_INTERVAL_MS, default a day
	SamplePercent int           // CONSISTENCY_SAMPLE_PERCENT, 0 to 100: reads that are compared with the other store
	Verbose       bool          // AZURE_LOG_LEVEL=verbose: one log line for each storage operation

	Version string       // BUILD_SHA, default dev
	Audit   *slog.Logger // one line for each mutation; nil: the server's log. Not from the environment

	Patience account.Patience

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
	c := Config{
		Container: cmp.Or(getenv("BLOB_CONTAINER"), "lovehunt"),
		Verbose:   getenv("AZURE_LOG_LEVEL") == "verbose",
		Version:   cmp.Or(getenv("BUILD_SHA"), "dev"),
	}
	var noPhase, noPatience error
	c.Phase, noPhase = phaseOf(getenv)
	missing := c.readAccount(getenv)
	c.Patience, noPatience = account.PatienceFromEnv(getenv)
	reset, noReset := number(getenv, "BREAKER_RESET_MS", 30_000, 1, 3_600_000)
	every, noEvery := number(getenv, "CLEANUP_INTERVAL_MS", int(day/time.Millisecond), 10, int(30*day/time.Millisecond))
	kept, noRetention := number(getenv, "RETENTION_DAYS", 0, 0, maxRetention)
	percent, noPercent := number(getenv, "CONSISTENCY_SAMPLE_PERCENT", 0, 0, 100)
	c.BreakerReset, c.CleanupEvery = time.Duration(reset)*time.Millisecond, time.Duration(every)*time.Millisecond
	c.Retention, c.SamplePercent = time.Duration(kept)*day, percent
	return c, errors.Join(missing, noPhase, noPatience, noReset, noEvery, noRetention, noPercent)
}

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

// number reads a whole number within bounds.
func number(getenv func(string) string, name string, otherwise, least, most int) (int, error) {
	n, err := strconv.Atoi(cmp.Or(getenv(name), strconv.Itoa(otherwise)))
	if err != nil || n < least || n > most {
		return otherwise, fmt.Errorf("%s must be a number from %d to %d", name, least, most)
	}
	return n, nil
}
