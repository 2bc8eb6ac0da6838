// Package yamldoc reads the YAML files that people write for storespec, key by key, so that every mistake is reported
// with its file, line and column and with what was expected. An unknown key is a mistake: it is most often misspelled.
//
// The package never knows what the keys mean. Open [Reader.Parse] first, then [Reader.Fields], [Reader.List] and
// [Reader.Texts]; [IsText] and [Entries] look at a single node.
package yamldoc

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/storespec/storespec/internal/source"
)

// Error is a mistake in a file.
type Error = source.Error

// Reader makes the errors of one file.
type Reader struct{ Path string }

// Unread is an *Error for a file that could not be read, which it calls by the name what.
func (r Reader) Unread(what string, err error) error {
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		err = failed.Err
	}
	return &Error{File: r.Path, Reason: what + " cannot be read: " + err.Error()}
}

// Parse gives the one document of the file's content, nil for an empty one. The error is an *Error.
func (r Reader) Parse(content []byte) (*yaml.Node, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	var doc, more yaml.Node
	switch err := decoder.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, r.malformed(err)
	}
	if err := decoder.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, r.At(&more, "it holds more than one YAML document")
	}
	return doc.Content[0], nil
}

// At is an *Error at the place of a node. It is of one line, whatever args hold.
func (r Reader) At(node *yaml.Node, format string, args ...any) error {
	return &Error{File: r.Path, Line: max(1, node.Line), Column: node.Column,
		Reason: oneLine(fmt.Sprintf(format, args...))}
}

func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
}

var parserLine = regexp.MustCompile(`^yaml: line (\d+): (.+)`)

func (r Reader) malformed(err error) error {
	if m := parserLine.FindStringSubmatch(err.Error()); m != nil {
		line, _ := strconv.Atoi(m[1]) // the pattern has digits only
		return &Error{File: r.Path, Line: line, Reason: m[2]}
	}
	return &Error{File: r.Path, Reason: strings.TrimPrefix(err.Error(), "yaml: ")}
}

// Fields is a mapping by its keys, each of which must stand there once and, where some are given, be among known. what
// is the mapping in the error, which joins an *Error for each key that must not be there; the others are returned with
// it.
func (r Reader) Fields(node *yaml.Node, what string, known ...string) (map[string]*yaml.Node, error) {
	if node.Kind != yaml.MappingNode {
		return nil, r.At(node, "%s must be a mapping with %s", what, strings.Join(known, ", "))
	}
	found := map[string]*yaml.Node{}
	var wrong []error
	for key, value := range Entries(node) {
		switch {
		case len(known) > 0 && !slices.Contains(known, key.Value):
			wrong = append(wrong, r.At(key, "%s has an unknown key %q%s", what, key.Value, meant(key.Value, known)))
		case found[key.Value] != nil:
			wrong = append(wrong, r.At(key, "%s has the key %q twice", what, key.Value))
		default:
			found[key.Value] = value
		}
	}
	return found, errors.Join(wrong...)
}

// meant says which known key an unknown one is most like, or which there are.
func meant(key string, known []string) string {
	return cmp.Or(source.Meant(key, known), "; it knows "+strings.Join(known, ", "))
}

// IsText reports whether a node is a text, or another scalar, that is not empty. nil is not.
func IsText(node *yaml.Node) bool {
	return node != nil && node.Kind == yaml.ScalarNode && node.Tag != "!!null" && node.Value != ""
}

// Entries yields the keys and values of a mapping in order; none of any other node.
func Entries(node *yaml.Node) iter.Seq2[*yaml.Node, *yaml.Node] {
	return func(yield func(key, value *yaml.Node) bool) {
		for i := 1; node != nil && node.Kind == yaml.MappingNode && i < len(node.Content); i += 2 {
			if !yield(node.Content[i-1], node.Content[i]) {
				return
			}
		}
	}
}

// List returns the items of a list, which the error calls by the name what; none of nil and of a null.
func (r Reader) List(node *yaml.Node, what string) ([]*yaml.Node, error) {
	switch {
	case node == nil || node.Tag == "!!null":
		return nil, nil
	case node.Kind != yaml.SequenceNode:
		return nil, r.At(node, "%s must be a list", what)
	}
	return node.Content, nil
}

// Texts returns a text, or those of a list that is not empty; the error calls them by the name what.
func (r Reader) Texts(node *yaml.Node, what string) (texts []string, _ error) {
	items := []*yaml.Node{node}
	if node.Kind == yaml.SequenceNode && len(node.Content) > 0 {
		items = node.Content
	}
	for _, item := range items {
		if !IsText(item) {
			return nil, r.At(item, "%s must be a text, or a list of texts", what)
		}
		texts = append(texts, item.Value)
	}
	return texts, nil
}
