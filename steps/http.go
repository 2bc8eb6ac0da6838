package steps

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/wire"
)

// maxAnswer bounds what is read of an answer: scans are the largest, at 8 MiB.
const maxAnswer = 16 << 20

// exchange is a request and its answer.
type exchange struct {
	person, method, path string
	sent                 string // the request's body
	kind                 string // of it, Content-Type

	start    time.Time
	duration time.Duration // until the whole answer was read, or given up

	status int
	header http.Header
	body   []byte
	parsed any   // of a JSON body; nil otherwise
	page   *page // of HTML that a browser asked for; nil otherwise

	system   System
	caller   []string // Exchange.Caller
	odd      []int    // storage calls of it that may not be, by number, from 0
	faulted  bool     // a storage call of it was made to fail
	request  *wire.Request
	recorder *wire.Recorder
}

// header is a request header a scenario sets.
type header struct{ name, value string }

func (e *exchange) calls() []wire.Call { return e.request.Calls() }

func (e *exchange) String() string { return e.method + " " + e.path }

// json is the value at a path such as `groups[0].groupName` in the answer's JSON, or nil.
func (e *exchange) json(path string) any {
	value, _ := lookup(e.parsed, path)
	return value
}

// methodAndPath is how steps name a request: its method, and its path or the name of one that the scenario was given.
const methodAndPath = `(GET|POST|PUT|PATCH|DELETE) ([/{]\S*)`

// mayHaveBody is what can follow it: JSON.
const mayHaveBody = `(?: (\{.*\}))?`

func httpSteps() []Step {
	return []Step{
		{`(\w+) is a person`, `Given Ana is a person`,
			func(w *World) any { return func(name string) error { w.person(name); return nil } }},
		{`(\w+) sends ` + methodAndPath, `When Ana sends GET /api/me/groups`,
			func(w *World) any {
				return func(name, method, path string) error { return w.sends(name, method, path, "") }
			}},
		{`(\w+) sends ` + methodAndPath + ` (\{.*\})`, `When Ana sends POST /api/group/rename {"groupId":"{Family}","groupName":"Smiths"}`,
			func(w *World) any { return w.sends }},
		{`(\w+) sends ` + methodAndPath + ` with the body`, "When Ana sends POST /api/direct with the body\n\"\"\"\n{not JSON\n\"\"\"",
			func(w *World) any {
				return func(name, method, path string, body *godog.DocString) error {
					return w.sends(name, method, path, body.Content)
				}
			}},
		{`(\w+) sends ` + methodAndPath + ` with the last answer as body`, `When Ana sends POST /api/notes with the last answer as body`,
			func(w *World) any { return w.sendsLastAnswer }},
		{`(\w+) sends ` + methodAndPath + ` with (\d+) items in "(\w+)" like (\{.*\})`, `When Ana sends POST /api/batch with 100 items in "records" like {"owner":"octo","name":"action-{i}"}`,
			func(w *World) any {
				return func(name, method, path string, count int, list, item string) error {
					return w.sendsItems(name, method, path, count, list, item, count)
				}
			}},
		{`(\w+) sends ` + methodAndPath + ` with (\d+) items in "(\w+)" like (\{.*\}), (\d+) at a time`, `When Ana sends POST /api/batch with 1000 items in "records" like {"owner":"octo","name":"action-{i}"}, 100 at a time`,
			func(w *World) any { return w.sendsItems }},
		{`(\w+) sends ` + methodAndPath + ` with a body of (\d+) bytes`, `When Ana sends POST /api/group/create with a body of 11534336 bytes`,
			func(w *World) any { return w.sendsLargeBody }},
		{`(\w+) and (\w+) send ` + methodAndPath + mayHaveBody + ` at the same moment`, `When Ana and Ben send POST /api/auth/consume-link {"token":"{AnaToken}"} at the same moment`,
			func(w *World) any { return w.sendTogether }},
		{`the answer is (\d{3})`, `Then the answer is 200`,
			func(w *World) any { return func(status int) error { return w.answerIs(status, "") } }},
		{`the answer is (\d{3}(?:, \d{3})*) or (\d{3})`, `Then the answer is 200 or 201`,
			func(w *World) any { return w.answerIsEither }},
		{`the answer is (\d{3}) (\w+)`, `Then the answer is 403 not_allowed`,
			func(w *World) any { return w.answerIs }},
		{`both answers are (\d{3})(?: (\w+))?`, `Then both answers are 403 not_allowed`,
			func(w *World) any { return w.bothAnswersAre }},
		{`one answer is (\d{3}) and the other (\d{3})`, `Then one answer is 200 and the other 400`,
			func(w *World) any { return w.answersAre }},
		{`both answers are equal but for the trace id`, `Then both answers are equal but for the trace id`,
			func(w *World) any { return w.answersEqual }},
		{`the answer has`, "Then the answer has\n| groupName | Smiths |\n| ok | true |",
			func(w *World) any { return w.answerHas }},
		{`the answer lists, in this order`, "Then the answer lists, in this order\n| name |\n| checkout |",
			func(w *World) any {
				return func(table *godog.Table) error { return w.answerLists("", table, true) }
			}},
		{`"([^"]+)" of the answer lists, in this order`, "Then \"groups\" of the answer lists, in this order\n| groupName | myStatus |",
			func(w *World) any {
				return func(path string, table *godog.Table) error { return w.answerLists(path, table, true) }
			}},
		{`"([^"]+)" of the answer lists`, "Then \"groups\" of the answer lists\n| groupName | myStatus |",
			func(w *World) any {
				return func(path string, table *godog.Table) error { return w.answerLists(path, table, false) }
			}},
		{`"([^"]+)" of the answer is empty`, `Then "groups" of the answer is empty`,
			func(w *World) any { return w.answerListIsEmpty }},
		{`the answer contains "([^"]*)"`, `Then the answer contains "owner"`,
			func(w *World) any { return w.answerContains }},
		{`the answer does not contain "([^"]+)"`, `Then the answer does not contain "{Family}"`,
			func(w *World) any { return w.answerLacks }},
		{`the answer says to retry later`, `Then the answer says to retry later`,
			func(w *World) any { return w.answerSaysRetry }},
		{`"(\w+)" of the item of "([^"]+)" with "(\w+)" (\S+) is called (\w+)`, `And "userKey" of the item of "members" with "memberKey" {Gus} is called GusRow`,
			func(w *World) any { return w.keepOf }},
		{`"([^"]+)" of the answer is called (\w+)`, `And "sessionId" of the answer is called Hunt`,
			func(w *World) any { return w.keep }},
	}
}

