package calendsync

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/storespec/storespec/reference/environment"
	"github.com/storespec/storespec/reference/web"
)

// The storage files (storage*.go) are the only ones that know the AWS SDK.

// The possible outcomes of a storage call, besides success and unexpected errors.
var (
	// errUnavailable: DynamoDB did not answer, did not answer in time, or refused for a reason that no request causes.
	errUnavailable = errors.New("storage unavailable")
	// errContended: another transaction was in the way. The SDK does not try those again.
	errContended = fmt.Errorf("%w: another transaction is in the way", errUnavailable)
	// errTooLarge: an item has more than 400 KiB.
	errTooLarge = errors.New("item too large")
)

// failedCheck is the error of a write that was not done because a check failed.
type failedCheck struct{ writes []bool } // of each write of a transaction: whether its check failed

func (failedCheck) Error() string { return "a check failed" }

// of reports whether the check of a write failed, by its place in the transaction.
func (f failedCheck) of(write int) bool { return write < len(f.writes) && f.writes[write] }

// store is the table.
type store struct {
	db       *dynamodb.Client
	table    string
	patience environment.Patience
	client   *http.Client
}

func openStore(c Config) *store {
	transport := c.Storage
	if transport == nil {
		transport = http.DefaultTransport.(*http.Transport).Clone()
	}
	client := &http.Client{Transport: tracing{plainBodies{transport}}, Timeout: c.Patience.TryTimeout}
	patient := retry.NewStandard(func(o *retry.StandardOptions) {
		o.MaxAttempts = c.Patience.MaxRetries + 1
		o.Backoff = retry.BackoffDelayerFunc(func(attempt int, _ error) (time.Duration, error) {
			return c.Patience.RetryDelay << (attempt - 1), nil
		})
		// The SDK's own limiter spans requests: one would fail because others had been retried.
		o.RateLimiter = ratelimit.None
	})
	db := dynamodb.New(dynamodb.Options{Region: c.Region, BaseEndpoint: &c.Endpoint, HTTPClient: client,
		Retryer: patient, Credentials: credentials.NewStaticCredentialsProvider(c.AccessKey, c.SecretKey, "")})
	return &store{db: db, table: c.Table, patience: c.Patience, client: client}
}

func (s *store) close() { s.client.CloseIdleConnections() }

// judge turns an error of the SDK into one of the outcomes above. Its text names no key.
func judge(operation string, err error) error {
	var check *types.ConditionalCheckFailedException
	var canceled *types.TransactionCanceledException
	var invalid interface {
		ErrorCode() string
		ErrorMessage() string
	}
	switch {
	case err == nil:
		return nil
	case errors.As(err, &check):
		return failedCheck{[]bool{true}}
	case errors.As(err, new(*types.TransactionConflictException)):
		return errContended
	case errors.As(err, &canceled):
		return judgeReasons(canceled.CancellationReasons)
	case errors.As(err, &invalid):
		if isSize(invalid.ErrorCode(), invalid.ErrorMessage()) {
			return errTooLarge
		}
		return fmt.Errorf("%s: %w: %s", operation, errUnavailable, invalid.ErrorCode())
	}
	return fmt.Errorf("%s: %w: %s", operation, errUnavailable, web.WithoutURL(err))
}

// judgeReasons says why a transaction was canceled. A failed check counts before whatever else happened.
func judgeReasons(reasons []types.CancellationReason) error {
	failed, because := failedCheck{make([]bool, len(reasons))}, errUnavailable
	for i, reason := range reasons {
		switch code := aws.ToString(reason.Code); {
		case code == "ConditionalCheckFailed":
			failed.writes[i] = true
		case code == "TransactionConflict", code == "ProvisionedThroughputExceeded", code == "ThrottlingError":
			because = errContended
		case isSize(code, aws.ToString(reason.Message)):
			return errTooLarge
		}
	}
	if slices.Contains(failed.writes, true) {
		return failed
	}
	return fmt.Errorf("TransactWriteItems: %w", because)
}

// isSize reports whether DynamoDB refuses an item for its size: it has no code of its own for that.
func isSize(code, message string) bool {
	return strings.HasPrefix(code, "Validation") && strings.Contains(strings.ToLower(message), "item size")
}

// again calls a function until it is done, and nothing was in its way, with a growing delay, as often as a call may be
// retried. Its error is errUnavailable when it never is, or the function's own.
func (s *store) again(ctx context.Context, operation string, try func() (done bool, err error)) error {
	delay := s.patience.RetryDelay
	for attempt := 0; ; attempt++ {
		done, err := try()
		switch contended := errors.Is(err, errContended); {
		case done && err == nil, err != nil && !contended, contended && attempt >= s.patience.MaxRetries:
			return err
		case attempt >= s.patience.MaxRetries:
			return fmt.Errorf("%s: %w: not all was done", operation, errUnavailable)
		}
		select {
		case <-time.After(delay):
		case <-ctx.Done():
			return fmt.Errorf("%s: %w: the request's time is up", operation, errUnavailable)
		}
		delay *= 2
	}
}
