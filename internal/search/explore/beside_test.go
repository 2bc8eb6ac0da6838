package explore

import (
	"encoding/json"
	"slices"
	"testing"
	"time"
)

// Of what a server keeps outside the design, only the records and columns that were named are left out.
func TestWhatAServerKeepsBesideTheDesign(t *testing.T) {
	spec := &Spec{}
	spec.Beside("laid", func(resource string, key []string) bool {
		return resource == "Logins" && slices.Equal(key, []string{"login", "1"})
	}, map[string][]string{"Groups": {"plan"}})
	wrote := func(resource, key string, columns map[string]any) []change {
		return []change{{resource, key, nil, &record{columns: columns}}}
	}
	group := map[string]any{"name": "a"}
	for _, c := range []struct {
		name        string
		left, right []change
		differ      bool
	}{
		{"a record that was laid", wrote("Logins", "login\x001", nil), nil, false},
		{"another one", wrote("Logins", "login\x002", nil), nil, true},
		{"one that only the oracle has", nil, wrote("Logins", "login\x001", nil), false},
		{"a column that was laid", wrote("Groups", "g", map[string]any{"name": "a", "plan": "free"}),
			wrote("Groups", "g", group), false},
		{"one that the oracle has as well", wrote("Groups", "g", map[string]any{"plan": "free"}),
			wrote("Groups", "g", map[string]any{"plan": json.Number("1")}), true},
		{"one that only the oracle has, though it was laid", wrote("Groups", "g", map[string]any{}),
			wrote("Groups", "g", map[string]any{"plan": "free"}), true},
		{"another column", wrote("Groups", "g", map[string]any{"name": "a", "seats": "5"}),
			wrote("Groups", "g", group), true},
		{"the column of another table", wrote("Members", "g", map[string]any{"name": "a", "plan": "free"}),
			wrote("Members", "g", group), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			empty := &content{at: map[string]map[string]*record{}}
			d := newPairing(marked(time.Second), marked(time.Second)).changes(c.left, c.right,
				[2]*content{empty, empty}, spec)
			if (d != nil) != c.differ {
				t.Errorf("the difference is %v", d)
			}
		})
	}
}
