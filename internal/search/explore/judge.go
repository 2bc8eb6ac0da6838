package explore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/run/contract"
	"github.com/storespec/storespec/internal/run/mapping"
	"github.com/storespec/storespec/internal/wire"
)

// Difference is what is wrong after a step.
type Difference struct {
	// Kind is the same for differences of one cause, as far as is known: what differs, on which route, in which
	// member or column.
	Kind   string
	Text   string
	row    *rowDifference
	broken *Invariant  // nil: something else is wrong
	costs  bool        // the subject makes more storage calls
	at     *difference // in an answer
	// want and got are the answers of the oracle and of the subject; want is nil if no oracle was asked.
	want, got *answer
}

// errDiverged ends a walk whose sides can no longer be compared: a fault met different calls.
var errDiverged = errors.New("the sides have diverged")

// judge compares what the sides have answered to a step and what they have written. nil: nothing is wrong.
func (c *couple) judge(ctx context.Context, step *Step, got, want *answer) (*Difference, error) {
	if mapping.Unsent(got.err) != nil {
		return nil, errDiverged
	}
	if d := c.always(step, got, want); d != nil {
		return d, nil
	}
	if d := unanswered(step, want); d != nil {
		return d, nil
	}
	changes, err := c.subject.content.update(ctx, got.all())
	if err != nil {
		return nil, err
	}
	c.note(changes)
	if d, err := c.invariant(ctx, step, got, len(changes) > 0); d != nil || err != nil || c.oracle == nil {
		return d, err
	}
	expected, err := c.oracle.content.update(ctx, want.all())
	if err != nil {
		return nil, err
	}
	if (step.Fault != nil || step.Meanwhile != nil) && !c.alike(step, got, want) || step.givenUp(got, want) {
		return nil, errDiverged
	}
	if step.Fault != nil && step.Fault.Left {
		c.abandoned[got.path] = true
	}
	c.pairing.timeless = c.timeless(step, changes, expected)
	defer func() { c.pairing.timeless = false }()
	if d := c.answers(step, got, want); d != nil {
		return d, nil
	}
	if got.beside != nil {
		if d := c.answers(&step.Meanwhile.Step, got.beside, want.beside); d != nil {
			return d, nil
		}
	}
	if d := c.pairing.changes(changes, expected, c.contents(), c.spec); d != nil {
		if d, err = c.later(ctx, d); d != nil || err != nil {
			return c.rows(step, d, got, want), err
		}
	}
	return c.calls(step, got, want, len(expected) > 0), nil
}

// givenUp reports whether one side alone has answered, as it may, that the store was not available.
func (s *Step) givenUp(got, want *answer) bool {
	return s.Fault != nil && got.reached && got.status != want.status &&
		max(got.status, want.status) >= http.StatusInternalServerError && got.first == nil
}

// unanswered says that the oracle gave no answer, so that nothing can be compared with it.
func unanswered(step *Step, want *answer) *Difference {
	for want != nil {
		if want.err != nil {
			return &Difference{Kind: "the oracle gave no answer to " + step.route(),
				Text: fmt.Sprintf("the oracle gave no answer to %s %s: %s", want.method, want.path, want.err)}
		}
		want = want.beside
	}
	return nil
}

// done compares the sides after a step that does not send a request.
func (c *couple) done(ctx context.Context, step *Step, got, want *answer) (*Difference, error) {
	if c.oracle == nil {
		changes, err := c.subject.content.all(ctx)
		c.note(changes)
		return nil, err
	}
	if (got.err == nil) != (want.err == nil) {
		return &Difference{Kind: "the step " + step.Do,
			Text: fmt.Sprintf("%s: %v, not %v", step.Do, got.err, want.err)}, nil
	}
	d, err := c.whole(ctx)
	if err != nil {
		return nil, err
	}
	if d == nil {
		return c.printed(step, got, want), nil
	}
	return &Difference{Kind: step.Do + ": " + d.kind(), row: d,
		Text: fmt.Sprintf("after the step %s: %s", step.Do, d)}, nil
}

// printed compares how a command has ended, and what it has printed, line by line.
func (c *couple) printed(step *Step, got, want *answer) *Difference {
	left, right := strings.Split(string(got.body), "\n"), strings.Split(string(want.body), "\n")
	differ := func(l, r any) *Difference {
		return &Difference{Kind: step.Do + ": what it prints",
			Text: fmt.Sprintf("the step %s: the command ends with status %d, not %d, and prints %q, not %q", step.Do,
				got.status, want.status, l, r)}
	}
	if got.status != want.status || len(left) != len(right) {
		return differ(string(got.body), string(want.body))
	}
	for i := range left {
		if !c.pairing.texts(left[i], right[i]) && !c.spec.free("what is printed", step.Do) {
			return differ(left[i], right[i])
		}
	}
	return nil
}

