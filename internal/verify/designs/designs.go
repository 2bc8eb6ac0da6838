// Package designs finds the designs that a command line names, built-in ones or those of a directory, and reads their
// rules. It starts nothing and judges nothing.
//
// Open [Source] first.
package designs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"

	"github.com/storespec/storespec/features"
	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/source"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/verify/lint"
)

// Source is where designs are read from.
type Source struct {
	Directory string      // with a folder for each design; "": the built-in ones
	Tool      system.Tool // runs a command of this program, for built-in designs
}

// BuiltIn returns every built-in design.
func (s Source) BuiltIn() ([]system.System, error) {
	list, err := Offers().Shipped(features.Files)
	for i := range list {
		list[i].Tool = s.Tool
	}
	return list, err
}

// Described returns every design, also where a description is wrong. The error is a *command.UsageError, or joins a
// *source.Error for each mistake in a description.
func (s Source) Described() ([]system.System, error) {
	list, err := s.BuiltIn()
	if err != nil || s.Directory == "" {
		return list, err
	}
	list, err = Offers().In(s.Files(), s.Directory, list)
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return nil, command.Misused(fmt.Sprintf("--features %s is not a directory", s.Directory),
			"it must contain a folder with feature files for each system")
	}
	if err != nil || len(list) > 0 {
		return list, err
	}
	hint := "storespec init DIR creates one"
	if system.HasFeatures(s.Directory) {
		hint = "put the feature files in a subfolder named after the system"
	}
	return nil, command.Misused(fmt.Sprintf("--features %s contains no folder with features", s.Directory), hint)
}

// Named is Described for the named designs, in the order of the names, or for all of them when no names are
// given. The error is about no other design.
func (s Source) Named(wanted []string) (list []system.System, _ error) {
	all, err := s.Described()
	if len(all) == 0 || len(wanted) == 0 {
		return all, err
	}
	var folders []string
	for _, name := range wanted {
		i := slices.IndexFunc(all, func(d system.System) bool { return d.Name == name })
		if i < 0 {
			return nil, unknownSystem(name, system.Names(all), s.Directory)
		}
		list, folders = append(list, all[i]), append(folders, filepath.Join(s.Directory, name))
	}
	return list, source.Among(folders, err)
}

// Chosen is Named for designs whose rules are to be run: the error joins a *source.Error for everything that
// is wrong with them if their descriptions are.
func (s Source) Chosen(wanted []string) ([]system.System, error) {
	list, err := s.Named(wanted)
	if mistakes, _ := source.All(err); len(mistakes) > 0 {
		_, others := lint.Designs(s.Files(), s.Directory, list)
		return nil, errors.Join(err, others)
	}
	return list, err
}

// Besides returns a function that reads the rules of the designs that are not in list, as far as they can be read.
func (s Source) Besides(list []system.System) func() []*verify.Catalogue {
	return func() []*verify.Catalogue {
		others, _ := s.Described() // what is wrong with them is not asked for
		others = slices.DeleteFunc(others,
			func(d system.System) bool { return slices.Contains(system.Names(list), d.Name) })
		loaded, _ := s.Catalogues(others)
		return loaded
	}
}

// Rules is Chosen with the rules of each system.
func (s Source) Rules(wanted []string) ([]system.System, []*verify.Catalogue, error) {
	list, err := s.Chosen(wanted)
	if err != nil {
		return nil, nil, err
	}
	loaded, err := s.Catalogues(list)
	return list, loaded, err
}

// Catalogues reads the rules of each system. The error joins a *source.Error for
// each mistake; the catalogues are returned with it.
func (s Source) Catalogues(list []system.System) (loaded []*verify.Catalogue, _ error) {
	collectLess(readGC)
	var wrong []error
	for _, one := range list {
		catalogue, err := lint.Features(s.Files(), s.Directory, one)
		loaded, wrong = append(loaded, catalogue), append(wrong, err)
	}
	if CountScenarios(loaded) <= fewScenarios {
		collectLess(runGC)
	}
	return loaded, errors.Join(wrong...)
}

// Files returns the folders of the designs.
func (s Source) Files() fs.FS {
	if s.Directory == "" {
		return features.Files
	}
	return system.Directory(s.Directory)
}

// In reads the designs of a directory whose files are given.
func (s Source) In(files fs.FS, directory string) ([]lint.Design, error) {
	list, err := s.BuiltIn()
	if err != nil {
		return nil, err
	}
	list, err = Offers().In(files, directory, list)
	designs, wrong := lint.Designs(files, directory, list)
	return designs, errors.Join(err, wrong)
}

// OwnHint is for a user whose design is not among the known ones.
const OwnHint = "use --features DIR for a design of your own"

// unknownSystem returns the error for a system that does not exist.
func unknownSystem(name string, known []string, directory string) error {
	err := command.UnknownName("system", name, known)
	if usage, ok := errors.AsType[*command.UsageError](err); ok && directory == "" &&
		source.Nearest(name, known) == "" {
		usage.Hint += "; " + OwnHint
	}
	return err
}

// CountScenarios counts the scenarios of all rules.
func CountScenarios(loaded []*verify.Catalogue) (n int) {
	for _, catalogue := range loaded {
		for _, rule := range catalogue.Rules {
			n += len(rule.Scenarios)
		}
	}
	return n
}

const (
	// readGC lets the heap grow to three times what is in use before it is collected, while rules are read: that takes
	// half of the time off a start.
	readGC = 200
	// runGC lets it grow to five times of that while they run: that takes a fourth of the processor's time off a run.
	runGC = 400
	// fewScenarios need so little memory that five times of it is little too.
	fewScenarios = 10_000
)

// collectLess sets how much the heap may grow before it is collected, in percent. GOGC takes precedence.
func collectLess(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}
