package web

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Error is an unsuccessful answer: {ok:false,error,message,traceId}. It is a Reply and an error, so that a handler can
// return it from any depth.
type Error struct {
	Status  int
	Code    string // a code for programs, such as not_allowed
	Message string // for people; the same for every request with this code and reason, never a part of the request
	// RetryAfter is sent as the header of that name, in seconds, rounded up; 0 sends none.
	RetryAfter time.Duration
	// Cause is logged for a 5xx and never sent; it must not contain e-mails, session ids or keys.
	Cause error
}

// Error returns the code and the message.
func (e *Error) Error() string { return e.Code + ": " + e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// announce sets the header that belongs to an error, in whatever format it is sent.
func (e *Error) announce(header http.Header) {
	if e.RetryAfter != 0 {
		header.Set("Retry-After", strconv.Itoa(int(math.Ceil(e.RetryAfter.Seconds()))))
	}
}

func (e *Error) write(w http.ResponseWriter, traceID string) int {
	return writeJSON(w, e.Status, map[string]any{
		"ok": false, "error": e.Code, "message": e.Message, "traceId": traceID,
	})
}

// BadRequest is a 400 bad_request.
func BadRequest(message string) *Error {
	return &Error{Status: http.StatusBadRequest, Code: "bad_request", Message: message}
}

// TooLarge is a 413 too_large.
func TooLarge(message string) *Error {
	return &Error{Status: http.StatusRequestEntityTooLarge, Code: "too_large", Message: message}
}

// WithoutURL returns why a call got no answer, for a log: the error's own text would quote the URL, which may contain a
// key or a session id.
func WithoutURL(err error) string {
	var operation *net.OpError
	var address *url.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "no answer in time"
	case errors.Is(err, context.Canceled):
		return "the request was given up"
	case errors.As(err, &operation):
		return operation.Error()
	case errors.As(err, &address):
		return fmt.Sprintf("%T", address.Err)
	}
	return fmt.Sprintf("%T", err)
}
