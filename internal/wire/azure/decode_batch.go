package azure

import (
	"cmp"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azureauth"
	"github.com/storespec/storespec/internal/wire"
)

// maxBatchParts is four times the limit of a blob batch (256; an entity group transaction holds 100). The store refuses
// anything beyond, and it is not decoded.
const maxBatchParts = 1024

// batchRequest decodes the operations of a batch.
type batchRequest struct {
	service wire.Service
	outer   wire.Head
	scan    *batchScanner // nil: the request specifies no boundary
	ops     []*reading
	ids     []string // Content-ID of each
}

func newBatchRequest(service wire.Service, h wire.Head) *batchRequest {
	b := &batchRequest{service: service, outer: wire.Head{Host: h.Host, Path: h.Path}}
	b.scan = newBatchScanner(h.Header.Get("Content-Type"), b.begin)
	return b
}

func (b *batchRequest) begin(part batchPart) io.Writer {
	if len(b.ops) == maxBatchParts {
		return nil
	}
	op := newReading(b.service)
	method, rest, _ := strings.Cut(part.first, " ")
	if end := strings.LastIndex(rest, " HTTP/"); end >= 0 {
		op = decode(b.service, b.inner(method, strings.TrimSpace(rest[:end]), part.header))
	}
	if op.batch != nil {
		op = newReading(b.service) // batches do not nest
	}
	b.ops = append(b.ops, op)
	b.ids = append(b.ids, part.header.Get("Content-ID"))
	return op.Request()
}

// inner parses the address of an operation: absolute, from the root of the host, or relative to the address of the
// service.
func (b *batchRequest) inner(method, target string, header http.Header) wire.Head {
	h := wire.Head{Method: method, Host: b.outer.Host, Header: header}
	h.Path, h.Query, _ = strings.Cut(target, "?")
	if _, after, ok := strings.Cut(h.Path, "://"); ok {
		h.Host, h.Path, _ = strings.Cut(after, "/")
		h.Path = "/" + h.Path
	} else if !strings.HasPrefix(h.Path, "/") {
		account := ""
		if !azureauth.HostNamesAccount(b.service, h.Host) {
			account, _, _ = strings.Cut(strings.TrimPrefix(b.outer.Path, "/"), "/")
			account = "/" + account
		}
		h.Path = account + "/" + h.Path
	}
	return h
}

// fill sets the batch's inner operations and what they have in common.
func (b *batchRequest) fill(rd *reading) {
	if len(b.ops) == 0 {
		return
	}
	call := &rd.call
	call.Inner = make([]wire.Call, len(b.ops))
	for i, op := range b.ops {
		call.Inner[i] = op.Call()
	}
	first := call.Inner[0]
	resource, partition, sameClass := first.Resource, partitionOf(first), true
	for _, op := range call.Inner[1:] {
		if op.Resource != resource {
			resource = ""
		}
		if partitionOf(op) != partition {
			partition = ""
		}
		sameClass = sameClass && op.Class == first.Class
	}
	call.Resource, call.Key = resource, keyOf(partition)
	// A blob batch takes the class of its operations. A single query in a table batch counts as that query: a
	// transaction would be taken for a write.
	switch {
	case first.Class == wire.Unknown:
	case b.service == Blob && sameClass:
		rd.classed(first.Class)
	case len(call.Inner) == 1 && !first.Writes():
		rd.classed(first.Class)
		call.Filter, call.Key = first.Filter, first.Key
	}
}

// partitionOf returns the partition that an operation on an entity names.
func partitionOf(op wire.Call) string {
	if op.Service == Blob || len(op.Key) == 0 {
		return ""
	}
	return op.Key[0]
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
	if b.scan = newBatchScanner(contentType, b.begin); b.scan == nil {
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

// fill sets the statuses of the inner operations. An answer belongs to the operation with the same Content-ID; without
// one, answers are in the order of the operations. A failed transaction has a single answer, whose message begins with
// the index of the operation that failed.
func (b *batchResponse) fill(call *wire.Call, request *batchRequest) {
	for i, a := range b.answers {
		at := i
		switch index, _, found := strings.Cut(a.body.found[1], ":"); {
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
		op.Status, op.ErrorCode = a.status, cmp.Or(a.code, a.body.found[0])
		if a.status < http.StatusMultipleChoices {
			op.Entities = request.ops[at].entitiesIn(a.body)
		}
	}
	if len(call.Inner) == 1 {
		call.Entities = call.Inner[0].Entities
	}
}

// entitiesIn counts the entities in a successful answer within a batch.
func (rd *reading) entitiesIn(body *jsonScanner) int {
	switch {
	case rd.found:
		return 1
	case rd.counts != jsonList:
		return 0
	case body.complete():
		return body.count
	}
	return wire.EntitiesUnknown
}

// index returns the index of the operation with a Content-ID, or -1.
func (b *batchRequest) index(id string) int {
	if id == "" {
		return -1
	}
	return slices.Index(b.ids, id)
}
