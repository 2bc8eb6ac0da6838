package wire

import (
	"net/http"
	"slices"
	"time"
)

// Service names the storage service a call was made to, as budgets write it, such as "table".
type Service string

// Effect says what a call does to the store.
type Effect string

// The effects. A call has the effect Other if its operation is unknown, or if it neither reads nor changes the data
// that a service stores for its users.
const (
	Other      Effect = "other"
	Reads      Effect = "reads"
	Writes     Effect = "writes"
	Provisions Effect = "provisions" // creates a container of rows or objects: a table, a blob container
	Surveys    Effect = "surveys"    // looks up which of those exist
)

// Breadth says how much of a resource the store must examine to answer a call.
type Breadth string

// The breadths.
const (
	One   Breadth = "one"   // one row or object, by its full key
	Some  Breadth = "some"  // those that part of the key selects
	Whole Breadth = "whole" // all of them, however few the answer contains
)

// Guard says what keeps a write of one row from overwriting a version its caller has not seen.
type Guard uint8

// The guards.
const (
	Unjudged  Guard = iota // not a write of a row or object that its protocol judges
	Guarded                // applies to one version only, or only to a row that does not exist yet
	Unguarded              // could name a version but does not
	Blind                  // says nothing about what it replaces
)

// Class is a kind of call that budgets are written in.
type Class struct {
	Name    string // such as "point read"
	Effect  Effect
	Breadth Breadth
	In      []string // budget words that stand for several classes including this one, such as "write"
}

// Range is a range of keys in their order. Its operator is one of <, <=, >, >=, between and begins_with.
type Range struct {
	Operator string `json:"operator"`
	From     string `json:"from"`         // the only operand, except of between
	To       string `json:"to,omitempty"` // of between: inclusive
}

// String returns the range for people, such as "between 2026-01 and 2026-02".
func (r Range) String() string {
	if r.To != "" {
		return r.Operator + " " + r.From + " and " + r.To
	}
	return r.Operator + " " + r.From
}

// EntitiesUnknown is the Call.Entities of an answer that could not be counted: it was compressed, cut off, or not in a
// form that its protocol reads.
const EntitiesUnknown = -1

// Call is one storage call as the store saw it. Its JSON form is that of event streams.
type Call struct {
	ID      int     `json:"id,omitempty"` // numbers the calls of a recorder, from 1; that of its first attempt
	Service Service `json:"service"`
	Class   string  `json:"class"`
	Effect  Effect  `json:"effect"`
	Breadth Breadth `json:"breadth"`
	// the service's own name for it, such as "Insert Entity" or "Put Blob"
	Operation string `json:"operation,omitempty"`

	Resource string   `json:"resource,omitempty"` // table or container; empty for calls on the service
	Index    string   `json:"index,omitempty"`    // of the resource, if the call queries one; else empty
	Key      []string `json:"key,omitempty"`      // as far as the call names exactly one; outermost part first
	// what the service calls the parts of a full key: partition and row. A key of one part is a path. Shared; do not
	// modify.
	Parts  []string `json:"parts,omitempty"`
	Filter string   `json:"filter,omitempty"` // the expression that selects rows, as sent, decoded
	Prefix string   `json:"prefix,omitempty"` // the prefix of the keys that a list asks for
	Range  *Range   `json:"range,omitempty"`  // of the last part of the key, within the parts named in Key; nil: all
	// it asks for what was written last, where the service may otherwise answer from a copy that lags
	Consistent bool   `json:"consistent,omitempty"`
	Limit      int    `json:"limit,omitempty"`   // on the rows or keys of a page; 0: the service's own
	Segment    string `json:"segment,omitempty"` // such as 1/4: the part of a resource that a scan reads

	// the condition as sent, such as `If-Match: W/"…"`; empty if none
	Conditional string `json:"conditional,omitempty"`
	Guard       Guard  `json:"-"`
	// the service may refuse it since another call is changing the same (Conflict), and its condition is on content,
	// which is true or not, and on no version of the service's own
	Contends  bool   `json:"-"`
	Continues bool   `json:"continues,omitempty"` // it continues an earlier query where that one ended
	Entities  int    `json:"entities,omitempty"`  // rows, objects or resources in the answer, or EntitiesUnknown
	More      bool   `json:"more,omitempty"`      // the answer says the query has more results
	Inner     []Call `json:"inner,omitempty"`     // the operations of a batch, without times
	// how many operations of a batch the service has left for the client to send again
	Unprocessed int `json:"unprocessed,omitempty"`
	// what all attempts have cost, in the service's units of capacity; nil: unknown
	Capacity *float64 `json:"capacity,omitempty"`

	// what a write sent, if its protocol keeps it; never in a report
	Content []byte `json:"-"`

	Status int `json:"status"` // 0: no answer
	// the service's own error code, if known
	ErrorCode     string        `json:"errorCode,omitempty"`
	RequestBytes  int64         `json:"requestBytes,omitempty"`
	ResponseBytes int64         `json:"responseBytes,omitempty"`
	Start         time.Time     `json:"start,omitzero"` // when the request's header had arrived
	Duration      time.Duration `json:"durationNs,omitempty"`
	Attempts      int           `json:"attempts,omitempty"` // 1 plus the SDK retries that were folded into this call

	// the client request id: the same for all attempts of a call, if an SDK sends one
	ClientID string `json:"-"`
	// which attempt the client says this is, from 1; 0: it does not say. Read only if there is a ClientID.
	Try int `json:"-"`
	// the service's clients may retry after this answer, or after none
	InvitesRetry bool   `json:"-"`
	Trace        string `json:"-"` // trace id of the traceparent as sent, whoever began the trace; empty if absent

	// number of the client request it belongs to, from 1; 0: none had been sent before it
	Request int `json:"-"`
	// it was attributed to that request by its trace, not by its time of arrival
	ByTrace bool `json:"byTrace,omitempty"`
	Late    bool `json:"late,omitempty"` // it arrived after that request had been answered
	// it is late, or carries the trace of an earlier scenario, and was attributed by its time of arrival: it may belong
	// to an earlier request
	Unsure    bool `json:"unsure,omitempty"`
	Forgotten bool `json:"-"` // it carries the trace of a request before a Reset
}

// Writes reports whether the call changes rows or objects. Creating a table or container is not a write: the
// provisioning rule judges it.
func (c Call) Writes() bool { return c.Effect == Writes }

// Provisions reports whether the call only creates or looks up tables or containers.
func (c Call) Provisions() bool { return c.Effect == Provisions || c.Effect == Surveys }

// Scans reports whether the call may read a whole resource.
func (c Call) Scans() bool { return c.Effect == Reads && c.Breadth == Whole }

// Succeeded reports whether the store answered with a status below 400. A batch with a failed inner operation did not
// succeed, even if its own status is 202.
func (c Call) Succeeded() bool {
	return c.Status != 0 && c.Status < http.StatusBadRequest &&
		!slices.ContainsFunc(c.Inner, func(op Call) bool { return op.Status >= http.StatusBadRequest })
}
