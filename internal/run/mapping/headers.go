package mapping

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/storespec/storespec/internal/run/system"
)

// session is how the server carries a session's id.
type session struct {
	from   system.Session // what the contract has
	header carried
	cookie carried
	id     *system.Mapping // the form of ids that are made up; nil: that of the design
}

// carried is a header or a cookie with an id in it. The zero value: as the contract has it.
type carried struct{ name, before, after string }

// wrap returns the value with an id in it.
func (c carried) wrap(id string) string { return c.before + id + c.after }

// unwrap returns the id in a value; one of another form is returned as it is.
func (c carried) unwrap(value string) string {
	rest, begins := strings.CutPrefix(value, c.before)
	id, ends := strings.CutSuffix(rest, c.after)
	if !begins || !ends {
		return value
	}
	return id
}

// dress gives the header of a request the server's names.
func (m *Mapping) dress(header http.Header) {
	if to := m.session.header; to.name != "" {
		from := http.CanonicalHeaderKey(m.session.from.Header)
		if values, there := header[from]; there {
			delete(header, from)
			for _, value := range values {
				header.Add(to.name, to.wrap(value))
			}
		}
	}
	move(header, m.headers)
	if to := m.session.cookie; to.name != "" {
		for i, line := range header["Cookie"] {
			pairs := strings.Split(line, ";")
			for j, pair := range pairs {
				pairs[j] = renamedCookie(pair, m.session.from.Cookie, to.name, to.wrap)
			}
			header["Cookie"][i] = strings.Join(pairs, ";")
		}
	}
}

// renamedCookie returns a name=value of a header with another name and another value, if it has the name from, and
// unchanged otherwise. Everything else stays as it was sent, malformed or not: white space, quotes, a pair without a
// value.
func renamedCookie(pair, from, to string, value func(string) string) string {
	name, content, found := strings.Cut(pair, "=")
	if !found || strings.TrimSpace(name) != from {
		return pair
	}
	if inner, quoted := strings.CutPrefix(content, `"`); quoted && strings.HasSuffix(inner, `"`) {
		content = `"` + value(strings.TrimSuffix(inner, `"`)) + `"`
	} else {
		content = value(content)
	}
	return strings.Replace(name, from, to, 1) + "=" + content
}

// undress returns the header of an answer to a request to the server's address asked, with the contract's names.
func (m *Mapping) undress(header http.Header, asked *url.URL) http.Header {
	back := header.Clone()
	move(back, inverse(m.headers))
	if from := m.session.cookie; from.name != "" {
		for i, line := range back["Set-Cookie"] {
			pair, attributes, more := strings.Cut(line, ";")
			back["Set-Cookie"][i] = renamedCookie(pair, from.name, m.session.from.Cookie, from.unwrap)
			if more {
				back["Set-Cookie"][i] += ";" + attributes
			}
		}
	}
	if location := back.Get("Location"); location != "" {
		back.Set("Location", m.back(location, asked))
	}
	return back
}

// move renames headers. One that stands where another one belongs is kept under another name.
func move(header http.Header, names map[string]string) {
	moved := http.Header{}
	for from, to := range names {
		if values, there := header[from]; there {
			moved[to] = values
			delete(header, from)
		}
	}
	for name, values := range moved {
		if own, there := header[name]; there {
			header[name+"-Not-Mapped"] = own
		}
		header[name] = values
	}
}
