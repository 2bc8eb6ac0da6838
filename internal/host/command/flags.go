package command

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/net/http/httpguts"

	"github.com/storespec/storespec/internal/source"
)

// FlagError returns the error for a flag that was not understood: it names the flag, the value and what was expected,
// instead of the words of the libraries that parse flags. It is a *UsageError.
func FlagError(cmd *cobra.Command, err error) error {
	if words := cmd.Flags().Args(); cmd.HasAvailableSubCommands() && len(words) > 0 {
		return unknownCommand(cmd, words[0]) // the flags are those of the command that was meant
	}
	var unknown *pflag.NotExistError
	var empty *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		return unknownFlag(cmd, unknown)
	case errors.As(err, &empty):
		placeholder, _ := pflag.UnquoteUsage(empty.GetFlag())
		return Misused(fmt.Sprintf("--%s needs a value: --%[1]s %s", empty.GetFlag().Name, placeholder), Usage(cmd))
	case errors.As(err, &invalid):
		return Misused(fmt.Sprintf("invalid --%s %q: want %s", invalid.GetFlag().Name, invalid.GetValue(),
			wanted(invalid)), Usage(cmd))
	}
	return Misused(err.Error(), Usage(cmd))
}

// unknownFlag returns the error for a flag that a command does not have, with the closest one as a hint. A long flag
// with a single hyphen is parsed as several short ones.
func unknownFlag(cmd *cobra.Command, unknown *pflag.NotExistError) error {
	given := "--" + unknown.GetSpecifiedName()
	if short := unknown.GetSpecifiedShortnames(); short != "" {
		given = "-" + short
	}
	var known []string
	cmd.Flags().VisitAll(func(flag *pflag.Flag) { known = append(known, flag.Name) })
	hint := Usage(cmd)
	name := strings.TrimLeft(given, "-")
	if likely := source.Nearest(name, known); likely != "" && len(name) > 1 {
		hint = fmt.Sprintf("did you mean --%s?", likely)
	}
	return Misused("unknown flag "+given, hint)
}

// wanted says what a flag takes whose value could not be parsed.
func wanted(invalid *pflag.InvalidValueError) string {
	if errors.Is(invalid, strconv.ErrRange) {
		return "a number that fits 64 bits"
	}
	switch invalid.GetFlag().Value.Type() {
	case "int":
		return "a whole number"
	case "uint64":
		return "a whole number, 0 or more"
	case "float64":
		return "a number"
	case "bool":
		return "true or false"
	case "duration":
		return "a duration such as 250ms or 3m"
	case "func": // it says so itself
		return strings.TrimPrefix(errors.Unwrap(invalid).Error(), "want ")
	}
	return "a list such as one,two"
}

// OneOf returns nil if a flag has one of the values that it takes, otherwise a *UsageError.
func OneOf[T ~string](flag, value string, known ...T) error {
	if slices.Contains(known, T(value)) {
		return nil
	}
	names := make([]string, len(known))
	for i, one := range known {
		names[i] = string(one)
	}
	e := &UsageError{Message: fmt.Sprintf("invalid --%s %q: want %s", flag, value, Either(names))}
	if likely := source.Nearest(value, names); likely != "" {
		e.Hint = fmt.Sprintf("did you mean %s?", likely)
	}
	return e
}

// Between returns nil if the number of a flag is one that it takes, otherwise a *UsageError.
func Between(flag string, n, from, to int) error {
	if n < from || n > to {
		return Misused(fmt.Sprintf("--%s %d is not between %d and %d", flag, n, from, to), "")
	}
	return nil
}

// Either joins names as a choice: "none, default or full".
func Either(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// Takes returns a check of a command's arguments: one for each name, and any number for a last name that ends in "…".
func Takes(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		many := len(names) > 0 && strings.HasSuffix(names[len(names)-1], "...")
		switch {
		case len(args) < len(names):
			return Misused(strings.Join(names[len(args):], " ")+" is missing", Usage(cmd))
		case len(args) > len(names) && !many:
			return Misused(fmt.Sprintf("%s does not take the argument %q", cmd.CommandPath(), args[len(names)]),
				Usage(cmd))
		}
		return nil
	}
}

// Group adds commands to one that does nothing itself: without any of them it prints its help.
func Group(cmd *cobra.Command, commands ...*cobra.Command) *cobra.Command {
	cmd.AddCommand(commands...)
	cmd.ValidArgsFunction = cobra.NoFileCompletions
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return unknownCommand(cmd, args[0])
	}
	return cmd
}

// unknownCommand returns the error for a command that a group does not have.
func unknownCommand(group *cobra.Command, name string) error {
	var known []string
	for _, one := range group.Commands() {
		if one.IsAvailableCommand() {
			known = append(known, one.Name())
		}
	}
	e := Misused(fmt.Sprintf("unknown command %q", strings.Join([]string{group.CommandPath(), name}, " ")),
		Usage(group))
	if likely := source.Nearest(name, known); likely != "" {
		e.Hint = fmt.Sprintf("did you mean %s %s?", group.CommandPath(), likely)
	}
	return e
}

// IsAddress reports whether text can be a server's address to which routes are appended.
func IsAddress(text string) bool {
	parsed, err := url.Parse(text)
	return err == nil && (parsed.Scheme == "http" || parsed.Scheme == "https") && parsed.Hostname() != "" &&
		!strings.ContainsAny(text, "?#")
}

// ReadHeaders parses the values of --header. They may be secret, so no error repeats them.
func ReadHeaders(texts []string) (http.Header, error) {
	header := http.Header{}
	for i, text := range texts {
		name, value, found := strings.Cut(text, ":")
		if value = strings.TrimSpace(value); !found || !httpguts.ValidHeaderFieldName(name) ||
			!httpguts.ValidHeaderFieldValue(value) {
			return nil, Misused(fmt.Sprintf("--header number %d is not like 'Name: value'", i+1), "")
		}
		header.Add(name, value)
	}
	return header, nil
}
