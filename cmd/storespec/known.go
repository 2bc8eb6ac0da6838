package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/steps"
)

// knownSecret signs the sign-in links of a server that storespec does not start. Like the emulator's
// key it is public: it guards nothing but a run.
const knownSecret = "storespec-knows-this-secret"

// knownPlaces are where a server that storespec does not start finds what a run offers it. They are
// the same for each run, so that the server's settings can stay.
type knownPlaces struct{ blob, table, openAI, outbox string }

func (k *knownPlaces) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	// 10000 and 10002 are the emulator's own ports: UseDevelopmentStorage=true leads here.
	flags.StringVar(&k.blob, "gateway-blob", "127.0.0.1:10000", "with --url: where the gateway takes blob calls")
	flags.StringVar(&k.table, "gateway-table", "127.0.0.1:10002", "with --url: where the gateway takes table calls")
	flags.StringVar(&k.openAI, "openai", "127.0.0.1:10003", "with --url: where an OpenAI-compatible server answers")
	flags.StringVar(&k.outbox, "outbox", filepath.Join(os.TempDir(), "storespec-outbox"), "with --url: the directory for sign-in links")
}

// places makes the outbox where it is missing. It stays, since the server has been told of it.
func (k *knownPlaces) places() (steps.Places, error) {
	if err := os.MkdirAll(k.outbox, 0o700); err != nil {
		return steps.Places{}, fmt.Errorf("make the outbox for sign-in links: %w", err)
	}
	return steps.Places{Table: k.table, Blob: k.blob, OpenAI: k.openAI, Outbox: k.outbox}, nil
}

// announce tells the owner of a server what to start it with. All of it is public: the account and
// the key are those of the emulator, or a real account's name with that key.
func (a *app) announce(env map[string]string) {
	fmt.Fprintln(a.stderr, "storespec waits for the server; start it, or start it anew, with")
	for _, name := range slices.Sorted(maps.Keys(env)) {
		fmt.Fprintf(a.stderr, "  %s=%s\n", name, env[name])
	}
}
