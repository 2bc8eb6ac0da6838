package azure

import (
	"iter"
	"net/url"
	"strings"
)

// Query is the part of a request's address after the question mark, as sent. It is read where it
// stands: most requests have none or one parameter, and url.ParseQuery drops parameters with a bare
// semicolon, which filters contain. Names match in any case, as the services canonicalize them to
// small letters.
type Query string

// Get is the first value of a parameter, decoded; empty when it is not there.
func (q Query) Get(name string) string {
	value, _ := q.Lookup(name)
	return value
}

// Has reports whether a parameter is there, be it empty.
func (q Query) Has(name string) bool {
	_, found := q.Lookup(name)
	return found
}

// Lookup is Get and Has in one.
func (q Query) Lookup(name string) (value string, found bool) {
	for n, v := range q.All() {
		if strings.EqualFold(n, name) {
			return v, true
		}
	}
	return "", false
}

// All gives every parameter in the order sent, decoded.
func (q Query) All() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for rest := string(q); rest != ""; {
			var pair string
			pair, rest, _ = strings.Cut(rest, "&")
			if pair == "" {
				continue
			}
			name, value, _ := strings.Cut(pair, "=")
			if !yield(decoded(name), decoded(value)) {
				return
			}
		}
	}
}

// decoded keeps what is no valid encoding as it is.
func decoded(s string) string {
	if !strings.ContainsAny(s, "%+") {
		return s
	}
	if d, err := url.QueryUnescape(s); err == nil {
		return d
	}
	return s
}
