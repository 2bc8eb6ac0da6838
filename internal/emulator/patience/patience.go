// Package patience bounds how long a server waits for the body of a request. Handler sets the bound; a service that
// cannot read a body asks RanOut whether that was why, and answers as the service that it emulates does.
package patience

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"
)

// Handler bounds the wait for the next part of a body: a client that announces one and never sends it would hold its
// connection, and what serves it, forever. The wait is at most limit and at least half of it. The bound also holds for
// what the server reads of a body that no one asked for.
func Handler(next http.Handler, limit time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body != nil && r.Body != http.NoBody {
			b := &body{ReadCloser: r.Body, control: http.NewResponseController(w), limit: limit}
			b.wait()
			bounded := *r // the server looks at the body that it made
			bounded.Body, r = b, &bounded
		}
		next.ServeHTTP(w, r)
	})
}

// RanOut reports whether an error of reading a body is that its next part did not come in time.
func RanOut(err error) bool { return errors.Is(err, os.ErrDeadlineExceeded) }

// body is a body whose every read has a deadline.
type body struct {
	io.ReadCloser
	control  *http.ResponseController
	limit    time.Duration
	deadline time.Time // zero: none is set
	failed   error     // once a read has failed, no read waits again
}

// wait gives the next read its time. A deadline of which less than half is used is kept, so that reads of what has
// arrived cost nothing.
func (b *body) wait() {
	if now := time.Now(); b.deadline.Sub(now) < b.limit/2 {
		b.deadline = now.Add(b.limit)
		_ = b.control.SetReadDeadline(b.deadline) // a connection without deadlines waits
	}
}

func (b *body) Read(p []byte) (int, error) {
	if b.failed != nil {
		return 0, b.failed
	}
	b.wait()
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF {
		b.deadline = time.Time{}
		_ = b.control.SetReadDeadline(b.deadline) // what serves the request may take its time
	} else {
		b.failed = err
	}
	return n, err
}
