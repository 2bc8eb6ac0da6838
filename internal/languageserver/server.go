// Package languageserver speaks the Language Server Protocol 3.17 about feature files: what is wrong with them, as they
// are in the editor; the steps, tables and columns that fit at a place; what a step does; and where a rule is stated.
//
// The package knows no command line and reads designs by package lint, so an editor shows what storespec check prints.
// Open [Serve] first; docs/editor.md says how editors start it.
package languageserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/storespec/storespec/internal/lint"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/system"
	"github.com/storespec/storespec/steps"
)

// Reader reads the designs of a directory, whose files are given, as far as they can be read. The error joins a
// *diagnostic.Error for each mistake.
type Reader func(files fs.FS, directory string) ([]lint.Design, error)

// Serve answers an editor until it disconnects, or ctx ends.
func Serve(ctx context.Context, editor io.ReadWriteCloser, read Reader) error {
	s := &server{read: read, texts: map[string]string{}, shown: map[string][]string{},
		known:  map[string]scenario.Tables{},
		themes: steps.Themes()}
	s.vocabulary = scenario.NewVocabulary(s.themes)
	conn := jsonrpc2.NewConn(ctx, jsonrpc2.NewBufferedStream(editor, jsonrpc2.VSCodeObjectCodec{}),
		jsonrpc2.HandlerWithError(s.handle).SuppressErrClosed(), jsonrpc2.SetLogger(silent{}))
	select {
	case <-conn.DisconnectNotify():
		return nil
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
	root       string                     // the editor's folder
	texts      map[string]string          // of open files, by path
	known      map[string]scenario.Tables // by the folder of a design
	shown      map[string][]string        // the files with diagnostics, by the directory of their designs
}

// handle answers one message.
func (s *server) handle(ctx context.Context, conn *jsonrpc2.Conn, request *jsonrpc2.Request) (any, error) {
	var about params
	if request.Params != nil {
		if err := json.Unmarshal(*request.Params, &about); err != nil {
			return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
		}
	}
	path := pathOf(about.TextDocument.URI)
	switch request.Method {
	case "initialize":
		s.root = pathOf(about.RootURI)
		return capabilities, nil
	case "textDocument/didOpen":
		s.texts[path] = about.TextDocument.Text
		return nil, s.publish(ctx, conn, path)
	case "textDocument/didChange":
		for _, change := range about.ContentChanges {
			s.texts[path] = change.Text
		}
		return nil, s.publish(ctx, conn, path)
	case "textDocument/didSave":
		return nil, s.publish(ctx, conn, path)
	case "textDocument/didClose":
		delete(s.texts, path)
		return nil, s.publish(ctx, conn, path)
	case "textDocument/completion":
		return s.complete(path, about.Position), nil
	case "textDocument/hover":
		return s.hover(path, about.Position), nil
	case "textDocument/definition":
		return s.definition(path, about.Position), nil
	case "exit":
		return nil, conn.Close()
	case "initialized", "shutdown":
		return nil, nil
	}
	if request.Notif { // editors send many that a server may ignore
		return nil, nil
	}
	return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound,
		Message: fmt.Sprintf("%s is not known", request.Method)}
}

// designs reads the designs of the directory of a file: that above the folder with the file, or the editor's.
func (s *server) designs(path string) (directory string, found []lint.Design, err error) {
	directory = filepath.Dir(filepath.Dir(path))
	if found, err = s.read(s.unsaved(directory), directory); len(found) > 0 || s.root == "" {
		return directory, found, err
	}
	directory, _ = lint.Folder(s.root)
	found, err = s.read(s.unsaved(directory), directory)
	return directory, found, err
}

// unsaved returns the files of a directory, as they are in the editor.
func (s *server) unsaved(directory string) fs.FS {
	return overlay{system.Directory(directory), func(name string) (string, bool) {
		text, open := s.texts[filepath.Join(directory, filepath.FromSlash(name))]
		return text, open
	}}
}
