package languageserver

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/storespec/storespec/internal/lint"
	"github.com/storespec/storespec/internal/system"
)

const (
	description = "ready: /\nneeds-store: /stock\nenvironment: {STORAGE: '{connection}'}\n"
	feature     = `Feature: Stock

  @SHOP-READ-1
  Rule: Stock is read by one call
    > Reading stock is one point read.

    Scenario: S
      Given the row Stock a / b is
        | count | number 1 |
      When Ana sends GET /stock
      Then the answer is 200
`
	// within bounds a wait for the server; it answers in milliseconds where nothing else runs.
	within = 30 * time.Second
)

func designs(files fs.FS, directory string) ([]lint.Design, error) {
	offers := system.Offers{Stores: []system.Store{{Name: "azure", Placeholders: []string{"connection"},
		Reach: []string{"connection"}}}}
	list, err := offers.In(files, directory, nil)
	found, wrong := lint.Designs(files, directory, list)
	return found, errors.Join(err, wrong)
}

// editor is a client of a server, with what that has published last of each file.
type editor struct {
	*testing.T
	conn      *jsonrpc2.Conn
	published chan published
	folder    string
}

func open(t *testing.T) *editor {
	t.Helper()
	e := &editor{T: t, published: make(chan published, 100), folder: t.TempDir()}
	for name, text := range map[string]string{"system.yaml": description, "stock.feature": feature} {
		path := filepath.Join(e.folder, "features", "shop", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ours, theirs := net.Pipe()
	served := make(chan error, 1)
	go func() { served <- Serve(t.Context(), theirs, designs) }()
	take := func(_ context.Context, _ *jsonrpc2.Conn, r *jsonrpc2.Request) (any, error) {
		var p published
		err := json.Unmarshal(*r.Params, &p)
		e.published <- p
		return nil, err
	}
	e.conn = jsonrpc2.NewConn(t.Context(), jsonrpc2.NewBufferedStream(ours, jsonrpc2.VSCodeObjectCodec{}),
		jsonrpc2.HandlerWithError(take))
	t.Cleanup(func() {
		e.conn.Close()
		if err := <-served; err != nil {
			t.Errorf("served: %v", err)
		}
	})
	var said struct{ Capabilities map[string]any }
	e.call("initialize", map[string]any{"rootUri": uriOf(e.folder)}, &said)
	if said.Capabilities["hoverProvider"] != true {
		t.Errorf("it can do %v", said.Capabilities)
	}
	return e
}

func (e *editor) call(method string, about, result any) {
	e.Helper()
	ctx, cancel := context.WithTimeout(e.Context(), within)
	defer cancel()
	if err := e.conn.Call(ctx, method, about, result); err != nil {
		e.Fatalf("%s: %v", method, err)
	}
}

func (e *editor) notify(method string, about any) {
	e.Helper()
	if err := e.conn.Notify(e.Context(), method, about); err != nil {
		e.Fatal(err)
	}
}

func (e *editor) uri(name string) string {
	return uriOf(filepath.Join(e.folder, "features", "shop", name))
}

// write opens a file with a text, or changes it to one, and returns what is wrong with it then.
func (e *editor) write(method, name, text string) []diagnosed {
	e.Helper()
	about := map[string]any{"textDocument": map[string]any{"uri": e.uri(name), "text": text}}
	if method == "textDocument/didChange" {
		about["contentChanges"] = []map[string]any{{"text": text}}
	}
	e.notify(method, about)
	for {
		select {
		case p := <-e.published:
			if p.URI == e.uri(name) {
				return p.Diagnostics
			}
		case <-time.After(within):
			e.Fatal("nothing was published")
		}
	}
}

func (e *editor) at(name string, line, character int) map[string]any {
	return map[string]any{"textDocument": map[string]any{"uri": e.uri(name)},
		"position": position{line, character}}
}

func (e *editor) labels(line, character int) (labels []string) {
	e.Helper()
	var items []item
	e.call("textDocument/completion", e.at("stock.feature", line, character), &items)
	for _, one := range items {
		labels = append(labels, one.Label)
	}
	return labels
}

func TestDiagnosticsOfUnsavedText(t *testing.T) {
	e := open(t)
	if wrong := e.write("textDocument/didOpen", "stock.feature", feature); len(wrong) != 0 {
		t.Errorf("a feature without a mistake: %v", wrong)
	}
	misspelt := strings.Replace(feature, "Then the answer", "Then the anser", 1)
	wrong := e.write("textDocument/didChange", "stock.feature", misspelt)
	want := span{position{10, 6}, position{10, 27}}
	if len(wrong) != 1 || wrong[0].Range != want || wrong[0].Severity != severityError ||
		!strings.HasPrefix(wrong[0].Message, `no step reads "the anser is 200"; did you mean`) {
		t.Errorf("a misspelt step: %+v", wrong)
	}
	if wrong := e.write("textDocument/didChange", "stock.feature", feature); len(wrong) != 0 {
		t.Errorf("mended, it still says %v", wrong)
	}
	wrong = e.write("textDocument/didOpen", "system.yaml", strings.Replace(description, "ready", "reday", 1))
	if len(wrong) != 2 || !strings.Contains(wrong[0].Message+wrong[1].Message, "did you mean ready?") {
		t.Errorf("a misspelt key: %+v", wrong)
	}
}

func TestCompletion(t *testing.T) {
	e := open(t)
	text := feature + "      And the storage calls are at most\n        | service | call | on | count |\n" +
		"        | table | point read |  | 1 |\n      And the row \n" +
		"      And the row Stock a / b has\n        | \n      \n"
	e.write("textDocument/didOpen", "stock.feature", feature)
	if wrong := e.write("textDocument/didChange", "stock.feature", text); len(wrong) == 0 {
		t.Error("half a table was taken")
	}
	if labels := e.labels(13, 31); !slices.Equal(labels, []string{"Stock"}) {
		t.Errorf("in a budget, below on: %v", labels)
	}
	if labels := e.labels(14, 18); len(labels) == 0 || labels[0] != "Stock" {
		t.Errorf("after the row: %v", labels)
	}
	if labels := e.labels(16, 10); !slices.Equal(labels, []string{"count"}) {
		t.Errorf("in a row of Stock: %v", labels)
	}
	labels := e.labels(10, 11)
	if !slices.Contains(labels, "the storage calls are at most") || slices.Contains(labels, "Ana is signed in") {
		t.Errorf("steps: %v", labels)
	}
	if labels := e.labels(17, 6); len(labels) != 0 {
		t.Errorf("on an empty line: %v", labels)
	}
}

func TestHoverAndDefinition(t *testing.T) {
	e := open(t)
	e.write("textDocument/didOpen", "stock.feature", feature)
	var hover shownHover
	e.call("textDocument/hover", e.at("stock.feature", 9, 20), &hover)
	if !strings.Contains(hover.Contents.Value, "**requests and answers**") ||
		!strings.Contains(hover.Contents.Value, "When Ana sends GET ") {
		t.Errorf("of a request: %q", hover.Contents.Value)
	}
	var nothing *shownHover
	if e.call("textDocument/hover", e.at("stock.feature", 3, 5), &nothing); nothing != nil {
		t.Errorf("of a Rule: %v", nothing)
	}
	known := filepath.Join(e.folder, "features", "shop", "known.yaml")
	if err := os.WriteFile(known, []byte("known-failures:\n  - rule: SHOP-READ-1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var found *location
	e.call("textDocument/definition", e.at("known.yaml", 1, 12), &found)
	if found == nil || found.URI != e.uri("stock.feature") || found.Range.Start != (position{3, 0}) {
		t.Errorf("the rule is at %+v", found)
	}
	if err := e.conn.Call(t.Context(), "textDocument/rename", nil, nil); err == nil {
		t.Error("a request that the server does not know was answered")
	}
}

func TestColumnsCountInUTF16(t *testing.T) {
	line := "aä𝄞b"
	if characters(line, 3) != 4 || until(line, 4) != "aä𝄞" || characters(line, 99) != 5 || until(line, 99) != line {
		t.Errorf("%d characters, %q", characters(line, 3), until(line, 4))
	}
	for _, path := range []string{"/a b/ü.feature", "/x"} {
		if got := pathOf(uriOf(path)); got != path {
			t.Errorf("%s became %s", path, got)
		}
	}
}
