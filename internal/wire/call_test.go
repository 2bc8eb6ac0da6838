package wire_test

import (
	"encoding/json"
	"testing"

	"github.com/storespec/storespec/internal/wire"
)

func TestCallSucceeded(t *testing.T) {
	for _, tt := range []struct {
		name string
		call wire.Call
		want bool
	}{
		{"no answer", wire.Call{}, false},
		{"done", wire.Call{Status: 204}, true},
		{"not modified", wire.Call{Status: 304}, true},
		{"refused", wire.Call{Status: 412}, false},
		{"transaction done", wire.Call{Status: 202, Inner: []wire.Call{{Status: 204}}}, true},
		{"transaction refused inside", wire.Call{Status: 202, Inner: []wire.Call{{}, {Status: 409}}}, false},
	} {
		if got := tt.call.Succeeded(); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

func TestWhatACallNames(t *testing.T) {
	row, path := []string{"partition", "row"}, []string{"blob"}
	for _, tt := range []struct {
		name                    string
		call                    wire.Call
		place, named, flat, one string
	}{
		{"a row", wire.Call{Key: []string{"p", "r"}, Parts: row, Filter: "f"}, "T p / r", "p / r",
			`{"partition":"p","row":"r","filter":"f"}`, "one"},
		{"a row without a partition", wire.Call{Key: []string{"", "r"}, Parts: row}, "T  / r", " / r", `{"row":"r"}`,
			"one"},
		{"a partition", wire.Call{Key: []string{"p"}, Parts: row, Filter: "f"}, "T p", "p",
			`{"partition":"p","filter":"f"}`, ""},
		{"a filter", wire.Call{Parts: row, Filter: "a > '<'"}, "T where a > '<'", "", `{"filter":"a > '<'"}`, ""},
		{"a path", wire.Call{Key: []string{"a/b"}, Parts: path, Prefix: "a"}, "T/a/b", "a/b",
			`{"blob":"a/b","prefix":"a"}`,
			"one"},
		{"a prefix", wire.Call{Parts: path, Prefix: "a/"}, "T under a/", "", `{"prefix":"a/"}`, ""},
		{"the resource", wire.Call{Parts: path}, "T", "", `{}`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.call.Resource = "T"
			flat, err := tt.call.Flat(struct{}{}, struct{}{})
			if err != nil || string(flat) != tt.flat {
				t.Errorf("flat %s, %v; want %s", flat, err, tt.flat)
			}
			if tt.call.Place() != tt.place || tt.call.Name() != tt.named || tt.call.NamesOne() != (tt.one != "") {
				t.Errorf("place %q, name %q, of one %t", tt.call.Place(), tt.call.Name(), tt.call.NamesOne())
			}
		})
	}
	whole, err := wire.Call{Key: []string{"p"}, Parts: row}.Flat(map[string]int{"a": 1}, map[string]int{"z": 2})
	if want := `{"a":1,"partition":"p","z":2}`; err != nil || string(whole) != want || !json.Valid(whole) {
		t.Errorf("%s, %v; want %s", whole, err, want)
	}
}

func TestMappedCallsShareNothing(t *testing.T) {
	call := wire.Call{Resource: "r", Key: []string{"a"}, Inner: []wire.Call{{Key: []string{"b"}, Filter: "f"}}}
	mapped := call.Mapped(func(text string) string { return text + "!" })
	if mapped.Resource != "r!" || mapped.Key[0] != "a!" || mapped.Inner[0].Key[0] != "b!" ||
		mapped.Inner[0].Filter != "f!" {
		t.Errorf("mapped to %+v", mapped)
	}
	if call.Key[0] != "a" || call.Inner[0].Key[0] != "b" {
		t.Errorf("the call has changed: %+v", call)
	}
}
