package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/host/atomicfile"
	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/host/shell"
	"github.com/storespec/storespec/internal/results/events"
	"github.com/storespec/storespec/internal/results/report"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/verify"
)

// resultOptions says which reports verify writes besides its text.
type resultOptions struct {
	html, junit string
	github      bool
}

func (r *resultOptions) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&r.html, "html", "", "write an HTML page to `FILE`; it needs no other file")
	flags.StringVar(&r.junit, "junit", "", "write JUnit XML to `FILE`")
	flags.BoolVar(&r.github, "github", false,
		"after the report, write annotations to standard output, and a table to the file that "+
			"GITHUB_STEP_SUMMARY names")
}

// resultFile is a report that appears when the run has ended.
type resultFile struct {
	*atomicfile.File
	fill func(io.Writer, *report.Report) error
}

// resultFiles are the reports of a run.
type resultFiles []resultFile

func (list resultFiles) abandon() {
	for _, file := range list {
		file.Abandon()
	}
}

// open makes sure, before anything is started, that every report can be written.
func (r *resultOptions) open(o verifyOptions) (list resultFiles, err error) {
	if o.json && r.github {
		return nil, command.Misused("--json and --github cannot be combined", "each writes to standard output")
	}
	page := r.html
	if o.shard.Count == 0 { // a shard is reported with the others
		page = cmp.Or(page, o.directory)
	}
	prices, err := readPrices(o.prices, page)
	if err != nil {
		return nil, err
	}
	type result struct {
		path string
		fill func(io.Writer, *report.Report) error
	}
	html := func(w io.Writer, made *report.Report) error {
		return report.HTML(w, made, report.Extras{Prices: prices})
	}
	wanted := []result{{r.html, html}, {r.junit, report.JUnit}}
	if o.directory != "" && o.shard.Count == 0 {
		for _, one := range []result{{"report.html", html}, {"junit.xml", report.JUnit}, {"run.json", report.JSON},
			{"summary.md", report.Summary}} {
			wanted = append(wanted, result{filepath.Join(o.directory, one.path), one.fill})
		}
	}
	paths := o.otherFiles()
	for _, one := range wanted {
		if one.path == "" {
			continue
		}
		path := filepath.Clean(one.path)
		if slices.Contains(paths, path) {
			list.abandon()
			return nil, command.Misused(one.path+" is named twice", "each report needs a file of its own, and "+
				"replaces none that the run reads")
		}
		paths = append(paths, path)
		file, err := atomicfile.Create(one.path)
		if err != nil {
			list.abandon()
			return nil, err
		}
		list = append(list, resultFile{file, one.fill})
	}
	return list, nil
}

// otherFiles returns the paths of the files that a run reads, and of its event stream.
func (o *verifyOptions) otherFiles() (paths []string) {
	stream, failed := "", ""
	if o.directory != "" {
		stream, failed = filepath.Join(o.directory, streamName), filepath.Join(o.directory, failedName)
	}
	for _, path := range []string{o.prices, o.baseline.path, o.fitting.mapFile, stream, failed} {
		if path != "" {
			paths = append(paths, filepath.Clean(path))
		}
	}
	return paths
}

// writeReports writes the event stream of runs, which is kept unless that file is nil, and the reports, from what
// storespec report would read of it.
func (o verifyOptions) writeReports(kept *atomicfile.File, files resultFiles, loaded []*verify.Catalogue,
	runs []events.Run) error {
	if kept == nil && len(files) == 0 && !o.results.github {
		return nil
	}
	text, err := o.encoded(loaded, runs)
	if err != nil {
		return err
	}
	if kept != nil { // first: what the run found must not depend on whether it can be read again
		err = kept.Put(func(w io.Writer) error {
			_, err := w.Write(text)
			return err
		})
	}
	stream, unread := events.Read("the events of this run", bytes.NewReader(text))
	if unread != nil {
		return errors.Join(err, unread)
	}
	made := report.New(stream)
	for _, file := range files {
		err = errors.Join(err, file.Put(func(w io.Writer) error { return file.fill(w, made) }))
	}
	if !o.results.github {
		return err
	}
	var summary bytes.Buffer
	err = errors.Join(err, report.GitHub(o.Stdout, made), report.Summary(&summary, made))
	_, failed := atomicfile.Extend(o.Getenv("GITHUB_STEP_SUMMARY"), summary.Bytes())
	return errors.Join(err, failed)
}

