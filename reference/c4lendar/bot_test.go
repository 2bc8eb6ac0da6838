package c4lendar_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
)

// told returns the last message that the bot sent.
func (h *host) told() string {
	h.tb.Helper()
	sent := h.google.sent("POST /bot4711:bot/sendMessage")
	if len(sent) == 0 {
		h.tb.Fatal("the bot is silent")
	}
	return sent[len(sent)-1]
}

func (h *host) recent(chat string) (titles []string) {
	h.tb.Helper()
	for _, one := range h.must(200, "GET /api/chats/"+chat+"/events/recent", "")["events"].([]any) {
		titles = append(titles, fmt.Sprint(one.(map[string]any)["event_title"]))
	}
	return titles
}

const lunch = "#cal Lunch | 2026-01-06T12:00:00+01:00 | 2026-01-06T13:00:00+01:00"

func TestAnUpdateThatComesAgainCreatesNothingTwice(t *testing.T) {
	h := newHost(t)
	h.connect("-100", "1", "ana@example.com")
	h.connect("-100", "2", "bo@example.com")
	inserted := map[string]bool{}
	h.google.scripted("POST /calendar", func(body string) (int, string) {
		if inserted[body] {
			return 409, `{}`
		}
		inserted[body] = true
		return 200, `{}`
	})
	h.send(200, 1, lunch)
	if told := h.told(); !strings.Contains(told, "EVT-") || !strings.Contains(told, "2 of 2") {
		t.Error(told)
	}
	before := len(h.keys())
	h.send(200, 1, lunch)
	if after := len(h.keys()); after != before || len(inserted) != 2 || len(h.recent("-100")) != 1 {
		t.Errorf("%d keys became %d, %d events at Google, recent %v", before, after, len(inserted), h.recent("-100"))
	}
}

func TestSomeAccountsFail(t *testing.T) {
	h := newHost(t)
	h.connect("-100", "1", "ana@example.com")
	h.connect("-100", "2", "bo@example.com")
	h.google.scripted("POST /token", func(body string) (int, string) {
		if form, _ := url.ParseQuery(body); form.Get("refresh_token") == "1//2" {
			return 400, `{"error":"invalid_grant"}`
		}
		return 200, `{"access_token":"access"}`
	})
	h.send(200, 1, lunch)
	if told := h.told(); !strings.Contains(told, "1 of 2") {
		t.Error(told)
	}
	bo := h.must(200, "GET /api/chats/-100/connections/2", "")
	if bo["revoked"] != 1.0 || h.keys()["gc:idx:email:bo@example.com"] != "" {
		t.Errorf("%v, %v", bo, h.keys())
	}
	h.google.always("POST /token", 503, ``)
	h.send(503, 2, lunch)
	h.google.always("POST /token", 401, ``)
	h.send(200, 2, lunch)
	if got := h.recent("-100"); len(got) != 1 {
		t.Error(got)
	}
}

func TestCommands(t *testing.T) {
	h := newHost(t)
	h.connect("-100", "1", "ana@example.com")
	h.connect("-100", "21", "bo@example.com")
	h.send(200, 1, lunch)
	h.send(200, 2, strings.Replace(lunch, "Lunch", "Dinner", 1))
	ref := strings.Split(h.told(), "EVT-")[1][:8]
	h.send(200, 3, "#alt evt-"+ref+` {"title":"Supper"}`)
	if got := h.recent("-100"); fmt.Sprint(got) != "[Supper Lunch]" {
		t.Error(got)
	}
	h.send(200, 4, "#dis BO@example.com")
	if got := len(h.keys()); got != 2+2+2+1 { // connections, Ana's index, her mappings, the recent events
		t.Errorf("%d keys: %v", got, h.keys())
	}
	h.google.always("DELETE /calendar", 410, ``)
	h.send(200, 5, "#del lun")
	h.send(200, 5, "#del lun")
	h.send(200, 6, "#del")
	h.send(200, 6, "#del")
	if got := h.recent("-100"); len(got) != 0 {
		t.Error(got)
	}
	for _, text := range []string{"hello", "#what", "#cal", "#alt", "#dis", "#del nothing", "#aut",
		"#cal " + strings.Repeat("x", 5000)} {
		h.send(200, 7, text)
	}
	for _, body := range []string{"", "[]", `{"update_id":"x"}`, `{"update_id":1}`,
		`{"update_id":1,"message":{"text":"#del"}}`} {
		h.must(200, "POST /telegram-webhook", body)
	}
	if log := h.logged.String(); strings.Contains(log, "example.com") || strings.Contains(log, "1//") {
		t.Error("the log holds an e-mail or a token")
	}
}

func TestAnEventThatWasSelectedBeforeTheDesign(t *testing.T) {
	h := newHost(t)
	h.connect("-100", "1", "ana@example.com")
	h.put("selected_event:-100:5", `{"eventId":"old1","event":{}}`)
	h.send(200, 1, "#alt Later | 2026-01-06T12:00:00Z")
	if sent := h.google.sent("PATCH /calendar/v3/calendars/primary/events/old1"); len(sent) != 1 {
		t.Error(sent)
	}
	h.send(200, 2, "#del")
	if sent := h.google.sent("DELETE /calendar/v3/calendars/primary/events/old1"); len(sent) != 1 {
		t.Error(sent)
	}
}

func TestConsentIsForOneChatAndUsedOnce(t *testing.T) {
	h := newHost(t)
	w := h.ask("GET /oauth/start?chatId=-100&userId=5", "")
	to, err := url.Parse(w.Header().Get("Location"))
	if err != nil || w.Code != 302 || to.Query().Get("redirect_uri") != "https://bot.example/oauth/callback" {
		t.Fatalf("%d to %s: %v", w.Code, to, err)
	}
	back := "GET /oauth/callback?code=c&state=" + to.Query().Get("state")
	h.google.always("POST /token", 503, ``)
	h.must(502, back, "")
	h.google.always("POST /token", 400, `{"error":"invalid_grant"}`)
	h.must(400, back, "")
	h.google.always("POST /token", 200, `{"access_token":"access","refresh_token":"1//fresh","scope":"calendar"}`)
	h.must(400, "GET /oauth/callback?code=c&state=other", "")
	h.must(400, "GET /oauth/callback?code=c", "")
	if got := len(h.keys()); got != 1 {
		t.Errorf("%d keys", got)
	}
	h.must(200, back, "")
	ana := h.must(200, "GET /api/chats/-100/connections/77", "")
	if ana["google_email"] != "ana@example.com" || ana["connected_by_telegram_user_id"] != 5.0 {
		t.Error(ana)
	}
	h.must(400, back, "")
	h.must(400, "GET /oauth/start?chatId=x&userId=5", "")
}
