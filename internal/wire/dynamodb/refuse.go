package dynamodb

import (
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/wire"
)

// The prefixes of errors: DynamoDB's own, and those of the services in front of it.
const (
	ownError   = "com.amazonaws.dynamodb.v20120810#"
	coralError = "com.amazon.coral.service#"
	validation = "com.amazon.coral.validate#ValidationException"
)

// refusal is how DynamoDB refuses a call for a reason.
type refusal struct {
	status        int
	kind, message string
}

// refusals follow the Developer Guide, "Error handling with DynamoDB", and the API Reference, "Common Errors".
var refusals = map[wire.Refusal]refusal{
	wire.Busy: {http.StatusServiceUnavailable, coralError + "ServiceUnavailableException",
		"Service is unable to handle request."},
	wire.Throttled: {http.StatusBadRequest, ownError + "ProvisionedThroughputExceededException",
		"The level of configured provisioned throughput for the table was exceeded. Consider increasing your " +
			"provisioning level with the UpdateTable API."},
	wire.Broken: {http.StatusInternalServerError, ownError + "InternalServerError", "Internal server error"},
	wire.Stale: {http.StatusBadRequest, ownError + "ConditionalCheckFailedException",
		"The conditional request failed"},
	wire.Conflict: {http.StatusBadRequest, ownError + "TransactionConflictException",
		"Transaction is ongoing for the item"},
	wire.WrongKey: {http.StatusBadRequest, coralError + "UnrecognizedClientException",
		"The security token included in the request is invalid."},
	wire.NoKey: {http.StatusBadRequest, coralError + "MissingAuthenticationTokenException",
		"Request is missing Authentication Token"},
	wire.Deleting: {http.StatusBadRequest, ownError + "ResourceNotFoundException", "Requested resource not found"},
	wire.Missing:  {http.StatusBadRequest, ownError + "ResourceNotFoundException", "Requested resource not found"},
	wire.TooLarge: {http.StatusBadRequest, validation, "Item size has exceeded the maximum allowed size"},
	wire.Malformed: {http.StatusBadRequest, coralError + "SerializationException",
		"Start of structure or map found where not expected."},
}

// reasons are why DynamoDB cancels a transaction, where it would have refused a call on one item.
var reasons = map[wire.Refusal]member{
	wire.Stale:    {"ConditionalCheckFailed", []byte(`"The conditional request failed"`)},
	wire.Conflict: {"TransactionConflict", []byte(`"Transaction is ongoing for the item"`)},
}

// Refuse answers as DynamoDB would. A transaction is canceled, because of its first operation that has a condition
// if a condition fails, else of its first.
func (p Protocol) Refuse(w http.ResponseWriter, req *http.Request, reason wire.Refusal) {
	body, _ := io.ReadAll(req.Body) // at hand
	call, r := p.wholeCall(req, body), refusals[reason]
	text := fmt.Sprintf(`{"__type":%q,"message":%q}`, r.kind, r.message)
	if why, ok := reasons[reason]; ok && (call.Class == TransactWrite || call.Class == TransactGet) {
		text = cancellation(call, why, reason == wire.Stale)
	}
	w.Header().Set("X-Amz-Retry-After", "1") // milliseconds: the JavaScript SDK waits no longer
	reply(w, r.status, []byte(text))
}

// cancellation is the error of a transaction (API Reference, TransactWriteItems: the reasons are in the order of the
// operations, also in the message).
func cancellation(call wire.Call, why member, conditional bool) string {
	at := 0
	for i, op := range call.Inner {
		if conditional && op.Conditional != "" {
			at = i
			break
		}
	}
	codes, list := make([]string, len(call.Inner)), make([]string, len(call.Inner))
	for i := range codes {
		codes[i], list[i] = "None", `{"Code":"None"}`
		if i == at {
			codes[i], list[i] = why.name, fmt.Sprintf(`{"Code":%q,"Message":%s}`, why.name, why.value)
		}
	}
	return fmt.Sprintf(`{"__type":%q,"CancellationReasons":[%s],"Message":%q}`, ownError+canceled,
		strings.Join(list, ","), "Transaction cancelled, please refer cancellation reasons for specific reasons ["+
			strings.Join(codes, ", ")+"]")
}

// requestID is in every answer of the harness's own: DynamoDB's have 52 letters and digits.
const requestID = "STORESPEC00000000000000000000000000000000000000000000"

// reply answers with the headers that DynamoDB's answers have. SDKs check the digest.
func reply(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/x-amz-json-1.0")
	h.Set("X-Amzn-Requestid", requestID)
	finish(h, body)
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// finish sets the headers that depend on a body.
func finish(h http.Header, body []byte) {
	h.Set("X-Amz-Crc32", strconv.FormatUint(uint64(crc32.ChecksumIEEE(body)), 10))
	h.Set("Content-Length", strconv.Itoa(len(body)))
}
