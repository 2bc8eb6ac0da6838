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
func (w *World) CallName(c wire.Call) string {
	parts := []string{string(c.Service), c.Class}
	if c.Resource != "" {
		parts = append(parts, "on", c.On())
	}
	for _, name := range c.Names() {
		parts = append(parts, w.Symbolic(name))
	}
	if c.Filter != "" {
		parts = append(parts, w.Symbolic(c.Filter))
	}
	return strings.Join(parts, " ")
}

// unique reports whether a key holds an id that only this scenario uses.
func (w *World) unique(key string) bool {
	ids := []string{w.tag}
	for _, p := range w.people {
		for _, f := range w.facts() {
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
func (w *World) Shown(text string) string { return w.Shows()(text) }

// Shows returns Shown for many texts, as long as the scenario names nothing more.
func (w *World) Shows() func(text string) string {
	before := func(text string) string { return text }
	if w.shown != nil {
		before = w.shown.world.Shows()
	}
	names := sync.OnceValue(w.ids)
	return func(text string) string {
		return generated.ReplaceAllStringFunc(w.Scrub(before(text)), func(id string) string {
			if name, ok := names()[id]; ok {
				return "{" + name + "}"
			}
			return id
		})
	}
}

// Named returns the names that the scenario has for hashes and ids, by these, without secrets; of a family of cases,
// those of the case that reports show.
func (w *World) Named() map[string]string {
	if w.shown != nil {
		w = w.shown.world
	}
	names := w.ids()
	maps.DeleteFunc(names, func(id, _ string) bool {
		return id == "" || generated.FindString(id) != id || w.hide(id) != id
	})
	return names
}

// ids returns the names of all ids and values.
func (w *World) ids() map[string]string {
	names := map[string]string{}
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(w.kept))) { // of two names the first in the alphabet
		names[w.kept[name]] = name
	}
	for _, person := range slices.Sorted(maps.Keys(w.people)) {
		for _, f := range w.facts() {
			names[f.Of(w.people[person])] = person + "." + f.Name
		}
	}
	return names
}

var wholeWord = regexp.MustCompile(`\w+`)

// Symbolic replaces the ids in a key by names.
func (w *World) Symbolic(key string) string {
	for _, name := range slices.Sorted(maps.Keys(w.people)) {
		p := w.people[name]
		for _, f := range w.facts() {
			if id := f.Of(p); id != "" {
				key = strings.ReplaceAll(key, id, "{"+name+"."+f.Name+"}")
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(w.kept)) {
		if value := w.kept[name]; len(value) >= 8 { // a short value is not an id, and may occur in anything
			key = strings.ReplaceAll(key, value, "{"+name+"}")
		}
	}
	if w.tag != "" && strings.Contains(key, w.tag) {
		key = wholeWord.ReplaceAllStringFunc(key, func(word string) string {
			if word == w.tag {
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
