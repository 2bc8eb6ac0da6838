package designs

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/run/companion"
	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/source"
	"github.com/storespec/storespec/internal/store/stores"
	"github.com/storespec/storespec/reference"
)

// Offers returns what this program has that a design can refer to.
func Offers() system.Offers {
	o := system.Offers{Companions: companion.Names(), Placeholders: lane.Placeholders(),
		References: reference.Names(), Contract: reference.Contract}
	for _, kind := range stores.Kinds() {
		o.Stores = append(o.Stores,
			system.Store{Name: kind.Name(), Placeholders: kind.Placeholders(), Reach: kind.Reach()})
	}
	return o
}

// Placeholders returns every placeholder that a server's environment can hold in any design.
func Placeholders() []string {
	o := Offers()
	all := slices.Concat(o.Placeholders, o.Companions)
	for _, kind := range o.Stores {
		all = append(all, kind.Placeholders...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Opener opens the reference server of a design. It logs at every level, so that its log can be checked
// against the rules.
func Opener(s system.System) target.Opener {
	return func(getenv func(string) string, storage http.RoundTripper, log io.Writer) (target.Handler, error) {
		logger := slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		return reference.Open(s.Reference, getenv, storage, logger)
	}
}

// Reference returns the reference server of a design, in this process.
func Reference(s system.System) target.Target { return target.Reference("reference", Opener(s)) }

// IsOwn reports whether a design has no reference server.
func IsOwn(s system.System) bool { return s.Reference == "" }

// NeedReference rejects designs that have no reference server.
func NeedReference(what string, list []system.System) error {
	if i := slices.IndexFunc(list, IsOwn); i >= 0 {
		return command.Misused(fmt.Sprintf("%s needs a reference server, which %s does not have", what, list[i].Name),
			"known: "+strings.Join(reference.Names(), ", "))
	}
	return nil
}

// Lackable rejects a name that is not a capability of any of the systems.
func Lackable(list []system.System, without []string) error {
	var names, lines []string
	for _, s := range list {
		for _, c := range s.Capabilities {
			names = append(names, c.Name)
			lines = append(lines, fmt.Sprintf("  %-16s %s", c.Name, c.Description))
		}
	}
	for _, name := range without {
		if len(names) == 0 {
			return command.Misused("--without "+name+": the design declares no optional parts",
				"declare them under capabilities in system.yaml: storespec help own-design")
		}
		if !slices.Contains(names, name) {
			hint := "--without takes\n" + strings.Join(lines, "\n")
			if likely := source.Nearest(name, names); likely != "" {
				hint = fmt.Sprintf("did you mean %s? %s", likely, hint)
			}
			return command.Misused(fmt.Sprintf("unknown capability %q", name), hint)
		}
	}
	return nil
}
