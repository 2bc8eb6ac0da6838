package languageserver

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sourcegraph/jsonrpc2"
)

// put writes a file below the editor's folder and returns its URI.
func (e *editor) put(name, text string) string {
	e.Helper()
	path := filepath.Join(e.folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		e.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		e.Fatal(err)
	}
	return uriOf(path)
}

// opened opens a document and returns what is wrong with it.
func (e *editor) opened(uri, text string) []diagnosed {
	e.Helper()
	e.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "text": text}})
	return e.shown(uri)
}

// refused returns the code of the error that a call is answered with.
func (e *editor) refused(method string) int64 {
	e.Helper()
	var refused *jsonrpc2.Error
	if err := e.conn.Call(e.Context(), method, nil, nil); !errors.As(err, &refused) {
		e.Fatalf("%s: %v", method, err)
	}
	return refused.Code
}

func TestAChangeInParts(t *testing.T) {
	e := open(t)
	e.write("textDocument/didOpen", "stock.feature", strings.ReplaceAll(feature, "\n", "\r\n"))
	replace := func(fromLine, from, toLine, to int, text string) map[string]any {
		return map[string]any{"range": span{position{fromLine, from}, position{toLine, to}}, "text": text}
	}
	change := func(parts ...map[string]any) []diagnosed {
		e.notify("textDocument/didChange", map[string]any{"contentChanges": parts,
			"textDocument": map[string]any{"uri": e.uri("stock.feature")}})
		return e.shown(e.uri("stock.feature"))
	}
	wrong := change(replace(10, 15, 10, 21, "😀 anser"))
	if len(wrong) != 1 || !strings.Contains(wrong[0].Message, `no step reads "the 😀 anser is 200"`) ||
		wrong[0].Range != (span{position{10, 6}, position{10, 30}}) {
		t.Errorf("one part: %+v", wrong)
	}
	// the second part stands behind the emoji, which counts as two, and both are about the text after the first
	wrong = change(replace(10, 18, 10, 23, "answer"), replace(10, 15, 10, 18, ""), replace(9, 99, 9, 99, "\r\n"))
	if len(wrong) != 0 {
		t.Errorf("mended in three parts: %+v", wrong)
	}
	wrong = change(replace(8, 0, 9, 0, ""), map[string]any{"text": feature}, replace(99, 0, 99, 0, "What?"))
	if len(wrong) != 1 || wrong[0].Range.Start.Line != 11 {
		t.Errorf("the whole text, and a part behind its end: %+v", wrong)
	}
}

func TestDiagnosticsCountInUTF16(t *testing.T) {
	e := open(t)
	misspelt := strings.Replace(feature, "count | number 1 |", "😀 | {Nobody} |", 1)
	wrong := e.write("textDocument/didOpen", "stock.feature", misspelt)
	line := strings.Split(misspelt, "\n")[8]
	from := characters(line, len([]rune(line[:strings.Index(line, "{Nobody}")])))
	if len(wrong) != 1 || wrong[0].Range.Start != (position{8, from}) || wrong[0].Range.End.Character != len(line)-2 {
		t.Errorf("behind an emoji, at %d to %d: %+v", from, len(line)-2, wrong)
	}
}

func TestWhatIsNotAFileIsIgnored(t *testing.T) {
	e := open(t)
	for _, uri := range []string{"untitled:Untitled-1", "git:/stock.feature?ref", "", "%"} {
		about := map[string]any{"textDocument": map[string]any{"uri": uri, "text": feature}}
		e.notify("textDocument/didOpen", about)
		e.notify("textDocument/didClose", about)
		var items []item
		if e.call("textDocument/completion", about, &items); items == nil || len(items) > 0 {
			t.Errorf("%q: it completes %v", uri, items)
		}
	}
	for len(e.published) > 0 {
		t.Errorf("published %v", <-e.published)
	}
}

func TestWithoutARoot(t *testing.T) {
	for name, hello := range map[string]any{"nothing": map[string]any{}, "null": map[string]any{"rootUri": nil,
		"workspaceFolders": nil}} {
		e := connect(t, hello)
		misspelt := strings.Replace(feature, "Then the answer", "Then the anser", 1)
		if wrong := e.write("textDocument/didOpen", "stock.feature", misspelt); len(wrong) != 1 {
			t.Errorf("%s: a misspelt step: %v", name, wrong)
		}
		// outside of any design nothing is wrong, whatever is next to the folder
		e.put("beside/a.feature", misspelt)
		if wrong := e.opened(e.put("elsewhere/notes.yaml", "a: b"), "a: b"); len(wrong) != 0 {
			t.Errorf("%s: outside of any design: %v", name, wrong)
		}
		var found *location
		e.call("textDocument/definition", map[string]any{"position": position{0, 3},
			"textDocument": map[string]any{"uri": e.put("elsewhere/known.yaml", "SHOP-READ-1")}}, &found)
		if found != nil {
			t.Errorf("%s: the rule is at %v", name, found)
		}
	}
}

