package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/storespec/storespec/internal/host/atomicfile"
	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/search/explore"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/verify/designs"
	"github.com/storespec/storespec/steps"
)

// exploreOptions holds the command line of explore.
type exploreOptions struct {
	*app

	serverOptions
	storeOptions
	fitting   fittingOptions
	oracle    string
	oracleIn  string // the directory where it is started; "": here
	features  string
	minutes   float64
	steps     int
	seed      uint64
	corpus    string
	token     string
	without   []string
	html      string
	faults    bool
	calls     string
	first     bool
	reference bool
	json      bool
	parallel  int

	given  []string      // the flags that a replay needs too
	replay *explore.Walk // parsed from token by check
}

func (a *app) exploreCommand() *cobra.Command {
	o := exploreOptions{app: a}
	cmd := &cobra.Command{
		Use:   "explore SYSTEM [flags] [--url URL | -- COMMAND...]",
		Short: "Find bugs that no rule covers: random walks compared with the reference server",
		Long: `explore sends random requests of a design's contract to two servers at once, the one under test
and the reference server, and compares after each step what they answer, what their stores contain
and which storage calls they made. What differs is shrunk to the shortest sequence of requests that
shows it, and printed as a scenario.

The requests come from the contract and from explore.yaml in the system's folder, which also says
what the design leaves open. The same seed gives the same requests.

Without --url or a command the server is the reference server, compared with itself. --oracle names another
server instead of the reference server. A design of your own has none: without --oracle only what
always holds is judged, such as that a refused request writes nothing.

Exit status: 0 nothing was found, 1 something was, 2 the command was not understood,
3 a server or the store could not be used, 130 interrupted.`,
		Example: `  storespec explore familyscheduler -- node server.js
  storespec explore familyscheduler --minutes 10 --seed 7 --corpus walks -- node server.js
  storespec explore familyscheduler --replay TOKEN -- node server.js
  storespec explore notes --features features --oracle "node old.js" -- node new.js`,
		RunE: func(cmd *cobra.Command, args []string) error {
			args, command, err := a.atDash(cmd, args, &o.fitting)
			if err != nil {
				return err
			}
			o.command, o.given, o.oracleIn = command, given(cmd.Flags()), a.from.In(cmd.Flags(), "oracle")
			if o.steps > 0 && !cmd.Flags().Changed("minutes") {
				o.minutes = 0
			}
			return o.explore(cmd.Context(), args)
		},
	}
	o.addTo(cmd)
	o.fitting.addTo(cmd)
	o.fitting.addMap(cmd)
	o.register(cmd.Flags())
	addFeatures(cmd, &o.features)
	return cmd
}

// register adds the flags of explore alone.
func (o *exploreOptions) register(flags *pflag.FlagSet) {
	o.addURL(flags)
	flags.StringVar(&o.oracle, "oracle", "", "`COMMAND` of the server to compare with, instead of the reference server")
	flags.Float64Var(&o.minutes, "minutes", 1, "walk for `N` minutes; to start the servers and to shorten what "+
		"was found comes on top")
	flags.IntVar(&o.steps, "steps", 0, "stop after `N` steps (with --minutes: or when the time is up)")
	flags.Uint64Var(&o.seed, "seed", 1, "random seed `N`: the same seed takes the same walks")
	flags.StringVar(&o.corpus, "corpus", "",
		"keep the walks that show something new in `DIR`, and begin with those that are there")
	flags.StringVar(&o.token, "replay", "", "take only the walk of this `TOKEN`, as a finding printed it")
	flags.StringSliceVar(&o.without, "without", nil,
		"`PARTS` of the design that the server lacks, such as scan,chat, or routes such as 'POST /api/chat': requests "+
			"that need them are not sent")
	flags.StringVar(&o.html, "html", "", "write an HTML page to `FILE`; it needs no other file")
	flags.BoolVar(&o.faults, "faults", true, "let storage calls fail, and interleave requests")
	flags.StringVar(&o.calls, "calls", "compare",
		"`MODE`: with compare, a storage call that the other server does not make is a finding; with ignore, it is not")
	flags.BoolVar(&o.first, "first", false, "stop at the first finding")
	flags.IntVar(&o.parallel, "parallel", 0, "run `N` walks at once, each on servers and accounts of its "+
		"own (default: the number of processors, at most 4)")
	flags.BoolVar(&o.reference, "reference", false,
		"the command is a reference server, such as one of another version: also compare what only other "+
			"implementations may do differently")
	flags.BoolVar(&o.json, "json", false, "write the result as one JSON document to standard output")
}

