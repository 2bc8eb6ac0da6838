package explore

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/mapping"
	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/wire"
)

// side is a walk on one of the two servers.
type side struct {
	lane    *lane.Lane
	world   *scenario.World
	answers map[int]*answer       // to earlier steps, by their IDs
	fresh   map[int]*answer       // to the step at the moment
	sent    map[int]*http.Request // as it was sent, for those that are sent again
	bodies  map[int]string
	texts   map[string]string // templates, written out
	clock   *clock
	content *content
	beside  *side // the oracle of the subject, if there is one
	pairing *pairing
	missed  bool              // a step has used a value that no answer has given
	usually map[string]string // the usual values of variables that walks change
	env     map[string]string // what the server was started with instead of them

	uncounted bool // it does not matter which storage calls are whose
}

// answer is what a server answered to a step, and the storage calls it made.
type answer struct {
	method, path string // as sent
	status       int
	header       http.Header
	body         []byte
	parsed       any
	calls        []wire.Call
	took         time.Duration
	err          error // it gave no answer
	wired        *mapping.Exchange
	first        *answer // of a step with a fault: the answer before it was sent again
	beside       *answer // of the request that was sent meanwhile
	reached      bool    // the call that was to fail, or to wait, came
	late         bool    // it did not wait for the whole of the request in between
	hit          string  // what that call names
	alike        int     // how many calls of its class there were on its resource
}

// begin takes the steps that a walk begins with.
func (s *side) begin(ctx context.Context, suite *scenario.Suite, spec *Spec, w *Walk) error {
	setup, err := spec.setup(w)
	if err != nil {
		return err
	}
	if err := s.lane.Renew(ctx); err != nil {
		return err
	}
	for name, values := range spec.Environment {
		value, chosen := w.Env[name]
		if !chosen {
			value = values[0]
		}
		if err := s.with(ctx, name, value); err != nil {
			return err
		}
	}
	s.answers, s.fresh = map[int]*answer{}, map[int]*answer{}
	s.sent, s.bodies = map[int]*http.Request{}, map[int]string{}
	s.texts, s.clock, s.missed = map[string]string{}, &clock{}, false
	s.clock.mark()
	if s.world, err = scenario.BeginWith(ctx, suite, s.lane, setup, w.Tag); err != nil {
		return &beginError{err}
	}
	s.content, err = readContent(ctx, s.lane)
	return err
}

// beginError says that a step of the beginning of a walk could not be run.
type beginError struct{ error }

func (e *beginError) Unwrap() error { return e.error }

// with starts the server with a value of a variable, unless it runs with that already.
func (s *side) with(ctx context.Context, name, value string) error {
	if now, other := s.env[name]; other && now == value || !other && value == s.usually[name] {
		return nil
	}
	if s.env[name] = value; value == s.usually[name] {
		delete(s.env, name)
	}
	return s.lane.RestartWith(ctx, name, value)
}

// end ends what the walk began.
func (s *side) end(ctx context.Context) error {
	if s.world == nil {
		return nil
	}
	return s.world.Leave(context.WithoutCancel(ctx))
}

// text returns a value as this side sends it.
func (s *side) text(template string) string {
	if r, ok := readReference(template); ok {
		return asText(s.value(r))
	}
	if !strings.ContainsRune(template, '{') {
		return template
	}
	if known, ok := s.texts[template]; ok {
		return known
	}
	written, err := s.world.Names.Written(template)
	if err != nil {
		written = template // a brace that is meant as such
	}
	s.texts[template] = written
	return written
}

// gone replaces a value that no answer has given, as in a walk of which steps were left out.
const gone = "gone"

// value returns what a reference stands for. The items of a list may have another order on the other side, so there the
// oracle decides which one is meant. It only reads answers to earlier steps, since the two sides run at the same time.
func (s *side) value(r reference) any {
	from := s
	if s.beside != nil && strings.Contains(r.path, "[") {
		from = s.beside
	}
	found, ok := from.answers[r.step].lookup(r)
	if !ok {
		s.missed = true
		return gone
	}
	if text, is := found.(string); is && from != s {
		return s.pairing.translateBack(text)
	}
	return found
}

// lookup returns the text or number that a reference names in an answer, which may be nil.
func (a *answer) lookup(r reference) (value any, ok bool) {
	if a == nil {
		return nil, false
	}
	if r.header != "" {
		text := a.header.Get(r.header)
		return text, text != ""
	}
	value, _ = matching.Lookup(a.parsed, r.path)
	switch value.(type) {
	case string, json.Number:
		return value, true
	}
	return nil, false
}

func asText(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	return fmt.Sprint(value)
}

// resolve returns a text in JSON as this side sends it: a reference may stand for a number.
func (s *side) resolve(text string) any {
	if r, ok := readReference(text); ok {
		return s.value(r)
	}
	return s.text(text)
}

// address returns the path and query of a step.
func (s *side) address(step *Step) string {
	return step.address(func(value string, escape func(string) string) string { return escape(s.text(value)) })
}

