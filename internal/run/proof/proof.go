package proof

import "time"

// DefaultOrders limits the races of a whole design to about ten seconds on two cores.
const DefaultOrders = 200

// AnswerWithin is how long a target may take for an answer, whatever happens to its storage calls: the contracts of the
// built-in designs say so, and a client that waits longer has gone away. Everything that waits for an answer follows
// it; --budget-time says otherwise.
const AnswerWithin = 15 * time.Second

// Patience is how long storespec itself waits for an answer that has to come within the given time: a third longer, and
// never less than 20 seconds, so that it can say how long a late one took, and excuse what an SDK waited between its
// attempts.
func Patience(within time.Duration) time.Duration { return max(within, AnswerWithin) * 4 / 3 }

// Proofs says how many cases the families run. Its zero value is the default of verify.
type Proofs struct {
	Faults FaultLevel // "" is DefaultFaults
	// Orders is the maximum number of orders run for one scenario; if there are more, a sample is run. 0 is
	// DefaultOrders.
	Orders int
	Seed   uint64
	Suite  string // digest of the system's features
	// Stateless says that the target keeps nothing of earlier requests in memory, so that its store can be restored
	// without the target noticing.
	Stateless bool
	// Within is how long a target may take for an answer while a storage call fails; 0 is AnswerWithin. How long it
	// waits between its attempts at that call does not count.
	Within time.Duration
	// First says that the cases of a step end with the first that fails, for whoever wants to know no more.
	First bool
	// Only is the one case to run; nil: all.
	Only *Replay
}

// FaultLevel says which kinds of faults "any one storage call fails" includes.
type FaultLevel string

// The levels. Default faults cost milliseconds: they let an SDK retry at once. The others cost as much as an SDK's
// retries and starting a target.
const (
	NoFaults      FaultLevel = "none" // such a request is sent once, without faults
	DefaultFaults FaultLevel = "default"
	FullFaults    FaultLevel = "full"
)

// FaultLevels lists them.
func FaultLevels() []FaultLevel { return []FaultLevel{NoFaults, DefaultFaults, FullFaults} }
