package scenario

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/mapping"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire"
)

// Requests are what a scenario's people send, with the answers.
type Requests struct {
	stage     *Stage
	names     *Names
	storage   *Storage
	exchanges []*RoundTrip                  // every request of the scenario, in order
	spread    int                           // number of instances that simultaneous requests go to; 0: one
	around    Around                        // for the next request; nil: nothing
	leftOut   []string                      // why rows of tables were left out
	before    atomic.Pointer[store.Content] // the last request: what the store contained (remember)
	invariant bool                          // the step that runs is an invariant's
}

// Request is what someone sends.
type Request struct {
	Method, Path, Body string
	Set                []Header // in addition to those that say who sends it
}

func (r Request) String() string { return r.Method + " " + r.Path }

// Send sends one request to the lane's target and stores the exchange. The error is about the connection: a server that
// answers, with whatever status, is not an error here.
func (r *Requests) Send(ctx context.Context, caller *Person, method, path, body string, set ...Header) (*RoundTrip,
	error) {
	one := Request{method, path, body, set}
	return r.SendDressed(ctx, caller, one, r.usual(caller, one))
}

// SendDressed is Send with the headers that dress sets, as in Do. The exchange is nil if nothing was sent, or if what
// was to happen meanwhile did not.
func (r *Requests) SendDressed(ctx context.Context, caller *Person, one Request,
	dress func(*http.Request) []string) (*RoundTrip, error) {
	recorded, err := r.BeginRequest(ctx, one.String())
	if err != nil {
		return nil, err
	}
	endAround := func() (*RoundTrip, error) { return nil, nil }
	if around := r.around; around != nil {
		r.around = nil
		endAround = around(recorded)
	}
	e, err := r.Do(ctx, r.stage.Lane().Target.URL, recorded, caller, one, dress)
	meanwhile, aroundErr := endAround()
	r.Sent(meanwhile, e)
	if err := Joined(err, aroundErr); err != nil {
		return nil, err
	}
	return e, nil
}

// RoundTrip sends a request of a person (nil for Nobody) to an instance of the target at base, and reads the answer.
// Errors are those of Do.
func (r *Requests) RoundTrip(ctx context.Context, base string, recorded *wire.Request, caller *Person,
	one Request) (*RoundTrip, error) {
	return r.Do(ctx, base, recorded, caller, one, r.usual(caller, one))
}

// usual sets the headers of a client that is not a browser.
func (r *Requests) usual(caller *Person, one Request) func(*http.Request) []string {
	return func(request *http.Request) []string {
		if one.Body != "" {
			request.Header.Set("Content-Type", "application/json")
		}
		var shown []string
		if caller != nil {
			shown = r.stage.System().Introduce(request, caller.asCaller())
		}
		for _, h := range one.Set {
			request.Header.Set(h.Name, h.Value)
		}
		return shown
	}
}

// Do sends a request with the headers that dress sets on it, and reads the answer. dress returns those that say who
// sends it, for Exchange.Caller. An exchange returned with an error was sent; its status is 0 if no answer arrived. One
// that the mapping of the target cannot send is nil, and the error a godog.ErrSkip.
func (r *Requests) Do(ctx context.Context, base string, recorded *wire.Request, caller *Person, one Request,
	dress func(*http.Request) []string) (*RoundTrip, error) {
	defer recorded.End()
	request, err := http.NewRequestWithContext(ctx, one.Method, base+one.Path, strings.NewReader(one.Body))
	if err != nil {
		return nil, fmt.Errorf("%s is not a request: %w", one, err)
	}
	e := &RoundTrip{Person: nobody, method: one.Method, Path: one.Path, Sent: one.Body, Request: recorded,
		recorder: r.stage.Lane().Recorder, System: r.stage.System(), step: r.stage.at}
	if caller != nil {
		e.Person = caller.Name
	}
	e.caller, e.kind, e.set = dress(request), request.Header.Get("Content-Type"), one.Set
	e.instance, e.from = r.stage.Lane().At(base)
	e.again = r.again(one, request)
	request.Header.Set("traceparent", recorded.Traceparent())
	kept, wired := mapping.Keep(request.Context())
	request, e.wired = request.WithContext(kept), wired
	e.start = time.Now()
	defer func() { e.duration = time.Since(e.start) }()
	client := *r.stage.Lane().Client
	client.Timeout += crowded(recorded)
	defer r.awaiting(e)()
	answer, err := client.Do(request)
	e.asSent()
	if unsent := mapping.Unsent(err); unsent != nil {
		return nil, fmt.Errorf("%w: %w", godog.ErrSkip, unsent)
	}
	if err != nil {
		return e, e.Blame(r.unanswered(e, fmt.Errorf("%s got no answer: %w", e, err)))
	}
	defer answer.Body.Close()
	e.Status, e.Header = answer.StatusCode, answer.Header
	if e.Body, err = io.ReadAll(io.LimitReader(answer.Body, MaxAnswer)); err != nil {
		return e, e.Blame(r.unanswered(e, fmt.Errorf("%s: read its answer: %w", e, err)))
	}
	r.stage.lane.Answered()
	if isJSON(answer.Header.Get("Content-Type")) {
		decoder := json.NewDecoder(bytes.NewReader(e.Body))
		decoder.UseNumber()
		if err := decoder.Decode(&e.Parsed); err != nil {
			return e, e.Blame(fmt.Errorf("%s answered %d with a body that is not JSON: %w", e, e.Status, err))
		}
	}
	return e, nil
}

// Joined joins the errors of requests that were sent together, of which those without one are nil. A request that could
// not be sent skips the scenario only if nothing else went wrong: its error gives way to any other than godog.ErrSkip.
func Joined(errs ...error) error {
	if wrong := Wrong(errs); len(wrong) > 0 {
		return errors.Join(wrong...)
	}
	return errors.Join(errs...)
}

// Wrong returns the errors other than godog.ErrSkip.
func Wrong(errs []error) (wrong []error) {
	for _, err := range errs {
		if err != nil && !errors.Is(err, godog.ErrSkip) {
			wrong = append(wrong, err)
		}
	}
	return wrong
}

// isJSON reports whether a body of a media type is JSON: also application/problem+json and the like (RFC 6838, section
// 4.2.8).
func isJSON(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	return err == nil && (media == "application/json" || strings.HasSuffix(media, "+json"))
}

// Around interferes with a request's storage calls. end removes it and returns what was sent meanwhile, if anything
// was.
type Around func(recorded *wire.Request) (end func() (meanwhile *RoundTrip, err error))

// AroundNext interferes with the storage calls of the next request.
func (r *Requests) AroundNext(a Around) { r.around = a }

// SpreadOver distributes requests that are sent at once over count instances of the target, in turn.
func (r *Requests) SpreadOver(count int) { r.spread = count }

// Spreads returns the number of instances that simultaneous requests go to; 1 if SpreadOver was not called.
func (r *Requests) Spreads() int { return max(1, r.spread) }
