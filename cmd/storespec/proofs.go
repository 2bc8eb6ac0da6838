package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/steps"
)

// proofOptions say how far verify goes with what is run in many cases: a fault at every call, every order of a race.
type proofOptions struct {
	faults    string
	orders    int
	seed      uint64
	seedGiven bool
	replay    string
	stateless bool
	shardText string

	only  *steps.Replay
	shard verify.Shard
}

func (o *proofOptions) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&o.faults, "faults", string(steps.DefaultFaults), `what "any one storage call fails" goes through: none, default, or full (broken connections, silence, a killed server: slow)`)
	flags.IntVar(&o.orders, "orders", steps.DefaultOrders, "at most this many orders of requests that run at the same time; of more, a sample is run (with --faults none: 1)")
	flags.Uint64Var(&o.seed, "seed", 1, "of samples")
	flags.StringVar(&o.replay, "replay", "", "run only the case that a report printed this token for")
	flags.StringVar(&o.shardText, "shard", "", "only part `I/N` of the scenarios, such as 2/4, for one of several machines (storespec help compare-guide)")
	flags.BoolVar(&o.stateless, "stateless", false, "the server keeps nothing in memory from one request to the next, so that the store can be put back between two cases")
}

// check refuses what cannot be asked for, and reads the token.
func (o *proofOptions) check(cmd *cobra.Command) (err error) {
	o.seedGiven = cmd.Flags().Changed("seed")
	if o.faults == string(steps.NoFaults) && !cmd.Flags().Changed("orders") {
		o.orders = 1
	}
	switch {
	case !slices.Contains(steps.FaultLevels(), steps.FaultLevel(o.faults)):
		return &usageError{fmt.Sprintf("--faults %s is none of %v", o.faults, steps.FaultLevels()), ""}
	case o.orders < 1:
		return &usageError{fmt.Sprintf("--orders %d is not above 0", o.orders), ""}
	case o.replay != "" && o.shardText != "":
		return &usageError{"--replay runs one case, which no --shard splits", "leave --shard out"}
	}
	if o.shardText != "" {
		if o.shard, err = verify.ParseShard(o.shardText); err != nil {
			return &usageError{"--shard: " + err.Error(), ""}
		}
	}
	if o.replay == "" {
		return nil
	}
	if o.only, err = steps.ParseReplay(o.replay); err != nil {
		return &usageError{err.Error(), ""}
	}
	if o.faults == string(steps.NoFaults) {
		return &usageError{"--replay and --faults none contradict each other", "leave --faults out"}
	}
	if !o.seedGiven {
		o.seed = o.only.Seed
	}
	return nil
}

// manyCases reports whether scenarios are run with faults or in several orders.
func (o *proofOptions) manyCases() bool { return o.faults != string(steps.NoFaults) || o.orders > 1 }

// checkReplay refuses a token that was made for other rules than those that are loaded.
func (o *proofOptions) checkReplay(list []steps.System, loaded []*verify.Catalogue) error {
	if o.only == nil {
		return nil
	}
	if len(list) != 1 {
		return &usageError{"a replay token is of one system, but several are named", "name " + o.only.System}
	}
	if err := o.only.For(list[0].Name, loaded[0].Suite, o.seed); err != nil {
		return &usageError{err.Error(), ""}
	}
	return nil
}

// proofs is what is asked of the rules of a catalogue.
func (o *proofOptions) proofs(catalogue *verify.Catalogue, isReference bool) steps.Proofs {
	return steps.Proofs{
		Faults: steps.FaultLevel(o.faults), Orders: o.orders, Seed: o.seed, Suite: catalogue.Suite,
		Stateless: o.stateless || isReference, Only: o.only,
	}
}
