package source

import "testing"

func TestNearest(t *testing.T) {
	known := []string{"container", "contract", "environment", "Stock", "FS-GATE-1", "FS-GATE-4", "FS-MEM-4",
		"familyscheduler",
		"familyscheduler-next"}
	for _, test := range []struct{ name, text, want string }{
		{"two letters the other way round", "cont_ainer", "container"},
		{"one letter too few", "contrct", "contract"},
		{"another case", "stock", "Stock"},
		{"one digit too many", "FS-GATE-44", "FS-GATE-4"},
		{"another case, and a digit that counts", "fs-gate-4", "FS-GATE-4"},
		{"its beginning", "Family", "familyscheduler"},
		{"three letters of its beginning", "fam", "familyscheduler"},
		{"two letters of its beginning", "fa", ""},
		{"nothing like it", "zebra", ""},
		{"nothing like it, of several words", "something else", ""},
		{"no text", "", ""},
		{"two letters of an id the other way round", "FS-MME-4", "FS-MEM-4"},
		{"a letter too few, beside a longer name", "familysheduler", "familyscheduler"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := Nearest(test.text, known); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
	if meant := Meant("Stock", known); meant != "" {
		t.Errorf("a known text was questioned: %q", meant)
	}
	if meant := Meant("stock", known); meant != "; did you mean Stock?" {
		t.Errorf("%q", meant)
	}
}

func TestPlain(t *testing.T) {
	for name, want := range map[string]string{"noteId": "noteid", "note_id": "noteid", "NOTE-ID": "noteid",
		"not-a.member": "notamember", "gone1": "gone1", "Größe": "größe", "_-": "", "": ""} {
		if got := Plain(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestDistanceCountsElements(t *testing.T) {
	differ := func(a, b string) float64 {
		if a == b {
			return 0
		}
		return 1
	}
	for _, test := range []struct {
		name string
		a, b []string
		want float64
	}{
		{"the same", []string{"a", "b"}, []string{"a", "b"}, 0},
		{"one more", []string{"a", "b"}, []string{"a", "x", "b"}, 1},
		{"one other", []string{"a", "b"}, []string{"a", "c"}, 1},
		{"nothing", nil, []string{"a", "c"}, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := Distance(test.a, test.b, differ); got != test.want {
				t.Errorf("%g, want %g", got, test.want)
			}
		})
	}
}
