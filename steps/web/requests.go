package web

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/wire"
)

// Requests returns the steps that name people and send requests for them.
func Requests() []scenario.Step {
	return []scenario.Step{
		scenario.On(`(\w+) is a person`, `Given Ana is a person`,
			func(_ context.Context, people *scenario.People, name string) error { people.Person(name); return nil }),
		scenario.On(`(\w+) sends `+scenario.MethodAndPath, `When Ana sends GET /api/me/groups`,
			func(ctx context.Context, requests *scenario.Requests, name, method, path string) error {
				return requests.Sends(ctx, name, method, path, "")
			}),
		scenario.On(`(\w+) sends `+scenario.MethodAndPath+` (\{.*\})`,
			`When Ana sends POST /api/group/rename {"groupId":"{Family}","groupName":"Smiths"}`,
			func(ctx context.Context, requests *scenario.Requests, name, method, path, body string) error {
				return requests.Sends(ctx, name, method, path, body)
			}),
		scenario.On(`(\w+) sends `+scenario.MethodAndPath+` with the body`,
			"When Ana sends POST /api/direct with the body\n\"\"\"\n{not JSON\n\"\"\"",
			func(ctx context.Context, requests *scenario.Requests, name, method, path string,
				body *godog.DocString) error {
				return requests.Sends(ctx, name, method, path, body.Content)
			}),
		scenario.On(`(\w+) sends `+scenario.MethodAndPath+scenario.WithHeader+` with the body`,
			`When Ana sends PUT /api/notes/milk with the header If-Match "{Version}" with the body`+
				"\n\"\"\"\n{not JSON\n\"\"\"",
			func(ctx context.Context, people *scenario.People, names *scenario.Names, requests *scenario.Requests, name,
				method, path, header, value string,
				body *godog.DocString) error {
				return sendsWithHeader(ctx, people, names, requests, name, method, path, body.Content, header, value)
			}).Literal(4),
		scenario.On(`(\w+) sends `+scenario.MethodAndPath+` with the last answer as body`,
			`When Ana sends POST /api/notes with the last answer as body`, sendsLastAnswer),
		scenario.On(`(\w+) sends `+scenario.MethodAndPath+` with (\d+) items in "(\w+)" like (\{.*\})`,
			`When Ana sends POST /api/batch with 100 items in "records" like {"owner":"octo","name":"action-{i}"}`,
			func(ctx context.Context, people *scenario.People, names *scenario.Names, requests *scenario.Requests, name,
				method, path string, count int, list,
				item string) error {
				return sendsItems(ctx, people, names, requests, name, method, path, count, list, item, count)
			}).Counts(),
		scenario.On(`(\w+) sends `+scenario.MethodAndPath+` with (\d+) items in "(\w+)" like (\{.*\}), (\d+) at a time`,
			`When Ana sends POST /api/batch with 1000 items in "records" like {"owner":"octo","name":"action-{i}"}, `+
				`100 at a time`, sendsItems).Counts().Sends(several),
		scenario.On(`(\w+) sends `+scenario.MethodAndPath+` with a body of (\d+) bytes`,
			`When Ana sends POST /api/group/create with a body of 11534336 bytes`, sendsLargeBody),
		scenario.On(`a page of another site sends `+scenario.MethodAndPath+` (\{.*\})`,
			`When a page of another site sends POST /api/auth/consume-link {"token":"{AnaToken}"}`,
			sendsFromAnotherSite),
		scenario.On(`(\w+) and (\w+) send `+scenario.MethodAndPath+scenario.MayHaveBody+` at the same moment`,
			`When Ana and Ben send POST /api/auth/consume-link {"token":"{AnaToken}"} at the same moment`,
			sendTogether).Sends(2),
	}
}

// sendsFromAnotherSite sends JSON as a form can: as plain text, and without anything that says who sends it.
func sendsFromAnotherSite(ctx context.Context, names *scenario.Names, requests *scenario.Requests, method, path,
	body string) error {
	path, err := names.Address(path)
	if err != nil {
		return err
	}
	if body, err = names.Written(body); err != nil {
		return err
	}
	_, err = requests.Send(ctx, nil, method, path, body,
		append(scenario.FromAnotherSite(), scenario.Header{Name: "Content-Type", Value: "text/plain"})...)
	return err
}

// several is how many requests a step sends that may send more than one.
const several = 2

// sendsLastAnswer sends back the last answer, unchanged.
func sendsLastAnswer(ctx context.Context, people *scenario.People, names *scenario.Names, requests *scenario.Requests,
	e *scenario.RoundTrip, name, method, path string) error {
	path, err := names.Address(path)
	if err != nil {
		return err
	}
	_, err = requests.Send(ctx, people.Caller(name), method, path, string(e.Body))
	return err
}

// sendsItems sends objects with one list of similar items, a given number in each. {i} is the index, from 0.
func sendsItems(ctx context.Context, people *scenario.People, names *scenario.Names, requests *scenario.Requests,
	name, method, path string, count int, list, item string,
	each int) error {
	items, err := names.Counted(count, item)
	if err != nil {
		return err
	}
	if path, err = names.Address(path); err != nil {
		return err
	}
	for some := range slices.Chunk(items, max(1, each)) {
		if _, err := requests.Send(ctx, people.Caller(name), method, path, `{"`+list+`":[`+strings.Join(some, ",")+
			`]}`); err != nil {
			return err
		}
	}
	return nil
}

// sendsLargeBody sends a JSON object of the given size.
func sendsLargeBody(ctx context.Context, people *scenario.People, names *scenario.Names, requests *scenario.Requests,
	name, method, path string, size int) error {
	const frame = `{"text":""}`
	path, err := names.Address(path)
	if err != nil {
		return err
	}
	body := `{"text":"` + strings.Repeat("x", max(0, size-len(frame))) + `"}`
	_, err = requests.Send(ctx, people.Caller(name), method, path, body)
	return err
}

// sendTogether sends the same body for two people at once, each to a target instance of its own if the scenario has
// two.
func sendTogether(ctx context.Context, stage *scenario.Stage, people *scenario.People, names *scenario.Names,
	requests *scenario.Requests, first, second, method, path, body string) error {
	path, err := names.Address(path)
	if err != nil {
		return err
	}
	if body, err = names.Expand(body); err != nil {
		return err
	}
	r := scenario.Request{Method: method, Path: path, Body: body}
	return sendAll(ctx, stage, requests, 2, []scenario.Request{r, r}, people.Caller(first), people.Caller(second))
}

// sendAll sends requests at once. The callers, and a number of instances of the target, take turns.
func sendAll(ctx context.Context, stage *scenario.Stage, sent *scenario.Requests, instances int,
	requests []scenario.Request,
	callers ...*scenario.Person) error {
	lane, count := stage.Lane(), len(requests)
	recorded, exchanges, errs := make([]*wire.Request, count), make([]*scenario.RoundTrip, count), make([]error, count)
	for i, r := range requests {
		if i > 0 {
			recorded[i] = recorded[0].Beside(r.String())
			continue
		}
		first, err := sent.BeginRequest(ctx, r.String())
		if err != nil {
			return err
		}
		recorded[i] = first
	}
	var all sync.WaitGroup
	for i, r := range requests {
		all.Go(func() {
			exchanges[i], errs[i] = sent.RoundTrip(ctx, lane.Instance(i%instances).URL, recorded[i],
				callers[i%len(callers)], r)
		})
	}
	all.Wait()
	sent.Sent(exchanges...)
	return alike(errs)
}
