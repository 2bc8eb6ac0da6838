package languageserver

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/storespec/storespec/internal/diagnostic"
)

// publish shows everything that is wrong in the directory of a file, and takes back what is not wrong any more.
func (s *server) publish(ctx context.Context, conn *jsonrpc2.Conn, path string) error {
	directory, designs, err := s.designs(path)
	for _, design := range designs {
		if design.Catalogue != nil {
			s.remember(filepath.Join(directory, design.System.Name), design)
		}
	}
	mistakes, _ := diagnostic.All(err)
	byFile := map[string][]diagnosed{path: {}}
	for _, before := range s.shown[directory] {
		byFile[before] = []diagnosed{}
	}
	for _, mistake := range mistakes {
		byFile[mistake.File] = append(byFile[mistake.File],
			diagnosed{s.spanOf(mistake), severityError, "storespec", mistake.Reason})
	}
	s.shown[directory] = nil
	for _, file := range slices.Sorted(maps.Keys(byFile)) {
		if len(byFile[file]) > 0 {
			s.shown[directory] = append(s.shown[directory], file)
		}
		err := conn.Notify(ctx, "textDocument/publishDiagnostics", published{uriOf(file), byFile[file]})
		if err != nil {
			return err
		}
	}
	return nil
}

// spanOf returns the place of a mistake, to the end of its line.
func (s *server) spanOf(mistake *diagnostic.Error) span {
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
	if lines := s.lines(path); number < len(lines) {
		return lines[number]
	}
	return ""
}
