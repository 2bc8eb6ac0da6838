package tables

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"time"

	emulated "github.com/storespec/storespec/internal/emulator/dynamodb"
	"github.com/storespec/storespec/internal/emulator/engine"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire/inprocess"
)

// embedded is the emulator in this process, in memory.
type embedded struct {
	engine  *engine.Engine
	service *emulated.Service
	servers []*http.Server
}

// openEmbedded takes a few milliseconds. Each namespace is an access key of its own.
func openEmbedded(_ context.Context, opts store.Options) (*store.Pool, error) {
	lanes, cold, err := identities(opts)
	if err != nil {
		return nil, err
	}
	opened, err := engine.Open(engine.Options{})
	if err != nil {
		return nil, err
	}
	e := &embedded{engine: opened, service: emulated.New(emulated.Options{Engine: opened,
		Log: func(format string, args ...any) { _, _ = fmt.Fprintf(opts.Log, format+"\n", args...) }})}
	all := make([]*store.Namespace, 0, len(lanes)+len(cold))
	for i, id := range slices.Concat(lanes, cold) {
		n, err := e.namespace(id, i < len(lanes))
		if err != nil {
			return nil, errors.Join(err, e.stop(context.Background()))
		}
		all = append(all, n)
	}
	s := store.NewPool(opts.Name, "embedded", all[:len(lanes)], all[len(lanes):])
	s.Stop = e.stop
	return s, nil
}

// namespace creates a namespace, and for a lane a port of its own, for what reaches it without a gateway.
func (e *embedded) namespace(id identity, isLane bool) (*store.Namespace, error) {
	e.service.AddKey(id.key.ID, id.key.Secret)
	account, err := e.service.Account(id.key.ID, id.key.Region)
	if err != nil {
		return nil, err
	}
	handler := e.service.Only(id.key.ID)
	address := "http://embedded.invalid" // inside of this process alone
	if isLane {
		if address, err = e.listen(handler); err != nil {
			return nil, err
		}
	}
	transport := inprocess.Transport{Handler: handler}
	n := id.namespace(handler, &client{address: address, key: id.key, transport: transport}, all)
	n.Transport = transport
	n.Simulation = account
	n.Wipe = func(context.Context) error { return account.Reset() }
	n.Drop = func(context.Context) error { return account.Drop() }
	n.Snapshot = func() (store.Snapshot, error) { return account.Snapshot() }
	return n, nil
}

func (e *embedded) listen(handler http.Handler) (address string, _ error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 30 * time.Second}
	e.servers = append(e.servers, server)
	go func() { _ = server.Serve(listener) }() // returns when the store is closed
	return "http://" + listener.Addr().String(), nil
}

func (e *embedded) stop(ctx context.Context) error {
	var errs []error
	for _, server := range e.servers {
		if err := server.Shutdown(ctx); err != nil {
			errs = append(errs, server.Close())
		}
	}
	return errors.Join(append(errs, e.engine.Close())...)
}
