package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/storespec/storespec/internal/host/atomicfile"
	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/results/events"
	"github.com/storespec/storespec/internal/results/price"
	"github.com/storespec/storespec/internal/results/report"
)

// reportOptions holds the command line of report.
type reportOptions struct {
	*app

	html, junit, badge string
	mutants, prices    string
	github, text, json bool
}

func (a *app) reportCommand() *cobra.Command {
	o := reportOptions{app: a}
	cmd := &cobra.Command{
		Use:   "report FILE.ndjson... [flags]",
		Short: "Make reports of a run that verify --report recorded",
		Long: `report reads the event stream that verify --report DIR wrote as DIR/run.ndjson, and makes reports from
it: an HTML page, JUnit XML, GitHub annotations, a badge, or the text that verify printed. Several files are the
shards of one run. Without a flag it writes the text to standard output.

The exit status says only whether the reports could be made, not what they say.`,
		Example: `  storespec verify familyscheduler --report out -- node server.js
  storespec report out/run.ndjson --html out/report.html --junit out/junit.xml
  storespec report out/run.ndjson --github`,
		Args: command.Takes("FILE.ndjson..."),
		RunE: func(_ *cobra.Command, args []string) error { return o.report(args) },
	}
	a.addColor(cmd)
	a.addVerbose(cmd)
	flags := cmd.Flags()
	flags.StringVar(&o.html, "html", "", "write an HTML page to `FILE`; it needs no other file")
	flags.StringVar(&o.junit, "junit", "", "write JUnit XML to `FILE`")
	flags.StringVar(&o.badge, "badge", "", "write a badge to `FILE`, in the form of shields.io's endpoint badge")
	flags.BoolVar(&o.github, "github", false,
		"write GitHub annotations to standard output, and a table to the file named by GITHUB_STEP_SUMMARY")
	flags.BoolVar(&o.text, "text", false, "write the text report to standard output")
	flags.BoolVar(&o.json, "json", false, "write the JSON document of verify --json to standard output")
	flags.StringVar(&o.mutants, "mutants", "",
		"add to the page the kill matrix, or the score, from a `FILE` that mutants --json wrote")
	addPrices(flags, &o.prices)
	return cmd
}

// addPrices adds the flag for the price list of a page.
func addPrices(flags *pflag.FlagSet, file *string) {
	flags.StringVar(file, "prices", "",
		"with --html or --report: show what a million of each operation costs, by the price list in a `FILE` "+
			"(storespec help reports)")
}

// readPrices returns the price list of a page, or nil if none is asked for.
func readPrices(file, page string) (*price.List, error) {
	switch {
	case file == "":
		return nil, nil
	case page == "":
		return nil, command.Misused("--prices is for a page, and none is asked for", "--html FILE writes one")
	}
	return price.Read(file)
}

// report writes every requested report, or none.
func (o reportOptions) report(paths []string) error {
	if err := o.check(paths); err != nil {
		return err
	}
	stream, err := events.ReadAll(paths)
	if err != nil {
		return err
	}
	made := report.New(stream)
	extras, err := o.extras()
	if err != nil {
		return err
	}
	var files atomicfile.Set
	defer func() { files.Abandon() }()
	for _, file := range []struct {
		path string
		fill func(io.Writer) error
	}{
		{o.html, func(w io.Writer) error { return report.HTML(w, made, extras) }},
		{o.junit, func(w io.Writer) error { return report.JUnit(w, made) }},
		{o.badge, func(w io.Writer) error { return report.Badge(w, made) }},
	} {
		if file.path == "" {
			continue
		}
		if err := files.Add(file.path, file.fill); err != nil {
			return err
		}
	}
	o.text = o.text || len(files) == 0 && !o.github && !o.json
	var printed, summary bytes.Buffer
	if err := o.print(&printed, &summary, made, report.Look{Color: o.colored(o.Stdout),
		Verbose: o.verbose}); err != nil {
		return err
	}
	return o.publish(files, summary.Bytes(), printed.Bytes())
}

// publish moves the results into place. Standard output comes last, since it cannot be undone.
func (a *app) publish(files atomicfile.Set, summary, printed []byte) error {
	if err := files.Keep(); err != nil {
		return err
	}
	back, err := atomicfile.Extend(a.Getenv("GITHUB_STEP_SUMMARY"), summary)
	if err != nil {
		return err
	}
	if _, err := a.Stdout.Write(printed); err != nil {
		back()
		return &atomicfile.Error{Path: "standard output", Err: err}
	}
	files.Settle()
	return nil
}

// check rejects options that would be ignored, and a report that would overwrite its own input.
func (o *reportOptions) check(paths []string) error {
	switch {
	case o.json && o.text:
		return command.Misused("--json and --text cannot be combined", "each writes to standard output")
	case o.json && o.github:
		return command.Misused("--json and --github cannot be combined", "each writes to standard output")
	case o.mutants != "" && o.html == "":
		return command.Misused("--mutants is for a page, and none is asked for", "--html FILE writes one")
	}
	sources := []string{o.mutants, o.prices}
	for _, path := range paths {
		files, err := events.Files(path)
		if err != nil {
			return err
		}
		sources = append(sources, files...)
	}
	reports := slices.DeleteFunc([]string{o.html, o.junit, o.badge}, func(path string) bool { return path == "" })
	for i, file := range reports {
		if slices.ContainsFunc(reports[:i],
			func(other string) bool { return filepath.Clean(other) == filepath.Clean(file) }) {
			return command.Misused(file+" is named twice", "")
		}
		if slices.ContainsFunc(sources, func(source string) bool { return sameFile(file, source) }) {
			return command.Misused(file+" is what the report is made of", "name another file")
		}
	}
	return nil
}

// sameFile reports whether two paths name the same existing file.
func sameFile(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}

// print writes what goes to standard output and to the summary of a GitHub job.
func (o *reportOptions) print(w, summary io.Writer, made *report.Report, look report.Look) error {
	if o.github {
		if err := errors.Join(report.GitHub(w, made), report.Summary(summary, made)); err != nil {
			return err
		}
	}
	if o.json {
		return report.JSON(w, made)
	}
	if !o.text {
		return nil
	}
	for _, run := range made.Runs {
		err := report.Text(w, run, look)
		if !run.Judged() { // verify has separated the error from the text
			_, err = fmt.Fprintf(w, "%s could not be judged: %s\n", run.System, run.Err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// extras reads what the page contains besides the run.
func (o *reportOptions) extras() (extras report.Extras, err error) {
	if extras.Prices, err = readPrices(o.prices, o.html); err != nil || o.mutants == "" {
		return extras, err
	}
	file, err := os.Open(o.mutants)
	if err != nil {
		return extras, command.Misused(fmt.Sprintf("the kill matrix cannot be read: %v", err),
			"storespec mutants --json writes one to standard output")
	}
	defer func() { _ = file.Close() }() // it was only read
	if extras.Mutants, err = report.ReadMatrices(o.mutants, file); err != nil {
		return extras, command.Misused(err.Error(), "")
	}
	return extras, nil
}
