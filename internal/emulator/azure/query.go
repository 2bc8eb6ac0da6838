package azure

import (
	"iter"

	"github.com/storespec/storespec/internal/emulator/azureauth"
)

// Query is the part of a request's address after the question mark, as sent. It is parsed in place: most requests have
// no or one parameter. Names match in any case.
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
	return azureauth.Lookup(string(q), name)
}

// All returns every parameter in the order sent, decoded.
func (q Query) All() iter.Seq2[string, string] { return azureauth.Parameters(string(q)) }
