package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/prove/mutant"
	"github.com/storespec/storespec/internal/results/report"
	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/proof"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/store/stores"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/verify/designs"
	"github.com/storespec/storespec/reference"
)

// mutantsOptions holds the command line of mutants.
type mutantsOptions struct {
	*app

	rules    []string
	full     bool
	json     bool
	parallel int
	dir      string
	patches  string
	features string

	generated bool
	sample    int
	seed      uint64
	only      []string
	least     float64

	explore bool
	each    time.Duration

	wire    bool
	command []string // after --
	without []string
	fitting fittingOptions
	flags   *pflag.FlagSet // as given
}

func (a *app) mutantsCommand() *cobra.Command {
	o := mutantsOptions{app: a}
	cmd := &cobra.Command{
		Use:   "mutants SYSTEM... [flags] [-- COMMAND...]",
		Short: "Prove that each rule can fail, by running faulty servers",
		Long: `mutants builds the reference server with one small, wrong change at a time, each kept as a patch
that names the rule it breaks, and runs that rule's scenarios on it. A rule that does not notice the
change is too weak.

With --generated, the changes are generated from the server's source instead, and the scenarios that
reach a change run until one notices it. The score is how many are noticed, of those that are not in
survivors.yaml next to the patches, the system's list of survivors.

Both need storespec's source tree, and Go. With --wire, and for a design of your own, no source is
needed: the server stays as it is, and everything around it misbehaves. Writes to one table are lost,
its queries find rows that they exclude, a route answers 200 instead of 403, and so on. It reports what
no rule notices, and which rules no mutant breaks.`,
		Example: `  storespec mutants familyscheduler
  storespec mutants familyscheduler --rule FS-MEM-3 --full
  storespec mutants familyscheduler --generated --sample 100 --seed 7
  storespec mutants familyscheduler --wire
  storespec mutants --features features -- node server.js`,
		RunE: func(cmd *cobra.Command, args []string) error {
			args, command, err := a.atDash(cmd, args, &o.fitting)
			if err != nil {
				return err
			}
			o.command, o.flags = command, cmd.Flags()
			return o.mutants(cmd.Context(), args)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&o.rules, "rule", nil, "only mutants of the rule `ID`, such as FS-GATE-4 (repeatable)")
	flags.BoolVar(&o.full, "full", false, "run all rules on every mutant, and list those that notice it; with --wire, "+
		"all those that it can reach")
	flags.BoolVar(&o.json, "json", false, "write the kill matrix as one JSON document to standard output")
	flags.IntVar(&o.parallel, "parallel", 5, "build and run `N` mutants at once")
	flags.StringVar(&o.dir, "dir", ".", "`DIR` in storespec's source tree")
	flags.StringVar(&o.patches, "patches", "",
		"`DIR` with the patches (default fixtures/mutants/SYSTEM in the source tree)")
	flags.BoolVar(&o.generated, "generated", false, "generate mutants from the reference server's source")
	flags.IntVar(&o.sample, "sample", 0, "only `N` mutants, generated or with --explore (default all)")
	flags.Uint64Var(&o.seed, "seed", 1, "random seed `N`: which mutants --sample takes")
	flags.StringArrayVar(&o.only, "only", nil,
		"only mutants whose name begins with `PREFIX`, such as gate.go/Server.gate (repeatable)")
	flags.Float64Var(&o.least, "least", 95, "`PERCENT` of generated mutants that must be noticed; with --wire, also "+
		"of rules that must break under one (there default 0)")
	flags.BoolVar(&o.wire, "wire", false,
		"make the storage calls and the answers of a server wrong, instead of its source")
	flags.BoolVar(&o.explore, "explore", false, "let random walks compared with the reference server look for each "+
		"mutant, without any rule; with --generated at those that no rule notices; --least is then 60 (0 with "+
		"--generated), "+
		"and --parallel 2, if they are not given")
	flags.DurationVar(&o.each, "each", 30*time.Second, "with --explore: how long to look for each mutant, a `DURATION`")
	flags.StringSliceVar(&o.without, "without", nil, "with --wire: `PARTS` of the design that the server lacks")
	o.fitting.addTo(cmd)
	a.addColor(cmd)
	addFeatures(cmd, &o.features)
	return cmd
}

// mutants judges the mutants of each system in turn and reports the results.
func (o mutantsOptions) mutants(ctx context.Context, names []string) (failed error) {
	if wire, err := o.atWire(names); err != nil {
		return err
	} else if wire {
		return o.wireMutants(ctx, names)
	}
	list, root, err := o.check(names)
	if err != nil {
		return err
	}
	if o.explore {
		o.patiently()
	}
	list, loaded, err := o.load(list)
	if err != nil {
		return err
	}
	trust, done, err := trustOnDemand(o.Getenv)
	if err != nil {
		return err
	}
	defer func() { failed = errors.Join(failed, done()) }()
	var all []mutant.Options
	for i, system := range list {
		options := mutant.Options{Root: root, Full: o.full, Parallel: o.parallel, Open: openEmbedded(system.Store),
			Verify: verify.Options{Catalogue: loaded[i], System: system, Secret: rand.Text(),
				Fitting: lane.Fitting{OnDemand: trust},
				// A mutant is the reference server, which keeps nothing in memory.
				Proofs: proof.Proofs{Stateless: true, First: true}}}
		if !o.generated {
			options.Rules = o.wanted(loaded[i])
			if options.Patches, err = o.read(root, system.Name, loaded[i].IDs()); err != nil {
				return err
			}
		}
		all = append(all, options)
	}
	switch {
	case o.explore:
		return o.exploreMutants(ctx, all)
	case o.generated:
		return o.judgeGenerated(ctx, all)
	}
	return o.judgeMutants(ctx, all)
}

// trustOnDemand is newTrust for the lanes that need https. Mutants are programs in Go, which on macOS and Windows do
// not read the file that SSL_CERT_FILE names: there such scenarios are skipped.
func trustOnDemand(getenv func(string) string) (trust *lane.Trust, done func() error, err error) {
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		return nil, func() error { return nil }, nil
	}
	return newTrust(getenv)
}

