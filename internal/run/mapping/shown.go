package mapping

import (
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Shown is a request as reports show it: without secrets, and with what a reader fills in, such as {session}, in
// braces.
type Shown struct {
	Method string   `json:"method"`
	Path   string   `json:"path"`
	Query  string   `json:"query,omitempty"` // with its question mark
	Body   string   `json:"body,omitempty"`
	Header []string `json:"header,omitempty"` // as "Name: value"
}

// escapedBraces matches what is to be filled in, once a value was escaped for an address.
var escapedBraces = regexp.MustCompile(`%7B([\w-]+)%7D`)

// Show returns a request of the contract as the server takes it. Without a mapping, or if it has no counterpart on the
// server, it is nil.
func (m *Mapping) Show(s Shown) *Shown {
	if m == nil {
		return nil
	}
	address, err := url.Parse("http://server" + s.Path + s.Query)
	if err != nil {
		return nil
	}
	header := http.Header{}
	for _, line := range s.Header {
		name, value, _ := strings.Cut(line, ": ")
		header.Add(name, value)
	}
	sent, _, err := m.request(&http.Request{Method: s.Method, URL: address, Header: header,
		Body: io.NopCloser(strings.NewReader(s.Body))})
	if err != nil {
		return nil
	}
	body, err := io.ReadAll(sent.Body)
	if err != nil {
		return nil
	}
	filled := func(text string) string { return escapedBraces.ReplaceAllString(text, "{$1}") }
	own := &Shown{Method: sent.Method, Path: filled(sent.URL.EscapedPath()), Body: string(body)}
	if sent.URL.RawQuery != "" {
		own.Query = "?" + filled(sent.URL.RawQuery)
	}
	for name, values := range sent.Header {
		for _, value := range values {
			own.Header = append(own.Header, name+": "+value)
		}
	}
	slices.Sort(own.Header)
	return own
}

// Cleaned returns the request with each of its texts cleaned of secrets. It changes nothing of s, which may be nil.
func (s *Shown) Cleaned(clean func(string) string) *Shown {
	if s == nil {
		return nil
	}
	shown := *s
	shown.Path, shown.Query, shown.Body = clean(shown.Path), clean(shown.Query), clean(shown.Body)
	shown.Header = slices.Clone(shown.Header)
	for i := range shown.Header {
		shown.Header[i] = clean(shown.Header[i])
	}
	return &shown
}
