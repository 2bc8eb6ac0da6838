package c4lendar_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tool runs a tool until it answers no cursor, and returns the sums. No request makes more than 1,000 calls.
func (h *host) tool(name string) map[string]int {
	h.tb.Helper()
	sums, body := map[string]int{}, ""
	for range 100 {
		answer := h.must(200, "POST /api/admin/"+name, body)
		if calls := len(h.storage.made()); calls > 1000 {
			h.tb.Errorf("%d calls", calls)
		}
		for _, count := range []string{"migrated", "skipped", "failed", "deleted"} {
			sums[count] += int(answer[count].(float64))
		}
		cursor, more := answer["cursor"].(string)
		if !more {
			return sums
		}
		body = fmt.Sprintf(`{"cursor":%q}`, cursor)
	}
	h.tb.Fatal("it does not end")
	return nil
}

func sums(migrated, skipped, failed, deleted int) map[string]int {
	return map[string]int{"migrated": migrated, "skipped": skipped, "failed": failed, "deleted": deleted}
}

func TestMigration(t *testing.T) {
	h := newHost(t)
	for i := range 450 {
		h.put(fmt.Sprintf("gc_tokens:chat:-%d", 100+i), `{"access_token":"a","refresh_token":"1//old",
			"email":"x@example.com","linkedBy":555,"linkedAt":"2026-01-05T10:30:00.000Z","scope":"calendar"}`)
	}
	h.put("gc_tokens:chat:-99", `{"access_token":"a"}`)
	h.put("gc_tokens:chat:nobody", `{"access_token":"a","refresh_token":"r"}`)
	h.google.always("GET /oauth2/v2/userinfo", 401, ``)
	h.google.always("POST /token", 400, `{"error":"invalid_grant"}`)
	if diff := cmp.Diff(sums(0, 2, 450, 0), h.tool("migrate")); diff != "" {
		t.Error(diff)
	}
	h.google.always("GET /oauth2/v2/userinfo", 200, `{"id":"77","email":"Ana@Example.com"}`)
	if diff := cmp.Diff(sums(450, 2, 0, 0), h.tool("migrate")); diff != "" {
		t.Error(diff)
	}
	before := h.keys()
	if diff := cmp.Diff(sums(0, 452, 0, 0), h.tool("migrate")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(before, h.keys()); diff != "" {
		t.Error(diff)
	}
	if got := h.keys()["gc:conn:-100:77"]; !strings.Contains(got, `"connected_by_telegram_user_id":555`) ||
		strings.Contains(got, "1//old") {
		t.Error(got)
	}
}

func TestCleanup(t *testing.T) {
	h := newHost(t)
	for i := range 300 {
		h.put(fmt.Sprintf("gc:conn:-%d:1", i), fmt.Sprintf(`{"chat_id":"-%d","google_sub":"1",
			"google_email":"a@x.com","revoked":%d,
			"refresh_token_encrypted":"","scopes":"","created_at":"","updated_at":"2026-01-05T10:30:00.000Z"}`, i, i%2))
		h.put(fmt.Sprintf("gc:idx:email:a@x.com:-%d", i), `{}`)
	}
	if diff := cmp.Diff(sums(0, 150, 0, 150), h.tool("cleanup")); diff != "" {
		t.Error(diff)
	}
	if got := len(h.keys()); got != 300 {
		t.Errorf("%d keys are left", got)
	}
	if diff := cmp.Diff(sums(0, 150, 0, 0), h.tool("cleanup")); diff != "" {
		t.Error(diff)
	}
}

func TestRepair(t *testing.T) {
	h := newHost(t)
	h.env["ENCRYPTION_KEY_PREVIOUS"] = h.env["ENCRYPTION_KEY"]
	h.env["ENCRYPTION_KEY"] = "fedcba9876543210fedcba9876543210"
	h.connect("-100", "1", "ana@example.com")
	h.must(200, "PUT /api/chats/-100/events/"+uidA+"/mappings/1", `{"google_event_id":"g","event_title":"A"}`)
	h.must(200, "PUT /api/chats/-100/events/"+uidB+"/mappings/1", `{"google_event_id":"g","event_title":"B"}`)
	whole := h.keys()
	h.put("gc:idx:email:ana@example.com", `["-7","-8"]`)
	h.put("gc:idx:email:ana@example.com:-7", `"-7"`)
	h.put("gc:idx:email:gone@example.com", `["-7"]`)
	h.put("gc:event:recent:-100", `not JSON`)
	h.put("gc:event:recent:-7", `[{"bot_event_uid":"x"}]`)
	if err := h.lease.Objects().Delete(t.Context(), "KV", "gc:idx:email:ana@example.com:-100"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sums(5, 0, 0, 1), h.tool("repair")); diff != "" {
		t.Error(diff)
	}
	whole["gc:event:recent:-7"] = "[]"
	if diff := cmp.Diff(whole, h.keys()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff(sums(0, 0, 0, 0), h.tool("repair")); diff != "" {
		t.Error(diff)
	}
	h.open() // with the new key first
	if diff := cmp.Diff(sums(1, 0, 0, 0), h.tool("repair")); diff != "" {
		t.Errorf("rotation: %s", diff)
	}
	delete(h.env, "ENCRYPTION_KEY_PREVIOUS")
	h.open()
	h.send(200, 1, lunch)
	if told := h.told(); !strings.Contains(told, "1 of 1") {
		t.Error(told)
	}
	h.must(400, "POST /api/admin/repair", `{"cursor":"x"}`)
}

func TestACursorThatWasNotIssuedIsRefusedAfterOneCall(t *testing.T) {
	h := newHost(t)
	for i := range 50 {
		h.put(fmt.Sprintf("gc_tokens:chat:-5%d", i), `{}`)
	}
	others, _ := h.must(200, "POST /api/admin/migrate", "")["cursor"].(string)
	for request, cursor := range map[string]string{"migrate": "made up", "cleanup": others, "repair": "0" + others} {
		got := h.must(400, "POST /api/admin/"+request, `{"cursor":"`+cursor+`"}`)
		if calls := h.storage.made(); others == "" || got["error"] != "bad_request" || len(calls) != 1 {
			t.Errorf("%s: %v after %v", request, got, calls)
		}
	}
}
