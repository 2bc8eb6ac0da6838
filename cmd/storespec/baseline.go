package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/host/atomicfile"
	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/results/events"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/verify/baseline"
	"github.com/storespec/storespec/internal/verify/lint"
)

// baselineOptions holds the flags for known failures.
type baselineOptions struct {
	path   string
	update bool
}

func (o *baselineOptions) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&o.path, "baseline", "", "YAML `FILE` of scenarios that are known to fail, and must")
	flags.BoolVar(&o.update, "update-baseline", false,
		"rewrite the file of --baseline: add what fails, remove what passes")
}

func (o *baselineOptions) check() error {
	if o.update && o.path == "" {
		return command.Misused("--update-baseline needs a file", "name it with --baseline FILE")
	}
	return nil
}

// open reads the file and rejects an entry that names no scenario, in the rules of the run or of others. For an update
// such entries are dropped, and a missing file counts as empty. It returns nil when no file is named.
func (o *baselineOptions) open(catalogues []*verify.Catalogue, others func() []*verify.Catalogue) (
	*verify.Known, error) {
	if o.path == "" {
		return nil, nil
	}
	known := &verify.Known{File: &baseline.File{Path: o.path}, Now: time.Now(), Adopt: o.update}
	_, err := os.Stat(o.path)
	missing := errors.Is(err, fs.ErrNotExist)
	if missing && o.update {
		return known, nil
	}
	if o.update {
		known.File, err = baseline.Read(o.path)
		return known, err
	}
	if known.File, err = lint.Baseline(o.path, catalogues, others); missing {
		return nil, command.Misused(err.Error(), "--update-baseline writes it")
	}
	return known, err
}

// create makes sure, before anything is started, that the file can be rewritten. It returns nil when no update is
// wanted.
func (o *baselineOptions) create() (*atomicfile.File, error) {
	if !o.update {
		return nil, nil
	}
	return atomicfile.Create(o.path)
}

// saveBaseline writes the failures known after the runs to file, without entries that name no scenario of any design. A
// run that was cut short, or could not judge a scenario, would write too little; in that case the file is left
// unchanged.
func (a *app) saveBaseline(file *atomicfile.File, known *verify.Known, catalogues []*verify.Catalogue,
	others func() []*verify.Catalogue, runs []events.Run, cut bool) error {
	var results []*verify.Result
	for _, run := range runs {
		if outcome := run.Verdict(true, false); outcome == verify.Errored || run.Result.Interrupted {
			cut = true
			break
		}
		results = append(results, run.Result)
	}
	if cut {
		fmt.Fprintf(a.Stderr, "%s was not changed, since not everything could be judged\n", known.File.Path)
		return nil
	}
	updated, added, removed := known.Updated(results)
	stays := len(updated.Entries)
	others = sync.OnceValue(others)
	updated.Entries = slices.DeleteFunc(updated.Entries, func(e baseline.Entry) bool {
		return !lint.InOne(catalogues, e.Case) && !lint.InOne(others(), e.Case)
	})
	removed += stays - len(updated.Entries)
	if err := file.Put(updated.Write); err != nil {
		return err
	}
	fmt.Fprintf(a.Stderr, "%s is written: %d known to fail, %d of them new, %d gone\n", updated.Path,
		len(updated.Entries), added, removed)
	return nil
}
