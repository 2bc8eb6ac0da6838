package c4lendar_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storespec/storespec/internal/store"
)

const (
	uidA = "01JBZQ8F7VKPNX3QZ9M8J5K2W7"
	uidB = "01JBZR8F7VKPNX3QZ9M8J5K2W7"
)

// filled has two accounts in one chat, one of them in another chat too, and two events.
func filled(tb testing.TB) *host {
	h := newHost(tb)
	h.connect("-100", "1", "Ana@example.com")
	h.connect("-100", "21", "bo@example.com")
	h.connect("-1001", "1", "ana@example.com")
	for _, m := range []string{uidA + "/mappings/1", uidA + "/mappings/21", uidB + "/mappings/1"} {
		h.must(200, "PUT /api/chats/-100/events/"+m, `{"google_event_id":"g1","event_title":"Lunch","event_start":"x"}`)
	}
	return h
}

// operations change something; each with the calls that it may make.
func operations() map[string]struct {
	request, body string
	most          map[string]int // calls by their methods and kinds
} {
	return map[string]struct {
		request, body string
		most          map[string]int
	}{
		"store a connection": {"PUT /api/chats/-100/connections/3",
			`{"google_email":"ana@example.com","refresh_token":"1//3"}`,
			map[string]int{"GET values": 1, "PUT values": 3}},
		"store a connection again": {"PUT /api/chats/-100/connections/1",
			`{"google_email":"ana@example.com","refresh_token":"1//3"}`,
			map[string]int{"GET values": 1, "PUT values": 3}},
		"revoke": {"POST /api/chats/-100/connections/1/revoke", "",
			map[string]int{"GET keys": 1, "GET values": 3, "PUT values": 2, "DELETE values": 1}},
		"revoke the last": {"POST /api/chats/-100/connections/21/revoke", "",
			map[string]int{"GET keys": 1, "GET values": 3, "PUT values": 1, "DELETE values": 2}},
		"delete a connection": {"DELETE /api/chats/-100/connections/1", "",
			map[string]int{"GET keys": 1, "GET values": 3, "PUT values": 1, "DELETE values": 2}},
		"store a mapping": {"PUT /api/chats/-100/events/01JBZS8F7VKPNX3QZ9M8J5K2W7/mappings/1",
			`{"google_event_id":"g"}`, map[string]int{"GET values": 1, "PUT values": 2}},
		"store a mapping of an event that is there": {"PUT /api/chats/-100/events/" + uidB + "/mappings/21",
			`{"google_event_id":"g"}`, map[string]int{"GET values": 1, "PUT values": 1}},
		"change an event": {"PATCH /api/chats/-100/events/" + uidA, `{"event_title":"Dinner"}`,
			map[string]int{"GET keys": 1, "GET values": 3, "PUT values": 3}},
		"delete an event": {"DELETE /api/chats/-100/events/" + uidA, "",
			map[string]int{"GET keys": 1, "GET values": 1, "PUT values": 1, "DELETE values": 2}},
		"forget an account": {"DELETE /api/chats/-100/events?google_sub=1", "",
			map[string]int{"GET keys": 1, "GET values": 1, "PUT values": 1, "DELETE values": 2}},
		"#cal": {"POST /telegram-webhook", message(7, "#cal Lunch | 2026-01-06T12:00:00Z"),
			map[string]int{"GET keys": 1, "GET values": 3, "PUT values": 3}},
		"#alt": {"POST /telegram-webhook", message(7, "#alt EVT-01JBZQ8F Dinner"),
			map[string]int{"GET keys": 1, "GET values": 6, "PUT values": 3}},
		"#del": {"POST /telegram-webhook", message(7, "#del"),
			map[string]int{"GET keys": 1, "GET values": 5, "PUT values": 2, "DELETE values": 1}},
		"#del by title": {"POST /telegram-webhook", message(7, "#del lunch"),
			map[string]int{"GET keys": 1, "GET values": 5, "PUT values": 2, "DELETE values": 1}},
		"#dis": {"POST /telegram-webhook", message(7, "#dis ana@example.com"),
			map[string]int{"GET keys": 2, "GET values": 4, "PUT values": 3, "DELETE values": 3}},
		"back from Google": {"GET /oauth/callback?code=c&state=known", "",
			map[string]int{"GET values": 2, "PUT values": 3, "DELETE values": 1}},
	}
}

// known lays out the state of "back from Google".
func (h *host) known() {
	h.put("gc:oauth:known", `{"chat_id":"-100","user_id":"5","created_at":"2999-01-05T10:30:00.000Z"}`)
}

