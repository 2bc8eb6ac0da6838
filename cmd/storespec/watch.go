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

	"github.com/storespec/storespec/internal/changes"
	"github.com/storespec/storespec/internal/diagnostic"
	"github.com/storespec/storespec/internal/rerun"
)

// watchOptions says whether verify runs again when files change, and which.
type watchOptions struct {
	on    bool
	paths []string
}

func (w *watchOptions) addTo(flags *pflag.FlagSet) {
	flags.BoolVar(&w.on, "watch", false, "run again whenever a file changes, until Ctrl-C: with the server started "+
		"anew, and what failed first")
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
		{o.results.github, "github", "nobody edits files in a workflow"},
		{o.baseline.update, "update-baseline", "the baseline would take over each new failure"},
		{o.shard.Count > 0, "shard", "leave one of them out"},
	} {
		if other.given {
			return &usageError{fmt.Sprintf("--watch and --%s cannot be combined", other.flag), other.why}
		}
	}
	return nil
}

// watch verifies, and again whenever files have changed, until ctx ends. A run that fails, or cannot begin, does not
// end it, except for the first one if the command line is wrong.
func (a *app) watch(ctx context.Context, names []string, o verifyOptions) (err error) {
	if err := o.watch.check(&o); err != nil {
		return err
	}
	paths := o.watched(cmp.Or(a.project, "."))
	watched, err := changes.Watch(paths, o.written())
	if err != nil {
		return &usageError{"--watch-path: " + err.Error(), ""}
	}
	defer func() { err = errors.Join(err, watched.Close()) }()
	if o.directory == "" && !o.failed.only {
		o.failed.memory = rerun.List{}
	}
	err = a.verify(ctx, names, o)
	if misunderstood(err) && !errors.As(err, new(*diagnostic.Error)) {
		return err
	}
	for ; ; err = a.failedFirst(ctx, names, o) {
		a.explainUnsaid(err)
		if ctx.Err() != nil {
			return ended(statusInterrupted)
		}
		fmt.Fprintf(a.stderr, "watching %s; Ctrl-C ends\n", strings.Join(paths, ", "))
		changed, err := watched.Next(ctx)
		if ctx.Err() != nil {
			return ended(statusInterrupted)
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(a.stderr, "changed: %s\n", few(changed))
	}
}

// explainUnsaid writes an error that has not been reported yet.
func (a *app) explainUnsaid(err error) {
	if said := statusError(0); err != nil && !errors.As(err, &said) {
		a.explain(err)
	}
}

// failedFirst verifies the scenarios that have failed before, and once they pass, all.
func (a *app) failedFirst(ctx context.Context, names []string, o verifyOptions) error {
	before, err := o.remembered()
	if err != nil {
		return err
	}
	failedBefore := false
	for system, failures := range before {
		failedBefore = failedBefore || len(failures) > 0 && (len(names) == 0 || slices.Contains(names, system))
	}
	if failedBefore && !o.failed.only {
		part := o
		part.failed.only = true
		if err := a.verify(ctx, names, part); err != nil {
			return err
		}
	}
	return a.verify(ctx, names, o)
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
