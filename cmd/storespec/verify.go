package main

import (
	"context"
	"crypto/rand"
	"errors"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/storespec/storespec/internal/results/events"
	"github.com/storespec/storespec/internal/results/report"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/verify/designs"
)

// coldNamespaces is the pool of unused accounts. Once it is used up, what the first ones left has to be dropped.
// Azurite still starts in under a second with them.
const coldNamespaces = 600

// errInterrupted is reported instead of errors caused by the interruption itself, such as a server that was not ready
// yet.
var errInterrupted = errors.New("interrupted before anything was judged")

// verifyOptions holds the command line of verify.
type verifyOptions struct {
	*app

	serverOptions
	storeOptions
	proofOptions
	known        knownPlaces
	fitting      fittingOptions
	baseline     baselineOptions
	flags        *pflag.FlagSet // as given
	tags         string
	rules        []string
	without      []string
	parallel     int
	overlap      bool // the next system may begin while the last scenarios of one run
	json         bool
	strict       bool
	budgets      string
	reference    bool
	features     string
	inRepository string // the same directory, where annotations look for it
	directory    string // of the event stream; empty: none is written
	results      resultOptions
	failFast     bool
	prices       string   // a price list for the page; empty: none
	byHand       string   // the directory of scripts; empty: none is written
	confided     []string // variables and flags with confidential values from the project file
	secret       string   // of the run, for servers to sign with
	failed       failedOptions
	watch        watchOptions
	commandIn    string // the directory of the project file that the command is from; empty: of the command line
}

func (a *app) verifyCommand() *cobra.Command {
	o := verifyOptions{app: a}
	cmd := &cobra.Command{
		Use:   "verify SYSTEM... [flags] [--url URL | -- COMMAND...]",
		Short: "Run a design's rules against a server",
		Long: `verify starts a store, puts a gateway in front of it that counts every storage call,
starts the server under test with connection strings that pass through the gateway, sends it
requests, and says which rules of the design hold.

Without --url or a command the server is the reference server.

The report goes to standard output. How the run is going goes to standard error: in one line
on a terminal, every ten seconds elsewhere, with what the run waits for.`,
		Example: `  storespec verify familyscheduler
  storespec verify --features features -- node server.js
  storespec verify familyscheduler --store container --json > result.json
  storespec verify familyscheduler --rule FS-GATE-4 --rule FS-APT-1 -- node server.js
  storespec verify familyscheduler --tags "@FS-GATE-1 && ~@every-route"
  storespec verify familyscheduler --url http://localhost:7071`,
		RunE: func(cmd *cobra.Command, args []string) error {
			args, command, err := a.atDash(cmd, args, &o.fitting)
			if err != nil {
				return err
			}
			o.command, o.commandIn, o.confided = command, a.from.CommandIn, a.from.Confided
			if err := o.proofOptions.check(cmd); err != nil {
				return err
			}
			if o.flags = cmd.Flags(); !o.flags.Changed("parallel") {
				o.parallel = o.lanes(o.store == embedded)
			}
			if o.watch.on {
				return o.verifyAgain(cmd.Context(), args)
			}
			return o.verify(cmd.Context(), args)
		},
	}
	a.addColor(cmd)
	a.addVerbose(cmd)
	o.addTo(cmd)
	return cmd
}

func (o *verifyOptions) addTo(cmd *cobra.Command) {
	o.storeOptions.addTo(cmd)
	flags := cmd.Flags()
	o.addURL(flags)
	o.known.addTo(cmd)
	o.fitting.addTo(cmd)
	o.fitting.addMap(cmd)
	o.baseline.addTo(cmd)
	o.proofOptions.addTo(cmd)
	flags.StringVar(&o.tags, "tags", "", "only scenarios whose tags match `TAGS`: comma is or, && is and, ~ is not")
	flags.StringSliceVar(&o.rules, "rule", nil, "only the rules `IDS`, such as FS-GATE-4,FS-APT-1 (repeatable)")
	flags.StringSliceVar(&o.without, "without", nil,
		"`PARTS` of the design that the server lacks, such as scan,chat: their scenarios are skipped")
	flags.IntVar(&o.parallel, "parallel", 0,
		"run `N` scenarios at once, each on a server and an account of its own (default 4, or 24 on the reference "+
			"server and the embedded store); with --url 1, or more if the server passes on traceparent")
	flags.BoolVar(&o.json, "json", false, "write the result as one JSON document to standard output")
	flags.StringVar(&o.directory, "report", "", "write everything into `DIR`: run.ndjson, which storespec report "+
		"reads, report.html, junit.xml, run.json, summary.md, and failed.json for --only-failed")
	o.results.addTo(cmd)
	flags.BoolVar(&o.failFast, "fail-fast", false, "end the run with the first scenario that makes it fail")
	flags.BoolVar(&o.failed.only, "only-failed", false, "only the scenarios that have failed in runs with the same "+
		"--report DIR, and not passed since")
	o.watch.addTo(flags)
	addPrices(flags, &o.prices)
	flags.StringVar(&o.byHand, "by-hand", "",
		"write to `DIR`, for each scenario that fails, a script that restores what the store contained, starts the "+
			"server and sends the failed request again")
	flags.BoolVar(&o.strict, "strict", false, "also count rules that the design calls preferred or optional")
	flags.StringVar(&o.budgets, "budgets", "fail", "what a broken storage budget does: `MODE` warn or fail")
	flags.BoolVar(&o.reference, "reference", false,
		"the command is a reference server: run the scenarios tagged @reference too")
	addFeatures(cmd, &o.features)
}

