package commands

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMembersOfFindsThemInListsToo(t *testing.T) {
	for body, want := range map[string]map[string]bool{
		`{"owner":" Octo ","name":"a"}`:                   {"octo": true},
		`{"records":[{"owner":"octo"},{"owner":"OCTO"}]}`: {"octo": true},
		`{"records":[{"owner":"octo"},{"owner":"hexa"}]}`: {"octo": true, "hexa": true},
		`{"records":[7,{"name":"a"}]}`:                    {},
		`no JSON`:                                         {},
	} {
		if diff := cmp.Diff(want, membersOf([]byte(body), "owner")); diff != "" {
			t.Errorf("%s: %s", body, diff)
		}
	}
}

func TestWatchSeesTwoAtOnce(t *testing.T) {
	seen := &watch{member: "owner", underWay: map[string]int{}}
	files := &tools{watch: seen}
	octo := []byte(`{"owner":"octo"}`)
	seen.enter(octo)()
	leave := seen.enter([]byte(`{"owner":"hexa"}`))
	seen.enter(octo)()
	if err := neverTwoAtOnce(t.Context(), files, 3); err != nil {
		t.Errorf("one after the other: %v", err)
	}
	if neverTwoAtOnce(t.Context(), files, 4) == nil {
		t.Error("three requests are not fewer than four")
	}
	seen.enter([]byte(`{"records":[{"owner":"HEXA"}]}`))()
	leave()
	if neverTwoAtOnce(t.Context(), files, 3) == nil {
		t.Error("two at once were not seen")
	}
}
