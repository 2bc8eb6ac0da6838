package main

import (
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/host/shell"
	"github.com/storespec/storespec/internal/run/companion"
	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/wire/azure"
)

// knownSecret signs the sign-in links of a server that storespec does not start. Like the emulator's key it is public:
// it protects nothing but a run.
const knownSecret = "storespec-knows-this-secret"

// The addresses behind UseDevelopmentStorage=true ("Use the Azurite emulator", Microsoft Learn).
const (
	emulatorBlob  = "127.0.0.1:10000"
	emulatorQueue = "127.0.0.1:10001"
	emulatorTable = "127.0.0.1:10002"
)

// knownPlaces holds the addresses for a server that cannot be given them at its start. They are the same in every run,
// so the server's settings can stay.
type knownPlaces struct {
	blob, table, openAI, outbox string // with --url
	dev                         bool   // the emulator's, for a server that storespec starts
}

func (k *knownPlaces) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&k.blob, "gateway-blob", emulatorBlob, "with --url: `ADDRESS` where the gateway takes blob calls")
	flags.StringVar(&k.table, "gateway-table", emulatorTable,
		"with --url: `ADDRESS` where the gateway takes table calls")
	flags.StringVar(&k.openAI, "openai", "127.0.0.1:10003", "with --url: `ADDRESS` where an OpenAI-compatible "+
		"server listens")
	flags.StringVar(&k.outbox, "outbox", filepath.Join(os.TempDir(), "storespec-outbox"),
		"with --url: `DIR` for sign-in links")
	flags.BoolVar(&k.dev, "dev-ports", false, "put the gateway at the ports and the account of the Azure emulator, so "+
		"that UseDevelopmentStorage=true reaches it")
}

// check rejects options that would be ignored.
func (k *knownPlaces) check(o *verifyOptions, list []system.System) error {
	for _, flag := range []string{"gateway-blob", "gateway-table", "openai", "outbox"} {
		if o.url == "" && o.flags.Changed(flag) {
			return command.Misused(fmt.Sprintf("--%s is for a server given by --url", flag),
				"a server that storespec starts gets these addresses in its environment; --env renames the variables")
		}
		if isCompanion := slices.Contains(companion.Names(), flag); isCompanion && o.flags.Changed(flag) &&
			!anyHas(list, flag) {
			return command.Misused(fmt.Sprintf("--%s is for a design that has %[1]s, which %s does not", flag,
				strings.Join(system.Names(list), ", ")), "companions in system.yaml names what runs next to a server")
		}
	}
	for _, flag := range []struct{ name, address string }{{"gateway-blob", k.blob}, {"gateway-table", k.table},
		{"openai", k.openAI}} {
		if err := checkAddress(flag.name, flag.address); err != nil {
			return err
		}
	}
	switch {
	case !k.dev:
		return nil
	case o.url != "":
		return command.Misused("--dev-ports is for a server that storespec starts",
			"with --url the gateway is at the emulator's ports anyway")
	case o.parallel != 1:
		return command.Misused("--dev-ports allows only one server at a time", "leave --parallel out")
	case o.fitting.tls:
		return command.Misused("--dev-ports and --tls cannot be combined",
			"UseDevelopmentStorage=true means plain http")
	case isReal(o.store):
		return command.Misused("--dev-ports cannot be used with a real account",
			"UseDevelopmentStorage=true means the account devstoreaccount1")
	}
	return nil
}

// anyHas reports whether one of the designs has a companion.
func anyHas(list []system.System, companion string) bool {
	return slices.ContainsFunc(list, func(s system.System) bool { return slices.Contains(s.Companions, companion) })
}

// checkAddress rejects an address that nothing can listen on.
func checkAddress(flag, address string) error {
	_, port, err := net.SplitHostPort(address)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return command.Misused(fmt.Sprintf("--%s %s is not an address", flag, address), "such as 127.0.0.1:10002")
	}
	return nil
}

// places creates the outbox of a server that storespec does not start, if its design has one and it is missing. It is
// not removed, since the server is configured with it.
func (k *knownPlaces) places(url string, design system.System) (lane.Places, error) {
	if k.dev {
		return lane.Places{Gateway: azure.Addresses(emulatorTable, emulatorBlob),
			Companions: map[string]string{"queue": emulatorQueue}}, nil
	}
	if url == "" {
		return lane.Places{}, nil
	}
	if slices.Contains(design.Companions, "outbox") {
		if err := os.MkdirAll(k.outbox, 0o700); err != nil {
			return lane.Places{}, fmt.Errorf("make the outbox for sign-in links: %w", err)
		}
	}
	return lane.Places{Gateway: azure.Addresses(k.table, k.blob),
		Companions: map[string]string{"openai": k.openAI, "outbox": k.outbox}}, nil
}

// announce prints what to start a server with, as lines to paste into a shell. All of it is public: the
// account and the key are those of the emulator, or a real account's name with that key.
func announce(w io.Writer, env map[string]string) {
	fmt.Fprintln(w, "storespec is waiting for the server; start it, or restart it, with this environment:")
	for _, name := range slices.Sorted(maps.Keys(env)) {
		fmt.Fprintf(w, "export %s=%s\n", name, shell.Word(env[name]))
	}
}
