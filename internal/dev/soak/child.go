//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/storespec/storespec/internal/emulator"
	"github.com/storespec/storespec/reference"
)

// childWord is soak's first argument in a process that is under load.
const childWord = "child"

// child is such a process: it samples itself into a file. args are "emulate" and a data directory, or the name of a
// system, whose reference server listens on $PORT.
func child(ctx context.Context, samples string, args []string) (err error) {
	into, err := os.OpenFile(samples, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, into.Close()) }()
	go func() {
		for ctx.Err() == nil {
			time.Sleep(every)
			s, err := take()
			if err == nil {
				_, err = into.WriteString(s.line())
			}
			if err != nil {
				fmt.Fprintln(os.Stderr, "soak: sampling:", err)
			}
		}
	}()
	if args[0] == "emulate" {
		o := emulator.DefaultServe()
		o.AzureBlob, o.AzureTable, o.KV, o.DynamoDB, o.Data = ":0", ":0", ":0", ":0", args[1]
		o.Stdout, o.Stderr = os.Stdout, os.Stderr
		return emulator.Serve(ctx, o)
	}
	return serve(ctx, args[0])
}

// serve runs the reference server of a system, as the program storespec-reference does.
func serve(ctx context.Context, system string) error {
	handler, err := reference.Open(system, os.Getenv, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", os.Getenv("PORT")))
	if err != nil {
		return errors.Join(err, handler.Close())
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second}
	context.AfterFunc(ctx, func() { _ = server.Shutdown(context.WithoutCancel(ctx)) })
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return errors.Join(err, handler.Close())
	}
	return handler.Close()
}
