package events

import (
	"strings"
	"time"

	messages "github.com/cucumber/messages/go/v34"

	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/wire"
)

// Format is the version of storespec's own envelopes. It increases when an older reader would misunderstand them.
//
// Since format 2 a storage call says what it does and what it names in terms that apply to every service: effect,
// breadth, key. Format 1 can still be read (format1.go).
const Format = 2

// oldest is the oldest format that can be read.
const oldest = 1

// Stream is the content of an event stream.
type Stream struct {
	Header Header
	Runs   []Run
	// Scenarios are those of the feature files that ran, as they are written. They come from Cucumber's envelopes.
	Scenarios []Scenario
}

// Systems returns the names of the systems that were run, separated by commas.
func (s *Stream) Systems() string {
	var names []string
	for _, run := range s.Runs {
		names = append(names, run.System)
	}
	return strings.Join(names, ", ")
}

// Header says which storespec wrote a stream, and what counts.
type Header struct {
	Format      int    `json:"format"`
	Version     string `json:"version"`               // of storespec
	Strict      bool   `json:"strict,omitempty"`      // what the design calls preferred or optional counts too
	BudgetsWarn bool   `json:"budgetsWarn,omitempty"` // a broken budget is only a warning
}

// Run is the run of one system.
type Run struct {
	System string
	Asked  Asked
	Result *verify.Result // nil if it could not begin
	Err    error          // why it could not begin, or cannot be trusted
}

// Judged reports whether the run has a result that can be trusted.
func (r Run) Judged() bool { return r.Result != nil && r.Err == nil }

// Verdict returns the run's outcome: Errored unless it can be trusted, otherwise that of its result.
func (r Run) Verdict(strict, budgetsWarn bool) verify.Outcome {
	if !r.Judged() {
		return verify.Errored
	}
	return r.Result.Verdict(strict, budgetsWarn)
}

// Asked is what a run was to do.
type Asked struct {
	Suite   string   `json:"suite"`             // digest of the feature files
	Started string   `json:"started"`           // how the target was started: in process, command, url
	Rules   []string `json:"rules,omitempty"`   // only these; empty: all
	Tags    string   `json:"tags,omitempty"`    // the filter
	Without []string `json:"without,omitempty"` // what the target declares it lacks
	Faults  string   `json:"faults"`            // the extent of fault injection
	Orders  int      `json:"orders"`            // at most this many for each race
	Seed    uint64   `json:"seed"`              // of samples
	Replay  string   `json:"replay,omitempty"`  // the one case that was run
	// OnlyFailed says that only scenarios were run that had failed before.
	OnlyFailed bool `json:"onlyFailed,omitempty"`
	// flags that request the same run again; confidential values are omitted
	Flags []string `json:"flags,omitempty"`
	// the command line that starts the target; what looks confidential is omitted
	Command []string `json:"command,omitempty"`

	// Features is the directory of the feature files, as a path within the repository; "": those built into storespec.
	Features string `json:"features,omitempty"`

	Shard *verify.Shard `json:"shard,omitempty"` // the part of a run that this is; nil: all of it
}

// Limited reports whether only a part of the scenarios was to be run.
func (a Asked) Limited() bool {
	return len(a.Rules) > 0 || a.Tags != "" || a.OnlyFailed || a.Replay != "" || a.Shard != nil
}

// envelope is one of storespec's lines. Exactly one member is set, besides Precisely, Runs and Number.
type envelope struct {
	Header   *Header                `json:"header,omitempty"`
	Begin    *begin                 `json:"begin,omitempty"`
	Rule     *rule                  `json:"rule,omitempty"`
	Scenario *verify.ScenarioResult `json:"scenario,omitempty"`
	End      *end                   `json:"end,omitempty"`
	// Precisely is the outcome of the rule or the scenario if it is newer than format 2: the member's own is the
	// closest that every reader of the format knows.
	Precisely verify.Outcome `json:"precisely,omitempty"`
	// Runs is how many runs the stream has; it is in the header.
	Runs int `json:"runs,omitempty"`
	// Number is the number of this line in the stream, from 1, lines of Cucumber included, so that a reader notices
	// lines that were removed. Streams of an older storespec have no numbers.
	Number int `json:"number,omitempty"`
}

// since returns the closest outcome that every reader of format 2 knows, and the outcome itself if that is newer.
func since(outcome verify.Outcome) (known, precisely verify.Outcome) {
	if outcome == verify.NotPrepared {
		return verify.Failed, outcome
	}
	return outcome, ""
}

// precise returns the outcome of a rule or a scenario. One that this program does not know is newer than it.
func (e envelope) precise(outcome verify.Outcome) verify.Outcome {
	if e.Precisely != "" && e.Precisely.Known() {
		return e.Precisely
	}
	return outcome
}

// begin starts the run of a system.
type begin struct {
	System string `json:"system"`
	Asked
	Target       string `json:"target,omitempty"`
	Store        string `json:"store,omitempty"`
	StoreVersion string `json:"storeVersion,omitempty"`
	Lanes        int    `json:"lanes,omitempty"`
	Zone         string `json:"zone,omitempty"` // the time zone that the target was started in, if it was given one
}

// rule is a rule and its outcome; its scenarios follow.
type rule struct {
	verify.Rule
	Outcome verify.Outcome `json:"outcome"`
}

// end ends the run of a system.
type end struct {
	System       string           `json:"system"`
	Outcome      verify.Outcome   `json:"outcome"`
	Error        string           `json:"error,omitempty"` // why the run could not begin, or cannot be trusted
	StorageCalls int              `json:"storageCalls"`
	Attribution  wire.Attribution `json:"attribution"`
	Duration     time.Duration    `json:"durationNs"`
	Interrupted  bool             `json:"interrupted,omitempty"`
	Stopped      bool             `json:"stopped,omitempty"`
	Confirming   time.Duration    `json:"confirmingNs,omitempty"`
	Share        *verify.Share    `json:"share,omitempty"`
	Unbegun      bool             `json:"unbegun,omitempty"` // there is no result at all
}

// line is any line of a stream.
type line struct {
	*messages.Envelope
	Storespec *envelope `json:"storespec,omitempty"`
}
