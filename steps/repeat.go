package steps

import (
	"errors"
	"fmt"
	"net/http"
	"sync"

	"github.com/storespec/storespec/internal/wire"
)

// idempotencyKey is the header by which a client tells a server that a request is an earlier one again.
const idempotencyKey = "Idempotency-Key"

func repeatSteps() []Step {
	return []Step{
		{`(\w+) sends ` + methodAndPath + mayHaveBody + ` with the key (\w+)`, `When Ana sends POST /api/group/create {"groupName":"Choir"} with the key First`,
			func(w *World) any { return w.sendsWithKey }},
		{`(\w+) sends ` + methodAndPath + mayHaveBody + ` with the Idempotency-Key "([^"]*)"`, `When Ana sends POST /api/group/create {"groupName":"Choir"} with the Idempotency-Key "a b"`,
			func(w *World) any { return w.sendsUnder }},
		{`(\w+) sends (\d+) times at once ` + methodAndPath + mayHaveBody, `When Ana sends 50 times at once POST /api/chat {"groupId":"{Family}","message":"What is next?"}`,
			func(w *World) any { return w.sendsAtOnce }},
		{`(\w+) sends (\d+) times one after the other ` + methodAndPath + mayHaveBody, `When Ana sends 100 times one after the other POST /api/notes {"text":"note {i}"}`,
			func(w *World) any { return w.sendsInTurn }},
		{`(\d+) of these answers (?:has|have) "([^"]+)" (\S+)`, `Then 1 of these answers has "created" true`,
			func(w *World) any { return w.someAnswersHave }},
		{`all answers are (\d{3})`, `Then all answers are 200`,
			func(w *World) any { return w.allAnswersAre }},
		{`the header (\S+) of the answer is "([^"]*)"`, `Then the header Content-Type of the answer is "image/png"`,
			func(w *World) any { return w.headerIs }},
	}
}

// sendsWithKey is a request under an Idempotency-Key. The same name is the same key, within a scenario.
func (w *World) sendsWithKey(name, method, path, body, key string) error {
	return w.sendsUnder(name, method, path, body, key+"-"+w.tag)
}

func (w *World) sendsUnder(name, method, path, body, key string) error {
	path, err := w.address(path)
	if err != nil {
		return err
	}
	if body, err = w.expand(body); err != nil {
		return err
	}
	_, err = w.send(w.caller(name), method, path, body, header{idempotencyKey, key})
	return err
}

// sendsAtOnce sends one request many times, each on its own, to all instances in turn where the target runs several
// times. {i} counts them, from 0.
func (w *World) sendsAtOnce(name string, count int, method, path, body string) error {
	lane, caller := w.active(), w.caller(name)
	paths, bodies, err := w.countedRequests(count, path, body)
	if err != nil {
		return err
	}
	recorded := []*wire.Request{lane.Recorder.Begin(method + " " + path)}
	for len(recorded) < count {
		recorded = append(recorded, recorded[0].Beside(recorded[0].Name()))
	}
	exchanges, errs := make([]*exchange, count), make([]error, count)
	var all sync.WaitGroup
	for i := range bodies {
		all.Go(func() {
			exchanges[i], errs[i] = w.roundTrip(lane.instance(i%max(1, w.spread)).URL, recorded[i], caller, method, paths[i], bodies[i])
		})
	}
	all.Wait()
	w.sent(exchanges...)
	return errors.Join(errs...)
}

// sendsInTurn sends one request many times, each after the answer to the one before. {i} counts them, from 0.
func (w *World) sendsInTurn(name string, count int, method, path, body string) error {
	paths, bodies, err := w.countedRequests(count, path, body)
	if err != nil {
		return err
	}
	for i, body := range bodies {
		e, err := w.send(w.caller(name), method, paths[i], body)
		if err != nil {
			return err
		}
		if e.status >= http.StatusBadRequest {
			return fmt.Errorf("%s answered %d", e, e.status)
		}
	}
	return nil
}

func (w *World) countedRequests(count int, path, body string) (paths, bodies []string, err error) {
	if paths, err = w.counted(count, path, w.address); err != nil {
		return nil, nil, err
	}
	bodies, err = w.counted(count, body, w.written)
	return paths, bodies, err
}

func (w *World) someAnswersHave(count int, member, value string) error {
	all, err := w.together()
	if err != nil {
		return err
	}
	found := 0
	for _, e := range all {
		if matches(e.json(member), value, nil) == nil {
			found++
		}
	}
	if found != count {
		return fmt.Errorf("%d of the %d answers have %q %s, not %d", found, len(all), member, value, count)
	}
	return nil
}

// allAnswersAre judges what was sent at the same moment as the last request.
func (w *World) allAnswersAre(status int) error {
	all, err := w.together()
	if err != nil {
		return err
	}
	var wrong []error
	for _, e := range all {
		wrong = append(wrong, e.is(status, ""))
	}
	return errors.Join(wrong...)
}

func (w *World) headerIs(name, want string) error {
	e, err := w.last()
	if err != nil {
		return err
	}
	if got := e.header.Get(name); got != want {
		return fmt.Errorf("the answer to %s has the header %s %q, not %q", e, name, got, want)
	}
	return nil
}
