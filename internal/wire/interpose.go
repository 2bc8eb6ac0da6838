package wire

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// Interposer stands in the way of the calls to a store. It sees what a call's head says, which is no more than that:
// an insert's keys are in its body. It gives the handler that answers the call; next is the store's, which passes it on.
// It is called by many goroutines at once.
type Interposer func(call Call, next http.Handler) http.Handler

// Interpose puts an interposer in the way of every call that arrives from now on, or takes it away with nil. Calls are
// recorded as they end, broken ones with status 0.
func (g *Gateway) Interpose(between Interposer) { g.between.Store(&between) }

// Apart gives the calls of each of some requests of this recorder an interposer of its own, where the trace tells whose a
// call is. The others pass; those that carry the trace of no request at all are told to unnamed, but for calls that only
// create tables and containers.
func (r *Recorder) Apart(own map[*Request]Interposer, unnamed func()) Interposer {
	return func(call Call, next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			named, answer := r.traces.named(req.Header), next
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

// AnswerLost is a call that the store carries out, and whose answer never arrives.
func AnswerLost(next http.Handler) http.Handler { return Unheard(next, Lost()) }

// Refused is a call that the service turns away before it does anything, with a status and an error code of its own (REST
// documents "Status and error codes" of Table Storage and of Blob Storage). It tells an SDK to try again after a
// millisecond, where an SDK's own patience would cost seconds.
func Refused(service Service, status int, code string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		_, _ = io.CopyN(io.Discard, req.Body, drainLimit)
		header := w.Header()
		header.Set("x-ms-error-code", code)
		header.Set("x-ms-retry-after-ms", "1")
		body := fmt.Sprintf(`{"odata.error":{"code":%q,"message":{"lang":"en-US","value":"A fault of the harness."}}}`, code)
		header.Set("Content-Type", "application/json;odata=minimalmetadata")
		if service == Blob {
			body = `<?xml version="1.0" encoding="utf-8"?><Error><Code>` + code + `</Code><Message>A fault of the harness.</Message></Error>`
			header.Set("Content-Type", "application/xml")
		}
		w.WriteHeader(status)
		if req.Method != http.MethodHead {
			_, _ = io.WriteString(w, body)
		}
	})
}

// Unheard is a call that the store carries out, and to which something else is answered.
func Unheard(next, instead http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		next.ServeHTTP(unheard{}, req)
		instead.ServeHTTP(w, req)
	})
}

// AnswerCut is a call that the store carries out, and whose answer breaks off half-way.
func AnswerCut(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		whole := &wholeAnswer{header: w.Header(), status: http.StatusOK}
		next.ServeHTTP(whole, req)
		if len(whole.body) > 1 {
			w.Header().Set("Content-Length", strconv.Itoa(len(whole.body)))
			w.WriteHeader(whole.status)
			_, _ = w.Write(whole.body[:len(whole.body)/2])
			_ = http.NewResponseController(w).Flush()
		}
		panic(http.ErrAbortHandler)
	})
}

// Slow is a call that never reaches the store and is not answered until its client gives it up, or for the time given.
func Slow(patience time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		// A body that is not read keeps a server from noticing that its client has gone.
		_, _ = io.CopyN(io.Discard, req.Body, drainLimit)
		select {
		case <-req.Context().Done():
		case <-time.After(patience):
		}
		panic(http.ErrAbortHandler)
	})
}

// After is a call that is held until before has returned, and passed on then.
func After(before func(), next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		before()
		next.ServeHTTP(w, req)
	})
}

// Before is a call that the store carries out at once, and whose answer is held until after has returned.
func Before(after func(), next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		whole := &wholeAnswer{header: w.Header(), status: http.StatusOK}
		next.ServeHTTP(whole, req)
		after()
		w.WriteHeader(whole.status)
		_, _ = w.Write(whole.body)
	})
}

// unheard takes an answer and keeps nothing of it.
type unheard struct{}

func (unheard) Header() http.Header         { return http.Header{} }
func (unheard) Write(p []byte) (int, error) { return len(p), nil }
func (unheard) WriteHeader(int)             {}
func (unheard) Flush()                      {}

// wholeAnswer keeps an answer.
type wholeAnswer struct {
	header http.Header
	status int
	body   []byte
}

func (a *wholeAnswer) Header() http.Header    { return a.header }
func (a *wholeAnswer) WriteHeader(status int) { a.status = status }
func (a *wholeAnswer) Write(p []byte) (int, error) {
	a.body = append(a.body, p...)
	return len(p), nil
}
func (a *wholeAnswer) Flush() {}