func TestDesignsOfAProject(t *testing.T) {
	start := map[string]func(e *editor) any{
		"a root without a project file": func(e *editor) any { return map[string]any{"rootUri": uriOf(e.folder)} },
		"a workspace folder": func(e *editor) any {
			return map[string]any{"rootUri": nil, "workspaceFolders": []any{map[string]any{"uri": uriOf(e.folder)}}}
		},
		"a project file, and no root": func(e *editor) any {
			e.put("storespec.yaml", "features: features\n")
			return map[string]any{"rootUri": nil}
		},
		"a root whose project file is elsewhere": func(e *editor) any {
			e.put("storespec.yaml", "features: features\n")
			return map[string]any{"rootUri": e.put("deep/down/a", "")}
		},
	}
	for name, prepare := range start {
		e := connect(t, nil)
		var said any
		e.call("initialize", prepare(e), &said)
		var found *location
		e.call("textDocument/definition", map[string]any{"position": position{0, 3},
			"textDocument": map[string]any{"uri": e.put("known.yaml", "SHOP-READ-1")}}, &found)
		if found == nil || found.URI != e.uri("stock.feature") {
			t.Errorf("%s: the rule is at %+v", name, found)
		}
	}
}

func TestAFileThatIsDeleted(t *testing.T) {
	e := open(t)
	other := e.put("features/shop/other.feature", "Feature: half\n\n  Scenario: S\n    Whoever\n")
	e.write("textDocument/didOpen", "stock.feature", feature)
	if wrong := e.shown(other); len(wrong) == 0 {
		t.Error("a mistake in another file was not shown")
	}
	if err := os.Remove(pathOf(other)); err != nil {
		t.Fatal(err)
	}
	e.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": other, "type": 3},
		map[string]any{"uri": "untitled:1", "type": 1}}})
	if wrong := e.shown(other); len(wrong) != 0 {
		t.Errorf("it is gone, and still says %v", wrong)
	}
	misspelt := strings.Replace(feature, "Then the answer", "Then the anser", 1)
	e.write("textDocument/didChange", "stock.feature", misspelt)
	if err := os.RemoveAll(filepath.Join(e.folder, "features")); err != nil {
		t.Fatal(err)
	}
	e.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": e.uri("stock.feature")}})
	if wrong := e.shown(e.uri("stock.feature")); len(wrong) != 0 {
		t.Errorf("the folder is gone, and still says %v", wrong)
	}
}

func TestAFolderWithoutADescription(t *testing.T) {
	e := open(t)
	uri := e.put("features/bare/a.feature", strings.ReplaceAll(feature, "SHOP", "BARE"))
	wrong := e.opened(uri, strings.ReplaceAll(feature, "SHOP", "BARE"))
	if len(wrong) != 1 || !strings.Contains(wrong[0].Message, "but no system.yaml") {
		t.Errorf("the first file of the folder says %v", wrong)
	}
}

func TestWhatIsNoMistakeInAFileIsShownToo(t *testing.T) {
	e := open(t)
	e.fails.Store(true)
	wrong := e.write("textDocument/didOpen", "stock.feature", feature)
	if len(wrong) != 1 || wrong[0].Message != "the designs cannot be read" {
		t.Errorf("it says %v", wrong)
	}
}

func TestAnEditorIsToldToWatchFiles(t *testing.T) {
	e := connect(t, map[string]any{"capabilities": map[string]any{"workspace": map[string]any{
		"didChangeWatchedFiles": map[string]any{"dynamicRegistration": true}}}})
	e.notify("initialized", map[string]any{})
	e.call("textDocument/hover", e.at("stock.feature", 0, 0), new(*shownHover)) // handled after it
	select {
	case asked := <-e.asked:
		if asked != "client/registerCapability workspace/didChangeWatchedFiles" {
			t.Errorf("it asks for %s", asked)
		}
	default:
		t.Error("it asks for nothing")
	}
}

func TestShutdown(t *testing.T) {
	e := open(t)
	var nothing *int
	if e.call("shutdown", nil, &nothing); nothing != nil {
		t.Errorf("shutdown is answered with %d", *nothing)
	}
	if code := e.refused("textDocument/hover"); code != jsonrpc2.CodeInvalidRequest {
		t.Errorf("after it a request is refused with %d", code)
	}
	e.notify("exit", nil)
	if err := e.ended(); err != nil {
		t.Errorf("after it, exit ends the server with %v", err)
	}
	e = open(t)
	e.notify("exit", nil)
	if err := e.ended(); !errors.Is(err, ErrNoShutdown) {
		t.Errorf("without it, exit ends the server with %v", err)
	}
}
