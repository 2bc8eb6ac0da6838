package inprocess

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"syscall"
)

// Transport is an http.RoundTripper that calls a handler as its server. With Do it is also a transporter of azcore.
type Transport struct{ Handler http.Handler }

// Do is RoundTrip.
func (t Transport) Do(r *http.Request) (*http.Response, error) { return t.RoundTrip(r) }

// RoundTrip runs the handler in its own goroutine, so that the end of the request's context takes effect while the
// handler is still running. The error is then the context's; a handler that panics causes a connection reset, as for a
// client of http.Server.
func (t Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(r.Context())
	body := &requestBody{from: r.Body}
	w := newWriter(r, cancel)
	seen := serverRequest(ctx, r, body)
	go func() {
		growStack()
		defer func() {
			// The connection is broken whatever the panic was; a server on a socket logs it and continues.
			err := broken(recover(), r)
			_ = body.Close()
			w.finish(err)
		}()
		t.Handler.ServeHTTP(w, seen)
	}()
	select {
	case <-w.ready:
	case <-ctx.Done():
		_ = body.Close() // a body that is sent again must not have two readers
		cancel()
		return nil, ctx.Err()
	}
	if w.err != nil && w.pipe == nil {
		cancel()
		return nil, w.err
	}
	return w.response(), nil
}

// growStack makes the stack of a new goroutine large enough for most handlers while it is still empty. Otherwise it
// would be doubled several times in the depth of the handler, each time with all of its frames moved.
//
//go:noinline
func growStack() {
	var frame [8 << 10]byte
	runtime.KeepAlive(&frame)
}

// broken turns the result of recover into the error of a connection.
func broken(panicked any, r *http.Request) error {
	if panicked == nil {
		return nil
	}
	reset := &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	if err, isError := panicked.(error); isError && errors.Is(err, http.ErrAbortHandler) {
		return reset
	}
	return fmt.Errorf("the handler of %s panicked: %v: %w", r.Method, panicked, reset)
}

// serverRequest returns r as a server would have read it.
func serverRequest(ctx context.Context, r *http.Request, body *requestBody) *http.Request {
	seen := r.WithContext(ctx)
	seen.Header = make(http.Header, len(r.Header))
	for name, values := range r.Header {
		if name == "Content-Length" || name == "Transfer-Encoding" || name == "Host" {
			continue // a server stores them elsewhere
		}
		name = http.CanonicalHeaderKey(name)
		for _, value := range values {
			seen.Header[name] = append(seen.Header[name], strings.TrimSpace(value))
		}
	}
	seen.RequestURI = r.URL.RequestURI()
	address := *r.URL
	if address.Opaque != "" { // a path that its sender encoded: a server parses it
		if parsed, err := url.ParseRequestURI(seen.RequestURI); err == nil {
			address = *parsed
		}
	}
	address.Scheme, address.Host = "", ""
	seen.URL = &address
	if seen.Host == "" {
		seen.Host = r.URL.Host
	}
	seen.Proto, seen.ProtoMajor, seen.ProtoMinor = "HTTP/1.1", 1, 1
	seen.RemoteAddr = "127.0.0.1:1" // a client on this machine, with an arbitrary port
	seen.Body = body
	if r.ContentLength == 0 && !body.probe() {
		seen.Body = http.NoBody
	} else if r.ContentLength == 0 {
		seen.ContentLength = -1 // a client's zero with a body means that the length is unknown
	}
	return seen
}

// requestBody reads the client's body until either side closes it.
type requestBody struct {
	mu     sync.Mutex
	from   io.ReadCloser
	first  []byte // read by probe
	closed bool
}

// probe reports whether there is anything to read.
func (b *requestBody) probe() bool {
	if b.from == nil || b.from == http.NoBody {
		return false
	}
	var first [1]byte
	n, err := io.ReadFull(b.from, first[:])
	b.first = first[:n]
	return n > 0 || !errors.Is(err, io.EOF)
}

var errBodyClosed = errors.New("read of a request body after the request ended")

func (b *requestBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return 0, errBodyClosed
	}
	if len(b.first) > 0 {
		n := copy(p, b.first)
		b.first = b.first[n:]
		return n, nil
	}
	return b.from.Read(p)
}

func (b *requestBody) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed || b.from == nil {
		return nil
	}
	b.closed = true
	return b.from.Close()
}
