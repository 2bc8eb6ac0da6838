package store

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/storespec/storespec/internal/emulator"
	"github.com/storespec/storespec/internal/inprocess"
	"github.com/storespec/storespec/internal/wire"
)

// embedded is the emulator in this process: an account for each lane, in memory. Whoever has a lease
// reaches it without a socket; the ports are for connection strings that leave the process.
type embedded struct {
	emulator  *emulator.Emulator
	handlers  map[wire.Service]http.Handler
	servers   []*http.Server
	listeners map[wire.Service]net.Listener
}

// openEmbedded takes a millisecond. Cold namespaces cost a name and a key each.
func openEmbedded(_ context.Context, opts Options) (*pooled, error) {
	creds, err := newAccounts(opts)
	if err != nil {
		return nil, err
	}
	e, err := startEmbedded(func(format string, args ...any) { _, _ = fmt.Fprintf(opts.Log, format+"\n", args...) })
	if err != nil {
		return nil, err
	}
	lanes, err := e.namespaces(creds.lanes)
	if err != nil {
		return nil, errors.Join(err, e.stop(context.Background()))
	}
	cold, err := e.namespaces(creds.cold)
	if err != nil {
		return nil, errors.Join(err, e.stop(context.Background()))
	}
	s := newPooled(opts.Name, "embedded "+programVersion(), lanes, cold)
	s.stop = e.stop
	return s, nil
}

// startEmbedded opens the emulator and its ports.
func startEmbedded(log func(string, ...any)) (_ *embedded, err error) {
	opened, err := emulator.Open(emulator.Options{Log: log})
	if err != nil {
		return nil, err
	}
	e := &embedded{
		emulator:  opened,
		handlers:  map[wire.Service]http.Handler{wire.Table: opened.Table, wire.Blob: opened.Blob},
		listeners: map[wire.Service]net.Listener{},
	}
	for service, handler := range e.handlers {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, errors.Join(fmt.Errorf("%w: %w", ErrUnavailable, err), e.stop(context.Background()))
		}
		e.listeners[service] = listener
		server := &http.Server{Handler: handler, ReadHeaderTimeout: 30 * time.Second}
		e.servers = append(e.servers, server)
		go func() { _ = server.Serve(listener) }() // returns when the store is closed
	}
	return e, nil
}

// namespaces makes the accounts and what a lease of each needs.
func (e *embedded) namespaces(creds []credential) ([]*namespace, error) {
	transport := inprocess.Transport{Handler: http.HandlerFunc(e.dispatch)}
	var list []*namespace
	for _, c := range creds {
		if err := e.emulator.AddAccount(c.account, c.key); err != nil {
			return nil, err
		}
		list = append(list, &namespace{
			account: c.account, key: c.key,
			direct:    connectionString(c.account, c.key, e.address(wire.Table), e.address(wire.Blob)),
			upstream:  e.handlers,
			transport: transport,
			wipe:      func(context.Context) error { return e.emulator.Reset(c.account) },
			snapshot:  func() (snapshot, error) { return e.emulator.Snapshot(c.account) },
		})
	}
	return list, nil
}

func (e *embedded) address(service wire.Service) string {
	return "http://" + e.listeners[service].Addr().String()
}

// dispatch finds the service that listens where a request is sent to.
func (e *embedded) dispatch(w http.ResponseWriter, r *http.Request) {
	for service, listener := range e.listeners {
		if r.Host == listener.Addr().String() {
			e.handlers[service].ServeHTTP(w, r)
			return
		}
	}
	http.Error(w, "no service of the embedded store listens at "+r.Host, http.StatusMisdirectedRequest)
}

func (e *embedded) stop(ctx context.Context) error {
	var errs []error
	for _, server := range e.servers {
		if err := server.Shutdown(ctx); err != nil {
			errs = append(errs, server.Close())
		}
	}
	return errors.Join(append(errs, e.emulator.Close())...)
}

// programVersion is this module's version, as the go command stamped it.
func programVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
