package account

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"

	"github.com/storespec/storespec/reference/web"
)

// The possible outcomes of a storage call, besides success and unexpected errors.
var (
	// ErrChanged: a conditional write found another version, an insert found an existing row, an update found none.
	// Read again.
	ErrChanged = errors.New("changed by another request")
	// ErrUnavailable: the store did not answer, did not answer in time, or refused for a reason that no request causes.
	ErrUnavailable = errors.New("storage unavailable")
	// ErrTooLarge: the value is too large for the store.
	ErrTooLarge = errors.New("too large for the storage")
)

// Failed turns an SDK's error into one of the three above, or another one for a call that the store found wrong in
// itself. what describes the attempted operation.
//
// Go SDK: an unsuccessful answer is a ResponseError; any other error means there was no answer. Its text quotes the URL
// and the answer, and is dropped.
func Failed(what string, err error) error {
	var answer *azcore.ResponseError
	if !errors.As(err, &answer) {
		return fmt.Errorf("%s: %w: %s", what, ErrUnavailable, web.WithoutURL(err))
	}
	status, code := answer.StatusCode, answer.ErrorCode
	if status == http.StatusAccepted {
		status, code = ofOperation(answer)
	}
	switch code {
	case "EntityTooLarge", "RequestBodyTooLarge", "PropertyValueTooLarge":
		return fmt.Errorf("%s: %w: %s", what, ErrTooLarge, code)
	case "TableNotFound", "ContainerNotFound", "TableBeingDeleted", "ContainerBeingDeleted":
		return fmt.Errorf("%s: %w: %s", what, ErrUnavailable, code)
	}
	switch status {
	case http.StatusPreconditionFailed, http.StatusConflict, http.StatusNotFound:
		return fmt.Errorf("%s: %w: %d %s", what, ErrChanged, status, code)
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge:
		return fmt.Errorf("%s: the store refused: %d %s", what, status, code)
	}
	return fmt.Errorf("%s: %w: %d %s", what, ErrUnavailable, status, code)
}

// Absent reports whether the row or blob does not exist, though its table or container does.
func Absent(err error) bool {
	var answer *azcore.ResponseError
	return errors.As(err, &answer) && answer.StatusCode == http.StatusNotFound &&
		answer.ErrorCode != "TableNotFound" && answer.ErrorCode != "ContainerNotFound"
}

// NoTable reports whether the table of a call does not exist.
func NoTable(err error) bool {
	var answer *azcore.ResponseError
	return errors.As(err, &answer) && answer.ErrorCode == "TableNotFound"
}

// Created judges the creation of a table or a container: one that another instance created first is as good.
func Created(what string, err error) error {
	var answer *azcore.ResponseError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &answer) &&
		(answer.ErrorCode == "TableAlreadyExists" || answer.ErrorCode == "ContainerAlreadyExists"):
		return nil
	}
	return Failed(what, err)
}

var (
	statusLine = regexp.MustCompile(`(?m)^HTTP/1\.1 (\d{3})\b`)
	odataCode  = regexp.MustCompile(`"code"\s*:\s*"(\w+)"`)
)

// ofOperation returns the status and the code of the operation that made a transaction fail; 202 and no code if the
// answer does not contain them.
//
// Go SDK: the store answers 202 to a transaction whatever its result, and the SDK's error reports that status. The
// multipart body has the details and is read here.
func ofOperation(answer *azcore.ResponseError) (status int, code string) {
	status = answer.StatusCode
	body, err := runtime.Payload(answer.RawResponse)
	if err != nil {
		return status, ""
	}
	if found := statusLine.FindSubmatch(body); found != nil {
		status, _ = strconv.Atoi(string(found[1])) // three digits
	}
	if found := odataCode.FindSubmatch(body); found != nil {
		code = string(found[1])
	}
	return status, code
}
