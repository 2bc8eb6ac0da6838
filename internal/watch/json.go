package watch

import (
	"encoding/json"
	"io"

	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/steps"
)

// JSON shows a run as lines of JSON, each an object with a type: "ready" first where somebody starts the program, a
// "call" as it ends, and at the end the "summary".
type JSON struct {
	encoder *json.Encoder
	err     error // the first
}

// NewJSON writes to w.
func NewJSON(w io.Writer) *JSON {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return &JSON{encoder: encoder}
}

// Ready tells the addresses and the connection string.
func (j *JSON) Ready(c steps.Connections) error {
	return j.write(struct {
		Type       string `json:"type"`
		Tables     string `json:"tables"`
		Blobs      string `json:"blobs"`
		Connection string `json:"connection"`
	}{"ready", c.Tables, c.Blobs, c.Storage})
}

// Call writes a call.
func (j *JSON) Call(call wire.Call) error {
	return j.write(struct {
		Type  string `json:"type"`
		Trace string `json:"trace,omitempty"`
		wire.Call
	}{"call", clean(call.Trace), cleaned(call)})
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
