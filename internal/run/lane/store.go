package lane

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/wire"
)

// StoreIn returns what an answer of the target gives away of its store, such as `the header X-Ms-Version of its store`;
// "" if it does not. Whoever calls a server should not learn where it keeps its data, nor be sent what the store said.
func (l *Lane) StoreIn(header http.Header, body []byte) string {
	var found []string
	for protocol := range l.Lease.Upstream() {
		marked, ok := protocol.(wire.Marked)
		if !ok {
			continue
		}
		headers, texts := marked.Marks()
		for _, name := range headers {
			if _, there := header[http.CanonicalHeaderKey(name)]; there {
				found = append(found, "the header "+name+" of its store")
			}
		}
		for _, text := range texts {
			if bytes.Contains(body, []byte(text)) {
				found = append(found, fmt.Sprintf("%q, which its store has said", text))
			}
		}
	}
	var all strings.Builder
	_ = header.Write(&all) // a builder takes everything
	all.Write(body)
	says := func(text string) bool { return text != "" && strings.Contains(all.String(), text) }
	for _, address := range l.Gate.Endpoints() {
		if _, host, ok := strings.Cut(address, "://"); ok && says(host) {
			found = append(found, "the address of its store")
		}
	}
	if slices.ContainsFunc(l.Lease.Secrets(), says) {
		found = append(found, "the key of its store")
	}
	if len(found) == 0 {
		return ""
	}
	return slices.Min(found)
}
