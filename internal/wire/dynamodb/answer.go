package dynamodb

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/wire"
)

// maxKept is how much of an answer is kept that is read whole: an error, or the description of a table.
const maxKept = 1 << 20

// answer follows the answer to a call.
type answer struct {
	class, operation string
	plain            bool // it is not compressed
	status           int

	whole       *wire.Kept // of an error or a description; nil: it is scanned
	scan        *scanner   // nil: it is kept whole
	items       int
	count       int // as the store says, or -1
	more        bool
	unprocessed int
	capacity    *float64
	failed      map[int]string // of a batch of statements: the error of each
}

func newAnswer(call wire.Call, plain bool) *answer {
	a := &answer{class: call.Class, operation: call.Operation, plain: plain, status: call.Status, count: -1}
	if a.status >= http.StatusBadRequest || call.Operation == "DescribeTable" {
		a.whole = &wire.Kept{Most: maxKept}
		return a
	}
	a.scan = newScanner(a.sees)
	return a
}

func (a *answer) sink() io.Writer {
	if a.whole != nil {
		return a.whole
	}
	return a.scan
}

// sees is called for each value of the answer that is not inside of one that it skips.
func (a *answer) sees(path []string, value string) (inside bool) {
	depth := len(path)
	switch path[0] {
	case "Items":
		if depth == 2 {
			a.items++
		}
		return depth == 1
	case "Item":
		a.items++
	case "Count":
		a.count, _ = strconv.Atoi(value) // a number
	case "LastEvaluatedKey", "NextToken", "LastEvaluatedTableName":
		a.more = a.more || value != "null"
	case "ConsumedCapacity":
		if path[depth-1] == "CapacityUnits" && (depth == 2 || depth == 3 && isIndex(path[1])) {
			a.consumed(value)
		}
		return depth == 1 || depth == 2 && isIndex(path[1])
	case "Responses":
		return a.response(path, value)
	case "UnprocessedItems": // by table: a list
		if depth == 3 {
			a.unprocessed++
		}
		return depth < 3
	case "UnprocessedKeys": // by table: an object with a list
		if depth == 4 {
			a.unprocessed++
		}
		return depth < 3 || depth == 3 && path[2] == "Keys"
	}
	return false
}

// response sees a part of Responses: by table, a list of items; or a list of answers with one item each.
func (a *answer) response(path []string, value string) (inside bool) {
	depth := len(path)
	switch {
	case depth < 3 && a.operation == "BatchGetItem":
		return true
	case a.operation == "BatchGetItem":
		a.items++
	case depth < 3:
		return true
	case depth == 3 && path[2] == "Item":
		a.items++
	case depth == 3:
		return path[2] == "Error"
	case path[3] == "Code":
		if a.failed == nil {
			a.failed = map[int]string{}
		}
		at, _ := strconv.Atoi(path[1]) // an index
		a.failed[at] = value
	}
	return false
}

func isIndex(part string) bool { return part != "" && strings.Trim(part, "0123456789") == "" }

func (a *answer) consumed(value string) {
	units, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return
	}
	if a.capacity != nil {
		units += *a.capacity
	}
	a.capacity = &units
}

// complete writes what the answer says into its call.
func (a *answer) complete(call *wire.Call) {
	call.Status = a.status
	for i := range call.Inner {
		call.Inner[i].Status = a.status
	}
	if a.status >= http.StatusBadRequest {
		a.refused(call)
		return
	}
	reads := call.Effect == wire.Reads
	switch {
	case reads && (!a.plain || a.scan == nil || !a.scan.complete()):
		call.Entities = wire.EntitiesUnknown
	case reads && a.count >= 0:
		call.Entities = a.count
	case reads:
		call.Entities = a.items
	}
	call.More, call.Unprocessed, call.Capacity = a.more, a.unprocessed, a.capacity
	for at, code := range a.failed {
		if at < len(call.Inner) {
			call.Inner[at].Status, call.Inner[at].ErrorCode = http.StatusBadRequest, code
		}
	}
}

// refused reads an error.
func (a *answer) refused(call *wire.Call) {
	var said struct {
		Type                string `json:"__type"`
		CancellationReasons []struct{ Code string }
	}
	_ = json.Unmarshal(a.whole.Data, &said) // else the error stays unnamed
	call.ErrorCode = said.Type[strings.LastIndexByte(said.Type, '#')+1:]
	for i, reason := range said.CancellationReasons {
		if i >= len(call.Inner) {
			break
		}
		if call.Inner[i].Status = 0; reason.Code != "" && reason.Code != "None" { // else: not done
			call.Inner[i].Status, call.Inner[i].ErrorCode = http.StatusBadRequest, reason.Code
		}
	}
}
