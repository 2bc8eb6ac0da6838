package main

import (
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/storespec/storespec/internal/host/port"
)

// reservePorts gives a script ports of its own.
func reservePorts(env *testscript.Env) error {
	for _, name := range []string{"PORT", "BLOB", "TABLE", "OPENAI"} {
		reserved, err := port.Reserve()
		if err != nil {
			return err
		}
		env.Defer(reserved.Release)
		env.Setenv(name, reserved.Address())
		if name == "PORT" {
			env.Setenv(name, strconv.Itoa(reserved.Number))
		}
	}
	return nil
}
