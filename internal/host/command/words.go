package command

import (
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/storespec/storespec/internal/host/shell"
)

// FromFile annotates a flag with the values that come from the project file, and not from the command line.
const FromFile = "storespec_project"

// FlagWords returns a flag as words of a command, without anything that may be confidential.
func FlagWords(flag *pflag.Flag) (words []string) {
	if flag.Value.Type() == "bool" {
		if flag.Value.String() == "true" {
			return []string{"--" + flag.Name}
		}
		return []string{"--" + flag.Name + "=false"}
	}
	for _, value := range FlagValues(flag) {
		words = append(words, "--"+flag.Name, shown(flag.Name, value))
	}
	return words
}

// FlagValues returns the values of a flag, one for each time that it must be given: not those of the project file,
// which the command reads too.
func FlagValues(flag *pflag.Flag) []string {
	ofFile := func(value string) bool { return slices.Contains(flag.Annotations[FromFile], value) }
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
