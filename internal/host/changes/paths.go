package changes

import (
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// absolute returns a path from the root, or as it is if the working directory is not known.
func absolute(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		return whole
	}
	return path
}

// within reports whether an absolute path is another one, or below it.
func within(top, path string) bool {
	relative, err := filepath.Rel(top, path)
	return err == nil && relative != ".." && !strings.HasPrefix(relative, ".."+string(filepath.Separator))
}

// errSpecial says that a path is a directory, a pipe, a socket or a device: to read it may block, or never end.
var errSpecial = errors.New("it is not a regular file")

// digest returns a digest of a file's content, or of where a link leads, without following it.
func digest(path string) (sum [sha256.Size]byte, err error) {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return sum, err
	case info.Mode().Type() == fs.ModeSymlink:
		to, wrong := os.Readlink(path)
		return sha256.Sum256([]byte(to)), wrong
	case !info.Mode().IsRegular():
		return sum, errSpecial
	}
	file, err := os.Open(path)
	if err != nil {
		return sum, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	hash := sha256.New()
	_, err = io.Copy(hash, file)
	return [sha256.Size]byte(hash.Sum(nil)), err
}

// ignored returns those of the paths that git ignores, as it is asked in a directory: none without git, and outside a
// repository.
func ignored(directory string, paths []string) []string {
	if len(paths) == 0 {
		return nil
	}
	byWhole := map[string]string{}
	var asked strings.Builder
	for _, path := range paths {
		byWhole[absolute(path)] = path
		asked.WriteString(absolute(path) + "\x00")
	}
	cmd := exec.Command("git", "check-ignore", "-z", "--stdin")
	cmd.Dir, cmd.Stdin = directory, strings.NewReader(asked.String())
	answer, err := cmd.Output()
	if err != nil { // it ignores none, or does not know
		return nil
	}
	var list []string
	for whole := range strings.SplitSeq(strings.TrimSuffix(string(answer), "\x00"), "\x00") {
		if path, known := byWhole[whole]; known {
			list = append(list, path)
		}
	}
	return list
}
