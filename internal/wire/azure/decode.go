package azure

import (
	"io"
	"net/http"
	"strings"

	"github.com/storespec/storespec/internal/wire"
)

// reading follows one call, starting with its head. A zero sink means that a body is not needed.
type reading struct {
	call wire.Call // what the head says

	entity *jsonScanner   // the request's body, if keys or names come from it
	batch  *batchRequest  // the request's body, if it is a batch
	found  bool           // a successful answer is the one thing requested
	counts string         // what a successful answer lists: the XML element, or jsonList
	result *jsonScanner   // the answer, to be counted or searched for an error code
	list   *xmlCounter    // the answer, to be counted
	parts  *batchResponse // the answer to a batch
}

// jsonList says that the answer is a JSON object whose array "value" is to be counted.
const jsonList = "value"

// decode reads a request's head. It never fails: what it cannot read has class Unknown.
func decode(service wire.Service, h wire.Head) *reading {
	rd := newReading(service)
	rd.call.Conditional, rd.call.ClientID = conditional(h.Header), h.Header.Get("X-Ms-Client-Request-Id")
	switch service {
	case Table:
		rd.table(h)
	case Blob:
		rd.blob(h)
	}
	if h.Method == http.MethodOptions {
		rd.is("Preflight Request", other)
	}
	return rd
}

func newReading(service wire.Service) *reading {
	rd := &reading{call: wire.Call{Service: service, Parts: partsOf(service)}}
	rd.is("", wire.Unknown)
	return rd
}

// is sets the call's operation and class.
func (rd *reading) is(operation, class string) {
	rd.call.Operation = operation
	rd.classed(class)
}

// classed sets the call's class.
func (rd *reading) classed(class string) {
	is := known[class]
	rd.call.Class, rd.call.Effect, rd.call.Breadth = is.Name, is.Effect, is.Breadth
	rd.call.Guard, rd.call.Continues = guardOf(class, rd.call.Conditional), class == Page
}

// conditional returns the first conditional header as sent.
func conditional(header http.Header) string {
	for _, name := range conditions() {
		if value := header.Get(name); value != "" {
			return name + ": " + value
		}
	}
	return ""
}

// conditions returns the names of the headers that hold conditions.
func conditions() []string {
	return []string{"If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since"}
}

// Request returns the sink for the request's body, or nil.
func (rd *reading) Request() io.Writer {
	switch {
	case rd.entity != nil:
		return rd.entity
	case rd.batch != nil && rd.batch.scan != nil:
		return rd.batch.scan
	}
	return nil
}

// Paths of the members of a Table service error answer, in the JSON format of OData version 3.
const (
	errorCodePath    = "odata.error/code"
	errorMessagePath = "odata.error/message/value"
)

// Answer records the answer's head and returns the sink for its body, or nil.
func (rd *reading) Answer(status int, header http.Header) io.Writer {
	rd.call.Status = status
	rd.call.ErrorCode = header.Get("X-Ms-Error-Code")
	rd.call.More = header.Get(continuation+nextPartitionKey) != ""
	contentType, encoding := header.Get("Content-Type"), header.Get("Content-Encoding")
	plain, isJSON := encoding == "" || strings.EqualFold(encoding, "identity"), strings.Contains(contentType, "json")
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
		rd.call.Entities = wire.EntitiesUnknown
		if plain && isJSON {
			rd.result = newJSONScanner()
			return rd.result
		}
	case rd.counts != "":
		rd.call.Entities = wire.EntitiesUnknown
		if plain && strings.Contains(contentType, "xml") {
			// EnumerationResults > Blobs > Blob
			rd.list = &xmlCounter{name: rd.counts, level: 3}
			return rd.list
		}
	}
	return nil
}

// Call returns the call, including what has passed of the request's body.
func (rd *reading) Call() wire.Call {
	switch {
	case rd.entity != nil && rd.call.Class == CreateTable:
		rd.call.Resource = rd.entity.found[0]
	case rd.entity != nil:
		rd.call.Key = keyOf(rd.entity.found[0], rd.entity.found[1])
	case rd.batch != nil:
		rd.batch.fill(rd)
	}
	return rd.call
}

// keyOf returns a key up to its first unknown part.
func keyOf(parts ...string) []string {
	for len(parts) > 0 && parts[len(parts)-1] == "" {
		parts = parts[:len(parts)-1]
	}
	if len(parts) == 0 {
		return nil
	}
	return parts
}

// Done returns the call, completed with what the answer's body said.
func (rd *reading) Done() wire.Call {
	rd.Call()
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
	return rd.call
}
