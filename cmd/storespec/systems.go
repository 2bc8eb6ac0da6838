package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/storespec/storespec/features"
	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/run/companion"
	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/source"
	"github.com/storespec/storespec/internal/store/stores"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/verify/lint"
	"github.com/storespec/storespec/reference"
)

// offers returns what this program has that a design can refer to.
func offers() system.Offers {
	o := system.Offers{Companions: companion.Names(), Placeholders: lane.Placeholders(),
		References: reference.Names(), Contract: reference.Contract}
	for _, kind := range stores.Kinds() {
		o.Stores = append(o.Stores,
			system.Store{Name: kind.Name(), Placeholders: kind.Placeholders(), Reach: kind.Reach()})
	}
	return o
}

// placeholders returns every placeholder that a server's environment can hold in any design.
func placeholders() []string {
	o := offers()
	all := slices.Concat(o.Placeholders, o.Companions)
	for _, kind := range o.Stores {
		all = append(all, kind.Placeholders...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// shipped returns every built-in design.
func shipped() ([]system.System, error) {
	list, err := offers().Shipped(features.Files)
	for i := range list {
		list[i].Tool = runStorespec
	}
	return list, err
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

// referenceOpener opens the reference server of a design. It logs at every level, so that its log can be checked
// against the rules.
func referenceOpener(s system.System) target.Opener {
	return func(getenv func(string) string, storage http.RoundTripper, log io.Writer) (target.Handler, error) {
		logger := slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		return reference.Open(s.Reference, getenv, storage, logger)
	}
}

// own reports whether a design has no reference server.
func own(s system.System) bool { return s.Reference == "" }

// needReference rejects designs that have no reference server.
func needReference(what string, list []system.System) error {
	if i := slices.IndexFunc(list, own); i >= 0 {
		return command.Misused(fmt.Sprintf("%s needs a reference server, which %s does not have", what, list[i].Name),
			"known: "+strings.Join(reference.Names(), ", "))
	}
	return nil
}

// described returns every design: the built-in ones or, if a directory with features is given, those in it, also where
// a description is wrong. The error is a *command.UsageError, or joins a *source.Error for each mistake in a
// description.
func described(directory string) ([]system.System, error) {
	list, err := shipped()
	if err != nil || directory == "" {
		return list, err
	}
	list, err = offers().In(featureFiles(directory), directory, list)
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return nil, command.Misused(fmt.Sprintf("--features %s is not a directory", directory),
			"it must contain a folder with feature files for each system")
	}
	if err != nil || len(list) > 0 {
		return list, err
	}
	hint := "storespec init DIR creates one"
	if system.HasFeatures(directory) {
		hint = "put the feature files in a subfolder named after the system"
	}
	return nil, command.Misused(fmt.Sprintf("--features %s contains no folder with features", directory), hint)
}

// designsNamed is described for the named designs, in the order of the names, or for all of them when no names are
// given. The error is about no other design.
func designsNamed(wanted []string, directory string) (list []system.System, _ error) {
	all, err := described(directory)
	if len(all) == 0 || len(wanted) == 0 {
		return all, err
	}
	var folders []string
	for _, name := range wanted {
		i := slices.IndexFunc(all, func(s system.System) bool { return s.Name == name })
		if i < 0 {
			return nil, unknownSystem(name, system.Names(all), directory)
		}
		list, folders = append(list, all[i]), append(folders, filepath.Join(directory, name))
	}
	return list, source.Among(folders, err)
}

// chosen is designsNamed for designs whose rules are to be run: the error joins a *source.Error for everything that
// is wrong with them if their descriptions are.
func chosen(wanted []string, directory string) ([]system.System, error) {
	list, err := designsNamed(wanted, directory)
	if mistakes, _ := source.All(err); len(mistakes) > 0 {
		_, others := lint.Designs(featureFiles(directory), directory, list)
		return nil, errors.Join(err, others)
	}
	return list, err
}

// besides returns a function that reads the rules of the designs outside list, as far as they can be
// read.
func besides(list []system.System, directory string) func() []*verify.Catalogue {
	return func() []*verify.Catalogue {
		others, _ := described(directory) // what is wrong with them is not asked for
		others = slices.DeleteFunc(others,
			func(s system.System) bool { return slices.Contains(system.Names(list), s.Name) })
		loaded, _ := catalogues(others, directory)
		return loaded
	}
}

// ownHint is for a user whose design is not among the known ones.
const ownHint = "use --features DIR for a design of your own"

// unknownSystem returns the error for a system that does not exist.
func unknownSystem(name string, known []string, directory string) error {
	err := command.UnknownName("system", name, known)
	if usage, ok := errors.AsType[*command.UsageError](err); ok && directory == "" && source.Nearest(name, known) == "" {
		usage.Hint += "; " + ownHint
	}
	return err
}

// lackable rejects a name that is not a capability of any of the systems.
func lackable(list []system.System, without []string) error {
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

// rulesOf is chosen with the rules of each system.
func rulesOf(wanted []string, directory string) ([]system.System, []*verify.Catalogue, error) {
	list, err := chosen(wanted, directory)
	if err != nil {
		return nil, nil, err
	}
	loaded, err := catalogues(list, directory)
	return list, loaded, err
}

// catalogues reads the rules of each system, from a directory if one is given. The error joins a *source.Error for
// each mistake; the catalogues are returned with it.
func catalogues(list []system.System, directory string) (loaded []*verify.Catalogue, _ error) {
	collectLess(readGC)
	var wrong []error
	for _, s := range list {
		catalogue, err := lint.Features(featureFiles(directory), directory, s)
		loaded, wrong = append(loaded, catalogue), append(wrong, err)
	}
	if scenarioCount(loaded) <= fewScenarios {
		collectLess(runGC)
	}
	return loaded, errors.Join(wrong...)
}

// featureFiles returns the folders of designs: those of a directory, or the built-in ones.
func featureFiles(directory string) fs.FS {
	if directory == "" {
		return features.Files
	}
	return system.Directory(directory)
}

// scenarioCount counts the scenarios of all rules.
func scenarioCount(loaded []*verify.Catalogue) (n int) {
	for _, catalogue := range loaded {
		for _, rule := range catalogue.Rules {
			n += len(rule.Scenarios)
		}
	}
	return n
}

const (
	// readGC lets the heap grow to three times what is in use before it is collected, while rules are read: that takes
	// half of the time off a start.
	readGC = 200
	// runGC lets it grow to five times of that while they run: that takes a fourth of the processor's time off a run.
	runGC = 400
	// fewScenarios need so little memory that five times of it is little too.
	fewScenarios = 10_000
)

// collectLess sets how much the heap may grow before it is collected, in percent. GOGC takes precedence.
func collectLess(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}
