package tables

import (
	"bytes"
	"mime"
	"net/http"
	"net/textproto"
	"strings"
)

// batchPart is one request in the body of a batch.
type batchPart struct {
	method, target string
	header         http.Header
	body           []byte
}

// parsedBatch is the body of a batch: the requests of its change set, or its single query.
type parsedBatch struct {
	changes []batchPart
	query   *batchPart
}

// parseBatch parses the body of a batch. Lines may end with LF alone. It returns false if it is malformed, has more
// than one change set, or a query together with something else.
// https://learn.microsoft.com/rest/api/storageservices/performing-entity-group-transactions
func parseBatch(contentType string, body []byte) (parsedBatch, bool) {
	var b parsedBatch
	outer, ok := split(contentType, body)
	if !ok || len(outer) != 1 {
		return b, false
	}
	header, rest, ok := readHeader(outer[0])
	if !ok {
		return b, false
	}
	if !isMixed(header.Get("Content-Type")) {
		part, ok := readPart(outer[0])
		if !ok || part.method != http.MethodGet {
			return b, false
		}
		b.query = &part
		return b, true
	}
	parts, ok := split(header.Get("Content-Type"), rest)
	if !ok {
		return b, false
	}
	// One more than is allowed is enough to reject them.
	parts = parts[:min(len(parts), maxOperations+1)]
	b.changes = make([]batchPart, len(parts))
	for i, text := range parts {
		if b.changes[i], ok = readPart(text); !ok {
			return b, false
		}
	}
	return b, true
}

func isMixed(contentType string) bool {
	return len(contentType) >= len("multipart/mixed") &&
		strings.EqualFold(contentType[:len("multipart/mixed")], "multipart/mixed")
}

// split splits a body at the lines of its boundary.
func split(contentType string, body []byte) ([][]byte, bool) {
	kind, parameters, err := mime.ParseMediaType(contentType)
	boundary := parameters["boundary"]
	if err != nil || kind != "multipart/mixed" || boundary == "" || len(boundary) > 70 { // RFC 2046
		return nil, false
	}
	delimiter := "--" + boundary
	var parts [][]byte
	start := -1
	for pos := 0; pos < len(body); {
		line, next := cutLine(body, pos)
		text, isDelimiter := bytes.CutPrefix(line, []byte(delimiter))
		if text = bytes.TrimRight(text, " \t"); isDelimiter && (len(text) == 0 || string(text) == "--") {
			if start >= 0 {
				parts = append(parts, body[start:pos])
			}
			if len(text) > 0 {
				return parts, true
			}
			start = next
		}
		pos = next
	}
	return nil, false // without a last line it is truncated
}

// cutLine returns the line at pos without its line ending, and where the next one starts.
func cutLine(b []byte, pos int) (line []byte, next int) {
	end := bytes.IndexByte(b[pos:], '\n')
	if end < 0 {
		return b[pos:], len(b)
	}
	return bytes.TrimSuffix(b[pos:pos+end], []byte("\r")), pos + end + 1
}

// readHeader parses header lines up to an empty one.
func readHeader(text []byte) (http.Header, []byte, bool) {
	h := http.Header{}
	for pos := 0; pos < len(text); {
		line, next := cutLine(text, pos)
		pos = next
		if len(line) == 0 {
			return h, text[pos:], true
		}
		name, value, ok := bytes.Cut(line, []byte(":"))
		if !ok || len(name) == 0 {
			return nil, nil, false
		}
		canonical := textproto.CanonicalMIMEHeaderKey(string(name))
		h[canonical] = append(h[canonical], string(bytes.TrimSpace(value)))
	}
	return h, nil, true
}

// readPart parses one request: the part's header, a request line, headers, and a body.
func readPart(text []byte) (batchPart, bool) {
	var p batchPart
	outer, rest, ok := readHeader(text)
	if !ok || !strings.HasPrefix(strings.ToLower(outer.Get("Content-Type")), "application/http") {
		return p, false
	}
	pos := 0
	var line []byte
	for len(line) == 0 { // some clients put an empty line before the request line
		if pos == len(rest) {
			return p, false
		}
		line, pos = cutLine(rest, pos)
	}
	words := bytes.Fields(line)
	if len(words) != 3 || !bytes.HasPrefix(words[2], []byte("HTTP/1.")) {
		return p, false
	}
	p.method, p.target = string(words[0]), string(words[1])
	if p.header, p.body, ok = readHeader(rest[pos:]); !ok {
		return p, false
	}
	p.body = bytes.TrimSpace(p.body) // the line break before the boundary belongs to the boundary
	if id := outer.Get("Content-Id"); id != "" && p.header.Get("Content-Id") == "" {
		p.header.Set("Content-Id", id)
	}
	return p, true
}

// batchWriter writes the answer to a batch.
type batchWriter struct {
	out            []byte
	batch, changes string // the boundaries
	in             string // the boundary of the next part
}

func newBatchWriter(id string, out []byte) *batchWriter {
	w := &batchWriter{out: out, batch: "batchresponse_" + id, changes: "changesetresponse_" + id}
	w.in = w.batch
	return w
}

func (w *batchWriter) add(texts ...string) {
	for _, text := range texts {
		w.out = append(w.out, text...)
	}
}

func (w *batchWriter) beginChanges() {
	w.add("--", w.batch, "\r\nContent-Type: multipart/mixed; boundary=", w.changes, "\r\n\r\n")
	w.in = w.changes
}

// part adds an answer, with the Content-ID of its request.
func (w *batchWriter) part(a *response, id string) {
	w.add("--", w.in, "\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n")
	w.out = a.appendPart(w.out, id)
}

func (w *batchWriter) endChanges() []byte {
	w.add("--", w.changes, "--\r\n")
	return w.end()
}

func (w *batchWriter) end() []byte {
	w.add("--", w.batch, "--\r\n")
	return w.out
}
