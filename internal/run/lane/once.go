package lane

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"syscall"
	"time"

	"github.com/storespec/storespec/internal/run/target"
)

// newClient returns a client for requests to a target, which get the header. It waits for an answer for at most within.
func newClient(header http.Header, within time.Duration) *http.Client {
	return &http.Client{
		Timeout: within,
		Transport: target.WithHeader(header, once{&http.Transport{DialContext: target.Dial, MaxIdleConnsPerHost: 4,
			IdleConnTimeout: idleFor, DisableCompression: true}}),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// idleFor is how long a connection to a target is kept for the next request. It is well below the shortest time after
// which servers close idle connections (2 s for gunicorn, 5 s for Node), so that no request meets a connection that its
// server is closing.
const idleFor = 250 * time.Millisecond

// errHungUp is the error of a request whose connection the target closed.
var errHungUp = errors.New("the server closed the connection")

// once is a transport that sends each request once. http.Transport sends a request again by itself if it may be
// repeated (GET, or any with an Idempotency-Key) and a connection used before breaks: a target that does its work and
// then drops the connection would do the work twice, and its missing answer would go unnoticed.
type once struct{ next http.RoundTripper }

// RoundTrip leaves the request unchanged (http.RoundTripper) and sends a copy that http.Transport must not repeat.
func (o once) RoundTrip(r *http.Request) (*http.Response, error) {
	sent := *r
	sent.GetBody = nil // without it, a body cannot be sent again
	if r.Body == nil || r.Body == http.NoBody {
		withoutBody(&sent)
	}
	answer, err := o.next.RoundTrip(&sent)
	if err != nil && hungUp(err) {
		err = errHungUp
	}
	return answer, err
}

// withoutBody makes a request without a body one that is not repeated, and that looks the same on the wire.
func withoutBody(r *http.Request) {
	switch r.Method {
	case http.MethodPost, http.MethodPut, http.MethodPatch:
		// With a body, even an empty one, Content-Length: 0 would become Transfer-Encoding: chunked. These are repeated
		// only for the sake of this header, which http.Transport does not recognize in lower case; servers must.
		const key = "Idempotency-Key"
		if values, has := r.Header[key]; has {
			r.Header = r.Header.Clone()
			delete(r.Header, key)
			r.Header[strings.ToLower(key)] = values
		}
	default: // http.Transport finds that this body is empty, and sends none
		r.Body = io.NopCloser(strings.NewReader(""))
	}
}

// hungUp reports whether err means that the other side has closed the connection: the same, whether it was new or used
// before.
func hungUp(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) ||
		strings.Contains(err.Error(), "server closed idle connection") // which has no name
}