// sends is a request of a person; "Nobody" has no session.
func (w *World) sends(name, method, path, body string) error {
	path, err := w.address(path)
	if err != nil {
		return err
	}
	if body, err = w.written(body); err != nil {
		return err
	}
	_, err = w.send(w.caller(name), method, path, body)
	return err
}

// written is a text of a feature file with all that it cannot hold as it is: names, repeated texts and raw bytes.
func (w *World) written(text string) (string, error) {
	expanded, err := w.expand(text)
	if err != nil {
		return "", err
	}
	return unfold(expanded)
}

// address is the path of a request, with the values of names spelled so that they stand in it whatever they hold. A path that
// begins with a name is one that the scenario was given.
func (w *World) address(path string) (string, error) {
	if strings.HasPrefix(path, "{") {
		return w.expand(path)
	}
	path, query, hasQuery := strings.Cut(path, "?")
	path, err := w.expandWith(path, url.PathEscape)
	if err != nil || !hasQuery {
		return path, err
	}
	query, err = w.expandWith(query, url.QueryEscape)
	return path + "?" + query, err
}

// sendsLastAnswer sends back what was answered, as it came.
func (w *World) sendsLastAnswer(name, method, path string) error {
	e, err := w.last()
	if err != nil {
		return err
	}
	if path, err = w.address(path); err != nil {
		return err
	}
	_, err = w.send(w.caller(name), method, path, string(e.body))
	return err
}

// sendsItems sends objects with one list of items that are alike, so many in each. {i} counts them, from 0.
func (w *World) sendsItems(name, method, path string, count int, list, item string, each int) error {
	items, err := w.counted(count, item, w.written)
	if err != nil {
		return err
	}
	if path, err = w.address(path); err != nil {
		return err
	}
	for some := range slices.Chunk(items, max(1, each)) {
		if _, err := w.send(w.caller(name), method, path, `{"`+list+`":[`+strings.Join(some, ",")+`]}`); err != nil {
			return err
		}
	}
	return nil
}

// counted is a text so many times, each as write puts it down; {i} counts them, from 0.
func (w *World) counted(count int, text string, write func(string) (string, error)) ([]string, error) {
	texts := make([]string, count)
	err := w.counting(count, func(i int) (err error) {
		texts[i], err = write(text)
		return err
	})
	return texts, err
}

// counting does something so many times; {i} counts them, from 0.
func (w *World) counting(count int, do func(i int) error) error {
	defer delete(w.kept, "i")
	for i := range count {
		w.kept["i"] = strconv.Itoa(i)
		if err := do(i); err != nil {
			return err
		}
	}
	return nil
}

// sendsLargeBody sends a JSON object of that size.
func (w *World) sendsLargeBody(name, method, path string, size int) error {
	const frame = `{"text":""}`
	path, err := w.address(path)
	if err != nil {
		return err
	}
	_, err = w.send(w.caller(name), method, path, `{"text":"`+strings.Repeat("x", max(0, size-len(frame)))+`"}`)
	return err
}

// caller is the person of that name; nil for Nobody, who sends no session.
func (w *World) caller(name string) *person {
	if name == "Nobody" {
		return nil
	}
	return w.person(name)
}

// send sends one request to the lane's target and keeps the exchange. The error is about the
// connection: a server that answers, whatever it answers, is no error here.
func (w *World) send(caller *person, method, path, body string, set ...header) (*exchange, error) {
	lane := w.active()
	return w.sendTo(lane.Target.URL, lane.Recorder.Begin(method+" "+path), caller, method, path, body, set...)
}

