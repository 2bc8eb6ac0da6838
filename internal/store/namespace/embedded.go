package namespace

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/storespec/storespec/internal/emulator/engine"
	emulated "github.com/storespec/storespec/internal/emulator/kv"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/inprocess"
	"github.com/storespec/storespec/internal/wire/kv"
)

// embedded is the emulator in this process, in memory.
type embedded struct {
	engine  *engine.Engine
	service *emulated.Service
	account identity // without a namespace
	ports   store.Ports
}

// openEmbedded takes a millisecond. A cold namespace is one more namespace: Workers KV has nothing to be provisioned.
func openEmbedded(_ context.Context, opts store.Options) (*store.Pool, error) {
	token, err := newToken(opts.Entropy)
	if err != nil {
		return nil, err
	}
	opened, err := engine.Open(engine.Options{})
	if err != nil {
		return nil, err
	}
	e := &embedded{engine: opened, account: identity{account: "storespec", token: token}}
	e.service = emulated.New(emulated.Options{Engine: opened, Account: e.account.account, Token: e.account.token,
		Log: func(format string, args ...any) { _, _ = fmt.Fprintf(opts.Log, format+"\n", args...) }})
	all := make([]*store.Namespace, opts.Lanes+opts.Cold)
	for i := range all {
		if all[i], err = e.namespace(i+1, i < opts.Lanes); err != nil {
			return nil, errors.Join(err, e.stop(context.Background()))
		}
	}
	s := store.NewPool(opts.Name, "embedded", all[:opts.Lanes], all[opts.Lanes:])
	s.Stop = e.stop
	return s, nil
}

// namespace creates a namespace, and for a lane a port of its own, for what reaches it without a gateway.
func (e *embedded) namespace(number int, isLane bool) (*store.Namespace, error) {
	id := e.account
	id.namespace = fmt.Sprintf("%032x", number)
	namespace, err := e.service.Add(id.namespace, fmt.Sprintf("namespace %d", number))
	if err != nil {
		return nil, err
	}
	handler := e.service.Only(id.namespace)
	n := &store.Namespace{
		Name:      "namespace " + id.namespace,
		Values:    func(at map[wire.Service]string) map[string]string { return id.values(at[kv.Service]) },
		Secrets:   []string{id.token},
		Upstream:  map[wire.Protocol]http.Handler{kv.Protocol{}: handler},
		Transport: inprocess.Transport{Handler: handler}, Objects: keys{namespace}, Simulation: namespace,
		Wipe:     func(context.Context) error { return namespace.Reset() },
		Drop:     func(context.Context) error { return namespace.Reset() },
		Snapshot: func() (store.Snapshot, error) { return namespace.Snapshot() },
	}
	address := ""
	if isLane {
		if address, err = e.ports.Listen(handler); err != nil {
			return nil, err
		}
	}
	n.Direct = id.values(address)
	return n, nil
}

func (e *embedded) stop(ctx context.Context) error {
	return errors.Join(e.ports.Close(ctx), e.engine.Close())
}
