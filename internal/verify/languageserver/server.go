// Package languageserver speaks the Language Server Protocol 3.17 about feature files: what is wrong with them, as they
// are in the editor; the steps, tables and columns that fit at a place; what a step does; and where a rule is stated.
//
// The package knows no command line and reads designs by package lint, so an editor shows what storespec check prints.
// Open [Serve] first; docs/rules/own-design.md says how editors start it.
package languageserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/source"
	"github.com/storespec/storespec/internal/verify/lint"
	"github.com/storespec/storespec/internal/verify/project"
	"github.com/storespec/storespec/steps"
)

// Reader reads the designs of a directory, whose files are given, as far as they can be read. The error joins a
// *source.Error for each mistake.
type Reader func(files fs.FS, directory string) ([]lint.Design, error)

// ErrNoShutdown says that an editor sent exit without shutdown, which the protocol calls a failure.
var ErrNoShutdown = errors.New("the editor sent exit without shutdown")

// Serve answers an editor until it disconnects, or ctx ends. The error may be ErrNoShutdown.
func Serve(ctx context.Context, editor io.ReadWriteCloser, read Reader) error {
	s := &server{read: read, texts: map[string]string{}, shown: map[string]string{},
		known: map[string]scenario.Tables{}, systems: map[string]system.System{},
		examples: map[string]map[string]string{}, themes: steps.Themes()}
	s.vocabulary = scenario.NewVocabulary(s.themes)
	conn := jsonrpc2.NewConn(ctx, jsonrpc2.NewBufferedStream(editor, jsonrpc2.VSCodeObjectCodec{}),
		jsonrpc2.HandlerWithError(s.handle).SuppressErrClosed(), jsonrpc2.SetLogger(silent{}))
	select {
	case <-conn.DisconnectNotify():
		return s.failed
	case <-ctx.Done():
		if err := conn.Close(); !errors.Is(err, jsonrpc2.ErrClosed) {
			return err
		}
		return nil
	}
}

// silent drops the library's log: standard error is the editor's to show, and what is wrong is answered.
type silent struct{}

func (silent) Printf(string, ...any) {}

// server is what is known of one editor. The library handles its messages one by one.
type server struct {
	read       Reader
	vocabulary *scenario.Vocabulary
	themes     []scenario.Theme
	root       string                       // the editor's folder; "" if none is open
	watches    bool                         // it can say which files change on the disk
	done       bool                         // it has asked for a shutdown
	failed     error                        // how it ended the session
	texts      map[string]string            // of open files, by path
	known      map[string]scenario.Tables   // by the folder of a design
	systems    map[string]system.System     // by the folder of a design
	examples   map[string]map[string]string // in the words of a design, by its folder and a step's pattern
	shown      map[string]string            // the directory of its designs, by each file with diagnostics
}

// handle answers one message.
func (s *server) handle(ctx context.Context, conn *jsonrpc2.Conn, request *jsonrpc2.Request) (any, error) {
	switch {
	case request.Method == "exit":
		if !s.done {
			s.failed = ErrNoShutdown
		}
		return nil, conn.Close()
	case s.done && !request.Notif:
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "the editor asked for a shutdown"}
	case request.Method == "initialize":
		return capabilities, s.initialize(request)
	case request.Method == "initialized" && s.watches:
		// what it answers is of no use, and could not be read before this message is handled
		_, err := conn.DispatchCall(ctx, "client/registerCapability", watching)
		return nil, err
	case request.Method == "shutdown":
		s.done = true
		return nil, nil
	}
	var about params
	if err := read(request, &about); err != nil {
		return nil, err
	}
	if request.Method == "workspace/didChangeWatchedFiles" {
		return nil, s.publishAll(ctx, conn, about.Changes)
	}
	path := pathOf(about.TextDocument.URI)
	if request.Notif {
		return nil, s.noted(ctx, conn, path, request.Method, about)
	}
	return s.answer(path, request.Method, about)
}

// read reads the parameters of a message, if it has any.
func read(request *jsonrpc2.Request, to any) error {
	if request.Params == nil {
		return nil
	}
	if err := json.Unmarshal(*request.Params, to); err != nil {
		return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
	}
	return nil
}

// initialize takes what an editor says of itself.
func (s *server) initialize(request *jsonrpc2.Request) error {
	var said hello
	if err := read(request, &said); err != nil {
		return err
	}
	if s.root = pathOf(said.RootURI); s.root == "" && len(said.Folders) > 0 {
		s.root = pathOf(said.Folders[0].URI)
	}
	s.watches = said.Capabilities.Workspace.WatchedFiles.DynamicRegistration
	return nil
}

// noted takes what an editor says of a document. What is not a file has no design, and is ignored, as are the many
// messages that a server need not know.
func (s *server) noted(ctx context.Context, conn *jsonrpc2.Conn, path, method string, about params) error {
	if path == "" {
		return nil
	}
	switch method {
	case "textDocument/didOpen":
		s.texts[path] = about.TextDocument.Text
	case "textDocument/didChange":
		for _, one := range about.ContentChanges {
			s.texts[path] = changed(s.texts[path], one)
		}
	case "textDocument/didClose":
		delete(s.texts, path)
	case "textDocument/didSave":
	default:
		return nil
	}
	return s.publish(ctx, conn, path)
}

// answer answers a question about a document; path is "" if it is not a file.
func (s *server) answer(path, method string, about params) (any, error) {
	switch method {
	case "textDocument/completion":
		return s.complete(path, about.Position), nil
	case "textDocument/hover":
		return s.hover(path, about.Position), nil
	case "textDocument/definition":
		return s.definition(path, about.Position), nil
	}
	return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: fmt.Sprintf("%s is not known", method)}
}

// designs reads the designs of the directory of a file.
func (s *server) designs(path string) (directory string, found []lint.Design, err error) {
	if directory = s.directory(path); directory == "" {
		return "", nil, nil
	}
	found, err = s.read(s.unsaved(directory), directory)
	return directory, found, err
}

// directory returns the directory of the designs that a file is about: that of the design in whose folder it is, that
// of the project file, or that of the editor's folder; "" if neither is known.
func (s *server) directory(path string) string {
	folder := filepath.Dir(path)
	if _, err := os.Stat(filepath.Join(folder, system.File)); err == nil || system.HasFeatures(folder) {
		return filepath.Dir(folder)
	}
	if file := project.Find(folder); file != "" {
		if said, err := project.Read(file); err == nil && said.Features != "" {
			return said.Features
		}
	}
	if s.root == "" {
		return ""
	}
	directory, _ := lint.Folder(s.root)
	return directory
}

// unsaved returns the files of a directory, as they are in the editor.
func (s *server) unsaved(directory string) fs.FS {
	return source.Overlay{FS: system.Directory(directory), Text: func(name string) (string, bool) {
		text, open := s.texts[filepath.Join(directory, filepath.FromSlash(name))]
		return text, open
	}}
}
