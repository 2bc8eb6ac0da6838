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
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/verify/lint"
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
	base, err := offers.Read(fstest.MapFS{"familyscheduler/" + system.File: {Data: []byte(description)}}, "",
		"familyscheduler")
	if err != nil {
		return nil, err
	}
	list, err := offers.In(files, directory, []system.System{base})
	found, wrong := lint.Designs(files, directory, list)
	return found, errors.Join(err, wrong)
}

// editor is a client of a server.
type editor struct {
	*testing.T
	conn      *jsonrpc2.Conn
	published chan published
	last      map[string][]diagnosed // what was published last of each document
	asked     chan string            // the methods of which the server asks for messages
	served    chan error
	folder    string
	fails     atomic.Bool // the reader, with an error outside any file
}

// open connects to a server, with a folder that holds the design shop, and names that folder.
func open(t *testing.T) *editor {
	t.Helper()
	e := connect(t, nil)
	var said struct{ Capabilities map[string]any }
	e.call("initialize", map[string]any{"rootUri": uriOf(e.folder)}, &said)
	if said.Capabilities["hoverProvider"] != true {
		t.Errorf("it can do %v", said.Capabilities)
	}
	return e
}

// connect is open for an editor that says hello with other words, or nothing yet.
func connect(t *testing.T, hello any) *editor {
	t.Helper()
	e := &editor{T: t, published: make(chan published, 100), last: map[string][]diagnosed{},
		asked: make(chan string, 100), served: make(chan error, 1), folder: t.TempDir()}
	e.put("features/shop/system.yaml", description)
	e.put("features/shop/stock.feature", feature)
	ours, theirs := connected(t)
	read := func(files fs.FS, directory string) ([]lint.Design, error) {
		if e.fails.Load() {
			return nil, errors.New("the designs cannot be read")
		}
		return designs(files, directory)
	}
	ctx := context.WithoutCancel(t.Context()) // the clean-up ends the connection, as an editor does
	go func() {
		e.served <- Serve(ctx, theirs, read)
		close(e.served) // it has no error any more, for the clean-up
	}()
	e.conn = jsonrpc2.NewConn(ctx, jsonrpc2.NewBufferedStream(ours, jsonrpc2.VSCodeObjectCodec{}),
		jsonrpc2.HandlerWithError(e.take))
	t.Cleanup(func() {
		_ = e.conn.Close() // the test or the server may have closed it
		if err := e.ended(); err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	if hello != nil {
		var said any
		e.call("initialize", hello, &said)
	}
	return e
}

// connected returns the ends of a connection that, unlike net.Pipe, holds what is not read yet, as an editor's does.
func connected(t *testing.T) (ours, theirs net.Conn) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if ours, err = net.Dial("tcp", listener.Addr().String()); err != nil {
		t.Fatal(err)
	}
	if theirs, err = listener.Accept(); err != nil {
		t.Fatal(err)
	}
	return ours, theirs
}

// take takes a message of the server.
func (e *editor) take(_ context.Context, _ *jsonrpc2.Conn, r *jsonrpc2.Request) (any, error) {
	if r.Notif {
		var p published
		err := json.Unmarshal(*r.Params, &p)
		e.published <- p
		return nil, err
	}
	var wanted struct{ Registrations []struct{ Method string } }
	err := json.Unmarshal(*r.Params, &wanted)
	for _, one := range wanted.Registrations {
		e.asked <- r.Method + " " + one.Method
	}
	return nil, err
}

// ended returns how the server ended.
func (e *editor) ended() error {
	e.Helper()
	select {
	case err := <-e.served:
		return err
	case <-time.After(within):
		e.Fatal("the server goes on")
		return nil
	}
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
	delete(e.last, e.uri(name))
	e.notify(method, about)
	return e.shown(e.uri(name))
}

// shown returns what was published last of a document, after all messages so far.
func (e *editor) shown(uri string) []diagnosed {
	e.Helper()
	var hover *shownHover
	e.call("textDocument/hover", e.at("stock.feature", 0, 0), &hover) // answered after them
	for len(e.published) > 0 {
		p := <-e.published
		e.last[p.URI] = p.Diagnostics
	}
	wrong, was := e.last[uri]
	if !was {
		e.Errorf("nothing was published of %s", uri)
	}
	return wrong
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
	if !slices.Contains(labels, "the storage calls are at most") ||
		!slices.Contains(labels, "there is no row Stock a / b") || slices.Contains(labels, "Ana is signed in") {
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
