package scenario

import (
	"context"
	"net/http"
	"strings"

	"github.com/storespec/storespec/internal/store"
)

// Repeat is what it takes to send a request again, to a server on a store of its own. It contains sessions and all that
// the server stored, so no report may show it.
type Repeat struct {
	Method, Path string      // with its query
	Header       http.Header // without those of every request (lane.Fitting), which may be keys
	Body         string
	Before       *store.Content    // before the request
	Env          map[string]string // in addition to what every target gets
	Table        string            // the target's own table, if its store gave it one
	Together     int               // requests that were sent at the same moment, this one included
}

// Repeat returns the n-th request of Exchanges, from 1, or the last if n is 0. It is nil if there is none, or if the
// suite does not keep what the store contained before it (Suite.Repeatable).
func (r *Report) Repeat(n int) *Repeat {
	if r.shown != nil {
		r = r.shown
	}
	if n == 0 {
		n = len(r.requests.exchanges)
	}
	if n < 1 || n > len(r.requests.exchanges) || r.requests.exchanges[n-1].again == nil {
		return nil
	}
	e := r.requests.exchanges[n-1]
	again := *e.again
	for _, other := range r.requests.exchanges {
		if other.Request.Together(e.Request) {
			again.Together++
		}
	}
	return &again
}

// remember keeps what the store contains before a request, if the suite wants it. A store that cannot be read has
// failed the scenario already, or is about to.
func (r *Requests) remember(ctx context.Context) {
	if !r.stage.suite.Repeatable {
		return
	}
	lease := r.stage.Lane().Lease
	content, err := store.Read(ctx, lease.Rows(), lease.Objects(), r.stage.System().Container)
	if err != nil {
		content = nil
	}
	r.before.Store(content)
}

// again returns what it takes to send a request again; nil if the store's content before it is unknown.
func (r *Requests) again(one Request, request *http.Request) *Repeat {
	content := r.before.Load()
	if content == nil {
		return nil
	}
	again := &Repeat{Method: one.Method, Path: one.Path, Header: request.Header.Clone(), Body: one.Body,
		Before: content,
		Env:    r.stage.Lane().More(), Table: r.stage.Lane().Table()}
	for name, values := range again.Header { // a browser sends its server's own address
		for i, value := range values {
			if base, is := strings.CutPrefix(value, r.stage.Lane().Target.URL); is && name == "Origin" {
				values[i] = ServerAddress + base
			}
		}
	}
	return again
}

// asSent makes the request that would be sent again the one that was really sent, if the target's names are mapped.
func (e *RoundTrip) asSent() {
	if e.again == nil || e.wired.Method == "" {
		return
	}
	header := e.wired.Sent.Clone()
	header.Del("Traceparent")
	for name := range header {
		if own, there := e.again.Header[name]; there && name == "Origin" {
			header[name] = own
		}
	}
	e.again.Method, e.again.Path, e.again.Body, e.again.Header = e.wired.Method, e.wired.Path, e.wired.Body, header
}

// ServerAddress is the placeholder in a header of a Repeat for the server's address.
const ServerAddress = "{target}"