// later looks once more at records that differ, after the last storage calls of the step: a server may write after its
// answer. It compares everything.
func (c *couple) later(ctx context.Context, d *rowDifference) (*rowDifference, error) {
	if c.local {
		return d, nil
	}
	for _, s := range []*side{c.subject, c.oracle} {
		if err := s.lane.Recorder.Settle(ctx); err != nil {
			return nil, err
		}
	}
	return c.whole(ctx)
}

// whole compares all that the two stores contain.
func (c *couple) whole(ctx context.Context) (*rowDifference, error) {
	var all [2][]change
	for i, s := range []*side{c.subject, c.oracle} {
		if _, err := s.content.all(ctx); err != nil {
			return nil, err
		}
		for _, resource := range slices.Sorted(maps.Keys(s.content.at)) {
			for _, key := range slices.Sorted(maps.Keys(s.content.at[resource])) {
				all[i] = append(all[i], change{resource, key, nil, s.content.at[resource][key]})
			}
		}
	}
	return c.pairing.changes(all[0], all[1], c.contents(), c.spec), nil
}

func (c *couple) contents() [2]*content { return [2]*content{c.subject.content, c.oracle.content} }

// all returns the calls of an answer and of those sent with it.
func (a *answer) all() []wire.Call {
	calls := a.calls
	for _, other := range []*answer{a.first, a.beside} {
		if other != nil {
			calls = slices.Concat(calls, other.calls)
		}
	}
	return calls
}

// always judges what holds for every answer.
func (c *couple) always(step *Step, a, want *answer) *Difference {
	for _, one := range []*answer{a, a.first, a.beside} {
		if one == nil {
			continue
		}
		asks := step
		if one == a.beside {
			asks = &step.Meanwhile.Step
		}
		disturbed := one == a.first || step.Meanwhile != nil || step.Fault != nil && step.Fault.Left
		compared := one == a && want != nil && want.err == nil && want.status < http.StatusInternalServerError
		if d := c.alwaysOf(asks, one, disturbed, compared); d != nil {
			if d.got = one; one == a {
				d.want = want
			}
			return d
		}
	}
	return nil
}

// alwaysOf judges one answer. disturbed: its storage calls failed or waited; compared: another server gave an answer
// that was no server error, with which this one is compared.
func (c *couple) alwaysOf(step *Step, a *answer, disturbed, compared bool) *Difference {
	name := step.route()
	switch {
	case a.err != nil:
		return &Difference{Kind: "no answer to " + name, Text: fmt.Sprintf("%s %s got no answer: %s", a.method,
			a.path, a.err)}
	case a.status >= http.StatusInternalServerError && !disturbed && !compared &&
		!c.spec.free(fmt.Sprint("status ", a.status), name):
		return &Difference{Kind: fmt.Sprintf("%s answered %d", name, a.status),
			Text: fmt.Sprintf("%s %s answered %d, though no storage call failed", a.method, a.path, a.status)}
	case a.status >= http.StatusBadRequest && a.status < http.StatusInternalServerError && !disturbed:
		for _, call := range a.calls {
			if call.Writes() && call.Succeeded() && !c.spec.free("a refusal that writes", name) {
				return &Difference{Kind: fmt.Sprintf("%s answered %d and wrote", name, a.status),
					Text: fmt.Sprintf("%s %s answered %d and wrote: %s %s", a.method, a.path, a.status, call.Class,
						call.Place())}
			}
		}
	}
	if found := c.subject.lane.StoreIn(a.wired.Raw(a.header, a.body)); found != "" {
		return &Difference{Kind: name + " leaks " + found,
			Text: fmt.Sprintf("%s %s answered %d with %s", a.method, a.path, a.status, found)}
	}
	if c.contract == nil {
		return nil
	}
	err := c.contract.Check(contract.Answer{Method: a.method, Path: a.path, Status: a.status, Header: a.header,
		Body: a.body})
	if violation, is := errors.AsType[*contract.Violation](err); is && !c.spec.free(violation.Where, name) {
		kind := fmt.Sprintf("%s %d breaks the contract at %s", name, a.status, noIndex(violation.Where))
		return &Difference{Kind: kind, Text: violation.Error()}
	}
	return nil
}

