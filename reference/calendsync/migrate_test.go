package calendsync_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/storespec/storespec/reference/calendsync"
)

// Repair removes what has no calendar. It runs after each storage call of a migration with more items of each entity
// than a batch has.
func TestARepairBesideAMigrationRemovesNothing(t *testing.T) {
	const many = 30
	id := func(list, n int) string { return fmt.Sprintf("550e8400-e29b-41d4-a716-4466554%d%04d", list, n) }
	var calendars, entries []any
	for n := range many {
		calendars = append(calendars, map[string]any{"id": id(1, n), "name": "Team", "color": "#3B82F6"})
		entries = append(entries, map[string]any{"id": id(2, n), "calendarId": id(1, n), "title": "Lunch",
			"date": "2024-01-15", "color": "#3B82F6", "kind": map[string]any{"type": "AllDay"}})
	}
	file, err := json.Marshal(map[string]any{"calendars": calendars, "entries": entries,
		"users": []any{map[string]any{"id": uuidA, "name": "Ana", "email": "ana@example.com"}}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := calendsync.ReadMigration(file, uuidA)
	if err != nil {
		t.Fatal(err)
	}
	h := newHost(t)
	migration, repairs := h.tools(), 0
	defer migration.Close()
	h.config.Storage = h.calls.next
	repair := h.tools()
	defer repair.Close()
	h.calls.fail = func(operation string, before bool) *http.Response {
		if !before {
			repairs++
			if removed, err := repair.Repair(t.Context()); err != nil || removed > 0 {
				t.Errorf("after call %d of the migration, %s, repair removes %d: %v", repairs, operation, removed, err)
			}
		}
		return nil
	}
	if written, err := migration.Migrate(t.Context(), m); err != nil || written != 1+3*many || repairs < 6 {
		t.Errorf("%d written in %d calls: %v", written, repairs, err)
	}
	if items := h.items(); len(items) != 1+3*many {
		t.Errorf("%d items are there", len(items))
	}
}
