package tables

import (
	"context"
	"errors"
	"fmt"
	"slices"

	emulated "github.com/storespec/storespec/internal/emulator/dynamodb"
	"github.com/storespec/storespec/internal/emulator/engine"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire/inprocess"
)

// embedded is the emulator in this process, in memory.
type embedded struct {
	engine  *engine.Engine
	service *emulated.Service
	ports   store.Ports
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
		if address, err = e.ports.Listen(handler); err != nil {
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

func (e *embedded) stop(ctx context.Context) error {
	return errors.Join(e.ports.Close(ctx), e.engine.Close())
}
