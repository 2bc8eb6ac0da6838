package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/run/proof"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/verify/project"
)

// quickOrders is how many orders of a race --quick runs: enough for the two ends of it and some between.
const quickOrders = 4

// proofOptions says how thoroughly verify runs what has many cases: a fault at every call, every order of a race.
type proofOptions struct {
	quick     bool
	faults    string
	orders    int
	seed      uint64
	seedGiven bool
	replay    string
	stateless bool
	within    time.Duration
	shardText string

	only  *proof.Replay
	shard verify.Shard
}

func (o *proofOptions) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&o.quick, "quick", false, fmt.Sprintf("a first look: no storage call is made to fail, and at most "+
		"%d orders of requests at the same time are run; the report says what runs the whole", quickOrders))
	flags.StringVar(&o.faults, "faults", string(proof.DefaultFaults),
		"which faults \"any one storage call fails\" tries: `LEVEL` none, default, or full (also broken connections, "+
			"no answer, and a killed server: slow)")
	flags.IntVar(&o.orders, "orders", proof.DefaultOrders, "try at most `N` orders of requests that run at the same "+
		"time; if there are more, a sample (with --faults none: 1)")
	flags.Uint64Var(&o.seed, "seed", 1, "random seed `N` of samples")
	flags.StringVar(&o.replay, "replay", "", "run only the case of a `TOKEN` that a report printed")
	flags.StringVar(&o.shardText, "shard", "",
		"run only part `I/N` of the scenarios, such as 2/4, on one of several machines (storespec help compare-guide)")
	flags.DurationVar(&o.within, "budget-time", proof.AnswerWithin,
		"how long the server may take to answer while a storage call fails, a `DURATION` without its SDK's back-off")
	flags.BoolVar(&o.stateless, "stateless", false, "the server keeps nothing in memory between requests, so the "+
		"store can be restored between two cases")
}

// check rejects invalid options and parses the token.
func (o *proofOptions) check(cmd *cobra.Command) (err error) {
	o.seedGiven = cmd.Flags().Changed("seed")
	for _, other := range []string{"faults", "orders", "replay"} {
		if o.quick && project.Changed(cmd.Flags(), other) && !project.Changed(cmd.Flags(), "quick") {
			o.quick = false // of the project file: the command line wins
		}
	}
	if o.quick {
		for _, other := range []string{"faults", "orders", "replay"} {
			if project.Changed(cmd.Flags(), other) {
				return command.Misused("--quick and --"+other+" cannot be combined", "leave one of them out")
			}
		}
		o.faults, o.orders = string(proof.NoFaults), quickOrders
	} else if o.faults == string(proof.NoFaults) && !cmd.Flags().Changed("orders") {
		o.orders = 1
	}
	if err := command.OneOf("faults", o.faults, proof.FaultLevels()...); err != nil {
		return err
	}
	switch {
	case o.orders < 1:
		return command.Misused(fmt.Sprintf("--orders %d is not above 0", o.orders), "")
	case o.within < time.Second:
		return command.Misused(fmt.Sprintf("--budget-time %s is too short", o.within), "a second or more, such as 30s")
	case o.replay != "" && o.shardText != "":
		return command.Misused("--replay runs one case, which --shard cannot split", "leave --shard out")
	}
	if o.shardText != "" {
		if o.shard, err = verify.ParseShard(o.shardText); err != nil {
			return command.Misused("--shard: "+err.Error(), "")
		}
	}
	if o.replay == "" {
		return nil
	}
	if o.only, err = proof.ParseReplay(o.replay); err != nil {
		return command.Misused(err.Error(), "")
	}
	if o.faults == string(proof.NoFaults) {
		return command.Misused("--replay and --faults none cannot be combined", "leave --faults out")
	}
	if !o.seedGiven {
		o.seed = o.only.Seed
	}
	return nil
}

// checkReplay rejects a token that was made for rules other than the loaded ones.
func (o *proofOptions) checkReplay(list []system.System, loaded []*verify.Catalogue) error {
	if o.only == nil {
		return nil
	}
	if len(list) != 1 {
		return command.Misused("a replay token belongs to one system, but several are named", "name "+o.only.System)
	}
	if err := o.only.For(list[0].Name, loaded[0].Suite, o.seed); err != nil {
		return command.Misused(err.Error(), "")
	}
	return nil
}

// proofs returns the proofs required of the rules of a catalogue.
func (o *proofOptions) proofs(catalogue *verify.Catalogue, isReference bool) proof.Proofs {
	return proof.Proofs{
		Faults: proof.FaultLevel(o.faults), Orders: o.orders, Seed: o.seed, Suite: catalogue.Suite,
		Stateless: o.stateless || isReference, Within: o.within, Only: o.only,
	}
}
