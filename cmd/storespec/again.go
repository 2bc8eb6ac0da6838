package main

import (
	"slices"

	"github.com/spf13/pflag"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/run/proof"
	"github.com/storespec/storespec/internal/verify"
)

// elsewhere returns the flags of verify that say where results go or which scenarios run. They are left out when a case
// is run again, since its token names it.
func elsewhere() []string {
	return []string{"baseline", "by-hand", "color", "fail-fast", "github", "html", "json", "junit", "only-failed",
		"prices", "quick", "replay", "report", "shard", "update-baseline", "verbose", "watch", "watch-path"}
}

// again returns the flags of a run of one system's rules, as words of a command that reruns part of it.
func again(flags *pflag.FlagSet, catalogue *verify.Catalogue) (words []string) {
	flags.Visit(func(flag *pflag.Flag) {
		switch text := flag.Value.String(); {
		case slices.Contains(elsewhere(), flag.Name), text == flag.DefValue:
			return
		case flag.Name == "faults" && text == string(proof.NoFaults): // the case is a race and does not need it
			return
		}
		if flag.Name != "rule" {
			words = append(words, command.FlagWords(flag)...)
			return
		}
		for _, id := range command.FlagValues(flag) {
			if slices.Contains(catalogue.IDs(), id) { // else it is of another system
				words = append(words, "--rule", id)
			}
		}
	})
	return words
}