// enough returns what ends a run with --fail-fast: a scenario that makes it fail.
func (o *verifyOptions) enough(catalogue *verify.Catalogue) func(verify.ScenarioResult) bool {
	return func(result verify.ScenarioResult) bool {
		at := slices.IndexFunc(catalogue.Rules, func(r verify.Rule) bool { return r.ID == result.Rule })
		return at >= 0 && o.counts().Fails(catalogue.Rules[at], result.Outcome)
	}
}

// tellWhole says what --quick has left out, and which command runs the whole.
func (o *verifyOptions) tellWhole(w io.Writer, run events.Run) error {
	if !o.quick || !run.Judged() {
		return nil
	}
	words := append([]string{"storespec", "verify", run.System}, run.Asked.Flags...)
	for _, name := range []string{"baseline", "shard"} { // which the run of a single case leaves out
		if flag := o.flags.Lookup(name); flag.Changed {
			words = append(words, command.FlagWords(flag)...)
		}
	}
	if len(run.Asked.Command) > 0 {
		words = append(append(words, "--"), run.Asked.Command...)
	}
	_, err := fmt.Fprintf(w, "--quick left out %s; the whole: %s\n", leftOut(run.Result), shell.Command(words))
	return err
}

// leftOut says what --quick has left out of a run.
func leftOut(result *verify.Result) string {
	var parts []string
	if result.Unbroken > 0 {
		parts = append(parts, "that storage calls fail")
	}
	for _, family := range result.Cases() {
		if family.Cut {
			parts = append(parts, fmt.Sprintf("all but %d orders of requests at the same time", quickOrders))
		}
	}
	return cmp.Or(strings.Join(parts, ", and "), "nothing here")
}

// made returns the report of runs.
func (o *verifyOptions) made(runs []events.Run) *report.Report {
	return report.New(&events.Stream{Runs: runs, Header: o.header()})
}

// failedStart reports that the store could not be opened.
func (o verifyOptions) failedStart(list []system.System, loaded []*verify.Catalogue, stream *atomicfile.File,
	files resultFiles, err error) error {
	var runs []events.Run
	for i, system := range list {
		runs = append(runs, events.Run{System: system.Name, Asked: o.asked(loaded[i]), Err: err})
	}
	if err = errors.Join(err, o.writeReports(stream, files, loaded, runs)); !o.json {
		return err
	}
	return errors.Join(err, report.JSON(o.Stdout, o.made(runs)))
}

// finish reports the rest and turns the results of the runs into an exit status.
func (o verifyOptions) finish(ctx context.Context, runs []events.Run, closing error) error {
	made := o.made(runs)
	if o.json {
		if err := report.JSON(o.Stdout, made); err != nil {
			return err
		}
	}
	status := command.StatusHolds
	if gone(closing) {
		return closing
	}
	if closing != nil {
		o.explain(closing)
		status = command.StatusUnusable
	}
	for _, run := range made.Runs {
		if run.Err != nil && (ctx.Err() == nil || run.Result == nil) {
			o.explain(run.Err)
		}
		switch run.Outcome {
		case verify.Errored:
			status = max(status, unjudged(run))
		case verify.Failed, verify.OverBudget, verify.NotPrepared, verify.Fixed,
			verify.Unclear:
			status = max(status, command.StatusBroken)
		}
	}
	if ctx.Err() != nil {
		status = command.StatusInterrupted
	}
	return command.Ended(status)
}

// unjudged returns the status of a run in which something could not be judged. What a feature file is to blame for does
// not hide what the server did wrong.
func unjudged(run *report.Run) int {
	switch besides, miswritten := run.Miswritten(); {
	case miswritten && besides == verify.Passed:
		return command.StatusUsage
	case miswritten:
		return command.StatusBroken
	}
	return command.StatusUnusable
}