// load reads the features of the systems, and leaves out those without a rule that is wanted.
func (o *mutantsOptions) load(list []system.System) ([]system.System, []*verify.Catalogue, error) {
	loaded, err := designsOf(o.features).Catalogues(list)
	if err != nil {
		return nil, nil, err
	}
	return selected(o.rules, list, loaded)
}

// judgeMutants runs the mutants and turns the results into an exit status.
func (o mutantsOptions) judgeMutants(ctx context.Context, all []mutant.Options) error {
	one := func(i int) (report.Mutants, error, error) {
		m := report.Mutants{Judged: report.Judged{System: all[i].Verify.System.Name}}
		m.Matrix, m.Err = o.runMutants(ctx, all[i])
		return m, m.Err, nil
	}
	return judgeEach(ctx, o, len(all), one)
}

// judgeEach judges n systems in turn until ctx ends, shows each result, and turns the results into an exit status.
// judge returns the result for a system, the reason if it could not be judged, and an error that stops the run.
func judgeEach[R report.Judgment](ctx context.Context, o mutantsOptions, n int,
	judge func(i int) (R, error, error)) error {
	status := command.StatusHolds
	var results []R
	for i := range n {
		result, unjudged, err := judge(i)
		if err == nil {
			err = report.JudgmentText(o.Stderr, result, report.Look{Color: o.colored(o.Stderr)})
		}
		if err != nil {
			return err
		}
		if unjudged != nil {
			o.explain(unjudged)
		}
		switch result.Outcome() {
		case verify.Errored:
			status = command.StatusUnusable
		case verify.Failed:
			status = max(status, command.StatusBroken)
		}
		if results = append(results, result); ctx.Err() != nil {
			status = command.StatusInterrupted
			break
		}
	}
	if o.json {
		if err := report.JudgmentsJSON(o.Stdout, results, buildVersion()); err != nil {
			return err
		}
	}
	return command.Ended(status)
}

