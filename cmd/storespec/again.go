package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/storespec/storespec/internal/proof"
	"github.com/storespec/storespec/internal/shell"
	"github.com/storespec/storespec/internal/verify"
)

// elsewhere returns the flags of verify that say where results go or which scenarios run. They are left out when a case
// is run again, since its token names it.
func elsewhere() []string {
	return []string{"baseline", "by-hand", "json", "replay", "report", "shard", "update-baseline"}
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
		if flag.Value.Type() == "bool" {
			words = append(words, "--"+flag.Name)
			return
		}
		values := []string{flag.Value.String()}
		switch list, ok := flag.Value.(pflag.SliceValue); {
		case ok && flag.Value.Type() == "stringSlice":
			values = []string{strings.Join(list.GetSlice(), ",")}
		case ok:
			values = list.GetSlice()
		}
		for _, value := range values {
			if flag.Name == "rule" && !slices.Contains(catalogue.IDs(), value) { // of another system
				continue
			}
			words = append(words, "--"+flag.Name, shown(flag.Name, value))
		}
	})
	return words
}

// onlyPlaceholder matches a template of --env that holds no secret.
var onlyPlaceholder = regexp.MustCompile(`^\{\w+\}$`)

// shown returns the value of a flag without anything that may be confidential.
func shown(flag, value string) string {
	switch flag {
	case "header":
		name, _, _ := strings.Cut(value, ":")
		return name + ": " + shell.Mask
	case "env":
		if name, template, _ := strings.Cut(value, "="); !onlyPlaceholder.MatchString(template) {
			return name + "=" + shell.Mask
		}
	case "setup": // PGPASSWORD=…, --token=…, postgres://me:…@host
		if strings.ContainsAny(value, "=@") {
			return shell.Mask
		}
	}
	return value
}
