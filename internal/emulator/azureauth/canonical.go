package azureauth

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
)

const prefix = "x-ms-"

// appendCanonicalHeaders appends the x-ms- headers, one per line, in the services' order.
func appendCanonicalHeaders(dst []byte, h http.Header) []byte {
	var room [24]string
	names := room[:0]
	for name := range h {
		if len(name) > len(prefix) && strings.EqualFold(name[:len(prefix)], prefix) {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, compareHeaders)
	for _, name := range names {
		for i := range len(name) {
			dst = append(dst, lower(name[i]))
		}
		dst = append(appendHeader(append(dst, ':'), h, name), '\n')
	}
	return dst
}

// compareHeaders sorts names the way the services do: a hyphen counts only between names that are
// otherwise equal, and _ comes before digits and letters.
func compareHeaders(a, b string) int {
	i, j := 0, 0
	for {
		for i < len(a) && a[i] == '-' {
			i++
		}
		for j < len(b) && b[j] == '-' {
			j++
		}
		if i == len(a) || j == len(b) {
			return cmp.Or(cmp.Compare(len(a)-i, len(b)-j), strings.Compare(strings.ToLower(a), strings.ToLower(b)))
		}
		if c := cmp.Compare(weight(a[i]), weight(b[j])); c != 0 {
			return c
		}
		i, j = i+1, j+1
	}
}

func weight(c byte) byte {
	if c == '_' {
		return ' '
	}
	return lower(c)
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// parameter is a decoded query parameter with its name in lower case.
type parameter struct{ name, value string }

// appendCanonicalQuery appends every query parameter, decoded, one per line, sorted by name; values of one name are
// sorted too and share its line.
func appendCanonicalQuery(dst []byte, query string) []byte {
	if query == "" {
		return dst
	}
	var room [12]parameter
	parameters := room[:0]
	for name, value := range Parameters(query) {
		parameters = append(parameters, parameter{strings.ToLower(name), value})
	}
	slices.SortFunc(parameters, func(a, b parameter) int {
		return cmp.Or(strings.Compare(a.name, b.name), strings.Compare(a.value, b.value))
	})
	for i, p := range parameters {
		if i > 0 && parameters[i-1].name == p.name {
			dst = append(dst, ',')
		} else {
			dst = append(append(append(dst, '\n'), p.name...), ':')
		}
		dst = append(dst, p.value...)
	}
	return dst
}

// appendComponent appends the only query parameter that the table service and the lite scheme sign.
func appendComponent(dst []byte, query string) []byte {
	if comp, ok := Lookup(query, "comp"); ok {
		return append(append(dst, "?comp="...), comp...)
	}
	return dst
}