func noIndex(path string) string {
	var b strings.Builder
	for _, r := range path {
		if r < '0' || r > '9' {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// answers compares two answers.
func (c *couple) answers(step *Step, got, want *answer) *Difference {
	name := step.route()
	open := leave{spec: c.spec, of: name}
	free := open.open
	code := c.subject.lane.Maker.System.ErrorCode
	gotCode, wantCode := member(got.parsed, code), member(want.parsed, code)
	differ := func(kind, text string, args ...any) *Difference {
		return &Difference{Kind: kind, Text: fmt.Sprintf("%s %s ", got.method, got.path) + fmt.Sprintf(text, args...),
			got: got, want: want}
	}
	switch {
	case want.err != nil:
		return nil
	case got.status != want.status:
		if free(fmt.Sprintf("status %d|%d", got.status, want.status)) ||
			free(fmt.Sprintf("status %d|%d", want.status, got.status)) {
			return nil
		}
		return differ(fmt.Sprintf("%s answered %d, not %d", name, got.status, want.status), "answered %s, not %s",
			answered(got.status, gotCode), answered(want.status, wantCode))
	case gotCode != wantCode && !free("code "+gotCode+"|"+wantCode) && !free("code "+wantCode+"|"+gotCode):
		return differ(fmt.Sprintf("%s answered %d with another code", name, got.status), "answered %s, not %s",
			answered(got.status, gotCode), answered(want.status, wantCode))
	}
	for _, header := range append([]string{"ETag", "Location", "Content-Type"}, c.spec.Headers...) {
		l, r := got.header.Get(header), want.header.Get(header)
		if header == "Content-Type" {
			l, r = media(l), media(r)
		}
		if r != "" && !c.pairing.texts(l, r) && !free("the header "+header) {
			d := differ(name+" has another "+header, "answered with the header %s %q, not %q", header, l, r)
			return d
		}
	}
	if free("the body") {
		return nil
	}
	open.required = c.required[name][strconv.Itoa(got.status)]
	if id := c.subject.lane.Maker.System.TraceID; id != "" {
		open.more = []string{id}
	}
	if got.status >= http.StatusBadRequest {
		open.more = append(open.more, code) // it has been compared
	}
	d := c.bodies(got, want, open)
	if d == nil {
		return nil
	}
	found := differ(name+" differs in "+d.path, "answered %d: %s", got.status, d)
	found.at = d
	return found
}

// bodies compares the bodies of two answers.
func (c *couple) bodies(got, want *answer, open leave) *difference {
	if want.parsed != nil || got.parsed != nil {
		return c.pairing.values(got.parsed, want.parsed, "", "", open)
	}
	if !c.pairing.texts(string(got.body), string(want.body)) {
		return &difference{"the body", "the body", string(got.body), string(want.body)}
	}
	return nil
}

func media(header string) string {
	found, _, err := mime.ParseMediaType(header)
	if err != nil {
		return header
	}
	return found
}

func member(value any, name string) string {
	object, _ := value.(map[string]any)
	text, _ := object[name].(string)
	return text
}

func answered(status int, code string) string {
	return strings.TrimSpace(fmt.Sprint(status, " ", code))
}

func (c *couple) rows(step *Step, d *rowDifference, got, want *answer) *Difference {
	if d == nil {
		return nil
	}
	return &Difference{Kind: step.route() + ": " + d.kind(), row: d, got: got, want: want,
		Text: fmt.Sprintf("after %s %s, answered %d: %s", got.method, got.path, got.status, d)}
}

// counted returns how many calls there are of each class on each resource.
func (s *side) counted(calls []wire.Call) map[string]int {
	counts := map[string]int{}
	for _, call := range calls {
		if call.Provisions() {
			continue
		}
		name := call.Class
		if call.Writes() { // by which operation is the server's choice
			name = "write"
		}
		name += " on " + s.content.word(call.Resource)
		counts[name]++
		if call.Guard == wire.Unguarded || call.Guard == wire.Blind {
			counts[name+" without a condition"]++
		}
	}
	return counts
}

// calls finds storage calls that the subject makes and the oracle does not.
func (c *couple) calls(step *Step, got, want *answer, changed bool) *Difference {
	refused := got.status >= http.StatusBadRequest && c.spec.free("calls of refusals", step.route())
	idle := step.Method != http.MethodGet && !changed
	if idle && c.spec.free("calls of what changes nothing", step.route()) {
		return nil
	}
	if step.Fault != nil || step.Meanwhile != nil || c.abandoned[got.path] || c.noCalls || refused ||
		c.spec.free("calls", step.route()) {
		return nil
	}
	mine, others := c.subject.counted(got.calls), c.oracle.counted(want.calls)
	for _, call := range slices.Sorted(maps.Keys(mine)) {
		if mine[call] > others[call] {
			return &Difference{Kind: step.route() + " makes more calls: " + call, got: got, want: want, costs: true,
				Text: fmt.Sprintf("%s %s, answered %d, makes %d × %s, not %d", got.method, got.path, got.status,
					mine[call], call, others[call])}
		}
	}
	return nil
}