// address returns the path and query of a step, with its values as write writes them.
func (s *Step) address(write func(value string, escape func(string) string) string) string {
	address := s.Path
	for name, value := range s.At {
		address = strings.ReplaceAll(address, "{"+name+"}", write(value, url.PathEscape))
	}
	separator := "?"
	for _, name := range slices.Sorted(maps.Keys(s.Query)) {
		address += separator + url.QueryEscape(name) + "=" + write(s.Query[name], url.QueryEscape)
		separator = "&"
	}
	return address
}

// body returns the body of a step.
func (s *side) body(step *Step) (string, error) {
	if step.Raw != "" {
		return s.text(step.Raw), nil
	}
	if step.Body == nil {
		return "", nil
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(eachText(step.Body, s.resolve))
	return strings.TrimSuffix(text.String(), "\n"), err
}

// request returns the request of a step.
func (s *side) request(ctx context.Context, step *Step) (*http.Request, string, error) {
	if before := s.sent[step.Again]; before != nil {
		again := before.Clone(ctx)
		if base, err := url.Parse(s.lane.Target.URL); err == nil { // it may have been started again
			again.URL.Host, again.Host = base.Host, base.Host
		}
		body := s.bodies[step.Again]
		again.Body = io.NopCloser(strings.NewReader(body))
		return again, body, nil
	}
	body, err := s.body(step)
	if err != nil {
		return nil, "", err
	}
	request, err := http.NewRequestWithContext(ctx, step.Method, s.lane.Target.URL+s.address(step),
		strings.NewReader(body))
	if err != nil {
		return nil, "", err
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if step.Person != "" && step.Person != nobody {
		p := s.world.People.Person(step.Person)
		s.lane.Maker.System.Introduce(request,
			system.Caller{Name: p.Name, Email: p.Email, UserKey: p.UserKey(), Session: p.Session})
	}
	for name, value := range step.Header {
		if text := s.text(value); validHeader(text) {
			request.Header.Set(name, text)
		}
	}
	return request, body, nil
}

// nobody is the caller without a session.
const nobody = "Nobody"

func validHeader(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// take performs a step.
func (s *side) take(ctx context.Context, step *Step) (*answer, error) {
	s.clock.mark()
	switch {
	case step.Do != "":
		done, err := scenario.Prepare(step.Do)
		if err != nil {
			return nil, err
		}
		a := &answer{method: step.Do, err: s.world.Take(ctx, done)}
		status, said := s.world.Printed()
		a.status, a.body = status, []byte(said)
		return a, ctx.Err()
	case len(step.With) > 0:
		for _, name := range slices.Sorted(maps.Keys(step.With)) {
			if err := s.with(ctx, name, step.With[name]); err != nil {
				return nil, err
			}
		}
		return nil, nil
	case step.Restart:
		return nil, s.lane.StartAgain(ctx)
	case step.Pause > 0:
		pause := time.Duration(step.Pause) * time.Millisecond
		if simulated := s.lane.Lease.Simulation(); simulated != nil {
			simulated.Advance(pause)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(min(pause, longestPause)):
		}
		return nil, nil
	case step.Fault != nil:
		return s.faulted(ctx, step)
	case step.Meanwhile != nil:
		return s.interrupted(ctx, step)
	}
	return s.send(ctx, step)
}

// longestPause bounds how long a walk really waits. A store with a simulated clock is advanced by the whole pause.
const longestPause = 250 * time.Millisecond

// send sends the request of a step and reads the answer.
func (s *side) send(ctx context.Context, step *Step) (*answer, error) {
	request, body, err := s.request(ctx, step)
	if err != nil {
		return nil, err
	}
	if !s.uncounted {
		if err := s.world.Storage.Drain(ctx); err != nil {
			return nil, err
		}
	}
	s.sent[step.ID], s.bodies[step.ID] = request, body
	a, recorded := s.exchange(request, body, s.lane.Recorder.Begin(request.Method+" "+request.URL.Path))
	a.calls = recorded.Calls()
	s.fresh[step.ID] = a
	return a, ctx.Err()
}

// exchange sends a request that was announced.
func (s *side) exchange(request *http.Request, body string, recorded *wire.Request) (*answer, *wire.Request) {
	a := &answer{method: request.Method, path: request.URL.RequestURI()}
	kept, wired := mapping.Keep(request.Context())
	request, a.wired = request.Clone(kept), wired
	request.Body = io.NopCloser(strings.NewReader(body))
	request.Header.Set("Traceparent", recorded.Traceparent())
	start := time.Now()
	got, err := s.lane.Client.Do(request)
	if err == nil {
		a.status, a.header = got.StatusCode, got.Header
		a.body, err = io.ReadAll(io.LimitReader(got.Body, scenario.MaxAnswer))
		err = errors.Join(err, got.Body.Close())
	}
	a.took = time.Since(start)
	recorded.End()
	if err != nil {
		a.err = err
		return a, recorded
	}
	if strings.Contains(got.Header.Get("Content-Type"), "json") {
		decoder := json.NewDecoder(bytes.NewReader(a.body))
		decoder.UseNumber()
		if decoder.Decode(&a.parsed) != nil {
			a.parsed = nil
		}
	}
	return a, recorded
}
