// Package system reads the file by which a team describes its own design to storespec, without Go: how a server of the
// design is started, and how its scenarios reach it. docs/own-design.md is its manual.
//
// The package never looks at feature files and never starts anything. Open Read first.
package system

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"golang.org/x/net/http/httpguts"

	"github.com/storespec/storespec/internal/contract"
	"github.com/storespec/storespec/internal/yamldoc"
	"github.com/storespec/storespec/steps"
)

// File is the name of the file, in the folder of the design's feature files.
const File = "system.yaml"

// The keys of the file.
const (
	ready         = "ready"
	needsStore    = "needs-store"
	environment   = "environment"
	personHeaders = "person-headers"
	errorCode     = "error-code"
	container     = "container"
	sharedTables  = "shared-tables"
	contractFile  = "contract"
	tags          = "tags"
	capabilities  = "capabilities"
)

// Is reports whether a folder describes a design.
func Is(folder string) bool {
	info, err := os.Stat(filepath.Join(folder, File))
	return err == nil && info.Mode().IsRegular()
}

// Read reads the file in a folder, whose name is the system's. The error is a *yamldoc.Error.
func Read(folder string) (steps.System, error) {
	s := steps.System{Name: filepath.Base(folder)}
	r := &reader{yamldoc.Reader{Path: filepath.Join(folder, File)}, nil}
	content, err := r.ReadFile("the description of " + s.Name)
	if err != nil {
		return s, err
	}
	doc, err := r.Parse(content)
	if err == nil && doc == nil {
		err = &yamldoc.Error{Where: r.Path, Reason: "it is empty; it must say " + ready + ", " + needsStore + " and " + environment}
	}
	if err != nil {
		return s, err
	}
	if r.fields, err = r.Fields(doc, "the description", ready, needsStore, environment, personHeaders, errorCode, container, sharedTables, contractFile, tags, capabilities); err != nil {
		return s, err
	}
	for _, read := range []func(*yaml.Node, *steps.System) error{
		r.paths, r.environment, r.personHeaders, r.names, r.lists, r.capabilities, r.contract,
	} {
		if err := read(doc, &s); err != nil {
			return s, err
		}
	}
	return s, nil
}

// reader turns the values of the keys into parts of a system.
type reader struct {
	yamldoc.Reader
	fields map[string]*yaml.Node
}

func (r *reader) paths(doc *yaml.Node, s *steps.System) error {
	for _, path := range []struct {
		key, what string
		to        *string
	}{
		{ready, "the path that answers 200 when the server is ready, such as /healthz", &s.Ready},
		{needsStore, "a path that the server cannot answer to GET without asking its store, such as /notes", &s.NeedsStore},
	} {
		value := r.fields[path.key]
		if value == nil {
			return r.At(doc, "it does not say %s: %s", path.key, path.what)
		}
		if value.Kind != yaml.ScalarNode || !strings.HasPrefix(value.Value, "/") {
			return r.At(value, "%s must be %s", path.key, path.what)
		}
		*path.to = value.Value
	}
	return nil
}

// reaching are the placeholders by one of which a server can find its store.
func reaching() []string { return []string{"connection", "tables", "blobs"} }

func (r *reader) environment(doc *yaml.Node, s *steps.System) error {
	node := r.fields[environment]
	if node == nil {
		return r.At(doc, "it does not say %s: the variables by which the server finds its store, such as STORAGE_CONNECTION: \"{connection}\"", environment)
	}
	mappings, err := r.mappings(node, environment, steps.Placeholders())
	if err != nil {
		return err
	}
	for _, m := range mappings {
		if m.Name == "" || strings.ContainsAny(m.Name, "=\x00") {
			return r.At(node, "%s: %q is no name of a variable", environment, m.Name)
		}
	}
	if !slices.ContainsFunc(mappings, func(m steps.Mapping) bool { return slices.ContainsFunc(reaching(), m.Uses) }) {
		return r.At(node, "no variable of %s tells the server where its store is: one must hold {%s}", environment, strings.Join(reaching(), "}, {"))
	}
	s.Env = mappings
	return nil
}

func (r *reader) personHeaders(_ *yaml.Node, s *steps.System) (err error) {
	node := r.fields[personHeaders]
	if node == nil {
		return nil
	}
	if s.People, err = r.mappings(node, personHeaders, steps.PersonPlaceholders()); err != nil {
		return err
	}
	for _, header := range s.People {
		if !httpguts.ValidHeaderFieldName(header.Name) {
			return r.At(node, "%s: %q is no name of a header", personHeaders, header.Name)
		}
	}
	return nil
}

