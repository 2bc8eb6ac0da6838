package events

import (
	"time"

	messages "github.com/cucumber/messages/go/v34"

	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/wire"
)

// Format is the version of storespec's own envelopes. It rises when a reader of before would misunderstand them.
const Format = 1

// Stream is everything a stream tells.
type Stream struct {
	Header Header
	Runs   []Run
}

// Header says which storespec wrote a stream, and how it was told to count.
type Header struct {
	Format      int    `json:"format"`
	Version     string `json:"version"`               // of storespec
	Strict      bool   `json:"strict,omitempty"`      // what the design calls preferred or optional counts as well
	BudgetsWarn bool   `json:"budgetsWarn,omitempty"` // a broken budget is only told
}

// Run is the run of one system.
type Run struct {
	System string
	Asked  Asked
	Result *verify.Result // nil when it could not begin
	Err    error          // why it could not begin, or not be trusted
}

// Judged reports whether the run came to a result that can be trusted.
func (r Run) Judged() bool { return r.Result != nil && r.Err == nil }

// Verdict is the run's outcome: Errored unless it can be trusted, else that of its result.
func (r Run) Verdict(strict, budgetsWarn bool) verify.Outcome {
	if !r.Judged() {
		return verify.Errored
	}
	return r.Result.Verdict(strict, budgetsWarn)
}

// Asked is what a run was asked to do.
type Asked struct {
	Suite   string   `json:"suite"`             // digest of the feature files
	Started string   `json:"started"`           // how the target was: in process, command, url
	Rules   []string `json:"rules,omitempty"`   // only these; none: all
	Tags    string   `json:"tags,omitempty"`    // the filter
	Without []string `json:"without,omitempty"` // what the target declares that it lacks
	Faults  string   `json:"faults"`            // how far faults went
	Orders  int      `json:"orders"`            // at most so many of each race
	Seed    uint64   `json:"seed"`              // of samples
	Replay  string   `json:"replay,omitempty"`  // the one case that was run
	Flags   []string `json:"flags,omitempty"`   // words that ask for the same again; what is confidential in them is left out
	Command []string `json:"command,omitempty"` // words that start the target; what looks confidential in them is left out

	// Features is the directory of the feature files, as a path within the repository; "": they came with storespec.
	Features string `json:"features,omitempty"`

	Shard *verify.Shard `json:"shard,omitempty"` // the part of a run that this one is; nil: all of it
}

// envelope is a line of storespec's. One member is set.
type envelope struct {
	Header   *Header                `json:"header,omitempty"`
	Begin    *begin                 `json:"begin,omitempty"`
	Rule     *rule                  `json:"rule,omitempty"`
	Scenario *verify.ScenarioResult `json:"scenario,omitempty"`
	End      *end                   `json:"end,omitempty"`
}

// begin opens the run of a system.
type begin struct {
	System string `json:"system"`
	Asked
	Target       string `json:"target,omitempty"`
	Store        string `json:"store,omitempty"`
	StoreVersion string `json:"storeVersion,omitempty"`
	Lanes        int    `json:"lanes,omitempty"`
}

// rule is a rule and its outcome; the scenarios that follow are its own.
type rule struct {
	verify.Rule
	Outcome verify.Outcome `json:"outcome"`
}

// end closes the run of a system.
type end struct {
	System       string           `json:"system"`
	Outcome      verify.Outcome   `json:"outcome"`
	Error        string           `json:"error,omitempty"` // the run could not begin, or not be trusted
	StorageCalls int              `json:"storageCalls"`
	Attribution  wire.Attribution `json:"attribution"`
	Duration     time.Duration    `json:"durationNs"`
	Interrupted  bool             `json:"interrupted,omitempty"`
	Share        *verify.Share    `json:"share,omitempty"`
	Unbegun      bool             `json:"unbegun,omitempty"` // there is no result at all
}

// line is any line of a stream.
type line struct {
	*messages.Envelope
	Storespec *envelope `json:"storespec,omitempty"`
}
