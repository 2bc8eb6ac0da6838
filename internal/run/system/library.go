package system

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/storespec/storespec/internal/source"
)

// Directory is the files of a directory. Names may point outside it, such as that of a contract next to the features.
type Directory string

// Open opens a file, whose name has slashes.
func (d Directory) Open(name string) (fs.File, error) {
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

// In reads the designs of a directory, whose files are given: a folder with a description is one, and so is a folder
// without a description that has the name of a design in shipped, on any of which a description can build. The error
// joins a *source.Error for each mistake, and for each folder that has features but no description; the designs are
// returned with it, as Read does. It may also be that of fs.ReadDir.
func (o Offers) In(files fs.FS, directory string, shipped []System) (list []System, _ error) {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		return nil, err
	}
	var wrong []error
	for _, entry := range entries {
		name := entry.Name()
		info, err := fs.Stat(files, path.Join(name, File))
		known := slices.IndexFunc(shipped, func(s System) bool { return s.Name == name })
		switch {
		case err == nil && info.Mode().IsRegular():
			described, err := o.Read(files, directory, name, shipped...)
			list, wrong = append(list, described), append(wrong, err)
		case known >= 0:
			list = append(list, shipped[known])
		case hasFeatures(files, name):
			list = append(list, System{Name: name})
			wrong = append(wrong, &source.Error{File: filepath.Join(directory, name), Reason: fmt.Sprintf(
				"it holds features, but no %s, which says how a server of the design is started: "+
					"storespec help own-design", File)})
		}
	}
	return list, errors.Join(wrong...)
}

// HasFeatures reports whether a folder contains feature files.
func HasFeatures(folder string) bool { return hasFeatures(Directory(folder), ".") }

func hasFeatures(files fs.FS, folder string) bool {
	found, err := fs.Glob(files, path.Join(folder, "*.feature"))
	return err == nil && len(found) > 0
}

// Names returns the names of designs, in order.
func Names(list []System) (found []string) {
	for _, s := range list {
		found = append(found, s.Name)
	}
	return found
}
