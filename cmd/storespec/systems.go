package main

import (
	"bytes"
	"context"
	"errors"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/verify/designs"
)

// designsOf returns the designs of a directory, or the built-in ones if it is "".
func designsOf(directory string) designs.Source {
	return designs.Source{Directory: directory, Tool: runStorespec}
}

// runStorespec runs a command of this program in this process.
func runStorespec(ctx context.Context, env map[string]string, args []string) (status int, said string) {
	var out bytes.Buffer
	a := &app{Env: command.Env{Stdout: &out, Stderr: &out, LookupEnv: func(name string) (string, bool) {
		value, found := env[name]
		return value, found
	}}}
	root := a.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if said := command.StatusError(0); err != nil && !errors.As(err, &said) {
		a.explain(err)
	}
	return a.status(ctx, err), out.String()
}
