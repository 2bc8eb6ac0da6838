package tables

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/host/process"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/dynamodb"
)

const (
	// startLimit is the time limit for a start: Java takes some seconds on an idle machine.
	startLimit = 90 * time.Second
	// lookEvery is how often a starting child is asked whether it answers.
	lookEvery = 20 * time.Millisecond
)

// child is a program of this machine that serves DynamoDB's protocol.
type child struct {
	title   string
	argv    func(port string) []string
	dir     string // its working directory, empty: a temporary one
	lacks   map[string]string
	byTable bool // it keeps access keys apart by nothing: a lane is the name of a table
}

// beyond returns why the child cannot do a call.
func (c *child) beyond(call wire.Call) string {
	switch {
	case strings.HasPrefix(call.Operation, "Execute"), call.Operation == "BatchExecuteStatement":
		return c.lacks[Statements]
	case call.Class == dynamodb.TransactWrite, call.Class == dynamodb.TransactGet:
		return c.lacks[Transactions]
	}
	return ""
}

// running is a child that has been started.
type running struct {
	*child
	process *process.Process
	address *url.URL
	made    string // a directory to remove at the end
}

// open starts the child and creates its store.
func (c *child) open(ctx context.Context, opts store.Options, version string) (*store.Pool, error) {
	lanes, cold, err := identities(opts)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	started, err := c.start(ctx, lanes[0])
	if err != nil {
		return nil, err
	}
	transport := wire.NewTransport()
	proxy := wire.NewProxy(started.address, transport, nil)
	namespaces := func(ids []identity) (list []*store.Namespace) {
		for _, id := range ids {
			owns := all
			if c.byTable {
				owns = id.named
			}
			own := &client{address: started.address.String(), key: id.key, transport: transport}
			n := id.namespace(proxy, own, owns)
			n.Lacks, n.Beyond = c.lacks, c.beyond
			list = append(list, n)
		}
		return list
	}
	s := store.NewPool(opts.Name, version, namespaces(lanes), namespaces(cold))
	s.Broken = store.Ended(started.process, c.title+" ended at "+started.address.String())
	s.Stop = func(ctx context.Context) error {
		transport.CloseIdleConnections()
		return started.stop(ctx)
	}
	return s, nil
}

// start starts the child on a free port and waits for its first answer.
func (c *child) start(ctx context.Context, as identity) (*running, error) {
	port, err := freePort()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	r := &running{child: c, address: &url.URL{Scheme: "http", Host: "127.0.0.1:" + port}}
	dir := c.dir
	if dir == "" {
		if dir, err = os.MkdirTemp("", "storespec-dynamodb-*"); err != nil {
			return nil, fmt.Errorf("%w: make a working directory: %w", store.ErrUnavailable, err)
		}
		r.made = dir
	}
	if r.process, err = process.Start(c.argv(port), process.Options{Dir: dir}); err != nil {
		return nil, errors.Join(fmt.Errorf("%w: start %s: %w", store.ErrUnavailable, c.title, err), r.remove())
	}
	transport := &http.Transport{DisableKeepAlives: true}
	asking := &client{address: r.address.String(), key: as.key, transport: transport}
	look := time.Tick(lookEvery)
	for {
		err := asking.do(ctx, "ListTables", struct{}{}, nil)
		if err == nil {
			return r, nil
		}
		select {
		case <-look:
		case <-r.process.Done():
			err = errors.New(r.process.Exit())
			return nil, errors.Join(r.failed(err), r.stop(ctx))
		case <-ctx.Done():
			return nil, errors.Join(r.failed(err), r.stop(context.WithoutCancel(ctx)))
		}
	}
}

func (r *running) failed(err error) error {
	return fmt.Errorf("%w: start %s: %w\noutput:\n%s", store.ErrUnavailable, r.title, err, r.process.Output())
}

func (r *running) stop(ctx context.Context) error {
	return errors.Join(r.process.Stop(ctx), r.remove())
}

func (r *running) remove() error {
	if r.made == "" {
		return nil
	}
	return os.RemoveAll(r.made)
}

// freePort returns a port that is free now. Another program may take it first: then the child ends and says so.
func freePort() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	return port, err
}
