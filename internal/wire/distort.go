package wire

import (
	"bytes"
	"io"
	"net/http"
)

// Distorter is a protocol whose calls can be changed into those of a wrong program. A request it returns needs a new
// signature, and its body is given separately.
type Distorter interface {
	// Pretend answers a write as the service would if it had made it.
	Pretend(w http.ResponseWriter, req *http.Request, body []byte)
	// Unconditional returns a write that applies to any version of what it names; ok is false if it has no condition,
	// or one that any version meets.
	Unconditional(req *http.Request, body []byte) (changed *http.Request, newBody []byte, ok bool)
	// Unfiltered returns a query without what selects its rows; ok is false if it has no such part.
	Unfiltered(req *http.Request, body []byte) (changed *http.Request, newBody []byte, ok bool)
	// Named returns reads of the rows or objects that a write names, as far as it names them, one for each.
	Named(req *http.Request, body []byte) []*http.Request
	// Lagging answers reads of a resource from before the last write to it, and passes on everything else. sign signs
	// the reads with which it remembers what a write is about to change.
	Lagging(resource string, sign func(*http.Request), service http.Handler) http.Handler
}

// Eventual is a Distorter whose service may answer some reads from a copy that lags.
type Eventual interface {
	Distorter
	// MayLag reports whether a call is such a read.
	MayLag(call Call) bool
}

// ReadWhole reads a request's body and returns what its protocol then knows of the call.
func ReadWhole(protocol Protocol, req *http.Request) (Call, []byte, error) {
	var body []byte
	if req.Body != nil && req.Body != http.NoBody {
		var err error
		if body, err = io.ReadAll(req.Body); err != nil {
			return Call{}, nil, err
		}
	}
	reading := protocol.Decode(HeadOf(req))
	if sink := reading.Request(); sink != nil {
		_, _ = sink.Write(body) // sinks never fail
	}
	call := reading.Call()
	call.Service = protocol.Service()
	return call, body, nil
}

// WithBody returns a copy of a request with this body.
func WithBody(req *http.Request, body []byte) *http.Request {
	other := req.WithContext(req.Context())
	other.Body, other.GetBody = http.NoBody, nil
	if len(body) > 0 {
		other.Body = io.NopCloser(bytes.NewReader(body))
	}
	if other.ContentLength = int64(len(body)); len(body) == 0 && req.ContentLength < 0 {
		other.ContentLength = -1 // it said that it had one
	}
	return other
}

// Discard lets a handler answer a request that nothing waits for, and returns its answer.
func Discard(next http.Handler, req *http.Request) *Answer {
	a := &Answer{Status: http.StatusOK, header: http.Header{}}
	next.ServeHTTP(a, req)
	return a
}