// addFeatures adds the flag for people who write rules.
func addFeatures(cmd *cobra.Command, directory *string) {
	cmd.Flags().StringVar(directory, "features", "",
		"read the rules from `DIR`/SYSTEM/*.feature instead of the built-in ones")
}

// verify runs each system in turn on a store of its kind and reports the results.
func (o verifyOptions) verify(ctx context.Context, names []string) error {
	p, err := o.plan(names)
	if err != nil {
		return err
	}
	list, loaded, failing := p.list, p.loaded, p.failing
	stream, err := o.createStream()
	if err != nil {
		return err
	}
	defer stream.Abandon()
	files, err := o.results.open(o)
	if err != nil {
		return err
	}
	defer files.abandon()
	if len(list) == 0 {
		return o.nothingLeft(ctx, p, stream, files)
	}
	if err := o.scripts(); err != nil {
		return err
	}
	o.secret = o.newSecret()
	updated, err := o.baseline.create()
	if err != nil {
		return err
	}
	defer updated.Abandon()
	choices := o.choose(ctx, list, o.Stderr)
	if !o.flags.Changed("parallel") && o.store == store.Auto {
		o.parallel = o.lanes(allEmbedded(choices))
	}
	o.overlap = len(list) > 1 && o.isReference() && allEmbedded(choices) && !o.flags.Changed("parallel") && !o.failFast
	opened, err := o.openStores(ctx, o.storeOptions, choices, store.Options{Lanes: o.accounts(), Cold: coldNamespaces,
		Published: o.url != "" || o.known.dev})
	if err != nil {
		if ctx.Err() != nil {
			err = errInterrupted
		}
		return o.failedStart(list, loaded, stream, files, err)
	}
	runs, untold := o.runAll(ctx, list, loaded, opened, failing)
	closing := errors.Join(untold, opened.Close(ctx))
	if errors.Is(untold, verify.ErrNothingSelected) {
		return closing
	}
	if o.baseline.update {
		partial := closing != nil || len(runs) < len(list)
		closing = errors.Join(closing, o.saveBaseline(updated, failing, p.all, p.others, runs, partial))
	}
	closing = errors.Join(closing, o.remember(p.before, loaded, runs), o.writeReports(stream, files, loaded, runs))
	return o.finish(ctx, runs, closing)
}

// newSecret returns what the servers of a run sign with: a server that the user starts has to know it.
func (o *verifyOptions) newSecret() string {
	if o.url != "" {
		return knownSecret
	}
	return rand.Text()
}

const (
	usualLanes = 4
	// cheapLanes is for runs that mostly wait, for another storage call or for the second that Workers KV asks for
	// between two writes of a key: neither server nor store is a separate process.
	cheapLanes = 24
)

// lanes returns how many scenarios run at once by default; inProcess: on stores that are embedded.
func (o *verifyOptions) lanes(inProcess bool) int {
	switch {
	case o.url != "", o.known.dev:
		return 1
	case o.isReference() && inProcess:
		return cheapLanes
	}
	return usualLanes
}

// accounts returns how many accounts are used at once: one for each server.
func (o *verifyOptions) accounts() int {
	switch {
	case o.url != "":
		return 1
	case o.overlap:
		return 2 * o.parallel
	}
	return o.parallel
}

// tell writes what a run has shown, for people: to standard output, unless that is to hold one JSON document.
func (o verifyOptions) tell(run events.Run) error {
	w := o.forPeople()
	look := report.Look{Color: o.colored(w), Verbose: o.verbose}
	return errors.Join(report.Text(w, report.NewRun(run, o.counts()), look), o.tellWhole(w, run))
}

// target returns the server that the command line asks to test.
// What the owner of a server must know is written to w.
func (o verifyOptions) target(s system.System, w io.Writer) target.Target {
	switch {
	case o.url != "":
		return target.URL(o.url, func(env map[string]string) { announce(w, env) })
	case len(o.command) > 0:
		return target.CommandIn(o.from.CommandIn, o.command)
	}
	return designs.Reference(s)
}

// counts says what counts.
func (o *verifyOptions) counts() report.Options {
	return report.Options{Strict: o.strict, BudgetsWarn: o.budgets == "warn"}
}

// header returns how the stream of a run begins.
func (o *verifyOptions) header() events.Header {
	return events.Header{Version: buildVersion(), Strict: o.strict, BudgetsWarn: o.budgets == "warn"}
}
