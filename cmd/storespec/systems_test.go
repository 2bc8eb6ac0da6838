package main

import (
	"slices"
	"testing"

	"github.com/storespec/storespec/features"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/reference"
)

// A built-in design is two folders, one of features and one of a reference server, and a line that registers the
// latter.
func TestEachFolderOfFeaturesIsABuiltInDesign(t *testing.T) {
	list, err := designsOf("").BuiltIn()
	if err != nil {
		t.Fatal(err)
	}
	entries, err := features.Files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var folders []string
	for _, entry := range entries {
		folders = append(folders, entry.Name())
	}
	if got := slices.Sorted(slices.Values(system.Names(list))); !slices.Equal(got, folders) {
		t.Errorf("designs %v of the folders %v", got, folders)
	}
	for _, s := range list {
		if s.Reference != s.Name || string(s.Contract) != reference.Contract(s.Name) || s.Tool == nil {
			t.Errorf("%s: reference server %q, a contract of %d bytes", s.Name, s.Reference, len(s.Contract))
		}
	}
}
