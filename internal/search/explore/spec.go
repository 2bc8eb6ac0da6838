package explore

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/source/yamldoc"
)

// File is the name of the file that says how a system is explored.
const File = "explore.yaml"

// Spec says how a system is explored. In its zero value all requests are anonymous, and values follow from the
// contract.
type Spec struct {
	People []string // who walks
	// Given are the steps that each walk begins with, and Sometimes are steps of which each walk takes some as well.
	Given     string
	Sometimes []string
	prepared  sync.Map            // *scenario.Preparation, by the steps
	Values    map[string][]any    // well-formed values and edges, by the name of a parameter or member
	Wrong     map[string][]any    // slightly wrong ones
	IDs       map[string][]string // where answers have values of a parameter: members, or "METHOD /path member"
	Requests  map[string][]any    // bodies that the contract does not describe, by route; "*": a value by name
	Skip      map[string]string   // routes that are not asked, and why
	Rarely    []string            // routes that are asked a tenth as often
	Headers   []string            // of answers, compared besides ETag, Location and Content-Type
	// Environment is values of variables that the servers are started with, the usual one first.
	Environment map[string][]string
	// Steps happen in a walk now and then, such as a command of the design's tools.
	Steps    []string
	Freedoms []Freedom

	beside func(resource string, key []string) bool // records that are not compared; nil: none
}

// Freedom is a difference that the design leaves open.
type Freedom struct {
	// What is a member of an answer, such as message or snapshot.items[].at, a column, "order of groups", "order of
	// groups within name", "status 400|404", "calls", "more members" or "more columns"; "*" is everything.
	What string
	Of   []string // routes, tables or "*"
	Why  string   // a sentence of the design, or "silent: …"
	// Others says that reference servers do not make use of it.
	Others bool
}

// usualPeople returns the people of a spec that names none.
func usualPeople() []string { return []string{"Ana", "Ben"} }

// ReadSpec reads the file of a system from files; shown is the directory that messages name. Without a file, the spec
// has two people and nothing else. The error is a *yamldoc.Error.
func ReadSpec(files fs.FS, shown string, s system.System, vocabulary *scenario.Vocabulary) (*Spec, error) {
	name := path.Join(s.Name, File)
	r := specReader{Reader: yamldoc.Reader{Path: filepath.Join(shown, filepath.FromSlash(name))}}
	content, err := fs.ReadFile(files, name)
	if errors.Is(err, fs.ErrNotExist) {
		return &Spec{People: usualPeople()}, nil
	}
	if err != nil {
		return nil, r.Unread("the file", err)
	}
	doc, err := r.Parse(content)
	if err != nil {
		return nil, err
	}
	if doc == nil {
		doc = &yaml.Node{Kind: yaml.MappingNode}
	}
	return r.spec(doc, s, vocabulary)
}

type specReader struct{ yamldoc.Reader }

func (r specReader) spec(doc *yaml.Node, of system.System, vocabulary *scenario.Vocabulary) (*Spec, error) {
	s := &Spec{People: usualPeople()}
	keys := map[string]any{
		"people": &s.People, "setup": &s.Given, "sometimes": &s.Sometimes, "steps": &s.Steps, "ids": &s.IDs,
		"values": &pools{&s.Values}, "wrong": &pools{&s.Wrong}, "requests": &pools{&s.Requests}, "skip": &s.Skip,
		"rarely": &s.Rarely, "headers": &s.Headers, "environment": &s.Environment,
	}
	fields, err := r.Fields(doc, "the description", append(slices.Sorted(maps.Keys(keys)), "freedoms")...)
	if err != nil {
		return nil, err
	}
	for key, to := range keys {
		if node := fields[key]; node != nil {
			if err := node.Decode(to); err != nil {
				return nil, r.At(node, "%s: %s", key, err)
			}
		}
	}
	texts := map[string][]string{"setup": {s.Given}, "sometimes": s.Sometimes, "steps": s.Steps}
	for _, key := range slices.Sorted(maps.Keys(texts)) {
		for i, steps := range texts[key] {
			prepared, err := scenario.Prepare(steps)
			if err == nil {
				err = vocabulary.CheckAll(of, prepared)
			}
			if err == nil {
				continue
			}
			node := fields[key]
			if node.Kind == yaml.SequenceNode {
				node = node.Content[i]
			}
			return nil, r.At(node, "%s: %s", key, err)
		}
	}
	for name, values := range s.Environment {
		if len(values) == 0 {
			return nil, r.At(fields["environment"], "environment: %s has no value", name)
		}
	}
	if node := fields["freedoms"]; node != nil {
		return s, r.freedoms(s, node)
	}
	return s, nil
}

