package system

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
)

// disk is the files of a directory. Names may point outside it, such as that of a contract beside the features.
type disk string

func (d disk) Open(name string) (fs.File, error) {
	return os.Open(filepath.Join(string(d), filepath.FromSlash(name)))
}

// Shipped reads the built-in designs, each of which has a reference server of the same name, in the order of those
// servers. The error is a *yamldoc.Error.
func (o Offers) Shipped(files fs.FS) (list []System, _ error) {
	for _, name := range o.References {
		s, err := o.Read(files, "", name)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// UndescribedError is a folder that contains features, but no description.
type UndescribedError struct{ Folder string }

func (e *UndescribedError) Error() string {
	return fmt.Sprintf("%s holds features, but no %s", e.Folder, File)
}

// In reads the designs of a directory: a folder with a description is one, and so is a folder without a description
// that has the name of a design in shipped. Errors: *yamldoc.Error; *UndescribedError; that of os.ReadDir.
func (o Offers) In(directory string, shipped []System) (list []System, _ error) {
	entries, err := os.ReadDir(directory)
	if err != nil {
		return nil, err
	}
	files := disk(directory)
	for _, entry := range entries {
		name := entry.Name()
		info, err := fs.Stat(files, path.Join(name, File))
		known := slices.IndexFunc(shipped, func(s System) bool { return s.Name == name })
		switch {
		case err == nil && info.Mode().IsRegular():
			described, err := o.Read(files, directory, name)
			if err != nil {
				return nil, err
			}
			list = append(list, described)
		case known >= 0:
			list = append(list, shipped[known])
		case HasFeatures(filepath.Join(directory, name)):
			return nil, &UndescribedError{filepath.Join(directory, name)}
		}
	}
	return list, nil
}

// HasFeatures reports whether a folder contains feature files.
func HasFeatures(folder string) bool {
	found, err := filepath.Glob(filepath.Join(folder, "*.feature"))
	return err == nil && len(found) > 0
}

// Names returns the names of designs, in order.
func Names(list []System) (found []string) {
	for _, s := range list {
		found = append(found, s.Name)
	}
	return found
}
