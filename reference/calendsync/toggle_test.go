package calendsync_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

func TestTogglingThatFailsHasNoVersion(t *testing.T) {
	h := newHost(t)
	ana := h.person("ana")
	entry := ana.entry(ana.calendar("Team"), "Lunch", "2024-01-15", task)
	h.calls.fail = func(operation string, before bool) *http.Response {
		if before && operation == "UpdateItem" {
			return broken()
		}
		return nil
	}
	w := ana.ask("PATCH /api/entries/"+entry+"/toggle", "")
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("ETag") != "" {
		t.Errorf("%d with the ETag %s", w.Code, w.Header().Get("ETag"))
	}
}

func TestALostAnswerTogglesOnce(t *testing.T) {
	h := newHost(t)
	ana := h.person("ana")
	entry := ana.entry(ana.calendar("Team"), "Lunch", "2024-01-15", task)
	lost := false
	h.calls.fail = func(operation string, before bool) *http.Response {
		if !before && operation == "UpdateItem" && !lost {
			lost = true
			return broken()
		}
		return nil
	}
	toggled := ana.must(200, "PATCH /api/entries/"+entry+"/toggle", "")
	h.calls.fail = nil
	read := ana.must(200, "GET /api/entries/"+entry, "")
	for _, e := range []map[string]any{toggled, read} {
		if kind := e["kind"].(map[string]any); kind["completed"] != true || e["version"] != 2.0 {
			t.Errorf("toggled once, it is %v in version %v", kind, e["version"])
		}
	}
	if !lost {
		t.Error("no answer was lost")
	}
}

// A toggle whose answer is lost, and after which somebody else toggles, may have been done: it is not tried again.
func TestAToggleThatNobodyCanTellIsNotTriedAgain(t *testing.T) {
	h := newHost(t)
	ana := h.person("ana")
	path := "PATCH /api/entries/" + ana.entry(ana.calendar("Team"), "Lunch", "2024-01-15", task) + "/toggle"
	lost := false
	h.calls.fail = func(operation string, before bool) *http.Response {
		if before || operation != "UpdateItem" || lost {
			return nil
		}
		lost = true
		ana.must(200, path, "") // of somebody else
		return broken()
	}
	ana.must(503, path, "")
	h.calls.fail = nil
	read := ana.must(200, "GET "+strings.TrimSuffix(strings.TrimPrefix(path, "PATCH "), "/toggle"), "")
	if read["version"] != 3.0 || !lost {
		t.Errorf("toggled twice, it is in version %v", read["version"])
	}
}

// An entry does not grow when it is toggled, or one of 400 KiB could not be.
func TestAToggleNeedsNoRoom(t *testing.T) {
	h := newHost(t)
	ana := h.person("ana")
	id := ana.calendar("Team")
	for room := range 100 { // somewhere there is the largest
		body := entryBody(id, "Lunch", "2024-01-15", task)
		body = strings.TrimSuffix(body, "}") + `,"description":"` + strings.Repeat("x", 409_200-room) + `"}`
		w := ana.ask("POST /api/entries", body)
		if w.Code == http.StatusRequestEntityTooLarge {
			continue
		}
		var created struct{ ID string }
		if err := json.Unmarshal(w.Body.Bytes(), &created); err != nil || w.Code != http.StatusCreated {
			t.Fatal(w.Code, err)
		}
		ana.must(200, "PATCH /api/entries/"+created.ID+"/toggle", "")
		return
	}
	t.Error("no entry fits")
}
