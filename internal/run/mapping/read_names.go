package mapping

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	"golang.org/x/net/http/httpguts"

	"github.com/storespec/storespec/internal/run/system"
)

// names reads what is the same at the top of the file and of a route.
func (r *reader) names(list []entry, of string, known *spoken) *names {
	n := &names{codes: map[string]verdict{}, statuses: map[int]int{}}
	var both, failing renames
	answered := slices.Concat(known.answers, known.failures)
	for _, e := range list {
		switch e.key.Value {
		case keyFields:
			both = r.renames(e.value, of, slices.Concat(known.requests, answered))
		case keyRequests:
			n.requests = r.renames(e.value, of, known.requests)
		case keyAnswers:
			n.answers = r.renames(e.value, of, answered)
		case keyErrors:
			failing = r.renames(e.value, of, slices.Concat(known.failures, []string{r.terms.design.ErrorCode}))
		case keyCodes:
			r.codes(n, e.value, of, known)
		case keyStatuses:
			r.statuses(n, e.value, of, known)
		}
	}
	n.requests = n.requests.over(both)
	n.answers = n.answers.over(both)
	n.failures = failing.over(n.answers)
	return n
}

// renames reads the names of members: the contract's, and the server's.
func (r *reader) renames(n *yaml.Node, of string, known []string) renames {
	found := renames{names: map[string]string{}, lines: map[string]entry{}}
	for _, e := range r.entries(n, "the fields of "+of) {
		to, ok := r.text(e.value, e.key.Value)
		if !ok {
			continue
		}
		from, err := readPath(e.key.Value)
		server, otherErr := readPath(to)
		switch {
		case err != nil:
			r.refuse(e.key, "%s", err)
			continue
		case otherErr != nil:
			r.refuse(e.value, "%s", otherErr)
			continue
		case from.lists() != server.lists():
			r.refuse(e.value, "%s and %s must be inside the same number of lists", e.key.Value, to)
			continue
		}
		for _, s := range from {
			if !slices.Contains(known, s.name) {
				r.unknown(e.key, "field", s.name, known)
			}
		}
		if !isPlace(e.key.Value) && !isPlace(to) {
			found.names[e.key.Value], found.lines[e.key.Value] = to, e
			continue
		}
		if _, twice := found.lines[from.String()]; twice {
			r.refuse(e.key, "the fields of %s have the place %s twice", of, from)
			continue
		}
		found.places = append(found.places, place{from, server})
		found.lines[from.String()] = e
	}
	return found
}

// once refuses two members of the contract that the server would have under one name, or in one place.
func (r *reader) once(of string, rules ...renames) {
	for _, one := range rules {
		by := map[string]string{}
		server := func(from, to string) {
			other, two := by[to]
			by[to] = from
			if !two {
				return
			}
			first, second := one.lines[other], one.lines[from]
			if before(second.value, first.value) {
				first, second = second, first
			}
			if !r.refused[second.value] { // fields are in several of the rules, and in those of routes
				r.refuse(second.value, "%s: %s and %s are both %q on the server", of, first.key.Value,
					second.key.Value, second.value.Value)
			}
			r.refused[second.value] = true
		}
		for _, from := range slices.Sorted(maps.Keys(one.names)) {
			server(from, one.names[from])
		}
		for _, p := range one.places {
			server(p.contract.String(), p.server.String())
		}
	}
}

// before reports whether a node stands before another one in the file.
func before(a, b *yaml.Node) bool { return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column }

var statusForm = regexp.MustCompile(`^[1-5]\d\d$`)

// codes reads the server's codes of errors: each is a code of the contract, which may have a status before it.
func (r *reader) codes(to *names, n *yaml.Node, of string, known *spoken) {
	for _, e := range r.entries(n, "the codes of "+of) {
		text, ok := r.text(e.value, "the code "+e.key.Value)
		if !ok {
			continue
		}
		found := verdict{code: text}
		if status, code, two := strings.Cut(text, " "); two {
			found.code = code
			if found.status = r.status(e.value, status); found.status == 0 {
				continue
			}
			if found.status < http.StatusBadRequest {
				r.refuse(e.value, "the code %s: a failure has a status from 400 to 499, not %d", e.key.Value,
					found.status)
			}
		}
		codes := known.codes
		if len(codes) > 0 && !slices.Contains(codes, found.code) {
			switch {
			case slices.Contains(r.terms.all.codes, e.key.Value):
				r.refuse(e.key, "%q is a code of the contract: the server's code goes on the left, so %q: %s",
					e.key.Value, found.code, e.key.Value)
			default:
				r.unknown(e.value, "code", found.code, codes)
			}
		}
		to.codes[e.key.Value] = found
	}
}

