package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/store/stores"
	"github.com/storespec/storespec/reference"
)

func (a *app) serveCommand() *cobra.Command {
	var o storeOptions
	var port int
	cmd := &cobra.Command{
		Use:   "serve SYSTEM",
		Short: "Run a system's reference server on a store of its own, until Ctrl-C",
		Long: `serve starts an empty store and the system's reference server on it, and prints the addresses of both.
The chat of familyscheduler needs OPENAI_BASE_URL and OPENAI_API_KEY in the environment. At the end, nothing
is left behind.`,
		Example: `  storespec serve familyscheduler
  storespec serve actions --store container --port 7071`,
		Args: command.Takes("SYSTEM"),
		RunE: func(cmd *cobra.Command, args []string) error {
			list, err := designsOf("").Chosen(args)
			if err != nil {
				return err
			}
			if err := o.check(); err != nil {
				return err
			}
			if port < 0 || port > 65535 {
				return command.Misused(fmt.Sprintf("--port %d is not a port", port), "")
			}
			return a.serve(cmd.Context(), list[0], o, port)
		},
	}
	o.addTo(cmd)
	cmd.Flags().IntVar(&port, "port", 0, "`PORT` on 127.0.0.1; 0: a free one")
	return cmd
}

// serve takes its port first, so that the most common failure costs nothing.
func (a *app) serve(ctx context.Context, s system.System, o storeOptions, port int) (err error) {
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return fmt.Errorf("serve %s: %w", s.Name, err)
	}
	defer listener.Close()
	choice := o.choose(ctx, []system.System{s}, a.Stderr)[s.Store]
	opened, err := o.open(ctx, choice, store.Options{Lanes: 1, Log: a.Stderr})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stores.Close(ctx, opened)) }()
	lease, err := opened.Lease(ctx)
	if err != nil {
		return err
	}
	outbox, err := os.MkdirTemp("", "storespec-outbox-")
	if err != nil {
		return fmt.Errorf("make an outbox for sign-in links: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(outbox)) }()
	env := a.environment(s, lease.Direct()["connection"], outbox)
	getenv := func(name string) string { return env[name] }
	// Directly on the store: nothing is counted here.
	handler, err := reference.Open(s.Reference, getenv, lease.Transport(),
		slog.New(slog.NewTextHandler(a.Stderr, nil)))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, handler.Close()) }()

	fmt.Fprintf(a.Stdout, "server   http://%s\nstore    %s\n", listener.Addr(), opened.Version())
	if !isReal(o.store) { // a real account's key is not shown
		fmt.Fprintf(a.Stdout, "account  %s\n", lease.Direct()["connection"])
	}
	if slices.Contains(slices.Collect(maps.Values(env)), outbox) { // otherwise the system has no sign-in
		fmt.Fprintf(a.Stdout, "sign-in  links are written to %s\n", outbox)
	}
	return serveUntil(ctx, listener, handler)
}

// environment returns the environment the server is started with.
func (a *app) environment(s system.System, storage, outbox string) map[string]string {
	env := system.Expand(s.Env, map[string]string{"connection": storage, "container": s.Container,
		"openai": a.Getenv("OPENAI_BASE_URL"), "outbox": outbox, "secret": rand.Text(),
		"storage-try-timeout": lane.TryTimeout}, "")
	if key := a.Getenv("OPENAI_API_KEY"); key != "" {
		env["OPENAI_API_KEY"] = key
	}
	return env
}

// drainWithin is how long requests in flight may take when the server shuts down.
const drainWithin = 5 * time.Second

// serveUntil serves until ctx ends, which is the normal way to stop.
func serveUntil(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second,
		// a chat may wait 12 s for storage and 30 s for a model
		WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainWithin)
	defer cancel()
	return errors.Join(server.Shutdown(ctx), server.Close())
}
