package languageserver

import (
	"net/url"
	"path/filepath"
	"strings"
	"unicode/utf16"
)

// The messages of the protocol, as far as they are used here. Lines and characters count from 0, characters in code
// units of UTF-16.
type (
	params struct {
		TextDocument   document   `json:"textDocument"`
		ContentChanges []change   `json:"contentChanges"`
		Position       position   `json:"position"`
		Changes        []document `json:"changes"`
	}
	hello struct {
		RootURI      string     `json:"rootUri"`
		Folders      []document `json:"workspaceFolders"`
		Capabilities struct {
			Workspace struct {
				WatchedFiles struct {
					DynamicRegistration bool `json:"dynamicRegistration"`
				} `json:"didChangeWatchedFiles"`
			} `json:"workspace"`
		} `json:"capabilities"`
	}
	change struct {
		Range *span  `json:"range"` // nil: the whole text
		Text  string `json:"text"`
	}
	document struct {
		URI  string `json:"uri"`
		Text string `json:"text"`
	}
	position struct {
		Line      int `json:"line"`
		Character int `json:"character"`
	}
	span struct {
		Start position `json:"start"`
		End   position `json:"end"`
	}
	published struct {
		URI         string      `json:"uri"`
		Diagnostics []diagnosed `json:"diagnostics"`
	}
	diagnosed struct {
		Range    span   `json:"range"`
		Severity int    `json:"severity"`
		Source   string `json:"source"`
		Message  string `json:"message"`
	}
	location struct {
		URI   string `json:"uri"`
		Range span   `json:"range"`
	}
	item struct {
		Label      string `json:"label"`
		Kind       int    `json:"kind"`
		Detail     string `json:"detail,omitempty"`
		FilterText string `json:"filterText"`
		TextEdit   edit   `json:"textEdit"`
	}
	edit struct {
		Range   span   `json:"range"`
		NewText string `json:"newText"`
	}
	markup struct {
		Kind  string `json:"kind"`
		Value string `json:"value"`
	}
	shownHover struct {
		Contents markup `json:"contents"`
	}
)

const (
	severityError = 1
	kindField     = 5
	kindStep      = 15 // a snippet
	kindTable     = 22 // a struct
	partOfText    = 2  // a change brings what differs
)

// capabilities are what initialize answers.
var capabilities = map[string]any{
	"serverInfo": map[string]any{"name": "storespec"},
	"capabilities": map[string]any{
		"textDocumentSync":   map[string]any{"openClose": true, "change": partOfText, "save": true},
		"completionProvider": map[string]any{"triggerCharacters": []string{" ", "|"}},
		"hoverProvider":      true,
		"definitionProvider": true,
	},
}

// watching asks an editor to say which files change on the disk.
var watching = map[string]any{"registrations": []any{map[string]any{
	"id": "files", "method": "workspace/didChangeWatchedFiles", "registerOptions": map[string]any{
		"watchers": []any{map[string]any{"globPattern": "**/*.{feature,yaml,yml,json}"}}}}}}

// pathOf returns the path of a file's URI; "" if it is not one.
func pathOf(uri string) string {
	parsed, err := url.Parse(uri)
	if err != nil || parsed.Scheme != "file" {
		return ""
	}
	path := parsed.Path
	if len(path) > 2 && path[0] == '/' && path[2] == ':' { // of a drive of Windows
		path = path[1:]
	}
	return filepath.FromSlash(path)
}

// uriOf returns the URI of a path.
func uriOf(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// characters returns how many code units the first runes of a line are.
func characters(line string, runes int) int {
	all := []rune(line)
	return len(utf16.Encode(all[:min(max(0, runes), len(all))]))
}

// changed returns a text after a change. A place behind the end of a line, or of the text, is that end.
func changed(text string, by change) string {
	if by.Range == nil {
		return by.Text
	}
	from, to := offset(text, by.Range.Start), offset(text, by.Range.End)
	return text[:from] + by.Text + text[max(from, to):]
}

// offset returns where a position is in a text, in bytes.
func offset(text string, at position) int {
	start := 0
	for range at.Line {
		next := strings.IndexByte(text[start:], '\n')
		if next < 0 {
			return len(text)
		}
		start += next + 1
	}
	line, _, _ := strings.Cut(text[start:], "\n")
	return start + len(until(strings.TrimSuffix(line, "\r"), at.Character))
}

// until returns the part of a line before a character.
func until(line string, character int) string {
	units := utf16.Encode([]rune(line))
	return string(utf16.Decode(units[:min(max(0, character), len(units))]))
}
