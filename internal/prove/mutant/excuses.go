package mutant

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/storespec/storespec/internal/prove/mutation"
	"github.com/storespec/storespec/internal/source/yamldoc"
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
	if err != nil {
		return excuses, err
	}
	list, err := r.List(top["survivors"], "survivors")
	if err != nil {
		return nil, err
	}
	for _, node := range list {
		if err := excuses.add(r, node); err != nil {
			return nil, err
		}
	}
	return excuses, nil
}

// add reads an entry: mutants that may survive for the same reason.
func (e *Excuses) add(r yamldoc.Reader, node *yaml.Node) error {
	fields, err := r.Fields(node, "an entry", "kind", "reason", "design", "mutants")
	if err != nil {
		return err
	}
	var entry Excuse
	for _, field := range []struct {
		name string
		to   *string
	}{{"kind", &entry.Kind}, {"reason", &entry.Reason}, {"design", &entry.Design}} {
		if value := fields[field.name]; yamldoc.IsText(value) {
			*field.to = strings.TrimSpace(value.Value)
		}
		if *field.to == "" && (field.name != "design" || entry.Kind == NotDemanded) {
			return r.At(node, "the entry has no %s", field.name)
		}
	}
	if entry.Kind != Equivalent && entry.Kind != NotDemanded {
		return r.At(fields["kind"], "kind is %q or %q, not %q", Equivalent, NotDemanded, entry.Kind)
	}
	count := len(e.List)
	for name, change := range yamldoc.Entries(fields["mutants"]) {
		if e.of(name.Value) != nil {
			return r.At(name, "%s appears twice", name.Value)
		}
		one := entry
		one.Mutant, one.Change, one.Line = name.Value, strings.TrimSpace(change.Value), name.Line
		e.List = append(e.List, one)
	}
	if len(e.List) == count {
		return r.At(node, "the entry has no mutants, each with its change")
	}
	return nil
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
			found = append(found, about+": no mutant has this name")
		case change != one.Change:
			found = append(found, fmt.Sprintf("%s: its change is %q, not %q", about, change, one.Change))
		case verdicts[one.Mutant] == Killed:
			found = append(found, about+": it no longer survives")
		}
	}
	return found
}