func (r specReader) freedoms(s *Spec, list *yaml.Node) error {
	items, err := r.List(list, "freedoms")
	if err != nil {
		return err
	}
	for _, node := range items {
		fields, err := r.Fields(node, "a freedom", "what", "of", "why", "for")
		if err != nil {
			return err
		}
		for _, key := range []string{"what", "of", "why"} {
			if fields[key] == nil || fields[key].Kind == yaml.ScalarNode && fields[key].Value == "" {
				return r.At(node, "a freedom must say %s", key)
			}
		}
		f := Freedom{What: fields["what"].Value, Why: fields["why"].Value, Others: fields["for"] != nil}
		if f.Others && fields["for"].Value != "others" {
			return r.At(fields["for"], "for: must be others, if it is there")
		}
		if f.Of, err = r.Texts(fields["of"], "of"); err != nil {
			return err
		}
		s.Freedoms = append(s.Freedoms, f)
	}
	return nil
}

// beginning returns the steps that a walk begins with, as they are written, each with its table.
func (s *Spec) beginning(w *Walk) (steps []string) {
	texts := []string{s.Given}
	for _, i := range w.Some {
		if i >= 0 && i < len(s.Sometimes) {
			texts = append(texts, s.Sometimes[i])
		}
	}
	for _, text := range texts {
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			switch {
			case line == "":
			case strings.HasPrefix(line, "|") && len(steps) > 0:
				steps[len(steps)-1] += "\n" + line
			default:
				steps = append(steps, line)
			}
		}
	}
	left := steps[:0:0]
	for i, step := range steps {
		if slices.Contains(w.Less, i) {
			continue
		}
		if rest, ok := strings.CutPrefix(step, "And "); ok && len(left) == 0 {
			step = "Given " + rest
		}
		left = append(left, step)
	}
	return left
}

// setup is beginning as steps that can be run.
func (s *Spec) setup(w *Walk) (*scenario.Preparation, error) {
	text := strings.Join(s.beginning(w), "\n")
	if known, ok := s.prepared.Load(text); ok {
		return known.(*scenario.Preparation), nil
	}
	made, err := scenario.Prepare(text)
	if err == nil {
		s.prepared.Store(text, made)
	}
	return made, err
}

// pools reads lists of JSON values by name.
type pools struct{ to *map[string][]any }

// UnmarshalYAML implements yaml.Unmarshaler.
func (p *pools) UnmarshalYAML(node *yaml.Node) error {
	read := map[string][]yaml.Node{}
	if err := node.Decode(&read); err != nil {
		return err
	}
	*p.to = make(map[string][]any, len(read))
	for name, list := range read {
		for i := range list {
			value, err := plain(&list[i])
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			(*p.to)[name] = append((*p.to)[name], value)
		}
	}
	return nil
}

