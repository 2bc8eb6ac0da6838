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
	"time"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/mapping"
	"github.com/storespec/storespec/internal/wire"
)

// Request is what somebody sends.
type Request struct {
	Method, Path, Body string
	Set                []Header // in addition to those that say who sends it
}

func (r Request) String() string { return r.Method + " " + r.Path }

// Send sends one request to the lane's target and stores the exchange. The error is about the connection: a server that
// answers, with whatever status, is not an error here.
func (w *World) Send(ctx context.Context, caller *Person, method, path, body string, set ...Header) (*RoundTrip,
	error) {
	r := Request{method, path, body, set}
	return w.SendDressed(ctx, caller, r, w.usual(caller, r))
}

// SendDressed is Send with the headers that dress sets, as in Do. The exchange is nil if nothing was sent, or if what
// was to happen meanwhile did not.
func (w *World) SendDressed(ctx context.Context, caller *Person, r Request,
	dress func(*http.Request) []string) (*RoundTrip, error) {
	recorded, err := w.BeginRequest(ctx, r.String())
	if err != nil {
		return nil, err
	}
	endAround := func() (*RoundTrip, error) { return nil, nil }
	if around := w.around; around != nil {
		w.around = nil
		endAround = around(recorded)
	}
	e, err := w.Do(ctx, w.Lane().Target.URL, recorded, caller, r, dress)
	meanwhile, aroundErr := endAround()
	w.Sent(meanwhile, e)
	if err := Joined(err, aroundErr); err != nil {
		return nil, err
	}
	return e, nil
}

// RoundTrip sends a request of a person (nil for Nobody) to an instance of the target at base, and reads the answer.
// Errors are those of Do.
func (w *World) RoundTrip(ctx context.Context, base string, recorded *wire.Request, caller *Person,
	r Request) (*RoundTrip, error) {
	return w.Do(ctx, base, recorded, caller, r, w.usual(caller, r))
}

// usual sets the headers that a client sends who is no browser.
func (w *World) usual(caller *Person, r Request) func(*http.Request) []string {
	return func(request *http.Request) []string {
		if r.Body != "" {
			request.Header.Set("Content-Type", "application/json")
		}
		var shown []string
		if caller != nil {
			shown = w.System().Introduce(request, caller.asCaller())
		}
		for _, h := range r.Set {
			request.Header.Set(h.Name, h.Value)
		}
		return shown
	}
}

// Do sends a request with the headers that dress sets on it, and reads the answer. dress returns those that say who
// sends it, for Exchange.Caller. An exchange returned with an error was sent; its status is 0 if no answer arrived. One
// that the mapping of the target cannot send is nil, and the error a godog.ErrSkip.
func (w *World) Do(ctx context.Context, base string, recorded *wire.Request, caller *Person, r Request,
	dress func(*http.Request) []string) (*RoundTrip, error) {
	defer recorded.End()
	request, err := http.NewRequestWithContext(ctx, r.Method, base+r.Path, strings.NewReader(r.Body))
	if err != nil {
		return nil, fmt.Errorf("%s is not a request: %w", r, err)
	}
	e := &RoundTrip{Person: nobody, method: r.Method, Path: r.Path, Sent: r.Body, Request: recorded,
		recorder: w.Lane().Recorder, System: w.System(), step: w.at}
	if caller != nil {
		e.Person = caller.Name
	}
	e.caller, e.kind, e.set = dress(request), request.Header.Get("Content-Type"), w.shownHeader(r.Set)
	e.instance, e.from = w.Lane().At(base)
	e.again = w.again(r, request)
	request.Header.Set("traceparent", recorded.Traceparent())
	kept, wired := mapping.Keep(request.Context())
	request, e.wired = request.WithContext(kept), wired
	e.start = time.Now()
	defer func() { e.duration = time.Since(e.start) }()
	client := *w.Lane().Client
	client.Timeout += crowded(recorded)
	defer w.awaiting(e)()
	answer, err := client.Do(request)
	e.asSent()
	if unsent := mapping.Unsent(err); unsent != nil {
		return nil, fmt.Errorf("%w: %w", godog.ErrSkip, unsent)
	}
	if err != nil {
		return e, e.Blame(w.unanswered(e, fmt.Errorf("%s got no answer: %w", e, err)))
	}
	defer answer.Body.Close()
	e.Status, e.Header = answer.StatusCode, answer.Header
	if e.Body, err = io.ReadAll(io.LimitReader(answer.Body, MaxAnswer)); err != nil {
		return e, e.Blame(w.unanswered(e, fmt.Errorf("%s: read its answer: %w", e, err)))
	}
	w.lane.Answered()
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