func (w *World) sendTo(base string, recorded *wire.Request, caller *person, method, path, body string, set ...header) (*exchange, error) {
	endFault := w.faulty(recorded)
	e, err := w.roundTrip(base, recorded, caller, method, path, body, set...)
	meanwhile, faultErr := endFault()
	w.sent(meanwhile, e)
	if err := errors.Join(err, faultErr); err != nil {
		return nil, err
	}
	return e, nil
}

// sent keeps what was sent, whatever became of it. Nil was not sent.
func (w *World) sent(exchanges ...*exchange) {
	for _, e := range exchanges {
		if e != nil {
			w.exchanges, w.settled = append(w.exchanges, e), false
		}
	}
}

func (w *World) roundTrip(base string, recorded *wire.Request, caller *person, method, path, body string, set ...header) (*exchange, error) {
	return w.do(base, recorded, caller, method, path, body, func(request *http.Request) []string {
		if body != "" {
			request.Header.Set("Content-Type", "application/json")
		}
		shown := w.system().introduce(request, caller)
		for _, h := range set {
			request.Header.Set(h.name, h.value)
		}
		return shown
	})
}

// do sends a request with the headers that dress puts on it, and reads the answer. dress gives those that say whose it is,
// for Exchange.Caller. An exchange that comes with an error was sent; its status is 0 when no answer came.
func (w *World) do(base string, recorded *wire.Request, caller *person, method, path, body string, dress func(*http.Request) []string) (*exchange, error) {
	defer recorded.End()
	request, err := http.NewRequestWithContext(w.ctx, method, base+path, strings.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("%s %s is no request: %w", method, path, err)
	}
	e := &exchange{person: "Nobody", method: method, path: path, sent: body, request: recorded, recorder: w.active().Recorder, system: w.system()}
	if caller != nil {
		e.person = caller.name
	}
	e.caller, e.kind = dress(request), request.Header.Get("Content-Type")
	request.Header.Set("traceparent", recorded.Traceparent())
	e.start = time.Now()
	defer func() { e.duration = time.Since(e.start) }()
	answer, err := w.active().client.Do(request)
	if err != nil {
		return e, w.unanswered(e, fmt.Errorf("%s got no answer: %w", e, err))
	}
	defer answer.Body.Close()
	e.status, e.header = answer.StatusCode, answer.Header
	if e.body, err = io.ReadAll(io.LimitReader(answer.Body, maxAnswer)); err != nil {
		return e, w.unanswered(e, fmt.Errorf("%s: read its answer: %w", e, err))
	}
	w.lane.patience.answered()
	if strings.HasPrefix(answer.Header.Get("Content-Type"), "application/json") {
		decoder := json.NewDecoder(bytes.NewReader(e.body))
		decoder.UseNumber()
		if err := decoder.Decode(&e.parsed); err != nil {
			return e, fmt.Errorf("%s answered %d with a body that is not JSON: %w", e, e.status, err)
		}
	}
	return e, nil
}

// sendTogether sends the same body for two people at once, each to a target instance of its own
// where the scenario has two.
func (w *World) sendTogether(first, second, method, path, body string) error {
	path, err := w.address(path)
	if err != nil {
		return err
	}
	if body, err = w.expand(body); err != nil {
		return err
	}
	lane := w.active()
	one := lane.Recorder.Begin(method + " " + path)
	recorded := []*wire.Request{one, one.Beside(one.Name())}
	names := []string{first, second}
	exchanges, errs := make([]*exchange, 2), make([]error, 2)
	var both sync.WaitGroup
	for i := range names {
		caller := w.caller(names[i])
		both.Go(func() {
			exchanges[i], errs[i] = w.roundTrip(lane.instance(i).URL, recorded[i], caller, method, path, body)
		})
	}
	both.Wait()
	w.sent(exchanges...)
	return errors.Join(errs...)
}

func (w *World) answerIs(status int, code string) error {
	e, err := w.last()
	if err != nil {
		return err
	}
	return e.is(status, code)
}

// is compares status and error code. The shape of an error is the contract's to say, which holds every answer to it.
func (e *exchange) is(status int, code string) error {
	got, _ := e.json(e.system.ErrorCode).(string)
	if e.status != status {
		return &Difference{
			Where: "the answer to " + e.String(), Expected: named(status, code), Seen: named(e.status, got),
			text: fmt.Sprintf("%s answered %s, not %s", e, named(e.status, got), named(status, code)),
		}
	}
	if code != "" && got != code {
		return fmt.Errorf("%s answered %d with the error code %q, not %q", e, e.status, got, code)
	}
	return nil
}

// answerIsEither is for a request that may have been carried out before.
func (w *World) answerIsEither(some, last string) error {
	e, err := w.last()
	if err != nil {
		return err
	}
	if slices.Contains(append(strings.Split(some, ", "), last), strconv.Itoa(e.status)) {
		return nil
	}
	return fmt.Errorf("%s answered %d, neither %s nor %s", e, e.status, some, last)
}

func named(status int, code string) string {
	return strings.TrimSpace(strconv.Itoa(status) + " " + code)
}