// check rejects invalid options and returns the system.
func (o *exploreOptions) check(names []string) (s system.System, err error) {
	list, err := designsOf(o.features).Chosen(names)
	switch {
	case err != nil:
		return s, err
	case len(names) == 0 && o.features == "":
		return s, command.Misused("no system is named", "known: "+strings.Join(system.Names(list), ", ")+"; "+
			designs.OwnHint)
	case len(list) != 1:
		return s, command.Misused("explore takes one system, not "+strings.Join(system.Names(list), ", "),
			"name one of them, or say it under systems in storespec.yaml")
	case list[0].Contract == nil:
		return s, command.Misused(fmt.Sprintf("%s has no contract, which says what requests there are", list[0].Name),
			"contract in system.yaml names one: storespec help own-design")
	case o.minutes < 0 || o.steps < 0 || o.minutes == 0 && o.steps == 0:
		return s, command.Misused("--minutes and --steps must be positive", "one of them is enough")
	}
	wrong := cmp.Or(o.checkServer(designs.IsOwn(list[0])), command.OneOf("calls", o.calls, "compare", "ignore"),
		designs.Lackable(list, o.parts()), command.Between("parallel", cmp.Or(o.parallel, 1), 1, 16))
	if wrong != nil {
		return s, wrong
	}
	if o.token != "" {
		if o.replay, err = explore.Parse(o.token); err != nil {
			return s, command.Misused("--replay: "+err.Error(), "")
		}
		if o.replay.System != list[0].Name {
			return s, command.Misused(fmt.Sprintf("--replay: the walk is one of %s", o.replay.System), "")
		}
	}
	if o.parallel == 0 {
		o.parallel = min(4, runtime.NumCPU())
	}
	if o.url != "" || o.replay != nil || o.store == "account" {
		o.parallel = 1
	}
	return list[0], errors.Join(o.storeOptions.check(), o.fitting.check(list[:1]))
}

// parts returns which parts of the design the server lacks; routes are the others of --without.
func (o *exploreOptions) parts() (names []string) {
	return slices.DeleteFunc(slices.Clone(o.without), isRoute)
}

func (o *exploreOptions) routes() []string {
	return slices.DeleteFunc(slices.Clone(o.without), func(one string) bool { return !isRoute(one) })
}

func isRoute(text string) bool { return strings.Contains(text, " /") }

// servers returns the server under test, and the one to compare it with; oracle is nil if there is none to compare
// with.
func (o exploreOptions) servers(s system.System) (subject, oracle target.Target) {
	switch {
	case o.url != "":
		subject = target.URL(o.url, func(env map[string]string) { announce(o.Stderr, env) })
	case len(o.command) > 0:
		subject = target.CommandIn(o.from.CommandIn, o.command)
	default:
		subject = designs.Reference(s)
	}
	switch {
	case o.oracle != "":
		oracle = target.CommandIn(o.oracleIn, []string{"sh", "-c", "exec " + o.oracle})
	case !designs.IsOwn(s):
		oracle = designs.Reference(s)
	}
	return subject, oracle
}

// explore walks and reports what it found.
func (o exploreOptions) explore(ctx context.Context, names []string) (err error) {
	s, err := o.check(names)
	if err != nil {
		return err
	}
	vocabulary := scenario.NewVocabulary(steps.Themes())
	spec, rules, err := designsOf(o.features).Explorable(s, vocabulary, o.fitting.mapping)
	if err != nil {
		return err
	}
	if o.reference || o.isReference() && o.oracle == "" {
		spec.Reference()
	}
	var page *atomicfile.File
	if o.html != "" {
		if page, err = atomicfile.Create(o.html); err != nil {
			return err
		}
		defer page.Abandon()
	}
	list := []system.System{s}
	opened, err := o.openStores(ctx, o.storeOptions, o.choose(ctx, list, o.Stderr), store.Options{
		Lanes: 2 * o.parallel, Cold: coldNamespaces, Published: o.url != ""})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, opened.Close(ctx)) }()
	fitting, done, err := o.fitting.fit(o.Getenv)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	s, without := o.fitting.parts(s, o.parts())
	designs.LeaveOut(o.fitting.mapping, spec, s)
	return o.walk(ctx, s, explore.Options{Spec: spec, Invariants: designs.Invariants(rules), Vocabulary: vocabulary,
		Store: opened[s.Store], Fitting: fitting, Without: without, Lacks: o.routes()}, page)
}

// walk adds to the options what the command line says, and walks.
func (o exploreOptions) walk(ctx context.Context, s system.System, options explore.Options,
	page *atomicfile.File) error {
	options.Subject, options.Oracle = o.servers(s)
	if o.fitting.ready != "" {
		s.Ready = o.fitting.ready
	}
	line := o.Line()
	options.System, options.Secret, options.Local = s, rand.Text(), o.isReference() && o.oracle == ""
	options.Seed, options.Duration, options.Steps = o.seed, time.Duration(o.minutes*float64(time.Minute)), o.steps
	options.Corpus, options.Replay, options.Faults, options.First = o.corpus, o.replay, o.faults, o.first
	options.NoCalls, options.Workers, options.Progress = o.calls == "ignore", o.parallel, showWalks(line, s.Name)
	result, err := explore.Run(ctx, options)
	line.Clear()
	if err != nil && (result == nil || len(result.Findings) == 0) {
		return err
	}
	return errors.Join(err, o.tellWalks(s, result, page)) // report what was found before the error
}
