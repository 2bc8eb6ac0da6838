package kv

import (
	"io"
	"net/http"
	"strings"

	"github.com/storespec/storespec/internal/wire"
)

// keyParts names the only part of a key.
var keyParts = []string{"key"}

// maxPeek is how much of a bulk request is read before it is announced. Cloudflare takes 100 MB.
const maxPeek = 1 << 20

// maxContent is how much of a value is kept for the steps that search it: a larger one is not.
const maxContent = 64 << 10

// reading follows one call.
type reading struct {
	call wire.Call
	from address
	body *wire.Kept // of a bulk request
	sent *wire.Kept // what a write sends
	list *wire.Kept // an answer that lists keys or values, or an error
}

// Decode reads a request to Workers KV.
func (Protocol) Decode(h wire.Head) wire.Reading {
	rd := &reading{call: wire.Call{Service: Service, Parts: keyParts, Resource: Namespace}}
	a, ok := addressOf(h)
	switch class := a.class(); {
	case !ok && a.dialect == rest && strings.Contains(h.Path, "/storage/kv/namespaces"):
		rd.call.Resource, rd.call.Operation = "", h.Method+" namespace"
		classed(&rd.call, other)
	case !ok || class == other:
		classed(&rd.call, wire.Unknown)
	default:
		rd.from = a
		rd.call.Operation = operations[class]
		if a.key != "" {
			rd.call.Key = []string{a.key}
		}
		if class == List || class == Page {
			rd.call.Prefix = a.query.Get("prefix")
		}
		if class == BulkGet || class == BulkPut || class == BulkDelete {
			rd.body = &wire.Kept{Most: maxPeek}
		}
		if class == Put {
			rd.sent = &wire.Kept{Most: maxContent}
		}
		classed(&rd.call, class)
	}
	return rd
}

// operations are Cloudflare's names (REST API, "KV").
var operations = map[string]string{
	Get: "Read key-value pair", Put: "Write key-value pair", Delete: "Delete key-value pair", List: "List keys",
	Page: "List keys", BulkGet: "Get multiple key-value pairs", BulkPut: "Write multiple key-value pairs",
	BulkDelete: "Delete multiple key-value pairs",
}

// Peek asks for the body of a bulk request, which alone names its keys.
func (Protocol) Peek(h wire.Head) int64 {
	if a, ok := addressOf(h); ok && (a.what == "bulk" || strings.HasPrefix(a.what, "bulk/")) {
		return maxPeek
	}
	return 0
}

// Request keeps the body of a bulk request, or what a write sends.
func (rd *reading) Request() io.Writer {
	switch {
	case rd.body != nil:
		return rd.body
	case rd.sent != nil:
		return rd.sent
	}
	return nil
}

// Call returns the call, with the keys of a bulk request as far as its body has passed.
func (rd *reading) Call() wire.Call {
	switch {
	case rd.sent != nil:
		rd.call.Content = rd.sent.Data
	case rd.body != nil && rd.call.Effect == wire.Writes:
		rd.call.Content = rd.body.Data
	}
	if rd.body == nil || rd.call.Inner != nil || rd.body.Overflowed {
		return rd.call
	}
	inner := map[string]string{BulkGet: Get, BulkPut: Put, BulkDelete: Delete}[rd.call.Class]
	for _, key := range bulkKeys(rd.body.Data) {
		rd.call.Inner = append(rd.call.Inner, withClass(wire.Call{Service: Service, Resource: Namespace,
			Parts: keyParts, Operation: operations[inner], Key: []string{key}}, inner))
	}
	return rd.call
}

// Answer keeps an answer that lists something, or says why not.
func (rd *reading) Answer(status int, header http.Header) io.Writer {
	rd.call.Status = status
	encoding := header.Get("Content-Encoding")
	plain := encoding == "" || strings.EqualFold(encoding, "identity")
	switch {
	case status >= http.StatusBadRequest && rd.from.dialect == rest && plain:
		rd.list = &wire.Kept{Most: maxPeek}
	case status >= http.StatusMultipleChoices:
		return nil
	case rd.call.Class == Get:
		rd.call.Entities = 1
		return nil
	case rd.call.Class == List, rd.call.Class == Page, rd.call.Class == BulkGet:
		rd.call.Entities = wire.EntitiesUnknown
		if !plain {
			return nil
		}
		rd.list = &wire.Kept{Most: 64 << 20} // a bulk get has 25 MB of values
	default:
		return nil
	}
	return rd.list
}

// Done returns the call, completed with what the answer says.
func (rd *reading) Done() wire.Call {
	rd.Call()
	for i := range rd.call.Inner {
		rd.call.Inner[i].Status = rd.call.Status
	}
	if rd.list == nil || rd.list.Overflowed {
		return rd.call
	}
	if rd.call.Status >= http.StatusBadRequest {
		rd.call.ErrorCode = errorCode(rd.list.Data)
		return rd.call
	}
	if found, more, ok := listed(rd.list.Data, rd.from); ok {
		rd.call.Entities, rd.call.More = found, more
	}
	return rd.call
}
