package wire

import (
	"bufio"
	"hash/maphash"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
)

// bodyTap observes the reading of a request's body. The reader may run in a different goroutine than the handler, and
// may outlive it: http.Transport reads on if the answer arrives early.
type bodyTap struct {
	body   io.ReadCloser
	length int64 // as announced, -1 if not

	mu     sync.Mutex
	sink   io.Writer // nil: the body's content is not needed
	hash   maphash.Hash
	size   int64
	atEnd  bool
	closed bool
}

func newBodyTap(req *http.Request, sink io.Writer, seed maphash.Seed) *bodyTap {
	t := &bodyTap{body: req.Body, length: req.ContentLength, sink: sink}
	t.hash.SetSeed(seed)
	if req.Body == nil || req.Body == http.NoBody {
		t.length = 0
	}
	return t
}

func (t *bodyTap) Read(p []byte) (int, error) {
	n, err := t.body.Read(p)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return n, err
	}
	t.size += int64(n)
	t.atEnd = t.atEnd || err == io.EOF
	_, _ = t.hash.Write(p[:n]) // never fails
	if t.sink != nil {
		_, _ = t.sink.Write(p[:n]) // scanners never fail
	}
	return n, err
}

func (t *bodyTap) Close() error { return t.body.Close() }

// close stops observing. Afterwards nothing is written to the sink.
func (t *bodyTap) close() (int64, bodyDigest) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	complete := t.atEnd || t.size == t.length
	return t.size, bodyDigest{size: t.size, sum: t.hash.Sum64(), complete: complete}
}

// answerTap observes the writing of an answer.
type answerTap struct {
	http.ResponseWriter
	reading  Reading
	hungUp   func() error // nil: the client is waiting
	wrote    bool
	unheard  bool // the client had hung up before the answer began
	sink     io.Writer
	size     int64
	hijacked bool
}

// Unwrap supports http.ResponseController.
func (t *answerTap) Unwrap() http.ResponseWriter { return t.ResponseWriter }

func (t *answerTap) WriteHeader(status int) {
	if status >= http.StatusOK || status == http.StatusSwitchingProtocols {
		t.writeHeader(status)
	}
	t.ResponseWriter.WriteHeader(status)
}

// writeHeader records the first status that is not provisional.
func (t *answerTap) writeHeader(status int) {
	if !t.wrote {
		t.wrote = true
		t.unheard = t.hungUp() != nil
		t.sink = t.reading.Answer(status, t.Header())
		lowerExtensions(t.Header())
	}
}

// lowerExtensions writes names that start with "X-" in small letters, as Azure sends them; net/http does not keep the
// case. Azure's SDK for Python finds metadata only by names that start with "x-ms-meta-".
func lowerExtensions(h http.Header) {
	for name, values := range h {
		if strings.HasPrefix(name, "X-") {
			delete(h, name)
			lower := strings.ToLower(name)
			h[lower] = append(h[lower], values...)
		}
	}
}

func (t *answerTap) Write(p []byte) (int, error) {
	t.writeHeader(http.StatusOK)
	n, err := t.ResponseWriter.Write(p)
	t.size += int64(n)
	if t.sink != nil {
		_, _ = t.sink.Write(p[:n]) // scanners never fail
	}
	return n, err
}

// FlushError sends what has been written so far.
func (t *answerTap) FlushError() error {
	t.writeHeader(http.StatusOK)
	return http.NewResponseController(t.ResponseWriter).Flush()
}

// Flush calls FlushError, for callers that look for an http.Flusher.
func (t *answerTap) Flush() { _ = t.FlushError() }

// Hijack takes over the connection; the call then has no answer.
func (t *answerTap) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buf, err := http.NewResponseController(t.ResponseWriter).Hijack()
	t.hijacked = t.hijacked || err == nil
	return conn, buf, err
}