// plain converts a value of YAML to one of JSON. A number keeps its spelling.
func plain(node *yaml.Node) (value any, err error) {
	switch node.Kind {
	case yaml.MappingNode:
		object := map[string]any{}
		for key, value := range yamldoc.Entries(node) {
			if object[key.Value], err = plain(value); err != nil {
				return nil, err
			}
		}
		return object, nil
	case yaml.SequenceNode:
		list := []any{}
		for _, item := range node.Content {
			if value, err = plain(item); err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		return list, nil
	case yaml.AliasNode:
		return plain(node.Alias)
	}
	if number := json.Number(node.Value); (node.Tag == "!!int" || node.Tag == "!!float") && json.Valid([]byte(number)) {
		return number, nil
	}
	err = node.Decode(&value)
	return value, err
}

// Reference removes the freedoms that reference servers do not make use of.
func (s *Spec) Reference() {
	s.Freedoms = slices.DeleteFunc(s.Freedoms, func(f Freedom) bool { return f.Others })
}

// Beside leaves open what a server keeps outside the design: records, which is asked for each by its resource
// and its key, and one more column, or member of the content of objects, of a resource, which may be nil.
func (s *Spec) Beside(why string, records func(resource string, key []string) bool, more map[string][]string) {
	s.beside = records
	for _, resource := range slices.Sorted(maps.Keys(more)) {
		for _, name := range more[resource] {
			s.Freedoms = append(s.Freedoms, Freedom{What: oneMore + name, Of: []string{resource}, Why: why})
		}
	}
}

// oneMore begins the freedom of a server to have a column or a member that the other one lacks.
const oneMore = "more: "

// free returns whether the spec leaves something open: what is a path such as groups[].name, of a route or a table.
func (s *Spec) free(what string, of ...string) bool {
	return slices.ContainsFunc(s.Freedoms, func(f Freedom) bool {
		if f.What != "*" && f.What != what && f.What != "/"+what && !strings.HasSuffix(what, "."+f.What) &&
			!strings.HasSuffix(what, "]"+f.What) {
			return false
		}
		return slices.ContainsFunc(f.Of, func(one string) bool { return one == "*" || slices.Contains(of, one) })
	})
}

// LeavesOpen returns whether the spec leaves something open in the answers of a route, such as "status 400|404".
func (s *Spec) LeavesOpen(what, route string) bool { return s.free(what, route) }

// leave is what the spec leaves open in an answer of a route, or in a table.
type leave struct {
	spec     *Spec
	of       string
	more     []string        // left open as well
	required map[string]bool // the members that the contract requires; nil: it is not asked
}

func (l leave) open(what string) bool {
	return slices.Contains(l.more, what) || l.spec.free(what, l.of)
}

// lacks reports whether a member may be missing: the contract does not require it, or its absence means the same as an
// empty value.
func (l leave) lacks(path, name string, value any) bool {
	if l.required != nil && !l.required[name] && l.open("members that the contract does not require") {
		return true
	}
	list, is := value.([]any)
	return (value == false || value == "" || is && len(list) == 0) && l.open("absent "+path)
}

// order reports whether the order of a list is left open: of those of its items that agree in a member, if within is
// not empty.
func (l leave) order(path string) (within string, ok bool) {
	for _, f := range l.spec.Freedoms {
		rest, is := strings.CutPrefix(f.What, "order of ")
		list, member, _ := strings.Cut(rest, " within ")
		if is && (list == path || strings.HasSuffix(path, "."+list)) &&
			slices.ContainsFunc(f.Of, func(one string) bool { return one == "*" || one == l.of }) {
			return member, true
		}
	}
	return "", false
}

// freeRecord reports whether the spec leaves open what a record contains, and whether it is there: of its resource, or
// of "RESOURCE KEY", where an asterisk stands for anything without a colon and a slash; or Beside says so.
func (s *Spec) freeRecord(resource, key string) bool {
	if s.beside != nil && s.beside(resource, strings.Split(key, "\x00")) {
		return true
	}
	key = strings.ReplaceAll(key, "\x00", " / ")
	return slices.ContainsFunc(s.Freedoms, func(f Freedom) bool {
		return f.What == "*" && slices.ContainsFunc(f.Of, func(of string) bool {
			name, pattern, some := strings.Cut(of, " ")
			if name != resource || !some {
				return of == resource
			}
			expression := strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, `[^:/]*`)
			matched, err := regexp.MatchString("^"+expression+"$", key)
			return err == nil && matched
		})
	})
}
