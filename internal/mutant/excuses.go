package mutant

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/storespec/storespec/internal/mutation"
	"github.com/storespec/storespec/internal/yamldoc"
)

// The kinds of excuses.
const (
	Equivalent  = "equivalent"   // no request and no storage call is another
	NotDemanded = "not demanded" // the design leaves it open
)

// Excuse is the reason why a generated mutant may survive.
type Excuse struct {
	Mutant string `json:"-"`
	Change string `json:"-"` // as the mutant says it, so that an excuse is not taken for another mutant's
	Kind   string `json:"kind"`
	Reason string `json:"reason"`
	Design string `json:"design,omitempty"` // the sentence of the design that leaves it open
	Line   int    `json:"-"`
}

// Excuses are those of a file.
type Excuses struct {
	Path string
	List []Excuse
}

// ReadExcuses reads a file of excuses; one that does not exist has none. The error is a *yamldoc.Error.
func ReadExcuses(path string) (*Excuses, error) {
	excuses := &Excuses{Path: path}
	r := yamldoc.Reader{Path: path}
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return excuses, nil
	} else if err != nil {
		return nil, r.Unread("the list of survivors", err)
	}
	doc, err := r.Parse(content)
	if err != nil || doc == nil {
		return excuses, err
	}
	top, err := r.Fields(doc, "the list", "survivors")
	if err != nil || top["survivors"] == nil || top["survivors"].Tag == "!!null" {
		return excuses, err
	}
	if top["survivors"].Kind != yaml.SequenceNode {
		return nil, r.At(top["survivors"], "survivors must be a list")
	}
	for _, node := range top["survivors"].Content {
		one, err := readExcuse(r, node)
		if err != nil {
			return nil, err
		}
		if excuses.of(one.Mutant) != nil {
			return nil, r.At(node, "%s stands there twice", one.Mutant)
		}
		excuses.List = append(excuses.List, one)
	}
	return excuses, nil
}

func readExcuse(r yamldoc.Reader, node *yaml.Node) (Excuse, error) {
	one := Excuse{Line: node.Line}
	fields, err := r.Fields(node, "an entry", "mutant", "change", "kind", "reason", "design")
	if err != nil {
		return one, err
	}
	for _, field := range []struct {
		name string
		to   *string
	}{{"mutant", &one.Mutant}, {"change", &one.Change}, {"kind", &one.Kind}, {"reason", &one.Reason},
		{"design", &one.Design}} {
		value := fields[field.name]
		if value != nil && value.Kind == yaml.ScalarNode {
			*field.to = strings.TrimSpace(value.Value)
		}
		if *field.to == "" && (field.name != "design" || one.Kind == NotDemanded) {
			return one, r.At(node, "the entry has no %s", field.name)
		}
	}
	if one.Kind != Equivalent && one.Kind != NotDemanded {
		return one, r.At(fields["kind"], "kind is %q or %q, not %q", Equivalent, NotDemanded, one.Kind)
	}
	return one, nil
}

// of returns the excuse of a mutant, or nil.
func (e *Excuses) of(name string) *Excuse {
	for i := range e.List {
		if e.List[i].Mutant == name {
			return &e.List[i]
		}
	}
	return nil
}

// wrong returns what is wrong with the list: an entry for no mutant, or for one that was killed. all are the mutants
// that there are, judged those that were judged.
func (e *Excuses) wrong(all []*mutation.Mutant, judged []Generated) (found []string) {
	changes, verdicts := map[string]string{}, map[string]Verdict{}
	for _, m := range all {
		changes[m.Name] = m.What
	}
	for _, result := range judged {
		verdicts[result.Name] = result.Verdict
	}
	for _, one := range e.List {
		change, exists := changes[one.Mutant]
		about := fmt.Sprintf("%s:%d: %s", e.Path, one.Line, one.Mutant)
		switch {
		case !exists:
			found = append(found, about+": there is no such mutant")
		case change != one.Change:
			found = append(found, fmt.Sprintf("%s: its change is %q, not %q", about, change, one.Change))
		case verdicts[one.Mutant] == Killed:
			found = append(found, about+": it no longer survives")
		}
	}
	return found
}
