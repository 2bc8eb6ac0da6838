package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/storespec/storespec/internal/host/shell"
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
			words = append(words, flagWords(flag)...)
			return
		}
		for _, id := range flagValues(flag) {
			if slices.Contains(catalogue.IDs(), id) { // else it is of another system
				words = append(words, "--rule", id)
			}
		}
	})
	return words
}

// flagWords returns a flag as words of a command, without anything that may be confidential.
func flagWords(flag *pflag.Flag) (words []string) {
	if flag.Value.Type() == "bool" {
		if flag.Value.String() == "true" {
			return []string{"--" + flag.Name}
		}
		return []string{"--" + flag.Name + "=false"}
	}
	for _, value := range flagValues(flag) {
		words = append(words, "--"+flag.Name, shown(flag.Name, value))
	}
	return words
}

// flagValues returns the values of a flag, one for each time that it must be given: not those of the project file,
// which the command reads too.
func flagValues(flag *pflag.Flag) []string {
	ofFile := func(value string) bool { return slices.Contains(flag.Annotations[ofProject], value) }
	return slices.DeleteFunc(slices.Clone(allValues(flag)), ofFile)
}

func allValues(flag *pflag.Flag) []string {
	switch list, ok := flag.Value.(pflag.SliceValue); {
	case ok && flag.Value.Type() == "stringSlice":
		return []string{strings.Join(list.GetSlice(), ",")}
	case ok:
		return list.GetSlice()
	}
	return []string{flag.Value.String()}
}

var (
	// onlyPlaceholder matches a template of --env that holds no secret.
	onlyPlaceholder = regexp.MustCompile(`^\{\w+\}$`)
	// filled is what holds no secret in a longer one.
	filled = regexp.MustCompile(`\{\w+\}|^https?://`)
	// plainWords matches words and short numbers, such as debug, 8080, utf8, us-east-1: not what looks random.
	plainWords = regexp.MustCompile(`^` + separators + `*(?:` + plainWord + separators + `+)*(?:` + plainWord + `)?$`)
)

const (
	plainWord  = `(?:[a-z]+|[A-Z]+|[A-Z][a-z]+|\d{1,5}|[A-Za-z\d]{1,4})`
	separators = `[/:.,_@=;?&-]`
	// longestPlain is how many letters, numbers and separators are in a row: time zones and regions are shorter, keys
	// and phrases that are secret are not.
	longestPlain = 16
)

// isPlain reports whether a value of --env is a template, or short and plain.
func isPlain(template string) bool {
	return !slices.ContainsFunc(filled.Split(template, -1),
		func(text string) bool { return len(text) > longestPlain || !plainWords.MatchString(text) })
}

// shown returns the value of a flag without anything that may be confidential.
func shown(flag, value string) string {
	switch flag {
	case "header":
		name, _, _ := strings.Cut(value, ":")
		return name + ": " + shell.Mask
	case "env":
		switch name, template, _ := strings.Cut(value, "="); {
		case onlyPlaceholder.MatchString(template):
		case shell.Confidential(name), !isPlain(template):
			return name + "=" + shell.Mask
		default:
			return name + "=" + shell.MaskedText(template)
		}
	case "oracle":
		return shell.MaskedText(value)
	case "setup": // PGPASSWORD=…, --token=…, postgres://me:…@host
		if strings.ContainsAny(value, "=@") {
			return shell.Mask
		}
		return shell.MaskedText(value)
	}
	return value
}
