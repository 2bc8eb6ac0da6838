package reference

import (
	"cmp"
	"context"
	"crypto/rand"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/storespec/storespec/reference/actions"
	"github.com/storespec/storespec/reference/c4lendar"
	"github.com/storespec/storespec/reference/calendsync"
	"github.com/storespec/storespec/reference/familyscheduler"
	"github.com/storespec/storespec/reference/lovehunt"
	"github.com/storespec/storespec/reference/telemetry"
	"github.com/storespec/storespec/reference/web"
)

// ErrUnknownSystem is Open's error for a name that Names does not list.
var ErrUnknownSystem = errors.New("unknown system")

// system is a system with a reference server.
type system struct {
	name string
	open func(getenv func(string) string, storage http.RoundTripper, newID func() string, log *slog.Logger) (
		web.Server, error)
}

// systems lists them in the order of the project's documentation.
func systems() []system {
	return []system{
		{"familyscheduler", familyscheduler.Open},
		{"actions", actions.Open},
		{"lovehunt", lovehunt.Open},
		{"c4lendar", c4lendar.Open},
		{"calendsync", calendsync.Open},
	}
}

// Names lists the systems, in the order of the project's documentation.
func Names() (names []string) {
	for _, s := range systems() {
		names = append(names, s.name)
	}
	return names
}

//go:embed */openapi.yaml
var contracts embed.FS

// Contract returns a system's HTTP contract: an OpenAPI 3.1 document in YAML; "" for a name that Names does not list.
// No server reads it; implementations must conform to it.
func Contract(name string) string {
	contract, _ := contracts.ReadFile(name + "/openapi.yaml")
	return string(contract)
}

// Open starts a system's reference server with the environment variables of its contract, and those of OpenTelemetry
// (package telemetry); getenv returns "" for unset variables. storage carries the server's storage calls; nil: its own
// connections. It makes no storage call. Errors: ErrUnknownSystem; missing or malformed variables, by name.
func Open(name string, getenv func(string) string, storage http.RoundTripper, log *slog.Logger) (web.Server, error) {
	all := systems()
	i := slices.IndexFunc(all, func(s system) bool { return s.name == name })
	if i < 0 {
		return nil, fmt.Errorf("%w %q: known are %s", ErrUnknownSystem, name, strings.Join(Names(), ", "))
	}
	server, err := all[i].open(getenv, storage, newID, log)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", name, err)
	}
	reports, err := telemetry.Start(context.Background(), getenv, name, cmp.Or(getenv("BUILD_SHA"), "dev"))
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", name, errors.Join(err, server.Close()))
	}
	return reporting{reports.Handler(server), server, reports}, nil
}

// reporting is a server that reports to a collector.
type reporting struct {
	http.Handler
	server  io.Closer
	reports *telemetry.Telemetry
}

func (r reporting) Close() error { return errors.Join(r.server.Close(), r.reports.Close()) }

// newID returns 192 random bits as 32 characters of [A-Za-z0-9_-]: too many to guess, even for a session.
func newID() string {
	id := make([]byte, 24)
	_, _ = rand.Read(id) // never fails (crypto/rand)
	return base64.RawURLEncoding.EncodeToString(id)
}
