package probe

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storespec/storespec/internal/search/explore"
)

// What is understood of a name does not depend on the order of a map: a name that may be two is neither.
func TestNamesThatMayBeTwo(t *testing.T) {
	fields := pairs{}
	for _, one := range []struct {
		contract, server string
		sure             bool
	}{{"noteId", "id", false}, {"listId", "id", false}, {"owner", "by", true}, {"author", "by", false},
		{"text", "body", false}, {"from", "at", true}, {"until", "at", true},
		{"title", "name", true}, {"title", "heading", true}, {"colour", "hue", false}, {"colour", "tint", false}} {
		fields.add(one.contract, one.server, "", "GET /", one.sure)
	}
	want := map[string]string{"by": "owner", "body": "text", "name": "title", "heading": "title",
		"at": "at"}
	answer := map[string]any{"id": "1", "name": "a", "heading": "b"}
	for range 50 { // the order of a map is another one each time
		if diff := cmp.Diff(want, fields.back()); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		renamed := renamed(maps.Clone(answer), want)
		if diff := cmp.Diff(map[string]any{"id": "1", "title": "b", "name": "a"}, renamed); diff != "" {
			t.Fatalf("two names of one (-want +got):\n%s", diff)
		}
	}
}

// What is nothing like a code is not mapped to one.
func TestACodeIsLikeOne(t *testing.T) {
	for code, known := range map[string]bool{"GONE": true, "note.gone": true, "the note is gone": false} {
		a := answered(410, map[string]any{"error": code})
		a.Want = &explore.Reply{Status: 404, JSON: map[string]any{"error": "no_item"}}
		if r := judged(t, explore.Trial{Valid: a}); len(r.names.other) == 1 != known {
			t.Errorf("%q: %v", code, r.names.other)
		}
	}
}
