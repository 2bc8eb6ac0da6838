package dynamodb

import (
	"net/http"
	"slices"

	"github.com/storespec/storespec/internal/wire"
)

// Service is the name of DynamoDB in budgets.
const Service wire.Service = "dynamodb"

// Addresses maps the service to the address where a gateway receives its calls.
func Addresses(address string) map[wire.Service]string {
	return map[wire.Service]string{Service: address}
}

// maxBody is the most that DynamoDB takes in a request, and all of it is read before a call has its name (Developer
// Guide, "Quotas": BatchWriteItem and BatchGetItem are limited to 16 MB).
const maxBody = 16 << 20

// Protocol is the protocol of DynamoDB.
type Protocol struct {
	// Of is what is known of the store behind it; nil: nothing, so keys are told apart by their names.
	Of *Tables
}

// Service returns Service.
func (Protocol) Service() wire.Service { return Service }

// Peek asks for the whole body: the address is the same for all calls.
func (Protocol) Peek(wire.Head) int64 { return maxBody }

// Marks returns what answers of DynamoDB have.
func (Protocol) Marks() (headers, texts []string) {
	return []string{"X-Amzn-Requestid", "X-Amz-Crc32"}, []string{"com.amazonaws.dynamodb", "com.amazon.coral"}
}

// retriedCodes are the errors with status 400 after which AWS's SDKs try again (SDKs and Tools Reference Guide, "Retry
// behavior"; Developer Guide, "Error handling with DynamoDB": OK to retry).
var retriedCodes = []string{"ProvisionedThroughputExceededException", "ThrottlingException", "Throttling",
	"RequestLimitExceeded", "LimitExceededException", "ThrottledException", "RequestThrottled",
	"RequestThrottledException", "TooManyRequestsException", "PriorRequestNotComplete", "SlowDown",
	"TransactionInProgressException", "TransactionConflictException", "ReplicatedWriteConflictException",
	"RequestTimeout", "RequestTimeoutException"}

// retriedReasons are the reasons for a cancellation that has nothing to do with what was asked for.
var retriedReasons = []string{"TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"}

// canceled is the error of a transaction, whose reasons are those of its operations.
const canceled = "TransactionCanceledException"

// InvitesRetry reports whether AWS's SDKs, or a client that knows DynamoDB, repeat a call: after 5xx and no answer,
// after being throttled or in conflict with another transaction (status 400), and after a batch was left in part.
func (Protocol) InvitesRetry(call wire.Call) bool {
	if call.ErrorCode == canceled {
		return slices.ContainsFunc(call.Inner,
			func(op wire.Call) bool { return slices.Contains(retriedReasons, op.ErrorCode) })
	}
	return call.Status == 0 || call.Status >= http.StatusInternalServerError || call.Unprocessed > 0 ||
		call.Status == http.StatusTooManyRequests ||
		call.Status == http.StatusBadRequest && slices.Contains(retriedCodes, call.ErrorCode)
}
