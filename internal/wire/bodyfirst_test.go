package wire_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/wire"
)

// deeds is the protocol of a service all of whose requests are alike except for their bodies, such as
// {"do":"put","in":"Notes","key":["Ana","1"],"if":"v1"}, and that refuses everything with status 400. With "keys" a
// request does the same to several items.
type deeds struct{}

// mostNamed is how much of a body deeds reads before a call has its name.
const mostNamed = 1 << 10

func (deeds) Service() wire.Service { return "deeds" }
func (deeds) Classes() []wire.Class {
	return []wire.Class{
		{Name: "get", Effect: wire.Reads, Breadth: wire.One},
		{Name: "put", Effect: wire.Writes, Breadth: wire.One, In: []string{"write"}},
	}
}
func (deeds) Decode(wire.Head) wire.Reading { return &deed{} }
func (deeds) Peek(wire.Head) int64          { return mostNamed }
func (deeds) InvitesRetry(c wire.Call) bool { return c.ErrorCode == "Throttled" }
func (deeds) Refuse(w http.ResponseWriter, _ *http.Request, reason wire.Refusal) {
	code := map[wire.Refusal]string{wire.Throttled: "Throttled", wire.Stale: "ConditionFailed"}[reason]
	w.WriteHeader(http.StatusBadRequest)
	_, _ = io.WriteString(w, code)
}

// deed reads one call.
type deed struct {
	body, answer bytes.Buffer
	status       int
	inner        []wire.Call // read once, and completed by the answer
}

func (d *deed) Request() io.Writer { return &d.body }
func (d *deed) Answer(status int, _ http.Header) io.Writer {
	d.status = status
	return &d.answer
}

func (d *deed) Call() wire.Call {
	call := wire.Call{Service: "deeds", Class: wire.Unknown, Effect: wire.Other, Breadth: wire.Whole,
		Parts: []string{"person", "note"}}
	var said struct {
		Do, In, By, If string
		Key            []string
		Keys           [][]string
	}
	if json.Unmarshal(d.body.Bytes(), &said) != nil {
		return call
	}
	for _, class := range (deeds{}).Classes() {
		if class.Name == said.Do {
			call.Class, call.Effect, call.Breadth = class.Name, class.Effect, class.Breadth
		}
	}
	call.Resource, call.Index, call.Key, call.Conditional = said.In, said.By, said.Key, said.If
	for _, key := range said.Keys[len(d.inner):] {
		one := call
		one.Key = key
		d.inner = append(d.inner, one)
	}
	call.Inner = d.inner
	return call
}

func (d *deed) Done() wire.Call {
	call := d.Call()
	if call.Status = d.status; d.status >= http.StatusBadRequest {
		call.ErrorCode = d.answer.String()
	}
	for i := range call.Inner {
		call.Inner[i].Status = call.Status
	}
	return call
}

// openDeeds puts a gateway before a store that answers with what it was sent.
func openDeeds(t *testing.T) (*wire.Recorder, *wire.Gateway, func(body string) (int, string)) {
	t.Helper()
	rec := wire.NewRecorder()
	gate, err := wire.NewGateway(rec, map[wire.Protocol]http.Handler{
		deeds{}: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) }),
	}, wire.GatewayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { gate.Close() })
	return rec, gate, func(body string) (int, string) {
		t.Helper()
		answer, err := http.Post(gate.Endpoint("deeds"), "application/json", strings.NewReader(body))
		if err != nil {
			return 0, ""
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Error(err)
		}
		return answer.StatusCode, string(text)
	}
}

const (
	putsAna = `{"do":"put","in":"Notes","key":["Ana","1"],"if":"v1"}`
	getsBen = `{"do":"get","in":"Notes","key":["Ben","2"]}`
)

