package steps

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/wire"
)

// mustAnswerWithin is how long a target may take for an answer, whatever happens to its storage calls (contract).
const mustAnswerWithin = 15 * time.Second

// faultPoint is one storage call of a request, told in a way that is the same each time the request is sent: parallel
// calls have no order, and ids differ.
type faultPoint struct {
	call  string // class, resource and key, with names for ids
	nth   int    // among the equal ones, from 1
	first wire.Call
}

func (p faultPoint) String() string {
	if p.nth == 1 {
		return p.call
	}
	return fmt.Sprintf("%s (number %d)", p.call, p.nth)
}

// request is what a person sends.
type request struct {
	name, method, path, body string
	patient                  bool // it is sent again when it fails
	refused                  bool // it is refused also when nothing fails
}

// sendsAndAnyCallFails learns which storage calls the request makes, and sends it once for each of them and each kind of
// fault, each time from the same state and followed by the client's retry. The steps after it are judged in each case.
func (w *World) sendsAndAnyCallFails(name, method, path, body string) error {
	return w.underFaults(request{name: name, method: method, path: path, body: body, patient: true})
}

// sendsAndGivesUp is sendsAndAnyCallFails for a client that does not try again.
func (w *World) sendsAndGivesUp(name, method, path, body string) error {
	return w.underFaults(request{name: name, method: method, path: path, body: body})
}

// isRefusedAndAnyCallFails is sendsAndGivesUp for a request that is to be refused.
func (w *World) isRefusedAndAnyCallFails(name, method, path, body string) error {
	return w.underFaults(request{name: name, method: method, path: path, body: body, refused: true})
}

func (w *World) underFaults(r request) error {
	level := w.lane.maker.Proofs.Faults
	if level == NoFaults {
		_, err := w.sendOnce(r, nil)
		return err
	}
	return w.eachCase(&CaseSummary{Kind: "fault"}, w.faultCases(r, level))
}

// faultCases are, after the undisturbed request, which says what there is to disturb, all that can happen to it.
func (w *World) faultCases(r request, level FaultLevel) iter.Seq[variant] {
	return func(yield func(variant) bool) {
		var points []faultPoint
		learn := variant{id: "none", name: "no fault", run: func(again *World) (err error) { points, err = again.learn(r); return err }}
		if only := w.lane.maker.Proofs.Only; only != nil && only.Case != learn.id {
			w.replayedFault(r, yield)
			return
		}
		if !yield(learn) {
			return
		}
		for _, point := range points {
			for _, kind := range faultKinds() {
				if kind.full && level != FullFaults || kind.applies != nil && !kind.applies(point.first) || kind.kills && !w.lane.maker.Target.Restartable() {
					continue
				}
				if !yield(faultCase(r, point, kind)) {
					return
				}
			}
		}
	}
}

func faultCase(r request, point faultPoint, kind faultKind) variant {
	return variant{
		id:   fmt.Sprintf("%s %d %s", kind.id, point.nth, point.call),
		name: kind.name + " " + point.String(),
		run:  func(again *World) error { return again.sendUnderFault(r, point, kind) },
	}
}

// replayedFault gives the one case that a token names.
func (w *World) replayedFault(r request, yield func(variant) bool) {
	only := w.lane.maker.Proofs.Only
	id, rest, _ := strings.Cut(only.Case, " ")
	var point faultPoint
	number, call, _ := strings.Cut(rest, " ")
	if _, err := fmt.Sscan(number, &point.nth); err != nil {
		return
	}
	point.call = call
	for _, kind := range faultKinds() {
		if kind.id == id {
			yield(faultCase(r, point, kind))
		}
	}
}

