package scenario

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/run/mapping"
	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/wire"
)

// Complain marks a storage call of any request as one that is not allowed.
func (r *Requests) Complain(about wire.Call) {
	for _, e := range r.exchanges {
		e.Complain(about)
	}
}

// Complain marks a storage call of the exchange as one that is not allowed.
func (e *RoundTrip) Complain(about wire.Call) {
	i := slices.IndexFunc(e.Calls(), func(c wire.Call) bool {
		return c.ID == about.ID && c.Start.Equal(about.Start) // a scenario may have several recorders
	})
	if i >= 0 && !slices.Contains(e.Odd, i) {
		e.Odd = append(e.Odd, i)
	}
}

// Outlived reports whether a storage call ended after the answer, also if its first attempt came before.
func (e *RoundTrip) Outlived(call wire.Call) bool {
	return call.Start.Add(call.Duration).After(e.start.Add(e.duration))
}

// Took returns how long the answer took, until all of it was read.
func (e *RoundTrip) Took() time.Duration { return e.duration }

// MaxAnswer limits how much of an answer is read: scans are the largest, at 8 MiB.
const MaxAnswer = 16 << 20

// RoundTrip is a request and its answer, with the storage calls between the two.
type RoundTrip struct {
	Person, method, Path string
	Sent                 string           // the request's body
	kind                 string           // its Content-Type
	set                  []Header         // Exchange.Set
	instance             *target.Instance // that it was sent to; nil: unknown
	from                 int64            // how much that had written
	step                 int              // that sent it, from 0
	expected             bool             // a step was satisfied with its answer

	start    time.Time
	duration time.Duration // until the whole answer was read, or given up on

	Status int
	Header http.Header
	Body   []byte
	Parsed any               // a JSON body; nil otherwise
	wired  *mapping.Exchange // what the server was sent and answered itself, if that is mapped

	System   system.System
	caller   []string // Exchange.Caller
	again    *Repeat  // nil: not kept
	Odd      []int    // its storage calls that are not allowed, by number, from 0
	Faulted  bool     // one of its storage calls was made to fail
	Request  *wire.Request
	recorder *wire.Recorder
}

// Header is a request header that a scenario sets.
type Header struct{ Name, Value string }

// FromAnotherSite returns what a browser adds to a request that a page of another site makes it send without asking.
// Such a page cannot set a Content-Type that is not a form's.
func FromAnotherSite() []Header {
	return []Header{{"Origin", "https://another-site.example"}, {"Sec-Fetch-Site", "cross-site"}}
}

// Calls returns its storage calls so far, in order of arrival.
func (e *RoundTrip) Calls() []wire.Call { return e.Request.Calls() }

// String returns its method and path, as messages show it.
func (e *RoundTrip) String() string { return e.method + " " + e.Path }

// as returns the server's own route, without values; "" if it is the contract's.
func (e *RoundTrip) as() string {
	if e.wired == nil {
		return ""
	}
	return e.wired.Route
}

// JSON returns the value at a path such as `groups[0].groupName` in the answer's JSON, or nil.
func (e *RoundTrip) JSON(path string) any {
	value, _ := matching.Lookup(e.Parsed, path)
	return value
}

// MethodAndPath matches how steps write a request: its method, and its path or the name of a path given to the
// scenario.
const MethodAndPath = `(GET|POST|PUT|PATCH|DELETE) ([/{]\S*)`

// MayHaveBody matches what can follow it: JSON.
const MayHaveBody = `(?: (\{.*\}))?`

// WithHeader matches what can follow that: one header. Its value may be an ETag in quotes.
const WithHeader = ` with the header ([\w-]+) "([^"]*|(?:W/)?"[^"]*")"`

// MayHaveHeader is WithHeader, if it is there.
const MayHaveHeader = `(?:` + WithHeader + `)?`

// Sends sends a request as a person; "Nobody" has no session.
func (r *Requests) Sends(ctx context.Context, name, method, path, body string) error {
	path, err := r.names.Address(path)
	if err != nil {
		return err
	}
	if body, err = r.names.Written(body); err != nil {
		return err
	}
	_, err = r.Send(ctx, r.names.people.Caller(name), method, path, body)
	return err
}

// Sent stores what was sent, whatever the result. Nil means nothing was sent.
func (r *Requests) Sent(exchanges ...*RoundTrip) {
	for _, e := range exchanges {
		if e != nil {
			r.exchanges, r.storage.settled = append(r.exchanges, e), false
		}
	}
}

// Is compares status and error code. The shape of an error is checked by the contract, for every answer.
func (e *RoundTrip) Is(status int, code string) error {
	got, _ := e.JSON(e.System.ErrorCode).(string)
	if e.Status != status {
		return e.Blame(matching.Differ("the answer to "+e.String(), Answered(status, code), Answered(e.Status, got),
			fmt.Sprintf("%s answered %s, not %s", e, Answered(e.Status, got), Answered(status, code))))
	}
	if code != "" && got != code {
		return e.Blame(fmt.Errorf("%s answered %d with the error code %q, not %q", e, e.Status, got, code))
	}
	return nil
}

// Answered formats a status, and a code if there is one, for messages.
func Answered(status int, code string) string {
	return strings.TrimSpace(strconv.Itoa(status) + " " + code)
}

// Together returns the requests that were sent at the same moment as the last one.
func (r *Requests) Together() ([]*RoundTrip, error) {
	last, err := r.Last()
	if err != nil {
		return nil, err
	}
	apart := func(e *RoundTrip) bool { return !e.Request.Together(last.Request) }
	return slices.DeleteFunc(slices.Clone(r.exchanges), apart), nil
}

// IdempotencyKey is the header by which a client says that a request repeats an earlier one.
const IdempotencyKey = "Idempotency-Key"

// AnswersTo returns the requests of a route, such as GET /api/me/groups, that have been sent: in an invariant the last
// request, if it was one. The error of a scenario that has sent none is a *MisuseError.
func (r *Requests) AnswersTo(route string) (found []*RoundTrip, err error) {
	for _, e := range r.exchanges {
		if path, _, _ := strings.Cut(e.Path, "?"); e.method+" "+path == route {
			found = append(found, e)
		}
	}
	if len(found) == 0 && !r.invariant {
		return nil, Misused("no %s was sent before this step", route)
	}
	return found, nil
}

// Succeeded reports whether the answer has a status of success.
func (e *RoundTrip) Succeeded() bool {
	return e.Status >= http.StatusOK && e.Status < http.StatusMultipleChoices
}

// RoundTrips returns every request of the scenario, in order.
func (r *Requests) RoundTrips() []*RoundTrip { return r.exchanges }

// Last returns the newest request of the scenario.
func (r *Requests) Last() (*RoundTrip, error) {
	if len(r.exchanges) == 0 {
		return nil, tooFew(0, 1)
	}
	return r.exchanges[len(r.exchanges)-1], nil
}
