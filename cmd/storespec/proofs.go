package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/proof"
	"github.com/storespec/storespec/internal/system"
	"github.com/storespec/storespec/internal/verify"
)

// proofOptions says how thoroughly verify runs what has many cases: a fault at every call, every order of a race.
type proofOptions struct {
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
	flags.StringVar(&o.faults, "faults", string(proof.DefaultFaults),
		`what "any one storage call fails" goes through: none, default, or full (broken connections, silence, a `+
			`killed server: slow)`)
	flags.IntVar(&o.orders, "orders", proof.DefaultOrders, "at most this many orders of requests that run at the same "+
		"time; of more, a sample is run (with --faults none: 1)")
	flags.Uint64Var(&o.seed, "seed", 1, "of samples")
	flags.StringVar(&o.replay, "replay", "", "run only the case that a report printed this token for")
	flags.StringVar(&o.shardText, "shard", "",
		"only part `I/N` of the scenarios, such as 2/4, for one of several machines (storespec help compare-guide)")
	flags.DurationVar(&o.within, "budget-time", proof.AnswerWithin,
		"how long the server may take for an answer while a storage call fails, not counting its SDK's back-off")
	flags.BoolVar(&o.stateless, "stateless", false, "the server keeps nothing in memory from one request to the next, "+
		"so that the store can be put back between two cases")
}

// check rejects invalid options and parses the token.
func (o *proofOptions) check(cmd *cobra.Command) (err error) {
	o.seedGiven = cmd.Flags().Changed("seed")
	if o.faults == string(proof.NoFaults) && !cmd.Flags().Changed("orders") {
		o.orders = 1
	}
	switch {
	case !slices.Contains(proof.FaultLevels(), proof.FaultLevel(o.faults)):
		return &usageError{fmt.Sprintf("--faults %s is not one of %v", o.faults, proof.FaultLevels()), ""}
	case o.orders < 1:
		return &usageError{fmt.Sprintf("--orders %d is not above 0", o.orders), ""}
	case o.within < time.Second:
		return &usageError{fmt.Sprintf("--budget-time %s is too short", o.within), "a second or more, such as 30s"}
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
	if o.only, err = proof.ParseReplay(o.replay); err != nil {
		return &usageError{err.Error(), ""}
	}
	if o.faults == string(proof.NoFaults) {
		return &usageError{"--replay and --faults none contradict each other", "leave --faults out"}
	}
	if !o.seedGiven {
		o.seed = o.only.Seed
	}
	return nil
}

// manyCases reports whether scenarios are run with faults or in several orders.
func (o *proofOptions) manyCases() bool { return o.faults != string(proof.NoFaults) || o.orders > 1 }

// checkReplay rejects a token that was made for rules other than the loaded ones.
func (o *proofOptions) checkReplay(list []system.System, loaded []*verify.Catalogue) error {
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

// proofs returns the proofs required of the rules of a catalogue.
func (o *proofOptions) proofs(catalogue *verify.Catalogue, isReference bool) proof.Proofs {
	return proof.Proofs{
		Faults: proof.FaultLevel(o.faults), Orders: o.orders, Seed: o.seed, Suite: catalogue.Suite,
		Stateless: o.stateless || isReference, Within: o.within, Only: o.only,
	}
}
