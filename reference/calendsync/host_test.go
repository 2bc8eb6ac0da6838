package calendsync_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/storespec/storespec/internal/run/contract"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/store/stores"
	"github.com/storespec/storespec/reference/calendsync"
)

// host is a server with a table in memory.
type host struct {
	tb     testing.TB
	config calendsync.Config
	calls  *calls
	server *calendsync.Server
	db     *dynamodb.Client // past the calls that are counted
	now    time.Time

	contract *contract.Contract // every answer is held to it
}

func newHost(tb testing.TB) *host {
	tb.Helper()
	h := undeployed(tb)
	d := h.tools()
	defer d.Close()
	if created, err := d.Deploy(tb.Context()); err != nil || !created {
		tb.Fatal(created, err)
	}
	return h
}

// undeployed is a host without the table.
func undeployed(tb testing.TB) *host {
	tb.Helper()
	opened, err := stores.OpenFirst(tb.Context(), "dynamodb", store.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = opened.Close(context.WithoutCancel(tb.Context())) })
	lease, err := opened.Lease(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(lease.Release)
	at := lease.Direct()
	h := &host{tb: tb, calls: &calls{next: lease.Transport()}, now: time.Date(2024, 1, 15, 10, 30, 0, 0, time.UTC)}
	env := map[string]string{"AWS_ENDPOINT_URL": at["endpoint"], "AWS_REGION": at["region"],
		"AWS_ACCESS_KEY_ID": at["access-key"], "AWS_SECRET_ACCESS_KEY": at["secret-key"], "STORAGE_RETRY_DELAY": "1ms"}
	if h.config, err = calendsync.FromEnv(func(name string) string { return env[name] }); err != nil {
		tb.Fatal(err)
	}
	h.config.Storage = h.calls
	h.db = dynamodb.New(dynamodb.Options{Region: at["region"], BaseEndpoint: aws.String(at["endpoint"]),
		HTTPClient:  &http.Client{Transport: lease.Transport()},
		Credentials: credentials.NewStaticCredentialsProvider(at["access-key"], at["secret-key"], "")})
	ids := 0
	server := calendsync.New(h.config, func() time.Time { return h.now },
		func() string { ids++; return fmt.Sprint("id ", ids) }, slog.New(slog.DiscardHandler))
	tb.Cleanup(func() { _ = server.Close() })
	h.server = server
	document, err := os.ReadFile("openapi.yaml")
	if err != nil {
		tb.Fatal(err)
	}
	if h.contract, err = contract.Load(document); err != nil {
		tb.Fatal(err)
	}
	return h
}

// tools are those of the host's table, with its clock. Close them.
func (h *host) tools() *calendsync.Tools {
	return calendsync.NewTools(h.config, func() time.Time { return h.now })
}

// calls counts storage calls by their operations, and lets some of them fail.
type calls struct {
	next   http.RoundTripper
	counts map[string]int
	// fail may answer a call in the store's place: before is without the store having seen it.
	fail func(operation string, before bool) *http.Response
}

func (c *calls) RoundTrip(r *http.Request) (*http.Response, error) {
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	if c.counts == nil {
		c.counts = map[string]int{}
	}
	c.counts[operation]++
	if c.fail != nil {
		if failed := c.fail(operation, true); failed != nil {
			return failed, nil
		}
	}
	answer, err := c.next.RoundTrip(r)
	if err == nil && c.fail != nil {
		if failed := c.fail(operation, false); failed != nil {
			_ = answer.Body.Close()
			return failed, nil
		}
	}
	return answer, err
}

func (c *calls) String() string { return fmt.Sprint(c.counts) }

// broken is DynamoDB's answer to a call that it cannot process.
func broken() *http.Response {
	body := `{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":"broken"}`
	return &http.Response{StatusCode: http.StatusInternalServerError, Header: http.Header{
		"Content-Type": {"application/x-amz-json-1.0"}}, Body: io.NopCloser(strings.NewReader(body))}
}

// person is somebody with a session.
type person struct {
	h       *host
	id      string
	session string
	ifMatch string // of the next request only
	key     string // Idempotency-Key of the next request only
}

