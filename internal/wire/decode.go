package wire

import (
	"io"
	"net/http"
	"strings"
)

// EntitiesUnknown is Call.Entities of an answer that could not be counted: it was compressed, cut
// off, or neither JSON nor XML.
const EntitiesUnknown = -1

// head is what a decoder sees of a request before its body.
type head struct {
	service     Service
	method      string
	host        string
	path, query string // as sent, percent-encoded
	header      http.Header
}

func headOf(service Service, req *http.Request) head {
	return head{service: service, method: req.Method, host: req.Host,
		path: req.URL.EscapedPath(), query: req.URL.RawQuery, header: req.Header}
}

// reading follows one call from its head on. The zero sinks say that a body is of no interest.
type reading struct {
	call Call // what the head says

	entity *jsonScanner   // the request's body, where keys or names come from it
	batch  *batchRequest  // the request's body, where it is a batch
	found  bool           // a successful answer is the one thing asked for
	counts string         // what a successful answer lists: the XML element, or jsonList
	result *jsonScanner   // the answer, to be counted or searched for an error code
	list   *xmlCounter    // the answer, to be counted
	parts  *batchResponse // the answer to a batch
}

// jsonList says that the answer is a JSON object whose array "value" is to be counted.
const jsonList = "value"

// decode reads a request's head. It never fails: what it cannot read is of class Unknown.
func decode(h head) *reading {
	rd := &reading{call: Call{Service: h.service, Class: Unknown, Conditional: conditional(h.header), ClientID: h.header.Get("X-Ms-Client-Request-Id"),
		Trace: traceOf(h.header.Get("Traceparent"))}}
	switch h.service {
	case Table:
		rd.table(h)
	case Blob:
		rd.blob(h)
	}
	if h.method == http.MethodOptions {
		rd.is("Preflight Request", Other)
	}
	return rd
}

// is names the call.
func (rd *reading) is(operation string, class Class) {
	rd.call.Operation, rd.call.Class = operation, class
}

// conditional gives the first conditional header as it was sent.
func conditional(header http.Header) string {
	for _, name := range []string{"If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since"} {
		if value := header.Get(name); value != "" {
			return name + ": " + value
		}
	}
	return ""
}

// request gives the sink for the request's body, or nil.
func (rd *reading) request() io.Writer {
	switch {
	case rd.entity != nil:
		return rd.entity
	case rd.batch != nil && rd.batch.scan != nil:
		return rd.batch.scan
	}
	return nil
}

// Paths of what an error answer of the Table service says, in the JSON format of OData version 3.
const (
	errorCodePath    = "odata.error/code"
	errorMessagePath = "odata.error/message/value"
)

// answer notes the answer's head and gives the sink for its body, or nil.
func (rd *reading) answer(status int, header http.Header) io.Writer {
	rd.call.Status = status
	rd.call.ErrorCode = header.Get("X-Ms-Error-Code")
	rd.call.More = header.Get(continuation+nextPartitionKey) != ""
	contentType := header.Get("Content-Type")
	encoding := header.Get("Content-Encoding")
	plain := encoding == "" || strings.EqualFold(encoding, "identity")
	isJSON := strings.Contains(contentType, "json")
	switch {
	case status >= http.StatusBadRequest:
		if plain && isJSON && rd.call.ErrorCode == "" {
			rd.result = newJSONScanner(errorCodePath)
			return rd.result
		}
	case rd.batch != nil:
		if rd.parts = newBatchResponse(contentType); plain && rd.parts != nil {
			return rd.parts.scan
		}
	case status >= http.StatusMultipleChoices: // not modified
	case rd.found:
		rd.call.Entities = 1
	case rd.counts == jsonList:
		rd.call.Entities = EntitiesUnknown
		if plain && isJSON {
			rd.result = newJSONScanner()
			return rd.result
		}
	case rd.counts != "":
		rd.call.Entities = EntitiesUnknown
		if plain && strings.Contains(contentType, "xml") {
			// EnumerationResults > Blobs > Blob
			rd.list = &xmlCounter{name: rd.counts, level: 3}
			return rd.list
		}
	}
	return nil
}

// readRequest completes the call with what the request's body said.
func (rd *reading) readRequest() {
	if rd.entity != nil {
		if rd.call.Class == CreateTable {
			rd.call.Resource = rd.entity.found[0]
		} else {
			rd.call.Partition, rd.call.Row = rd.entity.found[0], rd.entity.found[1]
		}
	}
	if rd.batch != nil {
		rd.batch.fill(&rd.call)
	}
}

// readAnswer completes the call with what the answer's body said.
func (rd *reading) readAnswer() {
	if rd.result != nil && len(rd.result.want) > 0 {
		rd.call.ErrorCode = rd.result.found[0]
	} else if rd.result != nil && rd.result.complete() {
		rd.call.Entities = rd.result.count
	}
	if rd.list != nil && rd.list.complete() {
		rd.call.Entities = rd.list.count
	}
	if rd.parts != nil {
		rd.parts.fill(&rd.call, rd.batch)
	}
}