// learn sends the request undisturbed and gives the storage calls it makes. Creating tables and containers is none: it
// happens once per process.
func (w *World) learn(r request) ([]faultPoint, error) {
	var points []faultPoint
	seen := map[string]int{}
	e, err := w.sendOnce(r, &fault{wanted: func(call wire.Call) bool {
		if notProvisioning(call) {
			name := w.pointName(call)
			seen[name]++
			points = append(points, faultPoint{name, seen[name], call})
		}
		return false
	}})
	if err != nil {
		return nil, err
	}
	expected := e.status < http.StatusBadRequest
	if r.refused {
		expected = e.status/100 == 4
	}
	if !expected {
		return nil, fmt.Errorf("%s answered %d before any fault", e, e.status)
	}
	return points, nil
}

// sendUnderFault sends the request with a fault on one of its calls, and once more when the answer was no success: the
// client's retry, under the same Idempotency-Key.
func (w *World) sendUnderFault(r request, point faultPoint, kind faultKind) error {
	f := &fault{nth: point.nth, first: kind.first, again: kind.again}
	f.wanted = func(c wire.Call) bool { return notProvisioning(c) && w.pointName(c) == point.call }
	if kind.kills {
		f.first = w.active().kill
	}
	began := time.Now()
	e, err := w.sendOnce(r, f)
	took := time.Since(began)
	switch {
	case !f.reached():
		return errors.Join(errNotReached, err)
	case kind.kills:
		if err := w.revive(); err != nil {
			return err
		}
	case err != nil:
		return err
	case took > mustAnswerWithin:
		return fmt.Errorf("%s was answered after %s, not within %s", e, took.Round(time.Second), mustAnswerWithin)
	}
	if !r.patient || err == nil && e.status < http.StatusBadRequest {
		return nil
	}
	_, err = w.sendOnce(r, nil)
	return err
}

// sendOnce sends a request of a case under the case's Idempotency-Key, with a fault in its way if there is one.
func (w *World) sendOnce(r request, f *fault) (*exchange, error) {
	path, err := w.address(r.path)
	if err != nil {
		return nil, err
	}
	body, err := w.written(r.body)
	if err != nil {
		return nil, err
	}
	w.broken = f
	e, err := w.send(w.caller(r.name), r.method, path, body, header{idempotencyKey, "Case-" + w.tag})
	if e != nil {
		e.faulted = f.reached()
	}
	return e, err
}

// pointName tells a call by class, resource and key. What the scenario has a name for stands by that name, and an id that
// only the target knows as an asterisk.
func (w *World) pointName(c wire.Call) string {
	parts := []string{string(c.Service), string(c.Class)}
	if c.Resource != "" {
		parts = append(parts, "on", c.Resource)
	}
	for _, key := range []string{c.Partition, c.Row, c.Blob, c.Prefix, c.Filter} {
		if key != "" {
			parts = append(parts, w.symbolic(key))
		}
	}
	return strings.Join(parts, " ")
}

// serverID is an id that a target made, or a time: a run of characters an id can have, with a digit among them or longer
// than words are, since one id in forty of 22 characters happens to have no digit.
var serverID = regexp.MustCompile(`\{[\w.]+\}|[\w|-]*\d[\w|-]*|[\w|-]{20,}`)

// symbolic puts names for the ids in a key.
func (w *World) symbolic(key string) string {
	for _, name := range slices.Sorted(maps.Keys(w.people)) {
		p := w.people[name]
		for _, id := range []struct{ field, value string }{
			{"session", p.session}, {"userKey", p.userKey()}, {"memberKey", p.memberKey()}, {"email", p.email},
		} {
			if id.value != "" {
				key = strings.ReplaceAll(key, id.value, "{"+name+"."+id.field+"}")
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(w.kept)) {
		if value := w.kept[name]; len(value) >= 8 { // a short one is no id, and may stand in anything
			key = strings.ReplaceAll(key, value, "{"+name+"}")
		}
	}
	if w.tag != "" {
		key = regexp.MustCompile(`\b`+w.tag+`\b`).ReplaceAllLiteralString(key, "{tag}")
	}
	return serverID.ReplaceAllStringFunc(key, func(id string) string {
		if strings.HasPrefix(id, "{") {
			return id
		}
		return "*"
	})
}
