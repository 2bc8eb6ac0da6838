package languageserver

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/source"
)

// publish shows everything that is wrong in the directory of a file, and takes back what is not wrong any more.
func (s *server) publish(ctx context.Context, conn *jsonrpc2.Conn, path string) error {
	directory, designs, err := s.designs(path)
	for _, design := range designs {
		if design.Catalogue != nil {
			s.remember(filepath.Join(directory, design.System.Name), design)
		}
	}
	byFile := map[string][]diagnosed{path: {}}
	for file, of := range s.shown {
		if of == directory || s.lines(file) == nil {
			byFile[file] = []diagnosed{}
		}
	}
	mistakes, rest := source.All(err)
	if rest != nil {
		mistakes = append(mistakes, &source.Error{File: path, Reason: rest.Error()})
	}
	for _, mistake := range mistakes {
		file := inFile(mistake.File)
		byFile[file] = append(byFile[file], diagnosed{s.spanOf(mistake), severityError, "storespec", mistake.Reason})
	}
	for _, file := range slices.Sorted(maps.Keys(byFile)) {
		if s.shown[file] = directory; len(byFile[file]) == 0 {
			delete(s.shown, file)
		}
		err := conn.Notify(ctx, "textDocument/publishDiagnostics", published{uriOf(file), byFile[file]})
		if err != nil {
			return err
		}
	}
	return nil
}

// publishAll publishes for files that changed on the disk, once for each directory of designs.
func (s *server) publishAll(ctx context.Context, conn *jsonrpc2.Conn, files []document) error {
	var reported []string
	for _, file := range files {
		path := pathOf(file.URI)
		directory := s.directory(path)
		if path == "" || slices.Contains(reported, directory) {
			continue
		}
		reported = append(reported, directory)
		if err := s.publish(ctx, conn, path); err != nil {
			return err
		}
	}
	return nil
}

// inFile returns the file in which an editor shows a mistake: of a folder, the first that a design is written in.
func inFile(path string) string {
	for _, pattern := range []string{"*.feature", system.File} {
		if found, err := filepath.Glob(filepath.Join(path, pattern)); err == nil && len(found) > 0 {
			return found[0]
		}
	}
	return path
}

// spanOf returns the place of a mistake, to the end of its line.
func (s *server) spanOf(mistake *source.Error) span {
	number := max(0, mistake.Line-1)
	line := s.line(mistake.File, number)
	from := characters(line, mistake.Column-1)
	end := characters(line, len(line))
	return span{position{number, min(from, end)}, position{number, end}}
}

// lines returns the lines of a file, as it is in the editor.
func (s *server) lines(path string) []string {
	text, open := s.texts[filepath.Clean(path)]
	if !open {
		content, err := os.ReadFile(path)
		if err != nil { // a folder, or a file that is gone
			return nil
		}
		text = string(content)
	}
	return strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
}

// line returns a line of a file, from 0; "" if it has none.
func (s *server) line(path string, number int) string {
	if lines := s.lines(path); 0 <= number && number < len(lines) {
		return lines[number]
	}
	return ""
}