// Whatever call fails, or loses its answer, the same request again ends as if none had failed.
func TestAFailedCallIsMadeGoodByTheNextRequest(t *testing.T) {
	for name, o := range operations() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			whole := filled(t)
			whole.known()
			if w := whole.ask(o.request, o.body); w.Code >= 300 {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			want, calls := whole.keys(), len(whole.storage.made())
			for call := 1; call <= calls; call++ {
				for _, lose := range []bool{false, true} {
					h := filled(t)
					h.known()
					h.storage.breaking(call, lose)
					w := h.ask(o.request, o.body)
					broken := h.storage.made()[call-1]
					h.storage.breaking(0, false)
					if w.Code != 503 {
						t.Errorf("%s fails: %d %s", broken, w.Code, w.Body)
					}
					if w := h.ask(o.request, o.body); w.Code >= 300 && (o.request[0] != 'G' || w.Code != 400) {
						t.Errorf("after %s: %d %s", broken, w.Code, w.Body)
					}
					if diff := cmp.Diff(want, h.keys()); diff != "" {
						t.Errorf("after %s (lost: %v), again (-want +got):\n%s", broken, lose, diff)
					}
				}
			}
		})
	}
}

func TestBudgets(t *testing.T) {
	for name, o := range operations() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := filled(t)
			h.known()
			if w := h.ask(o.request, o.body); w.Code >= 300 {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			made := map[string]int{}
			for _, call := range h.storage.made() {
				method, path, _ := strings.Cut(call, " ")
				made[method+" "+strings.Split(path, "/")[1]]++
			}
			for kind, n := range made {
				if n > o.most[kind] {
					t.Errorf("%d × %s, at most %d: %v", n, kind, o.most[kind], h.storage.made())
				}
			}
		})
	}
}

func TestNobodyWithoutATokenIsAnswered(t *testing.T) {
	h := filled(t)
	for _, request := range []string{"GET /api/chats/-100/connections", "POST /api/admin/repair",
		"POST /telegram-webhook"} {
		method, path, _ := strings.Cut(request, " ")
		if code := h.anonymous(method, path); code != 401 {
			t.Errorf("%s: %d", request, code)
		}
	}
	if calls := h.storage.made(); len(calls) > 0 {
		t.Errorf("KV was asked: %v", calls)
	}
}

func TestAnEMailListsEachChatOnceAndTheLastOneOutDeletesIt(t *testing.T) {
	h := filled(t)
	h.connect("-100", "4", "ANA@example.com")
	chats := func(want ...any) {
		t.Helper()
		got := h.must(200, "GET /api/emails/ana@EXAMPLE.com/chats", "")["chats"]
		if diff := cmp.Diff(append([]any{}, want...), got); diff != "" {
			t.Error(diff)
		}
	}
	chats("-100", "-1001")
	if got := h.keys()["gc:idx:email:ana@example.com"]; got != `["-1001","-100"]` {
		t.Error(got)
	}
	h.must(204, "DELETE /api/chats/-100/connections/4", "")
	chats("-100", "-1001") // another account of the chat has this e-mail
	h.must(200, "POST /api/chats/-100/connections/1/revoke", "")
	chats("-1001")
	h.must(204, "DELETE /api/chats/-1001/connections/1", "")
	chats()
	for key := range h.keys() {
		if strings.HasPrefix(key, "gc:idx:email:ana") {
			t.Errorf("%s is left", key)
		}
	}
}

func TestThousandsOfConnectionsTakeFewOperations(t *testing.T) {
	h := newHost(t)
	for i := range 1500 {
		h.put(fmt.Sprintf("gc:conn:-100:%d", i), fmt.Sprintf(`{"chat_id":"-100","google_sub":"%d",
			"google_email":"a%d@x.com",
			"refresh_token_encrypted":"","scopes":"","revoked":%d,"created_at":"","updated_at":""}`, i, i, i%3))
	}
	got := h.must(200, "GET /api/chats/-100/connections", "")["connections"].([]any)
	if len(got) != 500 || len(h.storage.made()) > 20 {
		t.Errorf("%d connections in %d calls", len(got), len(h.storage.made()))
	}
}

