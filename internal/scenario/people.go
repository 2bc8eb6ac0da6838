package scenario

import (
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/run/system"
)

// Person is somebody in a scenario. Everything about them is derived from the name and the scenario's tag, so no two
// scenarios share a person.
type Person struct {
	Name     string
	Email    string // normalized; "" for somebody without one
	Identity string // identifies them in keys: the e-mail, or the system's substitute for it
	Subject  string // at the identity provider
	Session  string // session id; empty: not signed in
}

// Person returns the person of that name, creating them if no step has named them before.
func (w *World) Person(name string) *Person {
	if p, ok := w.people[name]; ok {
		return p
	}
	lower := strings.ToLower(name)
	email := lower + "." + w.tag + "@example.com"
	p := &Person{Name: name, Email: email, Identity: email, Subject: "sub-" + lower + "-" + w.tag}
	w.people[name] = p
	return p
}

// meet creates those whom a step names, and of whom it says something more in the same breath: in "Ana sends GET
// /notes/{Ana.userKey}" it is Ana. texts are the step's.
func (w *World) meet(texts []string) {
	for _, text := range texts {
		for _, of := range Placeholder.FindAllString(text, -1) {
			owner, _, dotted := strings.Cut(of[1:len(of)-1], ".")
			if dotted && owner != nobody && slices.Contains(texts, owner) {
				w.Person(owner)
			}
		}
	}
}

// nobody is the name of one who has no session.
const nobody = "Nobody"

// Caller returns the person of that name; nil for Nobody, who sends no session.
func (w *World) Caller(name string) *Person {
	if name == nobody {
		return nil
	}
	return w.Person(name)
}

// UserKey identifies them in keys: 64 hex digits derived from Identity (system.UserKey).
func (p *Person) UserKey() string { return system.UserKey(p.Identity) }

// asCaller returns what request headers can say about them.
func (p *Person) asCaller() system.Caller {
	return system.Caller{Name: p.Name, Email: p.Email, UserKey: p.UserKey(), Session: p.Session}
}

// Fact is an attribute of each person that a scenario can refer to, as in {Ana.email}.
type Fact struct {
	Name string
	Of   func(*Person) string
}

// facts returns the facts that every design has, and those of the systems.
func (w *World) facts() []Fact {
	if w.suite == nil {
		return (&Vocabulary{}).allFacts()
	}
	return w.suite.Vocabulary.allFacts()
}

func (v *Vocabulary) allFacts() []Fact {
	list := []Fact{{"email", func(p *Person) string { return p.Email }}, {"userKey", (*Person).UserKey}}
	return append(append(list, v.facts...), Fact{"session", func(p *Person) string { return p.Session }})
}

// upperEmail is a fact that messages do not list: the e-mail in capital letters.
const upperEmail = "EMAIL"

// fact returns one of a person's facts; ok is false if there is none of that name.
func (w *World) fact(p *Person, name string) (value string, ok bool) {
	if name == upperEmail {
		return strings.ToUpper(p.Email), true
	}
	for _, f := range w.facts() {
		if f.Name == name {
			return f.Of(p), true
		}
	}
	return "", false
}
