package steps

import (
	"encoding/json"
	"strings"
)

// person is somebody in a scenario. Everything about them follows from the name and the scenario's
// tag, so that no two scenarios share a person.
type person struct {
	name    string
	email   string // normalized
	sub     string // the subject of the identity provider
	gsid    string // of a guest; then there is no email
	session string // session id; empty: not signed in
}

func (w *World) person(name string) *person {
	if p, ok := w.people[name]; ok {
		return p
	}
	lower := strings.ToLower(name)
	p := &person{name: name, email: lower + "." + w.tag + "@example.com", sub: "sub-" + lower + "-" + w.tag}
	w.people[name] = p
	return p
}

func (p *person) field(name string) (string, bool) {
	switch name {
	case "email":
		return p.email, true
	case "EMAIL":
		return strings.ToUpper(p.email), true
	case "userKey":
		return p.userKey(), true
	case "memberKey":
		return p.memberKey(), true
	case "session":
		return p.session, true
	}
	return "", false
}

// mustJSON encodes a value that always can be.
func mustJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}
