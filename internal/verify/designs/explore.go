package designs

import (
	"errors"
	"io/fs"
	"path"

	"github.com/storespec/storespec/features"
	"github.com/storespec/storespec/internal/run/mapping"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/search/explore"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/wire/kv"
)

// spec reads how a design is explored: if it has no file that says so, as its base is.
func (s Source) spec(of system.System, vocabulary *scenario.Vocabulary) (*explore.Spec, error) {
	files := s.Files()
	if _, err := fs.Stat(files, path.Join(of.Name, explore.File)); errors.Is(err, fs.ErrNotExist) && of.Base != "" {
		of.Name = of.Base
		return explore.ReadSpec(features.Files, "", of, vocabulary)
	}
	return explore.ReadSpec(files, s.Directory, of, vocabulary)
}

// Explorable reads how a design is explored, and its rules, whose tables the mapping (nil: none) must keep to.
func (s Source) Explorable(of system.System, vocabulary *scenario.Vocabulary, m *mapping.Mapping) (*explore.Spec,
	*verify.Catalogue, error) {
	spec, err := s.spec(of, vocabulary)
	list := []system.System{of}
	loaded, wrong := s.Catalogues(list)
	return spec, loaded[0], errors.Join(err, wrong, OnTables(m, list, loaded))
}

// OnTables rejects what a mapping (nil: none) lays in tables that the design does not have. The error joins a
// *yamldoc.Error for each.
func OnTables(m *mapping.Mapping, list []system.System, loaded []*verify.Catalogue) error {
	if m == nil || len(loaded) == 0 || loaded[0] == nil {
		return nil
	}
	s := list[0] // a mapping is of one design
	return m.OnTables(loaded[0].Tables(s).Names(), len(s.Tables) > 0)
}

// LeaveOut lets explore leave out what a mapping (nil: none) lays for its server alone.
func LeaveOut(m *mapping.Mapping, spec *explore.Spec, s system.System) {
	if m == nil {
		return
	}
	objects := s.Container
	if s.Store == string(kv.Service) {
		objects = kv.Namespace
	}
	more := map[string][]string{}
	for _, one := range m.Adds() {
		if one.Table == "" {
			one.Table, one.Name = objects, "content."+one.Name
		}
		more[one.Table] = append(more[one.Table], one.Name)
	}
	spec.Beside("the mapping: laid for the server", func(resource string, key []string) bool {
		if resource == objects {
			return m.LaysObject(key[0])
		}
		return m.Lays(resource, key)
	}, more)
}

// Invariants returns what the features of a design say that always holds.
func Invariants(of *verify.Catalogue) (all []explore.Invariant) {
	for _, one := range of.Invariants {
		all = append(all, explore.Invariant{Rule: one.Rule, Name: one.Name, Step: one.Step})
	}
	return all
}
