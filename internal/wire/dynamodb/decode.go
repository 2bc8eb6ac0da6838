package dynamodb

import (
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/wire"
)

// keyParts names the parts of a key. A table without a sort key has keys of one part.
var keyParts = []string{wire.Partition, "sort"}

// The headers of a call.
const (
	headerTarget     = "X-Amz-Target"          // DynamoDB_20120810.GetItem
	headerInvocation = "Amz-Sdk-Invocation-Id" // the same for all attempts of a call
	headerAttempt    = "Amz-Sdk-Request"       // attempt=2; max=3
	targetPrefix     = "DynamoDB_20120810."
	streamsPrefix    = "DynamoDBStreams_20120810."
)

// reading follows one call.
type reading struct {
	of     *Tables
	head   wire.Call // what the head says
	call   wire.Call
	length int64 // of the body; -1: unknown
	body   wire.Kept
	read   int // how much of the body was there when it was last read
	answer *answer
}

// Decode reads a request to DynamoDB.
func (p Protocol) Decode(h wire.Head) wire.Reading {
	rd := &reading{of: p.Of, length: h.Length, body: wire.Kept{Most: maxBody}}
	rd.call = wire.Call{Service: Service, Parts: keyParts, ClientID: h.Header.Get(headerInvocation),
		Try: tryOf(h.Header.Get(headerAttempt)), Operation: h.Method + " " + h.Path}
	classed(&rd.call, wire.Unknown)
	target := h.Header.Get(headerTarget)
	operation, ok := strings.CutPrefix(target, targetPrefix)
	switch class, known := operations[operation]; {
	case ok && known && h.Method == http.MethodPost:
		rd.call.Operation = operation
		classed(&rd.call, class)
	case target == "" && (h.Method == http.MethodGet || h.Method == http.MethodOptions),
		strings.HasPrefix(target, streamsPrefix): // is it there? and streams, which no budget covers
		classed(&rd.call, other)
	case target != "":
		rd.call.Operation = target
	}
	rd.head = rd.call
	return rd
}

// tryOf returns the number of an attempt; 0: it is not given.
func tryOf(header string) int {
	for part := range strings.SplitSeq(header, ";") {
		if number, ok := strings.CutPrefix(strings.TrimSpace(part), "attempt="); ok {
			n, _ := strconv.Atoi(number) // else it is not given
			return max(n, 0)
		}
	}
	return 0
}

// Request keeps the body.
func (rd *reading) Request() io.Writer { return &rd.body }

// Call returns the call as far as its body has passed.
func (rd *reading) Call() wire.Call {
	whole := rd.length < 0 || int64(len(rd.body.Data)) >= rd.length
	if whole && len(rd.body.Data) > rd.read && rd.call.Class != other {
		rd.read, rd.call = len(rd.body.Data), rd.head // a body of unknown length may have been read too early
		rd.fill()
	}
	return rd.call
}

// Answer records the answer's head and follows its body.
func (rd *reading) Answer(status int, header http.Header) io.Writer {
	rd.Call()
	rd.call.Status = status
	encoding := header.Get("Content-Encoding")
	plain := encoding == "" || strings.EqualFold(encoding, "identity")
	rd.answer = newAnswer(rd.call, plain)
	if !plain {
		return nil
	}
	return rd.answer.sink()
}

// Done returns the call, completed with what the answer says.
func (rd *reading) Done() wire.Call {
	rd.Call()
	if rd.answer != nil {
		rd.answer.complete(&rd.call)
		rd.learn()
	}
	return rd.call
}

// learn notes the keys of a table that was created or described.
func (rd *reading) learn() {
	if rd.call.Status != http.StatusOK {
		return
	}
	definition := rd.body.Data
	switch rd.call.Operation {
	case "DescribeTable":
		described, err := parseObject(rd.answer.whole.Data)
		if err != nil {
			return
		}
		definition = described.get("Table")
	case "CreateTable":
	default:
		return
	}
	if table, schema, ok := SchemaOf(definition); ok {
		rd.of.Learn(table, schema)
	}
}

// wholeCall reads a request whose body is at hand.
func (p Protocol) wholeCall(req *http.Request, body []byte) wire.Call {
	head := wire.HeadOf(req)
	head.Length = int64(len(body))
	rd := p.Decode(head)
	_, _ = rd.Request().Write(body) // never fails
	return rd.Call()
}
