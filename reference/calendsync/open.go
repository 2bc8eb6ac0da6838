package calendsync

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/storespec/storespec/reference/web"
)

// Open is New with the environment variables of the contract, for a program that runs one of several systems. storage
// carries the storage calls; nil: the server's own connections. It also returns the version of the build. Errors: those
// of FromEnv.
func Open(getenv func(string) string, storage http.RoundTripper, newID func() string, log *slog.Logger) (_ web.Server,
	version string, _ error) {
	config, err := FromEnv(getenv)
	if err != nil {
		return nil, "", err
	}
	config.Storage = storage
	return New(config, time.Now, newID, log), config.Version, nil
}
