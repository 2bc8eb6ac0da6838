package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/storespec/storespec/internal/host/atomicfile"
	"github.com/storespec/storespec/internal/results/byhand"
	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/store/account"
	"github.com/storespec/storespec/internal/trace"
	"github.com/storespec/storespec/internal/verify"
)

// scripts makes sure, before anything is started, that the directory of --by-hand can be written to. The error is an
// *atomicfile.Error.
func (o *verifyOptions) scripts() error {
	if o.byHand == "" {
		return nil
	}
	if err := os.MkdirAll(o.byHand, 0o700); err != nil {
		return &atomicfile.Error{Path: o.byHand, Err: atomicfile.Cause(err)}
	}
	file, err := os.CreateTemp(o.byHand, ".storespec-")
	if err != nil {
		return &atomicfile.Error{Path: o.byHand, Err: atomicfile.Cause(err)}
	}
	_ = file.Close()
	return os.Remove(file.Name())
}

// writeScripts writes the scripts of --by-hand for a run, and names them in its result.
func (o *verifyOptions) writeScripts(s system.System, result *verify.Result) error {
	if o.byHand == "" || result == nil {
		return nil
	}
	server, err := o.server(s)
	if err != nil {
		return err
	}
	server.Zone = result.Zone
	if err := server.Write(o.byHand, result); err != nil {
		return fmt.Errorf("write the scripts of --by-hand: %w", err)
	}
	return nil
}

// traceFlag returns the flag by which storespec trace emulates a kind of store; "" for the one that needs none.
func traceFlag(kind string) string {
	if kind == (account.Kind{}).Name() {
		return ""
	}
	return "--" + kind
}

// server returns what scripts need to know of the server under test.
func (o *verifyOptions) server(s system.System) (byhand.Server, error) {
	directory, err := filepath.Abs(o.commandIn)
	setupIn, wrong := filepath.Abs(o.fitting.setupIn)
	if err := errors.Join(err, wrong); err != nil {
		return byhand.Server{}, err
	}
	outbox, err := filepath.Abs(filepath.Join(o.byHand, "outbox"))
	if err != nil {
		return byhand.Server{}, err
	}
	places, err := o.known.places(o.url, s)
	if err != nil {
		return byhand.Server{}, err
	}
	server := byhand.Server{Command: o.command, URL: o.url, Directory: directory, Ready: s.Ready, Promised: s.Env,
		Given: o.fitting.mappings, Header: o.fitting.header, Confided: o.confided,
		Setup: o.fitting.setup, SetupIn: setupIn,
		TLS: o.fitting.tls, Gateway: map[string]string{}, Values: map[string]string{
			"container": s.Container, "secret": o.secret, "storage-try-timeout": lane.TryTimeout,
			// none is started
			"openai": "http://" + o.known.openAI + "/v1", "outbox": outbox,
		}, Store: traceFlag(s.Store)}
	for _, name := range trace.Placeholders() {
		server.Values[name] = "{" + name + "}" // storespec trace fills it in
	}
	for service, address := range places.Gateway {
		server.Gateway[string(service)] = address
	}
	if o.isReference() {
		server.Command = []string{"storespec-reference", s.Reference}
	}
	uses := func(m system.Mapping) bool { return m.Uses("outbox") }
	if slices.ContainsFunc(slices.Concat(s.Env, o.fitting.mappings), uses) {
		err = os.MkdirAll(outbox, 0o700)
	}
	return server, err
}