// person signs somebody up, and lays a session.
func (h *host) person(name string) *person {
	h.tb.Helper()
	p := &person{h: h}
	p.id = p.must(201, "POST /api/users", `{"name":"`+name+`","email":"`+name+`@example.com"}`)["id"].(string)
	p.session = "session-of-" + name
	text := func(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
	if _, err := h.db.PutItem(h.tb.Context(), &dynamodb.PutItemInput{TableName: aws.String("calendsync"),
		Item: map[string]types.AttributeValue{"PK": text("SESSION#" + p.session), "SK": text("SESSION#" + p.session),
			"userId": text(p.id), "expiresAt": text("2024-01-15T11:30:00Z")}}); err != nil {
		h.tb.Fatal(err)
	}
	return p
}

// ask sends a request, "METHOD path", with a body, and counts its storage calls.
func (p *person) ask(request, body string) *httptest.ResponseRecorder {
	method, path, _ := strings.Cut(request, " ")
	r := httptest.NewRequest(method, path, bytes.NewBufferString(body))
	if p.session != "" {
		r.Header.Set("Authorization", "Bearer "+p.session)
	}
	for name, value := range map[string]string{"If-Match": p.ifMatch, "Idempotency-Key": p.key} {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	p.ifMatch, p.key = "", ""
	w := httptest.NewRecorder()
	p.h.calls.counts = nil
	p.h.server.ServeHTTP(w, r)
	if err := p.h.contract.Check(contract.Answer{Method: method, Path: path, Status: w.Code, Header: w.Header(),
		Body: w.Body.Bytes()}); err != nil {
		p.h.tb.Error(err)
	}
	return w
}

// must is ask for a request that must be answered so. It returns the answer.
func (p *person) must(status int, request, body string) map[string]any {
	p.h.tb.Helper()
	w := p.ask(request, body)
	if w.Code != status {
		p.h.tb.Fatalf("%s: %d %s", request, w.Code, w.Body)
	}
	answer := map[string]any{}
	_ = json.Unmarshal(w.Body.Bytes(), &answer) // an empty body leaves it empty
	return answer
}

// calendar creates a calendar, and returns its id.
func (p *person) calendar(name string) string {
	p.h.tb.Helper()
	return p.must(201, "POST /api/calendars", `{"name":"`+name+`","color":"#3B82F6"}`)["id"].(string)
}

// entry creates an entry of a kind, in JSON, and returns its id.
func (p *person) entry(calendar, title, date, kind string) string {
	p.h.tb.Helper()
	return p.must(201, "POST /api/entries", entryBody(calendar, title, date, kind))["id"].(string)
}

func entryBody(calendar, title, date, kind string) string {
	return fmt.Sprintf(`{"calendarId":%q,"title":%q,"date":%q,"color":"#3B82F6","kind":%s}`, calendar, title, date,
		kind)
}

// add makes somebody a member.
func (p *person) add(calendar string, other *person, role string) {
	p.h.tb.Helper()
	p.must(201, "POST /api/calendars/"+calendar+"/members", `{"userId":"`+other.id+`","role":"`+role+`"}`)
}

// items returns the keys of all items that have an entityType.
func (h *host) items() (keys []string) {
	h.tb.Helper()
	out, err := h.db.Scan(h.tb.Context(), &dynamodb.ScanInput{TableName: aws.String("calendsync")})
	if err != nil {
		h.tb.Fatal(err)
	}
	for _, i := range out.Items {
		if _, is := i["entityType"]; is {
			keys = append(keys, i["PK"].(*types.AttributeValueMemberS).Value+" "+
				i["SK"].(*types.AttributeValueMemberS).Value)
		}
	}
	return keys
}

// otherTable creates a table of the same name with another shape.
func otherTable(h *host) error {
	_, err := h.db.CreateTable(h.tb.Context(), &dynamodb.CreateTableInput{TableName: aws.String("calendsync"),
		BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("PK"),
			AttributeType: types.ScalarAttributeTypeS}},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("PK"), KeyType: types.KeyTypeHash}}})
	return err
}
