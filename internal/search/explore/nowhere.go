package explore

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/source"
)

// nowhere is what a server answers to paths that no route has, twice by method and beginning of the path: what differs
// between the two says nothing.
type nowhere map[[2]string][2]map[string]string

// beginning returns the first part of a path, below which a server may answer otherwise than elsewhere.
func beginning(path string) string {
	if parts := strings.Split(path, "/"); len(parts) > 2 && !strings.Contains(parts[1], "{") {
		return "/" + parts[1] + "/"
	}
	return "/"
}

// nowhere asks for paths that the contract does not have and that no server is likely to have.
func (t *trials) nowhere(ctx context.Context) (nowhere, error) {
	seen := nowhere{}
	person := nobody
	if len(t.Spec.People) > 0 {
		person = t.Spec.People[0]
	}
	for _, o := range t.asked {
		key := [2]string{o.Method, beginning(o.Path)}
		if _, known := seen[key]; known {
			continue
		}
		var pair [2]map[string]string
		for i := range pair {
			step := &Step{ID: -1 - i, Person: person, Method: o.Method,
				Path: fmt.Sprintf("%sno/such/path/as/storespec-%d-%s", key[1], i, tagOf(t.Seed, i))}
			if o.Body != nil {
				step.Body = map[string]any{}
			}
			a, err := t.couple.subject.answer(ctx, step)
			if err != nil {
				return nil, err
			}
			pair[i] = a.leaves()
		}
		seen[key] = pair
	}
	return seen, nil
}

// has reports whether an answer to a route of a path equals that to a path that no route has: 404, or a page that
// the server has for everything. 405 and 501 say by themselves that the route is missing.
func (n nowhere) has(path string, a *answer) bool {
	switch {
	case a.err != nil:
		return false
	case a.status == http.StatusMethodNotAllowed, a.status == http.StatusNotImplemented:
		return true
	case a.status != http.StatusNotFound && a.status >= http.StatusMultipleChoices:
		return false
	}
	pair, here := n[[2]string{a.method, beginning(path)}], a.leaves()
	if len(here) != len(pair[0]) {
		return false
	}
	for name, value := range pair[0] {
		if other, there := here[name]; !there || other != value && pair[1][name] == value {
			return false
		}
	}
	return true
}

// leaves returns the status of an answer, and the values of its JSON by their paths, or its whole body, without the
// path that was asked for.
func (a *answer) leaves() map[string]string {
	all := map[string]string{"status": fmt.Sprint(a.status)}
	plain, _, _ := strings.Cut(a.path, "?")
	without := strings.NewReplacer(a.path, "", plain, "")
	if a.parsed == nil {
		all["body"] = without.Replace(string(a.body))
		return all
	}
	matching.EachLeaf(a.parsed, func(path string, value any) { all["."+path] = without.Replace(asText(value)) })
	return all
}

// shortestSecret is from where on a text is so long that it can be a secret: replacing a shorter one would change
// others.
const shortestSecret = 8

// confide notes the secrets of an answer: its cookies, the id of a session, and what the names of its members call so.
func (t *trials) confide(a *answer) {
	add := func(value any) {
		secret, is := value.(string)
		if is && len(secret) >= shortestSecret && !slices.Contains(t.secrets, secret) {
			t.secrets = append(t.secrets, secret)
		}
	}
	raw, _ := a.wired.Raw(a.header, a.body)
	for _, header := range []http.Header{a.header, raw} {
		for _, cookie := range (&http.Response{Header: header}).Cookies() {
			add(cookie.Value)
		}
	}
	if opened := t.System.Session; opened.Answer != "" {
		id, _ := matching.Lookup(a.parsed, opened.Answer)
		beside, _ := matching.Lookup(a.parsed, opened.Expires)
		if opened.Expires == "" || beside != nil {
			add(id)
		}
	}
	matching.EachLeaf(a.parsed, func(path string, value any) {
		name := source.Plain(path[strings.LastIndexByte(path, '.')+1:])
		if name == "sessionid" || slices.ContainsFunc([]string{"token", "secret", "passw", "credential"},
			func(part string) bool { return strings.Contains(name, part) }) {
			add(value)
		}
	})
}

// meet notes the people of a walk that has begun, for scrub.
func (t *trials) meet(c *couple) {
	for _, s := range []*side{c.subject, c.oracle} {
		if s != nil && s.world != nil {
			t.worlds = append(t.worlds, s.world)
		}
	}
}

// scrub returns a text without e-mails, sessions and secrets, also where an address has them in its own way.
func (t *trials) scrub(text string) string {
	for _, secret := range t.secrets {
		for _, form := range []string{secret, url.QueryEscape(secret), url.PathEscape(secret)} {
			text = strings.ReplaceAll(text, form, "<secret>")
		}
	}
	for _, world := range slices.Backward(t.worlds) { // the last one knows whose the e-mails are
		text = world.Names.Scrub(text)
	}
	return text
}
