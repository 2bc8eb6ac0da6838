package account

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"slices"

	"github.com/storespec/storespec/internal/emulator"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
	"github.com/storespec/storespec/internal/wire/inprocess"
)

// embedded is the emulator in this process: an account for each lane, in memory. A lease reaches it without a socket;
// the ports are for connection strings that leave the process.
type embedded struct {
	emulator  *emulator.Emulator
	handlers  map[wire.Service]http.Handler
	ports     store.Ports
	addresses map[wire.Service]string
}

// openEmbedded takes a millisecond. Each cold namespace costs only a name and a key.
func openEmbedded(_ context.Context, opts store.Options) (*store.Pool, error) {
	creds, err := newAccounts(opts)
	if err != nil {
		return nil, err
	}
	e, err := startEmbedded(func(format string, args ...any) { _, _ = fmt.Fprintf(opts.Log, format+"\n", args...) })
	if err != nil {
		return nil, err
	}
	all, err := e.namespaces(slices.Concat(creds.lanes, creds.cold))
	if err != nil {
		return nil, errors.Join(err, e.stop(context.Background()))
	}
	lanes := len(creds.lanes)
	s := store.NewPool(opts.Name, "embedded "+programVersion(), all[:lanes], all[lanes:])
	s.Stop = e.stop
	return s, nil
}

// startEmbedded starts the emulator and opens its ports.
func startEmbedded(log func(string, ...any)) (_ *embedded, err error) {
	opened, err := emulator.Open(emulator.Options{Log: log})
	if err != nil {
		return nil, err
	}
	e := &embedded{emulator: opened, addresses: map[wire.Service]string{},
		handlers: map[wire.Service]http.Handler{azure.Table: opened.Table, azure.Blob: opened.Blob}}
	for service, handler := range e.handlers {
		if e.addresses[service], err = e.ports.Listen(handler); err != nil {
			return nil, errors.Join(err, e.stop(context.Background()))
		}
	}
	return e, nil
}

// namespaces creates the accounts and what a lease of each needs.
func (e *embedded) namespaces(creds []credential) ([]*store.Namespace, error) {
	transport := inprocess.Transport{Handler: http.HandlerFunc(e.dispatch)}
	var list []*store.Namespace
	for _, c := range creds {
		if err := e.emulator.AddAccount(c.account, c.key); err != nil {
			return nil, err
		}
		direct := connectionString(c.account, c.key, e.addresses[azure.Table], e.addresses[azure.Blob])
		n := namespace(c.account, c.key, direct, transport, "")
		n.Upstream, n.Transport = upstream(e.handlers[azure.Table], e.handlers[azure.Blob]), transport
		n.Wipe = func(context.Context) error { return e.emulator.Reset(c.account) }
		n.Drop = func(context.Context) error { return e.emulator.Drop(c.account) }
		n.Snapshot = func() (store.Snapshot, error) { return e.emulator.Snapshot(c.account) }
		list = append(list, n)
	}
	return list, nil
}

// dispatch finds the service listening at the request's address.
func (e *embedded) dispatch(w http.ResponseWriter, r *http.Request) {
	for service, address := range e.addresses {
		if "http://"+r.Host == address {
			e.handlers[service].ServeHTTP(w, r)
			return
		}
	}
	http.Error(w, "no service of the embedded store listens at "+r.Host, http.StatusMisdirectedRequest)
}

func (e *embedded) stop(ctx context.Context) error {
	return errors.Join(e.ports.Close(ctx), e.emulator.Close())
}

// programVersion returns this module's version, as stamped by the go command.
func programVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
