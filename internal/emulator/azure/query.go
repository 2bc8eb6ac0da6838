package azure

import (
	"iter"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azuresign"
)

// Query is the part of a request's address after the question mark, as sent. It is parsed in place: most requests have
// no or one parameter, and url.ParseQuery drops parameters with a bare semicolon, which filters contain. Names match
// case-insensitively, since the services canonicalize them to lower case.
type Query string

// Get returns the first value of a parameter, decoded; empty if it is missing.
func (q Query) Get(name string) string {
	value, _ := q.Lookup(name)
	return value
}

// Has reports whether a parameter is present, even if empty.
func (q Query) Has(name string) bool {
	_, found := q.Lookup(name)
	return found
}

// Lookup combines Get and Has.
func (q Query) Lookup(name string) (value string, found bool) {
	for n, v := range q.All() {
		if strings.EqualFold(n, name) {
			return v, true
		}
	}
	return "", false
}

// All returns every parameter in the order sent, decoded.
func (q Query) All() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for rest := string(q); rest != ""; {
			var pair string
			pair, rest, _ = strings.Cut(rest, "&")
			if pair == "" {
				continue
			}
			name, value, _ := strings.Cut(pair, "=")
			if !yield(azuresign.Unescaped(name), azuresign.Unescaped(value)) {
				return
			}
		}
	}
}
