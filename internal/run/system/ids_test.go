package system

import (
	"regexp"
	"testing"
)

// Without a form of its own, a design has UUIDs: the same for the same name and scenario, and no other's.
func TestIDsAreUUIDs(t *testing.T) {
	var s System
	milk := s.NewID("Milk", "x1y2z3")
	// RFC 9562, section 5.4: version 4, variant 10.
	if !regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(milk) {
		t.Errorf("%q is not a UUID", milk)
	}
	if again := s.NewID("Milk", "x1y2z3"); again != milk {
		t.Errorf("the same id is %q, then %q", milk, again)
	}
	for _, other := range []string{s.NewID("Gift", "x1y2z3"), s.NewID("Milk", "x1y2z4")} {
		if other == milk {
			t.Errorf("two ids are %q", milk)
		}
	}
}
