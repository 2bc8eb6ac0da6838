package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/storespec/storespec/features"
	"github.com/storespec/storespec/internal/system"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/steps"
)

func names(list []steps.System) []string {
	var names []string
	for _, s := range list {
		names = append(names, s.Name)
	}
	return names
}

// own reports whether a design is not one of storespec's, so that there is no reference server of it.
func own(s steps.System) bool { return s.Environment == nil }

// needReference refuses designs of which there is no reference server.
func needReference(what string, list []steps.System) error {
	if i := slices.IndexFunc(list, own); i >= 0 {
		return &usageError{fmt.Sprintf("%s needs a reference server, and there is none of %s", what, list[i].Name), "known: " + strings.Join(names(systems()), ", ")}
	}
	return nil
}

// offered is every design whose rules can be run: those that storespec knows or, where a directory with features is
// given, those in it. The error is a *usageError, or a *yamldoc.Error when a description is not understood.
func offered(directory string) ([]steps.System, error) {
	if directory == "" {
		return systems(), nil
	}
	entries, err := os.ReadDir(directory)
	if err != nil {
		return nil, &usageError{fmt.Sprintf("--features %s is no directory", directory), "it holds a folder with feature files for each system"}
	}
	var list []steps.System
	for _, entry := range entries {
		folder := filepath.Join(directory, entry.Name())
		known := slices.IndexFunc(systems(), func(s steps.System) bool { return s.Name == entry.Name() })
		switch {
		case system.Is(folder):
			described, err := system.Read(folder)
			if err != nil {
				return nil, err
			}
			list = append(list, described)
		case known >= 0:
			list = append(list, systems()[known])
		case hasFeatures(folder):
			return nil, &usageError{fmt.Sprintf("%s holds features, but no %s", folder, system.File), "it says how a server of the design is started: storespec help own-design"}
		}
	}
	if len(list) == 0 {
		message := fmt.Sprintf("--features %s holds no folder with features", directory)
		if hasFeatures(directory) {
			return nil, &usageError{message, "the feature files stand in a folder of it that has the name of the system"}
		}
		return nil, &usageError{message, "storespec init DIR writes a first one"}
	}
	return list, nil
}

func hasFeatures(folder string) bool {
	found, err := filepath.Glob(filepath.Join(folder, "*.feature"))
	return err == nil && len(found) > 0
}

// chosen gives the named systems in the order of the names, or all that are offered when there are none.
func chosen(wanted []string, directory string) ([]steps.System, error) {
	all, err := offered(directory)
	if err != nil || len(wanted) == 0 {
		return all, err
	}
	var list []steps.System
	for _, name := range wanted {
		i := slices.IndexFunc(all, func(s steps.System) bool { return s.Name == name })
		if i < 0 {
			return nil, unknownSystem(name, names(all), directory)
		}
		list = append(list, all[i])
	}
	return list, nil
}

// ownHint is for somebody whose design is not one of those that are known.
const ownHint = "a design of your own is in the directory of --features"

// unknownSystem is the error for a system that is not there.
func unknownSystem(name string, known []string, directory string) error {
	err := unknownName("system", name, known)
	if usage, ok := errors.AsType[*usageError](err); ok && directory == "" && closest(name, known) == "" {
		usage.hint += "; " + ownHint
	}
	return err
}

// catalogues reads the rules of each system, from a directory when one is given.
func catalogues(list []steps.System, directory string) ([]*verify.Catalogue, error) {
	var files fs.FS = features.Files
	if directory != "" {
		files = os.DirFS(directory)
	}
	var loaded []*verify.Catalogue
	for _, s := range list {
		catalogue, err := verify.Load(files, []string{s.Name}, s.Tags...)
		if feature, ok := errors.AsType[*verify.FeatureError](err); ok {
			feature.Where = filepath.Join(directory, feature.Where)
		}
		if err != nil {
			return nil, err
		}
		loaded = append(loaded, catalogue)
	}
	return loaded, nil
}
