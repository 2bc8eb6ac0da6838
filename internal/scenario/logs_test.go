package scenario

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/store"
)

// What no log may hold is what the design and the words say of it.
func TestSecretsOfAScenario(t *testing.T) {
	const opened, other = "0123456789-opened", "0123456789-other"
	described := system.Session{Answer: "sessionId", Expires: "expiresAt"}
	for _, test := range []struct {
		name    string
		session system.Session
		answer  map[string]any
		want    string
	}{
		{"a session", described, map[string]any{"sessionId": opened, "expiresAt": "later"}, opened},
		{"something else of that name", described, map[string]any{"sessionId": other}, ""},
		{"without the other member", system.Session{Answer: "id"}, map[string]any{"id": opened}, opened},
		{"a design without sessions", system.Session{}, map[string]any{"sessionId": other, "expiresAt": "later"}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			words := NewVocabulary([]Theme{{Secrets: map[string]string{"Pass": "the pass"}}})
			maker := &lane.Maker{System: system.System{Session: test.session}}
			w := newWorld(&Stage{suite: &Suite{Vocabulary: words},
				lane: &lane.Lane{Maker: maker, Lease: store.NewLease(&store.Namespace{}, nil)}}, "")
			w.Names.kept = map[string]string{"AnaPass": "0123456789-pass", "Passage": "0123456789-way"}
			w.Requests.exchanges = []*RoundTrip{{Parsed: test.answer}}
			found := w.Requests.Secrets()
			if found["0123456789-pass"] != "the pass of Ana" {
				t.Errorf("the pass is %q", found["0123456789-pass"])
			}
			delete(found, "0123456789-pass")
			if got := strings.Join(slices.Collect(maps.Keys(found)), ", "); got != test.want {
				t.Errorf("next to it there is %q, want %q", got, test.want)
			}
		})
	}
}
