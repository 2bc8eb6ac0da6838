// Command storespec-reference runs the reference server of one system: storespec-reference SYSTEM.
//
// It listens on 127.0.0.1:$PORT (0: any free port, named in the log), or on $FUNCTIONS_CUSTOMHANDLER_PORT when the
// Azure Functions host starts it. On SIGTERM or SIGINT it answers the requests in flight and exits. It links nothing of
// the harness, so it starts in a few milliseconds.
//
// Exit status: 0 ended by a signal, 1 could not start or serve, 2 usage.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/storespec/storespec/reference"
	"github.com/storespec/storespec/reference/telemetry"
)

const (
	// A request may carry 10 MiB, and a chat may wait 12 s for storage and 30 s for a model.
	readTimeout  = 30 * time.Second
	writeTimeout = 60 * time.Second
	// gcPercent lets the heap grow to five times the live data, not twice, before it is collected: the live data is
	// only a few MiB whatever the load, and collecting it took a quarter of the time. GOGC takes precedence.
	gcPercent = 400
	// shutdownTimeout lets a request that is waiting for storage finish.
	shutdownTimeout = 15 * time.Second
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	status := run(ctx, os.Args[1:], os.Getenv, os.Stderr)
	stop()
	os.Exit(status)
}

// run is main without the process; it returns the exit status.
func run(ctx context.Context, args []string, getenv func(string) string, stderr io.Writer) int {
	if len(args) != 1 || !slices.Contains(reference.Names(), args[0]) {
		fmt.Fprintf(stderr, "usage: storespec-reference SYSTEM\nsystems: %s\n", strings.Join(reference.Names(), ", "))
		return 2
	}
	log := slog.New(slog.NewJSONHandler(stderr, nil))
	telemetry.LogErrors(log)
	if err := serve(ctx, args[0], getenv, log); err != nil {
		fmt.Fprintf(stderr, "storespec-reference: %v\n", err)
		return 1
	}
	return 0
}

func serve(ctx context.Context, system string, getenv func(string) string, log *slog.Logger) error {
	port := cmp.Or(getenv("FUNCTIONS_CUSTOMHANDLER_PORT"), getenv("PORT"))
	if port == "" {
		return errors.New("PORT is not set")
	}
	handler, err := reference.Open(system, getenv, nil, log)
	if err != nil {
		return err
	}
	defer func() { _ = handler.Close() }()
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", port))
	if err != nil {
		return fmt.Errorf("listening on PORT: %w", err)
	}
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       2 * time.Minute,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	log.Info("listening", "system", system, "address", listener.Addr().String())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serving %s: %w", system, err)
	case <-ctx.Done():
	}
	// The signal has ended ctx; requests in flight get time of their own.
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		return fmt.Errorf("ending %s: %w", system, err)
	}
	return nil
}
