package calendsync

import (
	"io"
	"net/http"

	"github.com/storespec/storespec/reference/web"
)

// tracing passes the trace of a request on to the calls made for it.
type tracing struct{ next http.RoundTripper }

func (t tracing) RoundTrip(r *http.Request) (*http.Response, error) {
	if header := web.Traceparent(r.Context()); header != "" {
		r = r.Clone(r.Context())
		r.Header.Set("traceparent", header)
	}
	return t.next.RoundTrip(r)
}

// CloseIdleConnections closes those of the connections beneath.
func (t tracing) CloseIdleConnections() { (&http.Client{Transport: t.next}).CloseIdleConnections() }

// plainBodies passes requests on with bodies that can only be read. The SDK closes a body when the answer is there, and
// WriteTo of a closed one fails (smithy-go 1.28, safeWriteToReadCloser), where Read would say that it ends. net/http
// looks for the end only after it has sent everything: if the answer was faster, as on this machine it may be, it takes
// the failure for the connection's, and drops that with the rest of the answer.
type plainBodies struct{ next http.RoundTripper }

func (p plainBodies) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil && r.Body != http.NoBody {
		plain := *r
		plain.Body = struct{ io.ReadCloser }{r.Body}
		r = &plain
	}
	return p.next.RoundTrip(r)
}

// CloseIdleConnections closes those of the connections beneath.
func (p plainBodies) CloseIdleConnections() { (&http.Client{Transport: p.next}).CloseIdleConnections() }
