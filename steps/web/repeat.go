package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/scenario"
)

// Repeats returns the steps that send a request many times, or under an Idempotency-Key.
func Repeats() []scenario.Step {
	return []scenario.Step{
		scenario.On(`(\w+) sends `+scenario.MethodAndPath+scenario.MayHaveBody+` with the key (\w+)`,
			`When Ana sends POST /api/group/create {"groupName":"Choir"} with the key First`, sendsWithKey),
		scenario.On(`(\w+) sends `+scenario.MethodAndPath+scenario.MayHaveBody+` with the Idempotency-Key "([^"]*)"`,
			`When Ana sends POST /api/group/create {"groupName":"Choir"} with the Idempotency-Key "a b"`, sendsUnder).
			Literal(5),
		scenario.On(`(\w+) sends `+scenario.MethodAndPath+scenario.MayHaveBody+scenario.WithHeader,
			`When Ana sends GET /api/notes with the header If-None-Match "{Version}"`, sendsWithHeader).Literal(5),
		scenario.On(`(\w+) sends (\d+) times at once `+scenario.MethodAndPath+scenario.MayHaveBody,
			`When Ana sends 50 times at once POST /api/chat {"groupId":"{Family}","message":"What is next?"}`,
			sendsAtOnce).Counts().Sends(several),
		scenario.On(`(\w+) sends (\d+) times one after the other `+scenario.MethodAndPath+scenario.MayHaveBody,
			`When Ana sends 100 times one after the other POST /api/notes {"text":"note {i}"}`, sendsInTurn).Counts().
			Sends(several),
		scenario.On(`(\w+) sends (\d+) times, (\d+) at a time, `+scenario.MethodAndPath+scenario.MayHaveBody,
			`Given Ana sends 1001 times, 20 at a time, POST /api/notes {"text":"note {i}"}`, sendsMany).Counts().
			Sends(several),
		scenario.On(`(\w+) sends `+scenario.MethodAndPath+` (\{.*\}) on and on, with "(\w+)" of each answer`,
			`When Ana sends POST /api/admin/cleanup {} on and on, with "cursor" of each answer`, sendsOnAndOn).
			Sends(several).Literal(5),
		scenario.On(`each of these requests made at most (\d+) storage calls?`,
			`Then each of these requests made at most 1000 storage calls`, eachMadeAtMost).After(1),
		scenario.On(`(\d+) of these answers (?:has|have) "([^"]+)" (\S+)`, `Then 1 of these answers has "created" true`,
			someAnswersHave).Literal(2, 3).After(1),
		scenario.On(`at most (\d+) of these answers (?:has|have) "([^"]+)" (\S+)`,
			`Then at most 1 of these answers has "created" true`, fewAnswersHave).Literal(2, 3).After(1),
		scenario.On(`all answers are (\d{3})`, `Then all answers are 200`, allAnswersAre).After(1),
		scenario.On(`the header (\S+) of the answer is "([^"]*)"`,
			`Then the header Content-Type of the answer is "image/png"`, headerIs).Literal(1),
		scenario.On(`the answer has no header (\S+)`, `Then the answer has no header X-Served-From`, headerIsAbsent).
			Literal(1),
		scenario.On(`the header (\S+) of the answer is called (\w+)`,
			`And the header ETag of the answer is called Version`, keepHeader).After(1).Keeps("$2").Literal(1),
		scenario.On(`what matches "([^"]+)" in the header (\S+) of the answer is called (\w+)`,
			`And what matches "state=([^&]+)" in the header Location of the answer is called State`, keepOfHeader).
			After(1).Keeps("$3").Literal(1, 2),
	}
}

// sendsWithKey sends a request under an Idempotency-Key. Within a scenario, the same name is the same key.
func sendsWithKey(ctx context.Context, people *scenario.People, names *scenario.Names, requests *scenario.Requests,
	name, method, path, body, key string) error {
	return sendsUnder(ctx, people, names, requests, name, method, path, body, key+"-"+people.Tag())
}

func sendsUnder(ctx context.Context, people *scenario.People, names *scenario.Names, requests *scenario.Requests,
	name, method, path, body, key string) error {
	return sendsWith(ctx, people, names, requests, name, method, path, body,
		scenario.Header{Name: scenario.IdempotencyKey, Value: key})
}

func sendsWithHeader(ctx context.Context, people *scenario.People, names *scenario.Names, requests *scenario.Requests,
	name, method, path, body, header, value string) error {
	value, err := names.Written(value)
	if err != nil {
		return err
	}
	return sendsWith(ctx, people, names, requests, name, method, path, body,
		scenario.Header{Name: header, Value: value})
}

func sendsWith(ctx context.Context, people *scenario.People, names *scenario.Names, requests *scenario.Requests, name,
	method, path, body string,
	set ...scenario.Header) error {
	path, err := names.Address(path)
	if err != nil {
		return err
	}
	if body, err = names.Written(body); err != nil {
		return err
	}
	_, err = requests.Send(ctx, people.Caller(name), method, path, body, set...)
	return err
}

