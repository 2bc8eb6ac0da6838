package main

import (
	"io"
	"slices"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/storespec/storespec/internal/host/atomicfile"
	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/host/shell"
	"github.com/storespec/storespec/internal/results/report"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/search/explore"
)

// showWalks shows how far a run of explore is.
func showWalks(l *command.Line, system string) func(explore.Progress) {
	return func(p explore.Progress) {
		l.Printf("%s: %d steps in %d walks; %d kept, %d found", system, p.Steps, p.Walks, p.Kept, p.Findings)
	}
}

// tellWalks reports the result and turns it into an exit status. page is nil if none is asked for.
func (o exploreOptions) tellWalks(s system.System, r *explore.Result, page *atomicfile.File) error {
	e := report.Explored{Result: r, System: s.Name, Seed: o.seed, Replay: o.replay != nil, Flags: o.given,
		Command: shell.Masked(o.command)}
	if o.from.CommandIn != "" { // a replay has it from the project file too
		e.Command = nil
	}
	if page != nil {
		if err := page.Put(func(w io.Writer) error { return report.ExploredHTML(w, e, buildVersion()) }); err != nil {
			return err
		}
	}
	var err error
	if o.json {
		err = report.ExploredJSON(o.Stdout, e, buildVersion())
	} else {
		err = report.ExploredText(o.Stdout, e)
	}
	switch {
	case err != nil:
		return err
	case r.Interrupted:
		return command.Ended(command.StatusInterrupted)
	case len(r.Findings) > 0:
		return command.Ended(command.StatusBroken)
	}
	return nil
}

// given returns the flags of a command line that a replay needs as well: not those that say what is walked, and what is
// written.
func given(flags *pflag.FlagSet) (words []string) {
	others := []string{"seed", "minutes", "steps", "corpus", "html", "json", "first", "parallel", "replay"}
	flags.Visit(func(f *pflag.Flag) {
		if !slices.Contains(others, f.Name) {
			words = append(words, command.FlagWords(f)...)
		}
	})
	return words
}

// counted formats a number of things.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}
