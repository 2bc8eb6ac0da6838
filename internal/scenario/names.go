package scenario

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/storespec/storespec/internal/wire"
)

// CallName identifies a call by class, resource and key. Values that the scenario has named appear by that name, and
// ids that only the target knows appear as an asterisk.
func (n *Names) CallName(c wire.Call) string {
	parts := []string{string(c.Service), c.Class}
	if c.Resource != "" {
		parts = append(parts, "on", c.On())
	}
	for _, name := range c.Names() {
		parts = append(parts, n.Symbolic(name))
	}
	if c.Filter != "" {
		parts = append(parts, n.Symbolic(c.Filter))
	}
	return strings.Join(parts, " ")
}

// unique reports whether a key holds an id that only this scenario uses.
func (n *Names) unique(key string) bool {
	ids := []string{n.people.tag}
	for _, p := range n.people.byName {
		for _, f := range n.people.facts() {
			ids = append(ids, f.Of(p))
		}
	}
	return slices.ContainsFunc(ids, func(id string) bool { return len(id) >= 8 && strings.Contains(key, id) })
}

// serverID matches an id that a target generated, or a time: a run of id characters that contains a digit or is longer
// than a word. Length matters because one in forty ids of 22 characters has no digit.
var serverID = regexp.MustCompile(`\{[\w.]+\}|[\w|-]*\d[\w|-]*|[\w|-]{20,}`)

// generated matches what only a program makes: a hash, or a UUID.
var generated = regexp.MustCompile(`\b([0-9a-f]{64}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})\b`)

// Shown returns a text as messages show it: without secrets (Scrub), and with the names that the scenario has for
// hashes and ids, such as {Ana.userKey} and {Family}. A value without a name stays as it is.
func (n *Names) Shown(text string) string { return n.Shows()(text) }

// Shows returns Shown for many texts, as long as the scenario names nothing more.
func (n *Names) Shows() func(text string) string {
	before := func(text string) string { return text }
	if n.shown != nil {
		before = n.shown.Shows()
	}
	names := sync.OnceValue(n.ids)
	return func(text string) string {
		return generated.ReplaceAllStringFunc(n.Scrub(before(text)), func(id string) string {
			if name, ok := names()[id]; ok {
				return "{" + name + "}"
			}
			return id
		})
	}
}

// Named returns the names that the scenario has for hashes and ids, by these, without secrets; of a family of cases,
// those of the case that reports show.
func (r *Report) Named() map[string]string {
	if r.shown != nil {
		r = r.shown
	}
	names := r.names.ids()
	maps.DeleteFunc(names, func(id, _ string) bool {
		return id == "" || generated.FindString(id) != id || r.requests.hide(id) != id
	})
	return names
}

// ids returns the names of all ids and values.
func (n *Names) ids() map[string]string {
	names := map[string]string{}
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(n.kept))) { // of two names the first in the alphabet
		names[n.kept[name]] = name
	}
	for _, person := range slices.Sorted(maps.Keys(n.people.byName)) {
		for _, f := range n.people.facts() {
			names[f.Of(n.people.byName[person])] = person + "." + f.Name
		}
	}
	return names
}

var wholeWord = regexp.MustCompile(`\w+`)

// Symbolic replaces the ids in a key by names.
func (n *Names) Symbolic(key string) string {
	for _, name := range slices.Sorted(maps.Keys(n.people.byName)) {
		p := n.people.byName[name]
		for _, f := range n.people.facts() {
			if id := f.Of(p); id != "" {
				key = strings.ReplaceAll(key, id, "{"+name+"."+f.Name+"}")
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(n.kept)) {
		if value := n.kept[name]; len(value) >= 8 { // a short value is not an id, and may occur in anything
			key = strings.ReplaceAll(key, value, "{"+name+"}")
		}
	}
	if n.people.tag != "" && strings.Contains(key, n.people.tag) {
		key = wholeWord.ReplaceAllStringFunc(key, func(word string) string {
			if word == n.people.tag {
				return "{tag}"
			}
			return word
		})
	}
	return serverID.ReplaceAllStringFunc(key, func(id string) string {
		if strings.HasPrefix(id, "{") {
			return id
		}
		return "*"
	})
}
