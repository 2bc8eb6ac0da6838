package lovehunt

import (
	"log/slog"
	"net/http"
	"os"
	"time"

	"github.com/storespec/storespec/reference/web"
)

// Open is New with the environment variables of the contract, for a program that runs one of several systems. storage
// carries the storage calls; nil: the server's own connections. It also returns the version of the build. Errors: those
// of FromEnv and New.
func Open(getenv func(string) string, storage http.RoundTripper, _ func() string, log *slog.Logger) (_ web.Server,
	version string, _ error) {
	config, err := FromEnv(getenv)
	if err != nil {
		return nil, "", err
	}
	config.Storage = storage
	if getenv("AUDIT_LOG") == "stdout" {
		config.Audit = slog.New(slog.NewJSONHandler(os.Stdout, nil))
	}
	server, err := New(config, time.Now, log)
	if err != nil {
		return nil, "", err
	}
	return server, config.Version, nil
}
