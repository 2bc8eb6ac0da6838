// Package reference knows the reference servers by the names of their systems. A reference server implements one design
// completely, on the real SDKs, with nothing of the harness in it: what it is given are ordinary environment variables.
//
// Open first: Open, then the package of a system, such as reference/familyscheduler.
package reference

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/storespec/storespec/reference/actions"
	"github.com/storespec/storespec/reference/familyscheduler"
	"github.com/storespec/storespec/reference/telemetry"
)

// Server answers a system's HTTP contract until it is closed.
type Server interface {
	http.Handler
	io.Closer
}

// ErrUnknownSystem is Open's error for a name that Names does not list.
var ErrUnknownSystem = errors.New("unknown system")

// Names lists the systems, in the order of the project's documentation.
func Names() []string { return []string{"familyscheduler", "actions"} }

// Contract is a system's HTTP contract: an OpenAPI 3.1 document in YAML; "" for a name that Names does not list.
func Contract(system string) string {
	switch system {
	case "familyscheduler":
		return familyscheduler.OpenAPI()
	case "actions":
		return actions.OpenAPI()
	}
	return ""
}

// Open starts a system's reference server with the environment variables of its contract, and those of OpenTelemetry
// (package telemetry); getenv answers "" for what is not set. storage carries the server's storage calls; nil: connections of its own. It makes no storage call. Errors:
// ErrUnknownSystem; variables that are missing or malformed, by name.
func Open(system string, getenv func(string) string, storage http.RoundTripper, log *slog.Logger) (Server, error) {
	var server Server
	var version string
	var err error
	switch system {
	case "familyscheduler":
		server, version, err = openFamilyscheduler(getenv, storage, log)
	case "actions":
		server, version, err = openActions(getenv, storage, log)
	default:
		return nil, fmt.Errorf("%w %q: known are %s", ErrUnknownSystem, system, strings.Join(Names(), ", "))
	}
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", system, err)
	}
	reports, err := telemetry.Start(context.Background(), getenv, system, version)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", system, errors.Join(err, server.Close()))
	}
	return reporting{reports.Handler(server), server, reports}, nil
}

func openFamilyscheduler(getenv func(string) string, storage http.RoundTripper, log *slog.Logger) (_ Server, version string, _ error) {
	config, err := familyscheduler.FromEnv(getenv)
	if err != nil {
		return nil, "", err
	}
	config.Storage = storage
	server, err := familyscheduler.New(config, time.Now, newID, log)
	return server, config.Version, err
}

func openActions(getenv func(string) string, storage http.RoundTripper, log *slog.Logger) (_ Server, version string, _ error) {
	config, err := actions.FromEnv(getenv)
	if err != nil {
		return nil, "", err
	}
	config.Storage = storage
	server, err := actions.New(config, time.Now, newID, log)
	return server, config.Version, err
}

// reporting is a server that tells a collector what it does.
type reporting struct {
	http.Handler
	server  io.Closer
	reports *telemetry.Telemetry
}

func (r reporting) Close() error { return errors.Join(r.server.Close(), r.reports.Close()) }

// newID is 192 random bits as 32 characters of [A-Za-z0-9_-]: too many to guess, also for a session.
func newID() string {
	id := make([]byte, 24)
	_, _ = rand.Read(id) // never fails (crypto/rand)
	return base64.RawURLEncoding.EncodeToString(id)
}