// sendsAtOnce sends one request many times at once, in turn to all instances if the target has several. {i} is the
// index, from 0.
func sendsAtOnce(ctx context.Context, stage *scenario.Stage, people *scenario.People, names *scenario.Names,
	sent *scenario.Requests, name string, count int, method, path, body string) error {
	caller := people.Caller(name)
	requests, err := countedRequests(names, count, method, path, body)
	if err != nil {
		return err
	}
	return sendAll(ctx, stage, sent, sent.Spreads(), requests, caller)
}

// sendsMany sends one request many times, several at once. {i} is the index, from 0.
func sendsMany(ctx context.Context, stage *scenario.Stage, people *scenario.People, names *scenario.Names,
	sent *scenario.Requests, name string, count, together int, method, path,
	body string) error {
	if together < 1 {
		return errors.New("nothing is sent 0 at a time")
	}
	caller := people.Caller(name)
	requests, err := countedRequests(names, count, method, path, body)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(requests, together) {
		if err := sendAll(ctx, stage, sent, sent.Spreads(), some, caller); err != nil {
			return err
		}
		for _, e := range sent.RoundTrips()[len(sent.RoundTrips())-len(some):] {
			if e.Status >= http.StatusBadRequest {
				return fmt.Errorf("%s answered %d", e, e.Status)
			}
		}
	}
	return nil
}

// sendsInTurn sends one request many times, each after the answer to the previous one. {i} is the index, from 0.
func sendsInTurn(ctx context.Context, people *scenario.People, names *scenario.Names, sent *scenario.Requests,
	name string, count int, method, path, body string) error {
	requests, err := countedRequests(names, count, method, path, body)
	if err != nil {
		return err
	}
	for _, r := range requests {
		e, err := sent.Send(ctx, people.Caller(name), r.Method, r.Path, r.Body)
		if err != nil {
			return err
		}
		if e.Status >= http.StatusBadRequest {
			return e.Blame(fmt.Errorf("%s answered %d", e, e.Status))
		}
	}
	return nil
}

func countedRequests(names *scenario.Names, count int, method, path, body string) ([]scenario.Request, error) {
	requests := make([]scenario.Request, count)
	err := names.Counting(count, func(i int) (err error) {
		r := &requests[i]
		r.Method = method
		if r.Path, err = names.Address(path); err == nil {
			r.Body, err = names.Written(body)
		}
		return err
	})
	return requests, err
}

func someAnswersHave(_ context.Context, requests *scenario.Requests, count int, member, value string) error {
	found, of, err := answersThatHave(requests, member, value)
	if err == nil && found != count {
		err = fmt.Errorf("%d of the %d answers have %q %s, not %d", found, of, member, value, count)
	}
	return err
}

func fewAnswersHave(_ context.Context, requests *scenario.Requests, most int, member, value string) error {
	found, of, err := answersThatHave(requests, member, value)
	if err == nil && found > most {
		err = fmt.Errorf("%d of the %d answers have %q %s, more than %d", found, of, member, value, most)
	}
	return err
}

// answersThatHave counts the answers to what was sent at the same moment as the last request, and those with a value.
func answersThatHave(requests *scenario.Requests, member, value string) (found, of int, err error) {
	all, err := requests.Together()
	for _, e := range all {
		if matching.Matches(e.JSON(member), value, nil) == nil {
			found++
		}
	}
	return found, len(all), err
}

// allAnswersAre judges what was sent at the same moment as the last request.
func allAnswersAre(_ context.Context, requests *scenario.Requests, status int) error {
	all, err := requests.Together()
	if err != nil {
		return err
	}
	var wrong []error
	for _, e := range all {
		wrong = append(wrong, e.Is(status, ""))
	}
	return alike(wrong)
}

// alike joins the errors of requests that were sent together, of which those without one are nil: each message once,
// with the number of requests that it is about. Those that could not be sent count only if nothing else went wrong
// (scenario.Joined).
func alike(errs []error) error {
	var first []error
	sent := len(errs)
	if wrong := scenario.Wrong(errs); len(wrong) > 0 {
		errs = wrong
	}
	counts := map[string]int{}
	for _, err := range errs {
		if err == nil {
			continue
		}
		if counts[err.Error()]++; counts[err.Error()] == 1 {
			first = append(first, err)
		}
	}
	for i, err := range first {
		if n := counts[err.Error()]; n > 1 {
			first[i] = matching.PartOf(fmt.Sprintf("%d of %d requests", n, sent), err)
		}
	}
	return errors.Join(first...)
}

func keepHeader(_ context.Context, names *scenario.Names, e *scenario.RoundTrip, header, name string) error {
	value := e.Header.Get(header)
	if value == "" {
		return fmt.Errorf("the answer to %s has no header %s", e, header)
	}
	names.Keep(name, value)
	return nil
}

func headerIs(_ context.Context, names *scenario.Names, e *scenario.RoundTrip, name, want string) error {
	if err := names.WriteOut(&want); err != nil {
		return err
	}
	if got := e.Header.Get(name); got != want {
		return fmt.Errorf("the answer to %s has the header %s %q, not %q", e, name, got, want)
	}
	return nil
}

func headerIsAbsent(_ context.Context, e *scenario.RoundTrip, name string) error {
	if got := e.Header.Values(name); len(got) > 0 {
		return fmt.Errorf("the answer to %s has the header %s %q", e, name, got)
	}
	return nil
}
