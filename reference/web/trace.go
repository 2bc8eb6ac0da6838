package web

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"regexp"
)

// traceparent matches the only version of the header (W3C Trace Context, section 3.2).
var traceparent = regexp.MustCompile(`^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$`)

type traceparentKey struct{}

// WithTraceparent stores the header of a request; "" means none.
func WithTraceparent(ctx context.Context, header string) context.Context {
	return context.WithValue(ctx, traceparentKey{}, header)
}

// Traceparent returns the header to pass on to the calls made for a request, or "".
func Traceparent(ctx context.Context) string {
	header, _ := ctx.Value(traceparentKey{}).(string)
	return header
}

func validTraceparent(r *http.Request) string {
	header := r.Header.Get("traceparent")
	if !traceparent.MatchString(header) {
		return ""
	}
	return header
}

// traceID returns the trace's id when the request belongs to a trace, otherwise a new one: always 32 hex digits.
func traceID(parent string) string {
	if parent != "" {
		return parent[3:35]
	}
	id := make([]byte, 16)
	_, _ = rand.Read(id) // never fails (crypto/rand)
	return hex.EncodeToString(id)
}
