package target

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/storespec/storespec/internal/host/process"
)

// Handler is a server that runs in this process.
type Handler interface {
	http.Handler
	Close() error
}

// Opener creates a new instance from the environment given to the target. storage is the transport to the storage
// services that the environment names; nil: over the network. It logs to log.
type Opener func(getenv func(string) string, storage http.RoundTripper, log io.Writer) (Handler, error)

// InProcess is a target in this process that can access its storage without a socket.
type InProcess interface {
	Target
	// Over returns the same target with its storage calls going over a transport.
	Over(storage http.RoundTripper) Target
}

// Reference is a target that runs in this process, on its own loopback port.
func Reference(name string, open Opener) InProcess { return reference{name: name, open: open} }

type reference struct {
	name    string
	open    Opener
	storage http.RoundTripper
}

func (r reference) String() string    { return r.name }
func (r reference) Restartable() bool { return true }

func (r reference) Over(storage http.RoundTripper) Target {
	r.storage = storage
	return r
}

func (r reference) Start(ctx context.Context, launch Launch) (*Instance, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, &StartError{Target: r.name, Reason: err.Error()}
	}
	output := &process.Tail{}
	env := launch.Env(strconv.Itoa(listener.Addr().(*net.TCPAddr).Port))
	handler, err := r.open(func(name string) string { return env[name] }, r.storage, output)
	if err != nil {
		return nil, &StartError{Target: r.name, Reason: errors.Join(err, listener.Close()).Error()}
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	exited := make(chan struct{})
	go func() {
		defer close(exited)
		_ = server.Serve(listener) // returns when the instance is stopped
	}()
	instance := &Instance{URL: "http://" + listener.Addr().String(), output: output, exited: exited}
	instance.stop = func(context.Context) error {
		err := errors.Join(server.Close(), handler.Close())
		<-exited
		return err
	}
	if err := launch.awaitReady(ctx, instance.URL, exited, nil); err != nil {
		return nil, &StartError{Target: r.name, Reason: errors.Join(err, instance.Stop(ctx)).Error()}
	}
	return instance, nil
}