// runMutants runs the mutants of one system, with a progress line on the terminal.
func (a *app) runMutants(ctx context.Context, options mutant.Options) (*mutant.Matrix, error) {
	line := a.Line()
	defer line.Clear()
	options.Progress = showMutants(line, options.Verify.System.Name)
	return mutant.Run(ctx, options)
}

// openEmbedded opens a store of a kind for one mutant: mutants share nothing.
func openEmbedded(kind string) func(ctx context.Context, lanes int) (store.Store, error) {
	return func(ctx context.Context, lanes int) (store.Store, error) {
		return stores.OpenFirst(ctx, kind, store.Options{Lanes: lanes, Cold: coldNamespaces})
	}
}

// check rejects invalid options and finds the source tree.
func (o *mutantsOptions) check(wanted []string) ([]system.System, string, error) {
	list, err := designsOf(o.features).Chosen(wanted)
	if err := cmp.Or(err, designs.NeedReference("mutants", list)); err != nil {
		return nil, "", err
	}
	switch {
	case len(wanted) == 0:
		return nil, "", command.Misused("no system is named", "known: "+strings.Join(reference.Names(), ", "))
	case command.Between("parallel", o.parallel, 1, 64) != nil:
		return nil, "", command.Between("parallel", o.parallel, 1, 64)
	case o.generated && (o.full || len(o.rules) > 0):
		return nil, "", command.Misused("--rule and --full are for mutants that name their rule, not for --generated",
			"")
	case o.sample < 0 || !o.generated && !o.explore && o.sample > 0:
		return nil, "", command.Misused("--sample chooses among generated mutants, or those to explore",
			"add --generated or --explore")
	case !o.generated && len(o.only) > 0:
		return nil, "", command.Misused("--only chooses among generated mutants", "add --generated")
	case o.explore && o.each <= 0:
		return nil, "", command.Misused(fmt.Sprintf("--each %s is not positive", o.each), "")
	case o.patches != "" && len(list) > 1:
		return nil, "", command.Misused("--patches holds the mutants of one system, but several are named",
			"run them one by one")
	}
	root, err := mutant.Root(o.dir)
	if errors.Is(err, mutant.ErrNoTree) {
		return nil, "", command.Misused(err.Error(), "git clone https://"+mutant.Module+
			", and run it there or with --dir")
	}
	return list, root, err
}

// read reads the patches of a system.
func (o *mutantsOptions) read(root, system string, rules []string) ([]mutant.Patch, error) {
	directory := cmp.Or(o.patches, filepath.Join(root, "fixtures", "mutants", system))
	if info, err := os.Stat(directory); errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return nil, command.Misused(fmt.Sprintf("%s is not a directory of patches", directory),
			"--patches DIR says where they are")
	}
	patches, err := mutant.Read(os.DirFS(directory), rules)
	if malformed := (*mutant.PatchError)(nil); errors.As(err, &malformed) {
		return nil, command.Misused(err.Error(), "in "+directory+
			"; storespec help mutants-guide says how a patch is written")
	}
	return patches, err
}

// wanted returns the rules of a catalogue that are to be proven.
func (o *mutantsOptions) wanted(catalogue *verify.Catalogue) []string {
	return slices.DeleteFunc(catalogue.IDs(),
		func(id string) bool { return len(o.rules) > 0 && !slices.Contains(o.rules, id) })
}

// showMutants shows how far a run of mutants is.
func showMutants(l *command.Line, system string) func(mutant.Progress) {
	return func(p mutant.Progress) {
		l.Printf("%s: %d of %d mutants: %d killed, %d not", system, p.Done, p.Total, p.Killed, p.Done-p.Killed)
	}
}
