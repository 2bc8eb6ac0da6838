package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/storespec/storespec/internal/host/changes"
	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/source"
	"github.com/storespec/storespec/internal/verify/rerun"
)

// watchOptions says whether verify runs again when files change, and which.
type watchOptions struct {
	on    bool
	paths []string
}

func (w *watchOptions) addTo(flags *pflag.FlagSet) {
	flags.BoolVar(&w.on, "watch", false, "run again whenever a file changes, until Ctrl-C: with the server started "+
		"again, and what failed first")
	flags.StringArrayVar(&w.paths, "watch-path", nil, "with --watch: the `PATH` of a file or directory to watch "+
		"(repeatable; default: the directory of the project file, else the current one)")
}

// check rejects what cannot be done again and again.
func (w *watchOptions) check(o *verifyOptions) error {
	for _, other := range []struct {
		given     bool
		flag, why string
	}{
		{o.json, "json", "one document cannot hold many runs; --report DIR writes one of the last run"},
		{o.results.github, "github", "no one edits files in a workflow"},
		{o.baseline.update, "update-baseline", "the baseline would take over each new failure"},
		{o.shard.Count > 0, "shard", "leave one of them out"},
	} {
		if other.given {
			return command.Misused(fmt.Sprintf("--watch and --%s cannot be combined", other.flag), other.why)
		}
	}
	return nil
}

// verifyAgain verifies, and again whenever files have changed, until ctx ends. A run that fails, or cannot begin, does
// not end it, except for the first one if the command line is wrong.
func (o verifyOptions) verifyAgain(ctx context.Context, names []string) (err error) {
	if err := o.watch.check(&o); err != nil {
		return err
	}
	paths := o.watched(cmp.Or(o.from.Directory, "."))
	watched, err := changes.Watch(paths, o.written())
	if err != nil {
		return command.Misused("--watch-path: "+err.Error(), "")
	}
	defer func() { err = errors.Join(err, watched.Close()) }()
	if o.directory == "" && !o.failed.only {
		o.failed.memory = rerun.List{}
	}
	err = o.verify(ctx, names)
	if misunderstood(err) && !errors.As(err, new(*source.Error)) {
		return err
	}
	var before []string // what changed during the run before
	for ; ; err = o.failedFirst(ctx, names) {
		o.explainUnsaid(err)
		if ctx.Err() != nil {
			return command.Ended(command.StatusInterrupted)
		}
		fmt.Fprintf(o.Stderr, "watching %s; Ctrl-C ends\n", strings.Join(paths, ", "))
		during := watched.Pending()
		changed, err := watched.Next(ctx)
		if ctx.Err() != nil {
			return command.Ended(command.StatusInterrupted)
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(o.Stderr, "changed: %s\n", few(changed))
		if slices.ContainsFunc(changed, o.isProject) {
			fmt.Fprintf(o.Stderr, "%s changed: start verify again for it to count\n", filepath.Base(o.from.Path))
		}
		if !during {
			changed = nil
		}
		if again := inBoth(before, changed); len(again) > 0 {
			fmt.Fprintf(o.Stderr, "hint: %s changed in two runs in a row: if the server writes it, let git ignore it, "+
				"or name what you edit by --watch-path\n", few(again))
		}
		before = changed
	}
}

// isProject reports whether a path is that of the project file that is used.
func (a *app) isProject(path string) bool {
	here, hereErr := filepath.Abs(path)
	there, thereErr := filepath.Abs(a.from.Path)
	return a.from.Path != "" && hereErr == nil && thereErr == nil && here == there
}

// inBoth returns what is in two lists, in the order of the first.
func inBoth(first, second []string) (both []string) {
	for _, one := range first {
		if slices.Contains(second, one) {
			both = append(both, one)
		}
	}
	return both
}

// explainUnsaid writes an error that has not been reported yet.
func (a *app) explainUnsaid(err error) {
	if said := command.StatusError(0); err != nil && !errors.As(err, &said) {
		a.explain(err)
	}
}

// failedFirst verifies the scenarios that have failed before, and once they pass, or if none of them is asked for, all.
func (o verifyOptions) failedFirst(ctx context.Context, names []string) error {
	before, err := o.remembered()
	if err != nil {
		return err
	}
	list, _ := designsOf(o.features).Chosen(names) // the run says what is wrong with them
	failed := func(s system.System) bool { return len(before[s.Name]) > 0 }
	if slices.ContainsFunc(list, failed) && !o.failed.only {
		part := o
		part.failed.only = true
		err := part.verify(ctx, names)
		if unasked := new(command.UsageError); err != nil && !errors.As(err, &unasked) { // such as that of another rule
			return err
		}
	}
	return o.verify(ctx, names)
}

// watched returns the paths to watch: those that are given, or a directory, and that of the features if it is not in
// it.
func (o *verifyOptions) watched(directory string) []string {
	if len(o.watch.paths) > 0 {
		return o.watch.paths
	}
	paths := []string{directory}
	if relative, err := filepath.Rel(directory, o.features); o.features != "" && (err != nil ||
		!filepath.IsLocal(relative)) {
		paths = append(paths, o.features)
	}
	return paths
}

// written returns the paths that a run itself writes.
func (o *verifyOptions) written() (paths []string) {
	for _, path := range []string{o.directory, o.byHand, o.results.html, o.results.junit, o.known.outbox} {
		if path != "" {
			paths = append(paths, path)
		}
	}
	return paths
}

// mostNamed is how many changed files are named: more are those of a checkout or a build.
const mostNamed = 5

// few joins paths, and counts those that are too many to name.
func few(paths []string) string {
	if over := len(paths) - mostNamed; over > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(paths[:mostNamed], ", "), over)
	}
	return strings.Join(paths, ", ")
}
