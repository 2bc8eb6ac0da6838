package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/host/atomicfile"
	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/search/explore"
	"github.com/storespec/storespec/internal/search/probe"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/verify/designs"
	"github.com/storespec/storespec/steps"
)

// probeOptions holds the command line of probe: how a server is started is said as for verify.
type probeOptions struct {
	verifyOptions

	writeMap string // the mapping file to write; "": none
	force    bool   // it may replace another
	bodies   bool
}

func (a *app) probeCommand() *cobra.Command {
	o := probeOptions{verifyOptions: verifyOptions{app: a, parallel: 1, budgets: "fail"}}
	cmd := &cobra.Command{
		Use:   "probe SYSTEM [flags] [--url URL | -- COMMAND...]",
		Short: "Try each route of a server, and show where it differs from the contract",
		Long: `probe is the first look at a server that was written without storespec. It starts the server as verify
does, sends each route of the contract one valid request and one that is to be refused, and prints
a table: what the server answered, what the design's reference server answers, what the contract
allows, and what differs.

A design of your own has no reference server. The contract alone decides, and the requests are searched
for on your server: for each route it gets up to twelve until one succeeds, with those that make what
they need, and up to eight with something wrong until one is refused. Those that were found are then
sent twice more.

--write-map FILE writes a mapping file to start from, for --map: storespec help verify-your-server.

Without --url or a command the server is the reference server.

Exit status: 0 all routes fit, 1 something differs or a route could not be tried, 2 the command was not
understood, 3 the server or the store could not be used, 130 interrupted. "skip" in explore.yaml leaves
out a route that cannot be tried.`,
		Example: `  storespec probe familyscheduler -- node server.js
  storespec probe familyscheduler --ready /healthz --write-map map.yaml -- node server.js
  storespec probe familyscheduler --map map.yaml --url http://localhost:7071`,
		RunE: func(cmd *cobra.Command, args []string) error {
			args, command, err := a.atDash(cmd, args, &o.fitting)
			if err != nil {
				return err
			}
			o.command, o.commandIn, o.flags = command, a.from.CommandIn, cmd.Flags()
			return o.probe(cmd.Context(), args)
		},
	}
	o.storeOptions.addTo(cmd)
	o.known.addTo(cmd)
	o.fitting.addTo(cmd)
	o.fitting.addMap(cmd)
	addFeatures(cmd, &o.features)
	flags := cmd.Flags()
	o.addURL(flags)
	flags.StringVar(&o.writeMap, "write-map", "", "write a mapping file to start from to `FILE`; with --map, the "+
		"mapping and behind it, commented out, what differs through it")
	flags.BoolVar(&o.force, "force", false, "let --write-map replace a file")
	flags.BoolVarP(&o.bodies, "verbose", "v", false, "show requests and answers also where nothing differs")
	flags.BoolVar(&o.json, "json", false, "write the result as one JSON document to standard output")
	return cmd
}

// check rejects invalid options and returns the system.
func (o *probeOptions) check(names []string) (s system.System, err error) {
	if len(names) != 1 {
		return s, command.Misused(fmt.Sprintf("probe takes one system, not %d", len(names)),
			"such as storespec probe familyscheduler")
	}
	list, err := o.verifyOptions.check(names)
	if err != nil {
		return s, err
	}
	if list[0].Contract == nil {
		return s, command.Misused(fmt.Sprintf("%s has no contract, which says what requests there are", list[0].Name),
			"contract in system.yaml names one: storespec help own-design")
	}
	if o.force && o.writeMap == "" {
		return s, command.Misused("--force is for --write-map", "")
	}
	if _, err := os.Stat(filepath.Clean(o.writeMap)); o.writeMap != "" && err == nil && !o.force {
		return s, command.Misused(fmt.Sprintf("--write-map: %s already exists", o.writeMap), "--force replaces it")
	}
	return list[0], nil
}

// probe tries each route and reports what differs.
func (o probeOptions) probe(ctx context.Context, names []string) error {
	s, err := o.check(names)
	if err != nil {
		return err
	}
	spec, _, err := designsOf(o.features).Explorable(s, scenario.NewVocabulary(steps.Themes()), o.fitting.mapping)
	if err != nil {
		return err
	}
	var draft *atomicfile.File
	var given []byte
	if o.writeMap != "" {
		if draft, err = atomicfile.Create(o.writeMap); err != nil {
			return err
		}
		defer draft.Abandon()
	}
	if o.fitting.mapFile != "" {
		if given, err = os.ReadFile(o.fitting.mapFile); err != nil {
			return err
		}
	}
	prober, err := probe.New(s, spec)
	if err != nil {
		return err
	}
	o.secret = o.newSecret()
	tried, err := o.tryAll(ctx, s, spec, prober)
	if err != nil {
		return err
	}
	result := prober.Judge(tried)
	if draft != nil {
		content, err := result.Draft(given)
		if err != nil {
			return err
		}
		if err := draft.Put(func(w io.Writer) error { _, err := w.Write(content); return err }); err != nil {
			return err
		}
	}
	return o.tellProbe(result)
}

// tellProbe reports a result and turns it into an exit status.
func (o probeOptions) tellProbe(result *probe.Result) (err error) {
	if o.json {
		err = result.JSON(o.Stdout, buildVersion())
	} else {
		err = result.Text(o.Stdout, o.bodies)
	}
	if err == nil && o.writeMap != "" && !o.json {
		_, err = fmt.Fprintf(o.Stdout, "%s is a mapping to start from: --map %[1]s\n", o.writeMap)
	}
	if err != nil {
		return err
	}
	if !result.Fits() {
		return command.Ended(command.StatusBroken)
	}
	return nil
}

// tryAll starts the server under test and, if the design has one, the reference server next to it.
func (o probeOptions) tryAll(ctx context.Context, s system.System, spec *explore.Spec,
	prober *probe.Prober) (tried explore.Tried, err error) {
	list := []system.System{s}
	opened, err := o.openStores(ctx, o.storeOptions, o.choose(ctx, list, o.Stderr), store.Options{Lanes: 1,
		Published: o.url != "" || o.known.dev})
	if err != nil {
		return tried, err
	}
	defer func() { err = errors.Join(err, opened.Close(ctx)) }()
	fitting, done, err := o.fit(s)
	if err != nil {
		return tried, err
	}
	defer func() { err = errors.Join(err, done()) }()
	options := explore.TrialOptions{System: s, Ready: o.fitting.ready, Spec: spec,
		Vocabulary: scenario.NewVocabulary(steps.Themes()),
		Store:      opened[s.Store], Subject: o.target(s, o.Stderr), Fitting: fitting,
		Secret: o.secret,
		Seed:   1, Understand: prober.Understand}
	if !designs.IsOwn(s) {
		second := storeOptions{store: embedded}
		besides, err := o.openStores(ctx, second, second.choose(ctx, list, o.Stderr), store.Options{Lanes: 1})
		if err != nil {
			return tried, err
		}
		defer func() { err = errors.Join(err, besides.Close(ctx)) }()
		options.Oracle, options.OracleStore = designs.Reference(s), besides[s.Store]
	}
	return explore.Try(ctx, options)
}
