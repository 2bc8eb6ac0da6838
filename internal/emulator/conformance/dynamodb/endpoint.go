package dynamodb

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"github.com/storespec/storespec/internal/emulator/conformance"
)

// Endpoint is what the cases need of a store: an access key in a region, whose tables they may make beside those that
// are there. The names they choose are Case0, Case1, …
type Endpoint struct {
	URL, Region, Key, Secret string
	Client                   *http.Client // reaches the endpoint, and gives up a request that is not answered
}

// entry is a case.
type entry struct {
	name  string
	needs *conformance.Capability // nil: every store is expected to pass
	run   func(p *probe)
}

// Suite is the list of all cases.
func Suite() conformance.Suite[Endpoint] {
	var suite conformance.Suite[Endpoint]
	for _, c := range slices.Concat(tables(), changes(), items(), returned(), expressions(), mistakes(), queries(),
		pages(), scans(), batches(), transactions(), cancellations(), statements(), capacity(), streams(), lifetimes(),
		limits(), numbers(), messages()) {
		suite = append(suite, conformance.Case[Endpoint]{Name: c.name, Needs: c.needs,
			Run: func(t *conformance.T, e Endpoint) { c.run(begin(t, e)) }})
	}
	return suite
}

// probe is what a case works with.
type probe struct {
	*conformance.T
	endpoint Endpoint
	table    string
}

// The table of a case: $T is its name in every body.
const theTable = `{"TableName":"$T","BillingMode":"PAY_PER_REQUEST","KeySchema":[
	{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],"AttributeDefinitions":[
	{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"S"},
	{"AttributeName":"gpk","AttributeType":"S"},{"AttributeName":"gsk","AttributeType":"N"},
	{"AttributeName":"lsk","AttributeType":"S"}],"GlobalSecondaryIndexes":[
	{"IndexName":"all","KeySchema":[{"AttributeName":"gpk","KeyType":"HASH"},{"AttributeName":"gsk","KeyType":"RANGE"}],
	 "Projection":{"ProjectionType":"ALL"}},
	{"IndexName":"some","KeySchema":[{"AttributeName":"gpk","KeyType":"HASH"}],
	 "Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["shown"]}}],"LocalSecondaryIndexes":[
	{"IndexName":"near","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"lsk","KeyType":"RANGE"}],
	 "Projection":{"ProjectionType":"KEYS_ONLY"}}]}`

func begin(t *conformance.T, e Endpoint) *probe {
	p := &probe{t, e, fmt.Sprintf("Case%d", t.Number)}
	p.create(theTable)
	return p
}

// create makes a table, and waits until it is active.
func (p *probe) create(request string) {
	p.ok("CreateTable", request)
	var named struct{ TableName string }
	p.OK(json.Unmarshal([]byte(p.named(request)), &named))
	p.active(named.TableName)
}

// patience bounds how long a table may take to become active: some milliseconds on every store that runs here.
const patience = time.Minute

// active waits until a table and its indexes are.
func (p *probe) active(table string) {
	for until := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		r := p.send("DescribeTable", `{"TableName":"`+table+`"}`)
		ended := strings.Contains(r.body, `"ACTIVE"`) && !strings.Contains(r.body, `"CREATING"`) &&
			!strings.Contains(r.body, `"UPDATING"`) && !strings.Contains(r.body, `"DELETING"`)
		if ended {
			return
		}
		if time.Now().After(until) {
			p.Fatalf("the table %s is not active: %s", table, r.body)
		}
	}
}

// gone waits until a table is deleted.
func (p *probe) gone(table string) {
	for until := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		r := p.send("DescribeTable", `{"TableName":"`+table+`"}`)
		if r.status == http.StatusBadRequest && strings.Contains(r.body, "ResourceNotFoundException") {
			return
		}
		if time.Now().After(until) {
			p.Fatalf("the table %s is not gone: %s", table, r.body)
		}
	}
}

func (p *probe) named(body string) string { return strings.ReplaceAll(body, "$T", p.table) }

// reply is an answer.
type reply struct {
	status int
	body   string
}

