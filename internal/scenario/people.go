package scenario

import (
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/run/system"
)

// People are the people of a scenario, by the names that its steps give them.
type People struct {
	stage  *Stage
	tag    string // unique per scenario: no two scenarios share an id or an address
	byName map[string]*Person
}

// Person is someone in a scenario. Everything about them is derived from the name and the scenario's tag, so no two
// scenarios share a person.
type Person struct {
	Name     string
	Email    string // normalized; "" if they have none
	Identity string // identifies them in keys: the e-mail, or the system's substitute for it
	Subject  string // at the identity provider
	Session  string // session id; empty: not signed in
}

// Person returns the person of that name, creating them if no step has named them before.
func (all *People) Person(name string) *Person {
	if p, ok := all.byName[name]; ok {
		return p
	}
	lower := strings.ToLower(name)
	email := lower + "." + all.tag + "@example.com"
	p := &Person{Name: name, Email: email, Identity: email, Subject: "sub-" + lower + "-" + all.tag}
	all.byName[name] = p
	return p
}

// meet creates those whom a step names, and of whom it says something more in the same breath: in "Ana sends GET
// /notes/{Ana.userKey}" it is Ana. texts are the step's.
func (all *People) meet(texts []string) {
	for _, text := range texts {
		for _, of := range Placeholder.FindAllString(text, -1) {
			owner, _, dotted := strings.Cut(of[1:len(of)-1], ".")
			if dotted && owner != nobody && slices.Contains(texts, owner) {
				all.Person(owner)
			}
		}
	}
}

// nobody is the name of one who has no session.
const nobody = "Nobody"

// Caller returns the person of that name; nil for Nobody, who sends no session.
func (all *People) Caller(name string) *Person {
	if name == nobody {
		return nil
	}
	return all.Person(name)
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
func (all *People) facts() []Fact {
	if all.stage.suite == nil {
		return (&Vocabulary{}).allFacts()
	}
	return all.stage.suite.Vocabulary.allFacts()
}

func (v *Vocabulary) allFacts() []Fact {
	list := []Fact{{"email", func(p *Person) string { return p.Email }}, {"userKey", (*Person).UserKey}}
	return append(append(list, v.facts...), Fact{"session", func(p *Person) string { return p.Session }})
}

// upperEmail is a fact that messages do not list: the e-mail in capital letters.
const upperEmail = "EMAIL"

// fact returns one of a person's facts; ok is false if there is none of that name.
func (all *People) fact(p *Person, name string) (value string, ok bool) {
	if name == upperEmail {
		return strings.ToUpper(p.Email), true
	}
	for _, f := range all.facts() {
		if f.Name == name {
			return f.Of(p), true
		}
	}
	return "", false
}

// Tag returns a text unique to the scenario: no two scenarios share an id or an address.
func (all *People) Tag() string { return all.tag }
