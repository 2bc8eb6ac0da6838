package mapping

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// route is a route of the contract, and what the server has in its place.
type route struct {
	name    string // METHOD /path
	method  string
	path    string // with {parameters}
	missing bool   // the server does not have it
	to      *address
	at      *yaml.Node // where the file says so
	names   names
}

// address is a route of the server.
type address struct {
	name   string // METHOD /path, with {placeholders} for values of the contract's request
	method string
	path   string      // with placeholders, escaped as it is sent
	query  [][2]string // names, and values with placeholders
}

var placeholder = regexp.MustCompile(`\{(\w+)\}`)

// placeholdersIn returns the names in braces of a text, in order.
func placeholdersIn(text string) (found []string) {
	for _, m := range placeholder.FindAllStringSubmatch(text, -1) {
		found = append(found, m[1])
	}
	return found
}

// of returns the values of a path's {parameters} in an address, as written there, escaped; ok is false if it is
// another path.
func of(path, escaped string) (values map[string]string, ok bool) {
	parts, given := strings.Split(path, "/"), strings.Split(escaped, "/")
	if len(parts) != len(given) {
		return nil, false
	}
	values = map[string]string{}
	for i, part := range parts {
		switch m := placeholder.FindStringSubmatch(part); {
		case m != nil && m[0] == part && given[i] != "":
			values[m[1]] = given[i]
		case part != given[i]:
			return nil, false
		}
	}
	return values, true
}

// find returns the contract's route of a request: if it has none, another one of its path, whose address it shares.
// nil: the contract does not know the path.
func (m *Mapping) find(method, escaped string) (found *route, own bool) {
	for _, exact := range []bool{true, false} { // a path without parameters goes first
		for _, r := range m.routes {
			if strings.Contains(r.path, "{") == exact {
				continue
			}
			if _, is := of(r.path, escaped); !is {
				continue
			}
			if r.method == method {
				return r, true
			}
			if found == nil || found.missing && !r.missing {
				found = r
			}
		}
		if found != nil {
			return found, false
		}
	}
	return nil, false
}

// UnsendableError says that a request has no counterpart on the server.
type UnsendableError struct {
	Route string // the contract's, METHOD /path
	Why   string // "": the server lacks the route
}

// Lacks is how reports say that a server lacks a route of the contract.
func Lacks(route string) string { return "the server lacks " + route + " (--map)" }

func (e *UnsendableError) Error() string {
	if e.Why == "" {
		return Lacks(e.Route)
	}
	return e.Route + " " + e.Why + " (--map)"
}

// outgoing is a request on its way to the server.
type outgoing struct {
	method, path string
	query        []string // name=value, as they are sent
	added        []string // the same, of the server's own route
	body         *node    // nil: it is not JSON
	route        *route
}

// address gives a request the server's address. Values that its path names are taken out of the query or the body.
func (m *Mapping) address(o *outgoing) error {
	found, own := m.find(o.method, o.path)
	if found == nil {
		return nil
	}
	o.route = found
	refuse := func(why string, args ...any) error {
		return &UnsendableError{o.method + " " + found.path, fmt.Sprintf(why, args...)}
	}
	switch {
	case found.missing:
		return &UnsendableError{Route: o.method + " " + found.path}
	case found.to == nil:
		return nil
	}
	values, _ := of(found.path, o.path)
	path, why := o.fill(found.to, values)
	if why != "" {
		return refuse("cannot be sent as %s: %s", found.to.name, why)
	}
	if other := m.leadsTo(o.method, path); !own && other != "" {
		return refuse("cannot be sent: %s of the server is another route", other)
	}
	o.path = path
	if own {
		o.method = found.to.method
	}
	return nil
}

// leadsTo returns the server's name of the route of the contract that a request to the server leads to; "" if to none.
func (m *Mapping) leadsTo(method, path string) string {
	for _, r := range m.routes {
		to := address{name: r.name, method: r.method, path: r.path}
		if r.to != nil {
			to = *r.to
		}
		if _, is := of(to.path, path); is && to.method == method && !r.missing {
			return to.name
		}
	}
	return ""
}

