package source

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Error is one mistake in a file.
type Error struct {
	File         string
	Line, Column int // from 1, the column in characters; 0: the whole file, or the whole line
	Reason       string
}

// Error returns file:line:column: reason, without what is not known.
func (e *Error) Error() string { return e.Where() + ": " + e.Reason }

// Where returns file:line:column, without what is not known.
func (e *Error) Where() string {
	where := e.File
	for _, number := range []int{e.Line, e.Column} {
		if number == 0 {
			break
		}
		where = fmt.Sprintf("%s:%d", where, number)
	}
	return where
}

// All returns the mistakes of which an error consists, by file, line and column, each once; rest is everything else.
// What wraps mistakes, or an error that joins some, is left out; an error without mistakes is kept whole.
func All(err error) (found []*Error, rest error) {
	var others []error
	var walk func(error)
	walk = func(err error) {
		mistake, is := err.(*Error) //nolint:errorlint // this walks the tree itself
		joined, several := err.(interface{ Unwrap() []error })
		switch {
		case err == nil:
		case several:
			for _, one := range joined.Unwrap() {
				walk(one)
			}
		case is:
			found = append(found, mistake)
		case !errors.As(err, &mistake):
			others = append(others, err)
		case errors.Unwrap(err) != nil: // what it wraps may join several
			walk(errors.Unwrap(err))
		default: // it has a method As
			found = append(found, mistake)
		}
	}
	walk(err)
	slices.SortStableFunc(found, func(a, b *Error) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	same := func(a, b *Error) bool { return *a == *b }
	return slices.CompactFunc(found, same), errors.Join(others...)
}

// Among returns what an error says of the given files and of those below the given directories, and everything in it
// that is not a mistake in a file.
func Among(paths []string, err error) error {
	found, rest := All(err)
	all := []error{rest}
	for _, mistake := range found {
		if slices.ContainsFunc(paths, func(path string) bool {
			return mistake.File == path || strings.HasPrefix(mistake.File, path+string(filepath.Separator))
		}) {
			all = append(all, mistake)
		}
	}
	return errors.Join(all...)
}

// In returns an error whose mistakes are in files below a directory.
func In(directory string, err error) error {
	found, rest := All(err)
	all := []error{rest}
	for _, mistake := range found {
		moved := *mistake
		moved.File = filepath.Join(directory, moved.File)
		all = append(all, &moved)
	}
	return errors.Join(all...)
}
