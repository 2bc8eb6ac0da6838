package wire

import (
	"io"
	"net/http"
	"strconv"
	"time"
)

// Interposer intercepts the calls to a store. It sees only what a call's head says: for example, an insert's keys are
// in its body. It returns the handler that answers the call; next is the store's handler, which passes the call on. It
// is called from many goroutines at once.
type Interposer func(call Call, next http.Handler) http.Handler

// Interpose adds an interposer for every call that arrives from now on, until remove is called. Existing interposers
// are nearer to the store, and see what the new one passes on to them. Calls are recorded as they end, broken ones with
// status 0.
func (g *Gateway) Interpose(between Interposer) (remove func()) { return g.chain.add(between) }

// Clear removes all interposers.
func (g *Gateway) Clear() { g.chain.clear() }

// Apart gives the calls of each of several requests of this recorder its own interposer, where the trace identifies the
// request a call belongs to. Other calls pass; those that carry the trace of no request at all are reported to unnamed,
// except calls that only create tables and containers.
func (r *Recorder) Apart(own map[*Request]Interposer, unnamed func()) Interposer {
	return func(call Call, next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			named, answer := r.traces.named(call), next
			if between := own[named]; between != nil {
				answer = between(call, next)
			}
			if named == nil && !call.Provisions() {
				unnamed()
			}
			answer.ServeHTTP(w, req)
		})
	}
}

// Lost is a call that never reaches the store: its connection is cut without an answer.
func Lost() http.Handler { return http.HandlerFunc(lose) }

func lose(_ http.ResponseWriter, req *http.Request) {
	_, _ = io.CopyN(io.Discard, req.Body, drainLimit) // what cannot be read stays unknown
	panic(http.ErrAbortHandler)
}

// AnswerLost is a call that the store executes, but whose answer never arrives.
func AnswerLost(next http.Handler) http.Handler { return Unheard(next, Lost()) }

// Unheard is a call that the store executes, but that gets a different answer.
func Unheard(next, instead http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		next.ServeHTTP(&Answer{header: http.Header{}}, req)
		instead.ServeHTTP(w, req)
	})
}

// AnswerCut is a call that the store executes, but whose answer breaks off halfway.
func AnswerCut(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		whole := AnswerOf(next, w, req)
		if len(whole.Body) > 1 {
			w.Header().Set("Content-Length", strconv.Itoa(len(whole.Body)))
			w.WriteHeader(whole.Status)
			_, _ = w.Write(whole.Body[:len(whole.Body)/2])
			_ = http.NewResponseController(w).Flush()
		}
		panic(http.ErrAbortHandler)
	})
}

// Slow is a call that never reaches the store and is not answered until its client gives up, or the given time has
// passed.
func Slow(patience time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		// An unread body keeps a server from noticing that its client has gone.
		_, _ = io.CopyN(io.Discard, req.Body, drainLimit)
		select {
		case <-req.Context().Done():
		case <-time.After(patience):
		}
		panic(http.ErrAbortHandler)
	})
}

// After is a call that is held until before has returned, and then passed on.
func After(before func(), next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		before()
		next.ServeHTTP(w, req)
	})
}

// Before is a call that the store executes at once, but whose answer is held until after has returned.
func Before(after func(), next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		whole := AnswerOf(next, w, req)
		after()
		whole.Send(w)
	})
}

// Answer is a complete answer that has not been sent, except that its header is the one of the waiting response writer.
type Answer struct {
	Status int
	Body   []byte
	header http.Header
}

// AnswerOf lets next answer a call and keeps the answer that w would get.
func AnswerOf(next http.Handler, w http.ResponseWriter, req *http.Request) *Answer {
	a := &Answer{header: w.Header(), Status: http.StatusOK}
	next.ServeHTTP(a, req)
	return a
}

// Send writes the answer to w.
func (a *Answer) Send(w http.ResponseWriter) {
	w.WriteHeader(a.Status)
	_, _ = w.Write(a.Body)
}

// Header implements http.ResponseWriter.
func (a *Answer) Header() http.Header { return a.header }

// WriteHeader implements http.ResponseWriter.
func (a *Answer) WriteHeader(status int) { a.Status = status }

// Write implements http.ResponseWriter.
func (a *Answer) Write(p []byte) (int, error) {
	a.Body = append(a.Body, p...)
	return len(p), nil
}

// Flush does nothing: the answer is always delivered whole.
func (a *Answer) Flush() {}
