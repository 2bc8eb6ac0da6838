package wire

import (
	"bytes"
	"log"
	"sync"
)

// handshakeFailed is how http.Server begins what it logs of a connection that never became one.
const handshakeFailed = "http: TLS handshake error from "

// refused is a gateway's log. A client that does not trust the gateway's certificate tries again and
// again: of its attempts the last is kept, and all else goes where the log package writes.
type refused struct {
	mu   sync.Mutex
	last string
}

func (r *refused) Write(line []byte) (int, error) {
	_, about, found := bytes.Cut(line, []byte(handshakeFailed))
	if !found {
		return log.Writer().Write(line)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	_, reason, _ := bytes.Cut(about, []byte(": ")) // the client's address says nothing
	r.last = string(bytes.TrimSpace(reason))
	return len(line), nil
}

// Refused says why the last connection that failed to become one of TLS did, such as "remote error: tls:
// unknown certificate authority"; "" when none failed.
func (g *Gateway) Refused() string {
	g.refused.mu.Lock()
	defer g.refused.mu.Unlock()
	return g.refused.last
}
