package azuresign

import (
	"cmp"
	"net/http"
	"net/url"
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
	parameters := appendParameters(room[:0], query)
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
	if comp, ok := Component(query); ok {
		return append(append(dst, "?comp="...), comp...)
	}
	return dst
}

// Component returns the value of a raw query's parameter comp, which names a part of a resource, and whether it is
// present.
func Component(query string) (string, bool) {
	var room [12]parameter
	for _, p := range appendParameters(room[:0], query) {
		if p.name == "comp" {
			return p.value, true
		}
	}
	return "", false
}

// appendParameters splits a raw query. Unlike url.ParseQuery it keeps parameters that contain a semicolon or a stray
// percent sign: a request is signed as it was sent.
func appendParameters(dst []parameter, query string) []parameter {
	if query == "" {
		return dst
	}
	for part := range strings.SplitSeq(query, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		dst = append(dst, parameter{strings.ToLower(Unescaped(name)), Unescaped(value)})
	}
	return dst
}

// Unescaped decodes a name or a value of a query; an invalid encoding is left as it is.
func Unescaped(s string) string {
	if u, err := url.QueryUnescape(s); err == nil {
		return u
	}
	return s
}