// send sends a signed request. Operations of DynamoDB Streams are named with "Streams:" before them.
func (p *probe) send(operation, body string) reply {
	target := "DynamoDB_20120810." + operation
	if name, is := strings.CutPrefix(operation, "Streams:"); is {
		target = "DynamoDBStreams_20120810." + name
	}
	text := p.named(body)
	r, err := http.NewRequestWithContext(p.Context(), http.MethodPost, p.endpoint.URL+"/", strings.NewReader(text))
	p.OK(err)
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", target)
	digest := sha256.Sum256([]byte(text))
	p.OK(v4.NewSigner().SignHTTP(p.Context(), aws.Credentials{AccessKeyID: p.endpoint.Key,
		SecretAccessKey: p.endpoint.Secret}, r, hex.EncodeToString(digest[:]), "dynamodb", p.endpoint.Region,
		time.Now()))
	res, err := p.endpoint.Client.Do(r)
	p.OK(err)
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	p.OK(err)
	return reply{res.StatusCode, string(data)}
}

// ok sends a request that has to succeed, and returns the body of the answer.
func (p *probe) ok(operation, body string) string {
	r := p.send(operation, body)
	if r.status != http.StatusOK {
		p.Fatalf("%s %.300s\nanswers %d %.500s", operation, p.named(body), r.status, r.body)
	}
	return r.body
}

// put writes an item; attributes are those other than pk and sk, with a comma before each.
func (p *probe) put(pk, sk, attributes string) {
	p.ok("PutItem", `{"TableName":"$T","Item":{"pk":{"S":"`+pk+`"},"sk":{"S":"`+sk+`"}`+attributes+`}}`)
}

// has checks what an item of the partition p is: a key alone for none.
func (p *probe) has(sk, item string) {
	p.answers("GetItem", `{"TableName":"$T","ConsistentRead":true,"Key":{"pk":{"S":"p"},"sk":{"S":"`+sk+`"}}}`,
		item)
}

// answers sends a request whose answer has to have the members of want, which is JSON: in an object each of them, of a
// list every element. A member null must be missing.
func (p *probe) answers(operation, body, want string) {
	got := p.ok(operation, body)
	p.same(operation, got, want)
}

func (p *probe) same(operation, got, want string) {
	if difference := compare(decode(p, p.named(want)), decode(p, got), "answer"); difference != "" {
		p.Fatalf("%s: %s\n%.800s", operation, difference, got)
	}
}

// envelope begins one problem where an operation counts those of a request.
const envelope = "1 validation error detected: "

// refuses sends a request that has to fail with a type of error, whose message begins with the given words.
// Whether they
// are counted is a case of its own.
func (p *probe) refuses(operation, body, kind, message string) reply {
	r := p.send(operation, body)
	var answer struct {
		Type    string `json:"__type"`
		Message string // in either case of letters
	}
	_ = json.Unmarshal([]byte(r.body), &answer) // what is not JSON has no type
	_, name, _ := strings.Cut(answer.Type, "#")
	if !strings.HasPrefix(message, envelope) {
		answer.Message = strings.TrimPrefix(answer.Message, envelope)
	}
	if r.status != http.StatusBadRequest || name != kind || !strings.HasPrefix(answer.Message, p.named(message)) {
		p.Fatalf("%s answers %d %.600s\nwant 400 %s %q", operation, r.status, r.body, kind, p.named(message))
	}
	return r
}

func decode(p *probe, text string) (decoded any) {
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	if err := d.Decode(&decoded); err != nil {
		p.Fatalf("%w: %s", err, text)
	}
	return decoded
}

// compare returns where an answer differs from what is wanted; empty: nowhere.
func compare(want, got any, at string) string {
	switch wanted := want.(type) {
	case nil:
		if got != nil {
			return fmt.Sprintf("%s is %v, want none", at, got)
		}
	case map[string]any:
		object, is := got.(map[string]any)
		if !is {
			return fmt.Sprintf("%s is %v, want %v", at, got, want)
		}
		for name, member := range wanted {
			if difference := compare(member, object[name], at+"."+name); difference != "" {
				return difference
			}
		}
	case []any:
		list, is := got.([]any)
		if !is || len(list) != len(wanted) {
			return fmt.Sprintf("%s is %v, want %v", at, got, want)
		}
		for i, element := range wanted {
			if difference := compare(element, list[i], fmt.Sprintf("%s[%d]", at, i)); difference != "" {
				return difference
			}
		}
	case json.Number:
		a, aErr := wanted.Float64()
		number, is := got.(json.Number)
		if b, bErr := number.Float64(); !is || aErr != nil || bErr != nil || a != b {
			return fmt.Sprintf("%s is %v, want %v", at, got, want)
		}
	default:
		if !reflect.DeepEqual(want, got) {
			return fmt.Sprintf("%s is %v, want %v", at, got, want)
		}
	}
	return ""
}
