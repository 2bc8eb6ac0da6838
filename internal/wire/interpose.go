package wire

import (
	"io"
	"net/http"
)

// Interposer stands in the way of the calls to a store. It sees what a call's head says, which is no more than that:
// an insert's keys are in its body. It gives the handler that answers the call; next is the store's, which passes it on.
// It is called by many goroutines at once.
type Interposer func(call Call, next http.Handler) http.Handler

// Interpose puts an interposer in the way of every call that arrives from now on, or takes it away with nil. Calls are
// recorded as they end, broken ones with status 0.
func (g *Gateway) Interpose(between Interposer) { g.between.Store(&between) }

// Lost is a call that never reaches the store: its connection is cut without an answer.
func Lost() http.Handler { return http.HandlerFunc(lose) }

func lose(_ http.ResponseWriter, req *http.Request) {
	_, _ = io.CopyN(io.Discard, req.Body, drainLimit) // what cannot be read stays unknown
	panic(http.ErrAbortHandler)
}

// AnswerLost is a call that the store carries out, and whose answer never arrives.
func AnswerLost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		next.ServeHTTP(unheard{}, req)
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

// unheard takes an answer and keeps nothing of it.
type unheard struct{}

func (unheard) Header() http.Header         { return http.Header{} }
func (unheard) Write(p []byte) (int, error) { return len(p), nil }
func (unheard) WriteHeader(int)             {}
func (unheard) Flush()                      {}
