package tables

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/storespec/storespec/internal/emulator/awssign"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire/dynamodb"
)

// client is the harness's own access to DynamoDB: never recorded, and with no SDK's own retries.
type client struct {
	address   string
	key       awssign.Key
	transport http.RoundTripper

	// remembered are definitions by the names of their tables. They can be out of date, see using.
	remembered sync.Map
}

// Error is an answer by which DynamoDB refuses a call.
type Error struct {
	Operation string
	Status    int
	Code      string // such as ResourceNotFoundException
	Message   string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s: status %d %s: %s", e.Operation, e.Status, e.Code, e.Message)
}

// hasCode reports whether DynamoDB has refused a call with one of these errors.
func hasCode(err error, codes ...string) bool {
	refused, ok := errors.AsType[*Error](err)
	return ok && slices.Contains(codes, refused.Code)
}

const (
	notFound = "ResourceNotFoundException"
	inUse    = "ResourceInUseException"
)

// busy are errors after which the harness tries again.
var busy = []string{"ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded",
	"TransactionConflictException", "LimitExceededException", "InternalServerError"}

const (
	tries     = 6
	firstWait = 50 * time.Millisecond // doubled each time
	// patience is how long a table may take to become active.
	patience = 2 * time.Minute
)

// do performs an operation. The answer may be nil. If there is no answer, the error wraps store.ErrUnavailable.
func (c *client) do(ctx context.Context, operation string, asked, answer any) error {
	body, err := json.Marshal(asked)
	if err != nil {
		return fmt.Errorf("%s: %w", operation, err)
	}
	wait := firstWait
	for try := 1; ; try++ {
		if err = c.once(ctx, operation, body, answer); !hasCode(err, busy...) || try == tries {
			return err
		}
		select {
		case <-time.After(wait):
			wait *= 2
		case <-ctx.Done():
			return err
		}
	}
}

func (c *client) once(ctx context.Context, operation string, body []byte, answer any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.address+"/", bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("%s: %w", operation, err)
	}
	req.Header.Set("Content-Type", "application/x-amz-json-1.0")
	req.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	c.key.Sign(req, body, time.Now())
	res, err := c.transport.RoundTrip(req)
	if err != nil {
		return c.unanswered(ctx, operation, err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return c.unanswered(ctx, operation, err)
	}
	if res.StatusCode != http.StatusOK {
		refused := &Error{Operation: operation, Status: res.StatusCode}
		var said struct {
			Type    string `json:"__type"`
			Message string `json:"message"`
		}
		_ = json.Unmarshal(text, &said) // else it stays unnamed
		refused.Code, refused.Message = said.Type[strings.LastIndexByte(said.Type, '#')+1:], said.Message
		return refused
	}
	if answer == nil {
		return nil
	}
	if err := json.Unmarshal(text, answer); err != nil {
		return fmt.Errorf("%s: read the answer: %w", operation, err)
	}
	return nil
}

func (c *client) unanswered(ctx context.Context, operation string, err error) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	return fmt.Errorf("%w: %s: no answer from %s: %w", store.ErrUnavailable, operation, c.address, err)
}

// definition is what is needed of a table's description.
type definition struct {
	dynamodb.Schema
	types  map[string]string // of the attributes of keys: S, N or B
	active bool
}

// describe returns the definition of a table; nil: there is no such table.
func (c *client) describe(ctx context.Context, table string) (*definition, error) {
	var answer struct{ Table json.RawMessage }
	err := c.do(ctx, "DescribeTable", map[string]string{"TableName": table}, &answer)
	if hasCode(err, notFound) {
		c.remembered.Delete(table)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var said struct {
		AttributeDefinitions []struct{ AttributeName, AttributeType string }
		TableStatus          string
	}
	_, schema, ok := dynamodb.SchemaOf(answer.Table)
	if err := json.Unmarshal(answer.Table, &said); err != nil || !ok {
		return nil, fmt.Errorf("the description of table %s has no keys", table)
	}
	d := &definition{schema, map[string]string{}, said.TableStatus == "ACTIVE"}
	for _, one := range said.AttributeDefinitions {
		d.types[one.AttributeName] = one.AttributeType
	}
	c.remembered.Store(table, d)
	return d, nil
}

// using calls f with the definition of a table; nil: there is no such table. The definition may be a remembered one: if
// f fails with it, the target may have made the table again, and f is called once more with the one it has now.
func (c *client) using(ctx context.Context, table string, f func(*definition) error) error {
	if d, ok := c.remembered.Load(table); ok {
		if err := f(d.(*definition)); err == nil || errors.Is(err, store.ErrUnavailable) {
			return err
		}
	}
	d, err := c.describe(ctx, table)
	if err != nil {
		return err
	}
	return f(d)
}

// describeWithin bounds a description that a call waits for.
const describeWithin = 5 * time.Second

// schema looks up keys for the protocol, which knows no context.
func (c *client) schema(table string) (dynamodb.Schema, bool) {
	ctx, cancel := context.WithTimeout(context.Background(), describeWithin)
	defer cancel()
	d, err := c.describe(ctx, table)
	if err != nil || d == nil {
		return dynamodb.Schema{}, false
	}
	return d.Schema, true
}

// tables lists the names of all tables that are own.
func (c *client) tables(ctx context.Context, own func(string) bool) (names []string, err error) {
	asked := map[string]string{}
	for {
		var page struct {
			TableNames             []string
			LastEvaluatedTableName string
		}
		if err := c.do(ctx, "ListTables", asked, &page); err != nil {
			return nil, err
		}
		for _, name := range page.TableNames {
			if own(name) {
				names = append(names, name)
			}
		}
		if page.LastEvaluatedTableName == "" {
			return names, nil
		}
		asked["ExclusiveStartTableName"] = page.LastEvaluatedTableName
	}
}

// create creates a table, as the body of CreateTable defines it, and returns when it is active. A table that exists is
// left as it is.
func (c *client) create(ctx context.Context, table string, body any) error {
	if err := c.do(ctx, "CreateTable", body, nil); err != nil && !hasCode(err, inUse) {
		return fmt.Errorf("create the table %s: %w", table, err)
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for wait := time.Millisecond; ; wait = min(2*wait, time.Second) {
		d, err := c.describe(ctx, table)
		if err != nil {
			return fmt.Errorf("create the table %s: %w", table, err)
		}
		if d != nil && d.active {
			return nil
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return fmt.Errorf("create the table %s: it does not become active: %w", table, ctx.Err())
		}
	}
}