// statuses reads the server's statuses, each with that of the contract.
func (r *reader) statuses(to *names, n *yaml.Node, of string, known *spoken) {
	for _, e := range r.entries(n, "the statuses of "+of) {
		from, contracts := r.status(e.key, e.key.Value), r.status(e.value, e.value.Value)
		switch {
		case from == 0 || contracts == 0:
		case from/100 != contracts/100:
			r.refuse(e.value, "status %d cannot be mapped to %d: a mapping must not make a failure of a success, nor "+
				"the other way round", from, contracts)
		case !slices.Contains(known.statuses, contracts):
			r.refuse(e.value, "%s has no status %d", of, contracts)
		default:
			to.statuses[from] = contracts
		}
	}
}

// status reads a status that can be mapped; 0: it cannot.
func (r *reader) status(at *yaml.Node, text string) int {
	status, err := strconv.Atoi(text)
	switch {
	case err != nil || !statusForm.MatchString(text):
		r.refuse(at, "%q is not a status", text)
		return 0
	case status >= http.StatusInternalServerError:
		r.refuse(at, "status %d cannot be mapped: it says that the server failed", status)
		return 0
	case status < http.StatusOK:
		r.refuse(at, "status %d cannot be mapped", status)
		return 0
	}
	return status
}

// carriers refuses a header that the server has for a session as well.
func (r *reader) carriers(headers *yaml.Node) {
	for i := 1; headers != nil && i < len(headers.Content); i += 2 {
		name := http.CanonicalHeaderKey(headers.Content[i].Value)
		if name == r.mapping.session.header.name && name != "" {
			r.refuse(headers.Content[i], "headers: %s and the session are both %q on the server",
				headers.Content[i-1].Value, name)
		}
	}
}

// headers reads the names of headers. What carries the connection, or the harness' own, has no other name.
func (r *reader) headers(n *yaml.Node) map[string]string {
	found := map[string]string{}
	fixed := []string{"Connection", "Content-Encoding", "Content-Length", "Content-Type", "Cookie", "Date", "Host",
		"Origin", "Set-Cookie", "Traceparent", "Transfer-Encoding"}
	for _, e := range r.entries(n, "headers") {
		to, ok := r.text(e.value, e.key.Value)
		from := http.CanonicalHeaderKey(e.key.Value)
		server := http.CanonicalHeaderKey(to)
		session := http.CanonicalHeaderKey(r.terms.design.Session.Header)
		switch {
		case !ok:
		case !httpguts.ValidHeaderFieldName(to):
			r.refuse(e.value, "%q is not the name of a header", to)
		case from == session:
			r.refuse(e.key, "%s carries the session: session: {header: %q} says what the server has", e.key.Value,
				to+": {session}")
		case slices.Contains(fixed, from) || slices.Contains(fixed, server):
			r.refuse(e.key, "%s cannot be %s: its meaning is HTTP's own", e.key.Value, to)
		case !slices.ContainsFunc(r.terms.headers,
			func(one string) bool { return http.CanonicalHeaderKey(one) == from }):
			r.unknown(e.key, "header", e.key.Value, r.terms.headers)
		default:
			for other, its := range found {
				if its == server {
					r.refuse(e.value, "headers: %s and %s are both %q on the server", other, from, server)
				}
			}
			found[from] = server
		}
	}
	return found
}

// session reads how the server carries sessions.
func (r *reader) session(n *yaml.Node) {
	to := &r.mapping.session
	for _, e := range r.entries(n, "session", "header", "cookie", "id") {
		text, ok := r.text(e.value, "session: "+e.key.Value)
		if !ok {
			continue
		}
		if e.key.Value == "id" {
			to.id = r.form(e.value, "session: id")
			continue
		}
		separator, has, into := ":", r.terms.design.Session.Header, &to.header
		if e.key.Value == "cookie" {
			separator, has, into = "=", r.terms.design.Session.Cookie, &to.cookie
		}
		name, value, _ := strings.Cut(text, separator)
		before, after, found := strings.Cut(strings.TrimSpace(value), system.SessionPlaceholder)
		switch {
		case has == "":
			r.refuse(e.key, "the design carries no session in a %s", e.key.Value)
		case !found || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(before+after):
			r.refuse(e.value, "session: %s must be like %q", e.key.Value,
				map[string]string{"header": "Authorization: Bearer {session}", "cookie": "sid={session}"}[e.key.Value])
		default:
			*into = carried{http.CanonicalHeaderKey(name), before, after}
			if e.key.Value == "cookie" {
				into.name = name
			}
		}
	}
}