// mappings is a mapping from names to templates, in order.
func (r *reader) mappings(node *yaml.Node, key string, known []string) ([]steps.Mapping, error) {
	if _, err := r.Fields(node, key); err != nil {
		if node.Kind != yaml.MappingNode {
			return nil, r.At(node, "%s must be a mapping from names to texts", key)
		}
		return nil, err
	}
	var list []steps.Mapping
	for i := 0; i < len(node.Content); i += 2 {
		name, template := node.Content[i], node.Content[i+1]
		if template.Kind != yaml.ScalarNode {
			return nil, r.At(template, "%s: %s must be a text; one that begins with a brace needs quotes, such as \"{%s}\"", key, name.Value, known[0])
		}
		mapping, err := steps.NewMapping(name.Value, template.Value, known)
		if err != nil {
			return nil, r.At(template, "%s: %s; known: {%s}", key, err, strings.Join(known, "}, {"))
		}
		list = append(list, mapping)
	}
	return list, nil
}

// containerName is what Azure allows ("Naming and Referencing Containers, Blobs, and Metadata").
var containerName = regexp.MustCompile(`^[a-z0-9]([a-z0-9]|-[a-z0-9]){2,62}$`)

// defaultContainer is where blob steps look when the file does not say.
const defaultContainer = "state"

func (r *reader) names(_ *yaml.Node, s *steps.System) error {
	s.Container = defaultContainer
	if node := r.fields[container]; node != nil {
		if s.Container = node.Value; !containerName.MatchString(node.Value) {
			return r.At(node, "%s must be the name of a blob container: 3 to 63 small letters, digits and single hyphens", container)
		}
	}
	if node := r.fields[errorCode]; node != nil {
		if s.ErrorCode = node.Value; node.Kind != yaml.ScalarNode || s.ErrorCode == "" {
			return r.At(node, "%s must be the member of an answer's JSON that holds the code of an error, such as error", errorCode)
		}
	}
	return nil
}

func (r *reader) lists(_ *yaml.Node, s *steps.System) error {
	for _, list := range []struct {
		key string
		to  *[]string
	}{{sharedTables, &s.Shared}, {tags, &s.Tags}} {
		node := r.fields[list.key]
		if node == nil {
			continue
		}
		if node.Kind != yaml.SequenceNode {
			return r.At(node, "%s must be a list of names", list.key)
		}
		for _, item := range node.Content {
			if item.Kind != yaml.ScalarNode || item.Value == "" {
				return r.At(item, "%s must be a list of names", list.key)
			}
			*list.to = append(*list.to, strings.TrimPrefix(item.Value, "@"))
		}
	}
	return nil
}

// capabilityName is what can be a part of a tag, and of a list that --without separates by commas.
var capabilityName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// capabilities reads the parts that a server may lack, in order, and makes their tags tags of the features.
func (r *reader) capabilities(_ *yaml.Node, s *steps.System) error {
	node := r.fields[capabilities]
	if node == nil {
		return nil
	}
	if _, err := r.Fields(node, capabilities); err != nil {
		if node.Kind != yaml.MappingNode {
			return r.At(node, "%s must be a mapping from names to what each is, such as search: finding notes by a word", capabilities)
		}
		return err
	}
	for i := 0; i < len(node.Content); i += 2 {
		name, description := node.Content[i], node.Content[i+1]
		if !capabilityName.MatchString(name.Value) {
			return r.At(name, "%s: %q is no name: small letters, digits and single hyphens", capabilities, name.Value)
		}
		if description.Kind != yaml.ScalarNode || description.Value == "" {
			return r.At(description, "%s: %s must be a text that says what it is", capabilities, name.Value)
		}
		c := steps.Capability{Name: name.Value, Description: description.Value}
		s.Capabilities, s.Tags = append(s.Capabilities, c), append(s.Tags, c.Tag())
	}
	return nil
}

// contract reads the OpenAPI document, whose path is relative to the folder of the file.
func (r *reader) contract(_ *yaml.Node, s *steps.System) error {
	node := r.fields[contractFile]
	if node == nil {
		return nil
	}
	if node.Kind != yaml.ScalarNode || node.Value == "" {
		return r.At(node, "%s must be the path of an OpenAPI 3.1 document in YAML, seen from here", contractFile)
	}
	path := filepath.Join(filepath.Dir(r.Path), filepath.FromSlash(node.Value))
	content, err := yamldoc.Reader{Path: path}.ReadFile("the contract")
	if err != nil {
		return r.At(node, "%s: %s", contractFile, err)
	}
	if _, err := contract.Load(content); err != nil {
		return r.At(node, "%s: %s: %s", contractFile, path, strings.Join(strings.Fields(fmt.Sprint(err)), " "))
	}
	s.Contract = content
	return nil
}
