package familyscheduler

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"

	"github.com/storespec/storespec/reference/web"
)

// The storage files (storage.go, storage_tables.go, storage_blobs.go, provision.go) are the only ones that know an SDK.
// Every operation is one storage call, and every operation first makes sure that tables and container exist.

// What an operation can come to, besides success. "Not there" is no error: reads answer nil or false.
var (
	// errChanged: a conditional write found another version, an insert found a row, an update found none. Read again.
	errChanged = errors.New("changed by another request")
	// errUnavailable: the store did not answer, or not in time, or refused for the moment. Answered as 503.
	errUnavailable = errors.New("storage unavailable")
	// errCorrupt: a blob does not hold what the design says it holds.
	errCorrupt = errors.New("malformed blob")
)

// store is the account: ten tables and one container.
type store struct {
	tables      *aztables.ServiceClient
	blobs       *container.Client
	http        *http.Client
	provisioned provisioning
}

func openStore(c Config) (*store, error) {
	// The connections are this server's own, so that closing it closes them.
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = maxIdleConns
	s := &store{http: &http.Client{Transport: transport}}
	if c.Storage != nil {
		s.http.Transport = c.Storage
	}
	options := azcore.ClientOptions{
		Transport: s.http,
		Retry: policy.RetryOptions{
			MaxRetries:    noZero(c.MaxRetries),
			RetryDelay:    c.RetryDelay,
			MaxRetryDelay: maxRetryDelay,
			TryTimeout:    c.TryTimeout,
		},
		// One id for all attempts of a call, so that whoever watches can tell a retry from a second call.
		PerCallPolicies: []policy.Policy{runtime.NewRequestIDPolicy(), passTraceparent{}},
	}
	var err error
	s.tables, err = aztables.NewServiceClientFromConnectionString(c.TablesConnection, &aztables.ClientOptions{ClientOptions: options})
	if err != nil {
		return nil, errors.New("AZURE_TABLES_CONNECTION_STRING is no connection string") // the SDK's text may quote it
	}
	s.blobs, err = container.NewClientFromConnectionString(c.BlobsConnection, c.Container, &container.ClientOptions{ClientOptions: options})
	if err != nil {
		return nil, errors.New("AzureWebJobsStorage is no connection string")
	}
	return s, nil
}

const (
	maxIdleConns  = 64              // as many as two dashboards' parallel reads, kept open between requests
	maxRetryDelay = 2 * time.Second // a store that asks for more patience is reported as 503 with Retry-After
)

// noZero: the SDK reads 0 as "the default" and -1 as "none".
func noZero(retries int) int32 {
	if retries == 0 {
		return -1
	}
	return int32(retries)
}

func (s *store) close() { s.http.CloseIdleConnections() }

func (s *store) table(name string) *aztables.Client { return s.tables.NewClient(name) }

func (s *store) blob(name string) *blockblob.Client { return s.blobs.NewBlockBlobClient(name) }

// passTraceparent puts the trace of the request being answered on its storage calls.
type passTraceparent struct{}

func (passTraceparent) Do(req *policy.Request) (*http.Response, error) {
	if header := web.Traceparent(req.Raw().Context()); header != "" {
		req.Raw().Header.Set("traceparent", header)
	}
	return req.Next()
}

// failed turns an SDK's error into one of the three above, or an unexpected one. The SDK's own text is dropped: it quotes
// URLs, and those hold session ids.
func failed(what string, err error) error {
	var answer *azcore.ResponseError
	if !errors.As(err, &answer) {
		return fmt.Errorf("%s: %w: %s", what, errUnavailable, withoutURL(err))
	}
	code := answer.ErrorCode
	if answer.StatusCode == http.StatusAccepted { // a transaction is answered 202 whatever came of it
		code = transactionCode(answer)
	}
	switch {
	case code == "TableNotFound", code == "ContainerNotFound", code == "TableBeingDeleted", code == "ContainerBeingDeleted":
		return fmt.Errorf("%s: %w: %s", what, errUnavailable, code)
	case isChange(code), answer.StatusCode == http.StatusPreconditionFailed,
		answer.StatusCode == http.StatusConflict, answer.StatusCode == http.StatusNotFound:
		return fmt.Errorf("%s: %w: %d %s", what, errChanged, answer.StatusCode, code)
	case answer.StatusCode >= 500, answer.StatusCode == http.StatusTooManyRequests, answer.StatusCode == http.StatusRequestTimeout,
		answer.StatusCode == http.StatusUnauthorized, answer.StatusCode == http.StatusForbidden,
		answer.StatusCode == http.StatusAccepted:
		return fmt.Errorf("%s: %w: %d %s", what, errUnavailable, answer.StatusCode, code)
	}
	return fmt.Errorf("%s: the store refused: %d %s", what, answer.StatusCode, code)
}

// absent: the row or blob is not there, though its table or container is.
func absent(err error) bool {
	var answer *azcore.ResponseError
	return errors.As(err, &answer) && answer.StatusCode == http.StatusNotFound &&
		answer.ErrorCode != "TableNotFound" && answer.ErrorCode != "ContainerNotFound"
}

func isChange(code string) bool {
	switch code {
	case "UpdateConditionNotSatisfied", "ConditionNotMet", "ResourceNotFound", "EntityNotFound", "EntityAlreadyExists":
		return true
	}
	return false
}

var odataCode = regexp.MustCompile(`"code"\s*:\s*"(\w+)"`)

// transactionCode is the code of the operation that made a transaction fail, from the multipart answer.
func transactionCode(answer *azcore.ResponseError) string {
	body, err := runtime.Payload(answer.RawResponse)
	if err != nil {
		return ""
	}
	if found := odataCode.FindSubmatch(body); found != nil {
		return string(found[1])
	}
	return ""
}

func withoutURL(err error) string {
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
