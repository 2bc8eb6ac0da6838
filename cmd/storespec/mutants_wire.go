package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/prove/wiremutant"
	"github.com/storespec/storespec/internal/results/report"
	"github.com/storespec/storespec/internal/run/proof"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/verify/designs"
)

// atWire reports whether the mutants are those at the wire: the only ones of a design without a reference server.
func (o *mutantsOptions) atWire(names []string) (bool, error) {
	if o.wire {
		return true, nil
	}
	list, err := designsOf(o.features).Chosen(names)
	if err == nil && o.features != "" && slices.ContainsFunc(list, designs.IsOwn) {
		return true, nil
	}
	switch {
	case len(o.command) > 0:
		return false, command.Misused("only mutants at the wire are run on a server of yours", "add --wire")
	case slices.ContainsFunc(o.wireFlags(), o.flags.Changed):
		return false, command.Misused("flags that say how a server is reached are for mutants at the wire",
			"add --wire")
	}
	return false, nil // whoever reads the names again reports what is wrong with them
}

// wireFlags returns the flags that only mutants at the wire have.
func (o *mutantsOptions) wireFlags() []string {
	return []string{"without", "tls", "env", "header", "setup", "ready", "settle", "ready-within"}
}

// sourceFlags returns the flags that only mutants of the source have.
func (o *mutantsOptions) sourceFlags() []string {
	return []string{"generated", "sample", "seed", "only", "dir", "patches"}
}

// checkWire rejects invalid options.
func (o *mutantsOptions) checkWire(names []string) ([]system.System, error) {
	if at := slices.IndexFunc(o.sourceFlags(), o.flags.Changed); at >= 0 {
		return nil, command.Misused(fmt.Sprintf("--%s is for mutants of a reference server's source, not for "+
			"mutants at "+
			"the wire", o.sourceFlags()[at]), "")
	}
	if len(names) == 0 && o.features == "" {
		return nil, command.Misused("no system is named", designs.OwnHint)
	}
	list, err := designsOf(o.features).Chosen(names)
	if err != nil {
		return nil, err
	}
	if at := slices.IndexFunc(list, designs.IsOwn); at >= 0 && len(o.command) == 0 {
		return nil, command.Misused(fmt.Sprintf("%s has no reference server", list[at].Name),
			"the command that starts your server follows after --")
	}
	return list, cmp.Or(command.Between("parallel", o.parallel, 1, 64), o.fitting.check(list),
		designs.Lackable(list, o.without))
}

// wireMutants runs the mutants at the wire of each system in turn and turns the results into an exit status.
func (o mutantsOptions) wireMutants(ctx context.Context, names []string) error {
	if !o.flags.Changed("least") {
		o.least = 0
	}
	list, err := o.checkWire(names)
	if err != nil {
		return err
	}
	list, loaded, err := o.load(list)
	if err != nil {
		return err
	}
	return judgeEach(ctx, o, len(list), func(i int) (report.Wire, error, error) {
		m := report.Wire{Judged: report.Judged{System: list[i].Name}, Least: o.least}
		if m.Matrix, m.Err = o.wireOne(ctx, list[i], loaded[i]); errors.Is(m.Err, verify.ErrNothingSelected) {
			return m, nil, m.Err
		}
		return m, m.Err, nil
	})
}

// wireOne runs the mutants of one system, with a progress line on the terminal.
func (o mutantsOptions) wireOne(ctx context.Context, s system.System, catalogue *verify.Catalogue) (
	_ *wiremutant.Matrix, err error) {
	line := o.Line()
	defer line.Clear()
	s.Ready = cmp.Or(o.fitting.ready, s.Ready)
	fitting, done, err := o.fitting.fit(o.Getenv)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, done()) }()
	options := verify.Options{Catalogue: catalogue, System: s, Secret: rand.Text(), Fitting: fitting,
		Without: o.without, Lanes: usualLanes, Target: target.Command(o.command), Linger: true,
		Proofs: proof.Proofs{Suite: catalogue.Suite}}
	if len(o.command) == 0 {
		options.Target, options.Reference = designs.Reference(s), true
		options.Linger, options.Proofs.Stateless, options.Lanes = false, true, cheapLanes
	}
	return wiremutant.Run(ctx, wiremutant.Options{Verify: options, Rules: o.wantedRules(catalogue),
		Open: openEmbedded(s.Store), Full: o.full, Parallel: o.parallel, Progress: showMutants(line, s.Name)})
}

// wantedRules returns the rules that are asked for by name; nil: all.
func (o *mutantsOptions) wantedRules(catalogue *verify.Catalogue) []string {
	if len(o.rules) == 0 {
		return nil
	}
	return o.wanted(catalogue)
}
