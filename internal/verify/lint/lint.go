// Package lint reads designs as far as they can be read, and says everything that is wrong with them: their
// descriptions, contracts, feature files, random walks and known failures. Nothing is started.
//
// The package prints nothing, and decides nothing about a run. Open [Designs] first: the command check, an editor's
// language server, and every command that runs rules read designs by it.
package lint

import (
	"errors"
	"io/fs"
	"path/filepath"
	"sync"

	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/search/explore"
	"github.com/storespec/storespec/internal/source"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/verify/baseline"
	"github.com/storespec/storespec/steps"
)

// Design is a system and its rules, as far as they could be read.
type Design struct {
	System    system.System
	Catalogue *verify.Catalogue // nil if its features could not be looked for
}

// Designs reads the systems of a directory whose files are given: those in list, whose descriptions have been read.
// directory is where the files are located, for errors. The error joins a *source.Error for each mistake.
func Designs(files fs.FS, directory string, list []system.System) ([]Design, error) {
	var designs []Design
	var wrong []error
	for _, s := range list {
		catalogue, err := Features(files, directory, s)
		designs, wrong = append(designs, Design{s, catalogue}), append(wrong, err)
		_, err = explore.ReadSpec(files, directory, s, scenario.NewVocabulary(steps.Themes()))
		wrong = append(wrong, err)
	}
	return designs, errors.Join(wrong...)
}

// Features reads the rules of a system, as Designs does. Of a system whose description could not be read at all, only
// what does not depend on it is checked.
func Features(files fs.FS, directory string, s system.System) (*verify.Catalogue, error) {
	described := s.Store != ""
	if !described {
		s.Tags = []string{verify.AnyTag}
	}
	catalogue, err := verify.Load(files, s)
	if described && catalogue != nil {
		err = errors.Join(err, catalogue.Check(s))
	}
	return catalogue, source.In(directory, err)
}

// Baseline reads a list of known failures, and refuses an entry that names no scenario: neither of the catalogues nor
// of others, which returns those of the other designs and is called only if an entry needs it. One
// may be in what could not be read of a catalogue. The error joins a *yamldoc.Error for each mistake.
func Baseline(path string, catalogues []*verify.Catalogue, others func() []*verify.Catalogue) (*baseline.File, error) {
	others = sync.OnceValue(others)
	file, err := baseline.Read(path)
	if file == nil {
		return nil, err
	}
	wrong := []error{err}
	for _, entry := range file.Entries {
		if kind := verify.Outcome(entry.Outcome); kind != "" && kind != verify.Unclear && !kind.Noticed() {
			wrong = append(wrong, file.Wrong(entry, "the outcome is %q; it must be %q, %q, %q or %q", entry.Outcome,
				verify.Failed, verify.OverBudget, verify.NotPrepared, verify.Unclear))
		}
		if !InOne(catalogues, entry.Case) && !InOne(others(), entry.Case) {
			wrong = append(wrong,
				file.Wrong(entry, "no rule has the scenario %s: renamed? remove it from the baseline", entry))
		}
	}
	return file, errors.Join(wrong...)
}

// InOne reports whether a case is in one of the catalogues, or may be in what could not be read of one.
func InOne(catalogues []*verify.Catalogue, known baseline.Case) bool {
	for _, c := range catalogues {
		if c == nil || c.MayHave(known) {
			return true
		}
	}
	return false
}

// Folder returns the directory of designs, and the name of one of them or "", that a path means: a directory of
// designs, one that holds it under the name features, or the folder of one design.
func Folder(path string) (directory, name string) {
	holds := func(pattern string) bool {
		found, err := filepath.Glob(filepath.Join(path, pattern))
		return err == nil && len(found) > 0
	}
	path = filepath.Clean(path)
	switch {
	case holds(system.File), holds("*.feature"):
		if whole, err := filepath.Abs(path); err == nil {
			return filepath.Join(path, ".."), filepath.Base(whole)
		}
	case holds(filepath.Join("features", "*", system.File)):
		return filepath.Join(path, "features"), ""
	}
	return path, ""
}
