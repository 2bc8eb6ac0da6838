package dynamodb

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

// Everything that refuses returns a *problem as an error; any other error is the engine's, and is answered with 500.

// problem is why a request is refused, in DynamoDB's words (Developer Guide, "Error handling with DynamoDB").
type problem struct {
	kind    string // the whole __type
	message string
	status  int
	// more are further members of the answer, each "name":value; nil: none.
	more []byte
}

func (p *problem) Error() string { return p.kind + ": " + p.message }

// The namespaces of the types of errors.
const (
	modelled = "com.amazonaws.dynamodb.v20120810#"
	service  = "com.amazon.coral.service#"

	kindValidation    = "com.amazon.coral.validate#ValidationException"
	kindSerialization = service + "SerializationException"
	kindUnknown       = service + "UnknownOperationException"
	kindAccessDenied  = service + "AccessDeniedException"
	kindInternal      = modelled + "InternalServerError"
	kindNotFound      = modelled + "ResourceNotFoundException"
	kindInUse         = modelled + "ResourceInUseException"
	kindCondition     = modelled + "ConditionalCheckFailedException"
	kindThroughput    = modelled + "ProvisionedThroughputExceededException"
	kindLimit         = modelled + "LimitExceededException"
	kindCollection    = modelled + "ItemCollectionSizeLimitExceededException"
	kindCanceled      = modelled + "TransactionCanceledException"
	kindMismatch      = modelled + "IdempotentParameterMismatchException"
	kindDuplicate     = modelled + "DuplicateItemException"
	kindTrimmed       = modelled + "TrimmedDataAccessException"
	kindExpired       = modelled + "ExpiredIteratorException"
)

// invalidPrefix begins many messages of ValidationException.
const invalidPrefix = "One or more parameter values were invalid: "

func refuse(kind, format string, args ...any) *problem {
	message := format
	if len(args) > 0 {
		message = fmt.Sprintf(format, args...)
	}
	return &problem{kind: kind, message: message, status: http.StatusBadRequest}
}

// invalid is a ValidationException.
func invalid(format string, args ...any) *problem { return refuse(kindValidation, format, args...) }

// invalidParameter is a ValidationException with the usual beginning.
func invalidParameter(format string, args ...any) *problem {
	return refuse(kindValidation, invalidPrefix+format, args...)
}

// malformed is a SerializationException: the body is not JSON, or has other types than the operation takes.
func malformed(format string, args ...any) *problem {
	return refuse(kindSerialization, format, args...)
}

func tableNotFound() *problem { return refuse(kindNotFound, "Requested resource not found") }

func throttled() *problem {
	return refuse(kindThroughput, "The level of configured provisioned throughput for the table was exceeded. "+
		"Consider increasing your provisioning level with the UpdateTable API.")
}

// answer returns the body of the answer. Errors of the framework write "Message", those of the model "message".
func (p *problem) answer() []byte {
	b := value.AppendString([]byte(`{"__type":`), p.kind)
	if p.more != nil {
		b = append(append(b, ','), p.more...)
	}
	switch {
	case p.message == "":
	case p.kind == kindSerialization, p.kind == kindCanceled, p.kind == kindAccessDenied:
		b = value.AppendString(append(b, `,"Message":`...), p.message)
	default:
		b = value.AppendString(append(b, `,"message":`...), p.message)
	}
	return append(b, '}')
}

// envelope begins the message of a single violated constraint; PutItem, UpdateItem and DeleteItem put it before
// what they find wrong in values and expressions too.
const envelope = "1 validation error detected: "

// enveloped puts an error of a value or an expression in the envelope.
func enveloped(err error) error {
	var p value.Problem
	if errors.As(err, &p) && !strings.HasPrefix(string(p), envelope) {
		return invalid("%s", envelope+string(p))
	}
	return err
}

// problemOf returns the problem that an error is; nil: it is an error of the emulator.
func problemOf(err error) *problem {
	var known *problem
	var wrong value.Problem
	var syntax value.SerializationError
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &wrong):
		return invalid("%s", string(wrong))
	case errors.As(err, &syntax):
		return malformed("%s", string(syntax))
	}
	return nil
}
