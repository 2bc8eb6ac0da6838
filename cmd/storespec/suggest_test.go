package main

import "testing"

func TestClosest(t *testing.T) {
	known := []string{"FS-GATE-1", "FS-GATE-4", "FS-MEM-4", "familyscheduler"}
	for _, test := range []struct{ name, want string }{
		{"FS-GATE-44", "FS-GATE-4"},
		{"fs-gate-4", "FS-GATE-4"},
		{"FS-MME-4", "FS-MEM-4"},
		{"family", "familyscheduler"},
		{"familysheduler", "familyscheduler"},
		{"something else", ""},
		{"", ""},
	} {
		if got := closest(test.name, known); got != test.want {
			t.Errorf("closest(%q) = %q, want %q", test.name, got, test.want)
		}
	}
}
