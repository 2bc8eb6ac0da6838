package inprocess

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"syscall"
)

// bufferLimit is how much of an answer is buffered before the client starts to read it. Most answers of a storage
// service are smaller, and then need no handover to a second goroutine.
const bufferLimit = 64 << 10

// writer is the handler's side of an answer.
type writer struct {
	request *http.Request
	cancel  context.CancelFunc
	ready   chan struct{} // closed when response may be called

	header http.Header
	sent   http.Header // as a client reads it; header when the status was written
	status int
	buffer bytes.Buffer
	pipe   *io.PipeWriter // of an answer that is too large to buffer
	body   *io.PipeReader
	err    error // the connection broke

	written int64 // of the body
	once    sync.Once
}

func newWriter(r *http.Request, cancel context.CancelFunc) *writer {
	return &writer{request: r, cancel: cancel, ready: make(chan struct{}), header: http.Header{}}
}

func (w *writer) Header() http.Header { return w.header }

func (w *writer) WriteHeader(status int) {
	if w.status != 0 || status < http.StatusOK { // RoundTrip does not return 1xx answers
		return
	}
	w.status = status
	w.sent = make(http.Header, len(w.header)+1)
	for name, values := range w.header {
		name = http.CanonicalHeaderKey(name) // as a client on a connection reads it
		w.sent[name] = append(w.sent[name], values...)
	}
}

// bodyless reports whether the answer has no body, whatever the handler writes.
func (w *writer) bodyless() bool {
	return w.request.Method == http.MethodHead || w.status == http.StatusNoContent || w.status == http.StatusNotModified
}

func (w *writer) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	if w.bodyless() {
		if w.request.Method == http.MethodHead {
			return len(p), nil
		}
		return 0, http.ErrBodyNotAllowed
	}
	w.written += int64(len(p))
	if w.pipe == nil && w.buffer.Len()+len(p) <= bufferLimit {
		return w.buffer.Write(p)
	}
	w.Flush()
	return w.pipe.Write(p)
}

// Flush gives the client what has been written. From then on writes wait for the client.
func (w *writer) Flush() {
	w.WriteHeader(http.StatusOK)
	if w.pipe != nil || w.bodyless() {
		return
	}
	w.body, w.pipe = io.Pipe()
	w.once.Do(func() { close(w.ready) })
	if w.buffer.Len() > 0 {
		_, _ = w.pipe.Write(w.buffer.Bytes()) // the next write reports that there is no reader
	}
}

// finish ends the answer. Only the first error counts.
func (w *writer) finish(err error) {
	if w.pipe != nil {
		if err == nil && w.short() {
			err = io.ErrUnexpectedEOF
		}
		_ = w.pipe.CloseWithError(err)
		return
	}
	w.WriteHeader(http.StatusOK)
	if w.err = err; err == nil && w.short() {
		w.err = &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	}
	w.once.Do(func() { close(w.ready) })
}

// short reports whether the handler wrote less than it announced; a server then cuts the connection.
func (w *writer) short() bool {
	promised, err := strconv.ParseInt(w.sent.Get("Content-Length"), 10, 64)
	return err == nil && !w.bodyless() && w.written < promised
}

// response returns the client's side.
func (w *writer) response() *http.Response {
	r := &http.Response{
		Status: strconv.Itoa(w.status) + " " + http.StatusText(w.status), StatusCode: w.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.sent, Request: w.request, ContentLength: -1,
	}
	body := io.NopCloser(&w.buffer)
	if w.pipe != nil {
		body = w.body
	} else if w.sent.Get("Content-Length") == "" && !w.bodyless() {
		w.sent.Set("Content-Length", strconv.Itoa(w.buffer.Len()))
	}
	r.Body = &responseBody{body, w.cancel}
	if length, err := strconv.ParseInt(w.sent.Get("Content-Length"), 10, 64); err == nil {
		r.ContentLength = length
	}
	return r
}

// responseBody ends the request's context when the client is done with the answer.
type responseBody struct {
	io.ReadCloser
	cancel context.CancelFunc
}

func (b *responseBody) Close() error {
	b.cancel()
	return b.ReadCloser.Close()
}