func TestRecentEvents(t *testing.T) {
	h := newHost(t)
	for i := range 52 {
		h.must(200, fmt.Sprintf("PUT /api/chats/7/events/01JBZQ8F7VKPNX3QZ9M8J5K%d/mappings/1", 100+i),
			fmt.Sprintf(`{"google_event_id":"g","event_title":"Event %d"}`, i))
	}
	h.must(200, "PATCH /api/chats/7/events/01JBZQ8F7VKPNX3QZ9M8J5K110", `{"event_title":null}`)
	events := h.must(200, "GET /api/chats/7/events/recent", "")["events"].([]any)
	if len(events) != 50 || len(h.storage.made()) != 1 {
		t.Fatalf("%d events in %v", len(events), h.storage.made())
	}
	for i, one := range events {
		title, want := one.(map[string]any)["event_title"], any(fmt.Sprintf("Event %d", 51-i))
		if i == 41 {
			want = nil
		}
		if title != want {
			t.Errorf("event %d is %v, not %v", i, title, want)
		}
	}
	for query, want := range map[string]string{"": "151", "?q=event%2025": "125", "?q=EVENT%2015": "115",
		"?ref=evt-01jbzq8f": "151", "?ref=01JBZQ8F7VKPNX3QZ9M8J5K120": "120"} {
		got := h.must(200, "GET /api/chats/7/events/resolve"+query, "")
		ambiguous := query == "?ref=evt-01jbzq8f"
		if got["bot_event_uid"] != "01JBZQ8F7VKPNX3QZ9M8J5K"+want || got["ambiguous"] != ambiguous {
			t.Errorf("%s is %v", query, got)
		}
	}
	h.must(404, "GET /api/chats/7/events/resolve?q=nothing", "")
	h.must(404, "GET /api/chats/8/events/resolve", "")
	h.must(400, "GET /api/chats/7/events/resolve?q=a&ref=01JBZQ8F", "")
}

// No element is lost while reads lag; repair makes the arrays whole.
func TestLaggingReadsLoseNothing(t *testing.T) {
	h := newHost(t)
	h.lease.Simulation().Lag(5)
	h.connect("-1", "1", "ana@example.com")
	h.connect("-2", "1", "ana@example.com")
	h.must(200, "PUT /api/chats/-1/events/"+uidA+"/mappings/1", `{"google_event_id":"g","event_title":"A"}`)
	h.must(200, "PUT /api/chats/-1/events/"+uidB+"/mappings/1", `{"google_event_id":"g","event_title":"B"}`)
	h.tool("repair")
	h.lease.Simulation().Lag(0)
	if got := h.must(200, "GET /api/emails/ana@example.com/chats", "")["chats"]; len(got.([]any)) != 2 {
		t.Errorf("chats: %v", got)
	}
	h.tool("repair")
	got := h.keys()["gc:idx:email:ana@example.com"]
	if !strings.Contains(got, `"-1"`) || !strings.Contains(got, `"-2"`) {
		t.Errorf("the array is %s", got)
	}
	if got := h.must(200, "GET /api/chats/-1/events/recent", "")["events"]; len(got.([]any)) != 2 {
		t.Errorf("recent: %v", got)
	}
}

// A key takes one write a second: the second event waits for it.
func TestTwoEventsWithinASecond(t *testing.T) {
	h := newHost(t)
	h.lease.Simulation().(store.WriteLimiter).LimitWrites(true)
	for _, uid := range []string{uidA, uidB} {
		h.must(200, "PUT /api/chats/-1/events/"+uid+"/mappings/1", `{"google_event_id":"g","event_title":"A"}`)
	}
	if got := h.must(200, "GET /api/chats/-1/events/recent", "")["events"]; len(got.([]any)) != 2 {
		t.Errorf("recent: %v", got)
	}
}

func TestKeysAndValuesThatAreTooLongAreRefused(t *testing.T) {
	h := newHost(t)
	long := strings.Repeat
	for request, body := range map[string]string{
		"PUT /api/chats/1/connections/1": `{"refresh_token":"r","google_email":"` +
			long("a", 490) + `@x.com"}`,
		"PUT /api/chats/1/connections/2": `{"google_email":"a@x.com","refresh_token":"` +
			long("r", 26<<20) + `"}`,
		"PUT /api/chats/1/connections/" + long("1", 256):    `{"google_email":"a@x.com","refresh_token":"r"}`,
		"PUT /api/chats/12345678901234567890/connections/1": `{"google_email":"a@x.com","refresh_token":"r"}`,
		"PUT /api/chats/1/events/" + uidA + "/mappings/1": `{"google_event_id":"g","event_title":"` +
			long("t", 1<<20) + `"}`,
	} {
		if w := h.ask(request, body); w.Code != 400 && w.Code != 413 {
			t.Errorf("%.60s: %d", request, w.Code)
		}
		if calls := h.storage.made(); len(calls) > 0 {
			t.Errorf("%.60s: %v", request, calls)
		}
	}
	if keys := slices.Collect(maps.Keys(h.keys())); len(keys) > 0 {
		t.Error(keys)
	}
}
