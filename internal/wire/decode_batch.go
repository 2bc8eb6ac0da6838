package wire

import (
	"io"
	"net/http"
	"strconv"
	"strings"
)

// maxBatchParts is four times what a blob batch may hold (256; an entity group transaction holds
// 100). What goes beyond is refused by the store and not decoded.
const maxBatchParts = 1024

// batchRequest decodes the operations of a batch.
type batchRequest struct {
	outer head
	scan  *batchScanner // nil: the request names no boundary
	ops   []*reading
	ids   []string // Content-ID of each
}

func newBatchRequest(h head) *batchRequest {
	b := &batchRequest{outer: head{service: h.service, host: h.host, path: h.path}}
	b.scan = newBatchScanner(h.header.Get("Content-Type"), b.begin)
	return b
}

func (b *batchRequest) begin(part batchPart) io.Writer {
	if len(b.ops) == maxBatchParts {
		return nil
	}
	op := &reading{call: Call{Service: b.outer.service, Class: Unknown}}
	method, rest, _ := strings.Cut(part.first, " ")
	if end := strings.LastIndex(rest, " HTTP/"); end >= 0 {
		op = decode(b.inner(method, strings.TrimSpace(rest[:end]), part.header))
	}
	if op.batch != nil {
		op = &reading{call: Call{Service: b.outer.service, Class: Unknown}} // batches do not nest
	}
	b.ops = append(b.ops, op)
	b.ids = append(b.ids, part.header.Get("Content-ID"))
	return op.request()
}

// inner takes apart the address of an operation: absolute, from the root of the host, or relative
// to the address of the service.
func (b *batchRequest) inner(method, target string, header http.Header) head {
	h := head{service: b.outer.service, method: method, host: b.outer.host, header: header}
	h.path, h.query, _ = strings.Cut(target, "?")
	if _, after, ok := strings.Cut(h.path, "://"); ok {
		h.host, h.path, _ = strings.Cut(after, "/")
		h.path = "/" + h.path
	} else if !strings.HasPrefix(h.path, "/") {
		account := ""
		if !hostNamesAccount(h.service, h.host) {
			account, _, _ = strings.Cut(strings.TrimPrefix(b.outer.path, "/"), "/")
			account = "/" + account
		}
		h.path = account + "/" + h.path
	}
	return h
}

// fill gives the call its inner operations, and what they have in common.
func (b *batchRequest) fill(call *Call) {
	if len(b.ops) == 0 {
		return
	}
	call.Inner = make([]Call, len(b.ops))
	for i, op := range b.ops {
		op.readRequest()
		call.Inner[i] = op.call
	}
	first := call.Inner[0]
	call.Resource, call.Partition = first.Resource, first.Partition
	sameClass := true
	for _, op := range call.Inner[1:] {
		if op.Resource != call.Resource {
			call.Resource = ""
		}
		if op.Partition != call.Partition {
			call.Partition = ""
		}
		sameClass = sameClass && op.Class == first.Class
	}
	// A blob batch is as its operations are. A query alone in a batch of tables is that query: a
	// transaction would be taken for a write.
	reads := len(call.Inner) == 1 && first.Class != Unknown && !first.Writes()
	if b.outer.service == Blob && sameClass && first.Class != Unknown || reads {
		call.Class, call.Filter, call.Row, call.Blob = first.Class, first.Filter, first.Row, ""
	}
}

// batchResponse reads the answers of a batch's operations.
type batchResponse struct {
	scan    *batchScanner
	answers []batchAnswer
}

type batchAnswer struct {
	id     string // Content-ID
	status int
	code   string // x-ms-error-code
	body   *jsonScanner
}

func newBatchResponse(contentType string) *batchResponse {
	b := &batchResponse{}
	b.scan = newBatchScanner(contentType, b.begin)
	if b.scan == nil {
		return nil
	}
	return b
}

func (b *batchResponse) begin(part batchPart) io.Writer {
	if len(b.answers) == maxBatchParts {
		return nil
	}
	fields := strings.Fields(part.first)
	a := batchAnswer{id: part.header.Get("Content-ID"), code: part.header.Get("X-Ms-Error-Code")}
	if len(fields) >= 2 {
		a.status, _ = strconv.Atoi(fields[1])
	}
	a.body = newJSONScanner(errorCodePath, errorMessagePath)
	b.answers = append(b.answers, a)
	return a.body
}

// fill sets the statuses of the inner operations. Answers belong to the operation of the same
// Content-ID, else they come in the order of the operations. A transaction that failed has one
// answer alone, whose message begins with the index of the operation that failed.
func (b *batchResponse) fill(call *Call, request *batchRequest) {
	for i, a := range b.answers {
		code, message := a.body.found[0], a.body.found[1]
		if a.code != "" {
			code = a.code
		}
		at := i
		switch index, _, found := strings.Cut(message, ":"); {
		case request.index(a.id) >= 0:
			at = request.index(a.id)
		case len(b.answers) == 1 && found && a.status >= http.StatusBadRequest:
			if n, err := strconv.Atoi(index); err == nil {
				at = n
			}
		}
		if at < 0 || at >= len(call.Inner) {
			continue
		}
		op := &call.Inner[at]
		op.Status, op.ErrorCode = a.status, code
		if a.status < http.StatusMultipleChoices {
			op.Entities = request.ops[at].entitiesIn(a.body)
		}
	}
	if len(call.Inner) == 1 {
		call.Entities = call.Inner[0].Entities
	}
}

// entitiesIn counts what a successful answer within a batch holds.
func (rd *reading) entitiesIn(body *jsonScanner) int {
	switch {
	case rd.found:
		return 1
	case rd.counts != jsonList:
		return 0
	case body.complete():
		return body.count
	}
	return EntitiesUnknown
}

// index gives the operation of a Content-ID, or -1.
func (b *batchRequest) index(id string) int {
	if id != "" {
		for i, known := range b.ids {
			if known == id {
				return i
			}
		}
	}
	return -1
}