// fill returns the server's path, and takes what the server has in its path or its query out of the query and the body.
// why is what its path needs and the request does not have.
func (o *outgoing) fill(to *address, inPath map[string]string) (path, why string) {
	taken, sent := map[string]string{}, placeholdersIn(to.path)
	value := func(name string) (text string, known bool) {
		if text, known = taken[name]; known {
			return text, true
		}
		if given, is := inPath[name]; is {
			plain, err := url.PathUnescape(given)
			return plain, err == nil
		}
		if text, known = o.takeOut(name); known {
			taken[name] = text
		}
		return text, known
	}
	path = placeholder.ReplaceAllStringFunc(to.path, func(match string) string {
		name := strings.Trim(match, "{}")
		if given, is := inPath[name]; is {
			return given // as it is escaped
		}
		text, known := value(name)
		if !known || text == "" || text == "." || text == ".." {
			why = "there is no " + match + " in the request that a path can hold"
		}
		return url.PathEscape(text)
	})
	for _, one := range to.query {
		given, all := one[1], true
		for _, name := range placeholdersIn(one[1]) {
			text, known := value(name)
			given, all = strings.ReplaceAll(given, "{"+name+"}", text), all && known
		}
		if all {
			o.added = append(o.added, url.QueryEscape(one[0])+"="+url.QueryEscape(given))
			sent = append(sent, placeholdersIn(one[1])...)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(taken)) {
		if !slices.Contains(sent, name) { // nothing is dropped
			o.query = append(o.query, url.QueryEscape(name)+"="+url.QueryEscape(taken[name]))
		}
	}
	return path, why
}

// takeOut removes a value from the query, or from the top of the body. One that appears twice, or that is not a text
// or number, stays.
func (o *outgoing) takeOut(name string) (text string, ok bool) {
	at := -1
	for i, part := range o.query {
		key, value, _ := strings.Cut(part, "=")
		if plain, err := url.QueryUnescape(key); err != nil || plain != name {
			continue
		}
		if at >= 0 {
			return "", false
		}
		at = i
		var err error
		if text, err = url.QueryUnescape(value); err != nil {
			return "", false
		}
	}
	if at >= 0 {
		o.query = slices.Delete(slices.Clone(o.query), at, at+1)
		return text, true
	}
	if o.body == nil || o.body.kind != '{' {
		return "", false
	}
	i := o.body.index(name)
	if i < 0 || slices.ContainsFunc(o.body.members[:i], func(m member) bool { return m.name == name }) {
		return "", false
	}
	if text, ok = o.body.members[i].value.scalarText(); ok {
		o.body.members = slices.Delete(o.body.members, i, i+1)
	}
	return text, ok
}

// renameQuery gives the parameters of a query the server's names.
func (o *outgoing) renameQuery(names map[string]string) {
	for i, part := range o.query {
		key, value, has := strings.Cut(part, "=")
		plain, err := url.QueryUnescape(key)
		to, mapped := names[plain]
		if err != nil || !mapped {
			continue
		}
		if o.query[i] = url.QueryEscape(to); has {
			o.query[i] += "=" + value
		}
	}
}

// back returns an address of the server, such as that of Location, as the contract has it. It may be relative to the
// address that was asked. It is unchanged if it leads to another host, or to no route that the mapping changes.
func (m *Mapping) back(location string, asked *url.URL) string {
	parsed, err := url.Parse(location)
	if err != nil || parsed.Opaque != "" {
		return location
	}
	whole := asked.ResolveReference(parsed)
	if whole.Scheme != asked.Scheme || !strings.EqualFold(whole.Host, asked.Host) {
		return location
	}
	for _, r := range m.routes {
		if r.to == nil || r.method != http.MethodGet {
			continue
		}
		values, is := of(r.to.path, whole.EscapedPath())
		if !is {
			continue
		}
		path, complete := r.path, true
		for _, name := range placeholdersIn(r.path) {
			value, known := values[name]
			path, complete = strings.ReplaceAll(path, "{"+name+"}", value), complete && known
			delete(values, name)
		}
		if !complete {
			continue
		}
		query := parsed.RawQuery
		for _, name := range slices.Backward(placeholdersIn(r.to.path)) {
			if value, left := values[name]; left {
				plain, _ := url.PathUnescape(value)
				query = strings.TrimSuffix(url.QueryEscape(name)+"="+url.QueryEscape(plain)+"&"+query, "&")
			}
		}
		if parsed.Host != "" {
			scheme, _, _ := strings.Cut(location, "//") // which may be left out
			path = scheme + "//" + parsed.Host + path
		}
		if query != "" {
			path += "?" + query
		}
		if parsed.Fragment != "" {
			path += "#" + parsed.EscapedFragment()
		}
		return path
	}
	return location
}
