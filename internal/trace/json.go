package trace

import (
	"encoding/json"
	"io"
	"time"

	"github.com/storespec/storespec/internal/wire"
)

// JSON shows a run as lines of JSON, each an object with a type: first "ready" if another program starts it, a
// "call" for each call that ends, and finally the "summary".
type JSON struct {
	encoder *json.Encoder
	began   time.Time
	err     error // the first
}

// NewJSON writes to w. Each call has the time since began at which it arrived.
func NewJSON(w io.Writer, began time.Time) *JSON {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return &JSON{encoder: encoder, began: began}
}

// Ready writes the addresses and the connection string, or what else a store is reached by.
func (j *JSON) Ready(values map[string]string) error {
	if values["connection"] == "" {
		return j.write(struct {
			Type   string            `json:"type"`
			Values map[string]string `json:"values"`
		}{"ready", values})
	}
	return j.write(struct {
		Type       string `json:"type"`
		Tables     string `json:"tables"`
		Blobs      string `json:"blobs"`
		Connection string `json:"connection"`
	}{"ready", values["tables"], values["blobs"], values["connection"]})
}

// Call writes a call.
func (j *JSON) Call(call wire.Call) error {
	return j.write(callLine{"call", clean(call.Trace), call.Start.Sub(j.began), call.Mapped(clean)})
}

// callLine is a call in which each part of its key is a separate member.
type callLine struct {
	kind, trace string // empty for an inner operation
	since       time.Duration
	wire.Call
}

// MarshalJSON writes the line.
func (l callLine) MarshalJSON() ([]byte, error) {
	inner := make([]callLine, len(l.Inner))
	for i, one := range l.Inner {
		inner[i].Call = one
	}
	return l.Flat(struct {
		Type      string       `json:"type,omitempty"`
		Trace     string       `json:"trace,omitempty"`
		Service   wire.Service `json:"service"`
		Class     string       `json:"class"`
		Operation string       `json:"operation,omitempty"`
		Resource  string       `json:"resource,omitempty"`
		Index     string       `json:"index,omitempty"`
	}{l.kind, l.trace, l.Service, l.Class, l.Operation, l.Resource, l.Index}, struct {
		Range         *wire.Range   `json:"range,omitempty"`
		Consistent    bool          `json:"consistent,omitempty"`
		Limit         int           `json:"limit,omitempty"`
		Segment       string        `json:"segment,omitempty"`
		Conditional   string        `json:"conditional,omitempty"`
		Entities      int           `json:"entities,omitempty"`
		More          bool          `json:"more,omitempty"`
		Inner         []callLine    `json:"inner,omitempty"`
		Unprocessed   int           `json:"unprocessed,omitempty"`
		Capacity      *float64      `json:"capacity,omitempty"`
		Status        int           `json:"status"`
		ErrorCode     string        `json:"errorCode,omitempty"`
		RequestBytes  int64         `json:"requestBytes,omitempty"`
		ResponseBytes int64         `json:"responseBytes,omitempty"`
		Start         time.Time     `json:"start,omitzero"`
		Since         time.Duration `json:"sinceStartNs,omitempty"`
		Duration      time.Duration `json:"durationNs,omitempty"`
		Attempts      int           `json:"attempts,omitempty"`
		ByTrace       bool          `json:"byTrace,omitempty"`
		Late          bool          `json:"late,omitempty"`
	}{l.Range, l.Consistent, l.Limit, l.Segment, l.Conditional, l.Entities, l.More, inner, l.Unprocessed, l.Capacity,
		l.Status, l.ErrorCode, l.RequestBytes, l.ResponseBytes, l.Start, l.since,
		l.Duration, l.Attempts, l.ByTrace, l.Late})
}

// Summary writes the last line.
func (j *JSON) Summary(s Summary) error {
	return j.write(struct {
		Type string `json:"type"`
		Summary
	}{"summary", s})
}

func (j *JSON) write(line any) error {
	if j.err == nil {
		j.err = j.encoder.Encode(line)
	}
	return j.err
}