func TestFaultsFallOnWhatABodyNames(t *testing.T) {
	rec, gate, send := openDeeds(t)
	left := 2 // faults
	gate.Interpose(func(call wire.Call, next http.Handler) http.Handler {
		if call.Writes() && call.Name() == "Ana / 1" && call.Conditional == "v1" && left > 0 {
			left--
			return wire.Refused(wire.Throttled)
		}
		return next
	})
	for range 2 {
		if status, text := send(putsAna); status != http.StatusBadRequest || text != "Throttled" {
			t.Errorf("answered %d %q", status, text)
		}
		if status, text := send(getsBen); status != http.StatusOK || text != getsBen {
			t.Errorf("the store got %d %q", status, text)
		}
	}
	long := `{"do":"put","in":"Notes","key":["Ana","1"],"text":"` + strings.Repeat("x", 2*mostNamed) + `"}`
	for _, body := range []string{putsAna, long, `no deed`, ``} {
		if status, text := send(body); status != http.StatusOK || text != body {
			t.Errorf("of %d bytes the store got %d %q", len(body), status, text)
		}
	}
	var got []string
	for _, call := range rec.Calls() {
		got = append(got, call.Describe(call.Place()))
	}
	want := []string{"deeds put on Notes Ana / 1", "deeds get on Notes Ben / 2", "deeds get on Notes Ben / 2",
		"deeds put on Notes Ana / 1", "deeds unknown", "deeds unknown"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("calls\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	// A refusal of status 400 invited the retries, since the protocol says so, and the third attempt was answered.
	if first := rec.Calls()[0]; first.Attempts != 3 || first.Status != http.StatusOK || first.ID != 1 {
		t.Errorf("the first call: %+v", first)
	}
}

func TestHeldCallsAreNamedByTheirBodies(t *testing.T) {
	_, gate, send := openDeeds(t)
	changed := make(chan struct{}, 8)
	hold := wire.NewHold(func() { changed <- struct{}{} })
	gate.Interpose(hold.Interpose)
	t.Cleanup(hold.Open)
	answered := make(chan string, 2)
	for _, body := range []string{putsAna, getsBen} {
		go func() {
			_, text := send(body)
			answered <- text
		}()
		receive(t, changed)
	}
	held, _ := hold.Waiting()
	for _, one := range held {
		if one.Call.Effect == wire.Reads && one.Call.Name() == "Ben / 2" && one.Call.Resource == "Notes" {
			one.Go()
		}
	}
	if got := receive(t, answered); got != getsBen {
		t.Errorf("first answered is %q", got)
	}
	hold.Open()
	if got := receive(t, answered); got != putsAna {
		t.Errorf("then answered is %q", got)
	}
}

// Whoever releases a held call goes on looking at it while the answer completes what was read of it.
func TestAnAnswerDoesNotChangeAHeldCall(t *testing.T) {
	rec, gate, send := openDeeds(t)
	changed := make(chan struct{}, 8)
	hold := wire.NewHold(func() { changed <- struct{}{} })
	gate.Interpose(hold.Interpose)
	t.Cleanup(hold.Open)
	answered := make(chan struct{}, 1)
	go func() {
		send(`{"do":"put","in":"Notes","keys":[["Ana","1"],["Ana","2"]]}`)
		answered <- struct{}{}
	}()
	receive(t, changed)
	waiting, _ := hold.Waiting()
	held := waiting[0].Call
	waiting[0].Go()
	receive(t, answered)
	recorded := rec.Calls()[0] // once its answer is complete
	for _, call := range []struct {
		wire.Call
		status int
	}{{held, 0}, {recorded, http.StatusOK}} {
		if len(call.Inner) != 2 || call.Inner[0].Status != call.status || call.Inner[1].Status != call.status {
			t.Errorf("the operations of a call have other statuses than %d: %+v", call.status, call.Inner)
		}
	}
}

func TestWordsOfBudgets(t *testing.T) {
	if got := strings.Join(wire.Words(deeds{}), ", "); got != "get, put, write" {
		t.Errorf("words: %s", got)
	}
	if !wire.StandsFor(deeds{}, "write", "put") || wire.StandsFor(deeds{}, "write", "get") ||
		wire.StandsFor(nil, "write", "put") {
		t.Error("write does not stand for put alone")
	}
}

// A call that asks an index is not the one that asks its resource, whatever keys both have.
func TestAnIndexIsNamed(t *testing.T) {
	rec, _, send := openDeeds(t)
	send(`{"do":"get","in":"Notes","key":["Ana"]}`)
	send(`{"do":"get","in":"Notes","by":"owner","key":["Ana"]}`)
	calls := rec.Calls()
	if len(calls) != 2 || calls[0].Place() != "Notes Ana" || calls[1].Place() != "Notes/owner Ana" ||
		calls[0].Identity() == calls[1].Identity() {
		t.Errorf("calls %+v", calls)
	}
}
