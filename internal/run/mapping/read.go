package mapping

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/source"
	"github.com/storespec/storespec/internal/source/yamldoc"
)

// Read reads the mapping file of a server of a design. The error joins one *yamldoc.Error for each mistake, in the
// order of the file.
func Read(file string, design system.System) (*Mapping, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, yamldoc.Reader{Path: file}.Unread("the mapping", err)
	}
	return Parse(file, content, design)
}

// Parse is Read for the content of a file.
func Parse(file string, content []byte, design system.System) (*Mapping, error) {
	at := yamldoc.Reader{Path: file}
	r := &reader{Reader: at, mapping: &Mapping{reader: at}, refused: map[*yaml.Node]bool{}}
	var err error
	if r.terms, err = termsOf(design); err != nil {
		return nil, err
	}
	doc, err := r.Parse(content)
	if err != nil {
		return nil, err
	}
	r.mapping.session.from = design.Session
	r.mapping.code, _ = readPath(design.ErrorCode) // nil if there is none
	r.file(doc)
	slices.SortStableFunc(r.wrong, func(a, b mistake) int { return a.line - b.line })
	for _, one := range r.wrong {
		err = errors.Join(err, one.error)
	}
	if err != nil {
		return nil, err
	}
	return r.mapping, nil
}

// mistake is an error, and its line.
type mistake struct {
	line int
	error
}

// reader reads a file, and collects its mistakes.
type reader struct {
	yamldoc.Reader

	terms   *terms
	mapping *Mapping
	wrong   []mistake
	refused map[*yaml.Node]bool // by once
}

func (r *reader) refuse(at *yaml.Node, format string, args ...any) {
	r.wrong = append(r.wrong, mistake{at.Line, r.At(at, format, args...)})
}

// unknown refuses a name that the contract does not have.
func (r *reader) unknown(at *yaml.Node, what, name string, known []string) {
	known = slices.Compact(slices.Sorted(slices.Values(known)))
	hint := source.Meant(name, known)
	if hint == "" && len(known) > 0 && len(known) <= 20 {
		hint = "; it has " + strings.Join(known, ", ")
	}
	r.refuse(at, "the contract has no %s %q%s", what, name, hint)
}

// entry is a key of a mapping of the file, and its value.
type entry struct{ key, value *yaml.Node }

// entries returns the keys of a mapping of the file. Keys that occur twice, and those that are not among known,
// are mistakes; none known: any is.
func (r *reader) entries(n *yaml.Node, what string, known ...string) (list []entry) {
	if n.Kind != yaml.MappingNode {
		r.refuse(n, "%s must be a mapping", what)
		return nil
	}
	seen := map[string]bool{}
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		switch {
		case seen[key.Value]:
			r.refuse(key, "%s has %q twice", what, key.Value)
			continue
		case len(known) > 0 && !slices.Contains(known, key.Value):
			hint := cmp.Or(source.Meant(key.Value, known), "; it knows "+strings.Join(known, ", "))
			r.refuse(key, "%s has an unknown key %q%s", what, key.Value, hint)
			continue
		}
		seen[key.Value] = true
		list = append(list, entry{key, n.Content[i+1]})
	}
	return list
}

// text returns a scalar that is not empty.
func (r *reader) text(n *yaml.Node, what string) (string, bool) {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" || n.Value == "" {
		r.refuse(n, "%s must be a text", what)
		return "", false
	}
	return n.Value, true
}

// The keys that a file has at its top, and those that a route can have as well.
const (
	keyRoutes   = "routes"
	keyFields   = "fields"
	keyRequests = "request-fields"
	keyAnswers  = "answer-fields"
	keyErrors   = "error-fields"
	keyCodes    = "codes"
	keyStatuses = "statuses"
)

func namesKeys() []string {
	return []string{keyFields, keyRequests, keyAnswers, keyErrors, keyCodes, keyStatuses}
}

// file reads the whole file.
func (r *reader) file(doc *yaml.Node) {
	m := r.mapping
	if doc == nil {
		doc = &yaml.Node{Kind: yaml.MappingNode}
	}
	var routes, headers *yaml.Node
	list := r.entries(doc, "the mapping",
		append([]string{keyRoutes, "headers", "session", "ids", "laid"}, namesKeys()...)...)
	shared := r.names(list, "the contract", &r.terms.all)
	for _, e := range list {
		switch e.key.Value {
		case keyRoutes:
			routes = e.value
		case "headers":
			m.headers, headers = r.headers(e.value), e.value
		case "session":
			r.session(e.value)
		case "ids":
			m.ids = r.form(e.value, "ids")
		case "laid":
			m.laid = r.laid(e.value)
		}
	}
	r.carriers(headers)
	own := r.routes(routes)
	r.once("fields", shared.requests, shared.answers, shared.failures)
	for _, one := range m.routes {
		if own[one.name] == nil {
			one.names = (&names{}).over(shared)
			continue
		}
		one.names = own[one.name].over(shared)
		r.once(one.name, one.names.requests, one.names.answers, one.names.failures)
	}
	m.others = (&names{}).over(shared)
	r.distinct()
}

// over returns the names of a route with those that all routes share.
func (n *names) over(shared *names) names {
	merged := names{
		requests: n.requests.over(shared.requests),
		answers:  n.answers.over(shared.answers),
		failures: n.failures.over(shared.failures),
		codes:    map[string]verdict{}, statuses: map[int]int{},
	}
	for _, one := range []*names{shared, n} {
		for from, to := range one.codes {
			merged.codes[from] = to
		}
		for from, to := range one.statuses {
			merged.statuses[from] = to
		}
	}
	return merged
}

// routes reads the routes, and returns the names that are theirs alone.
func (r *reader) routes(n *yaml.Node) map[string]*names {
	own := map[string]*names{}
	for _, name := range r.terms.routes {
		method, path, _ := strings.Cut(name, " ")
		r.mapping.routes = append(r.mapping.routes, &route{name: name, method: method, path: path})
	}
	if n == nil {
		return own
	}
	for _, e := range r.entries(n, keyRoutes) {
		i := slices.IndexFunc(r.mapping.routes, func(one *route) bool { return one.name == e.key.Value })
		if i < 0 {
			r.unknown(e.key, "route", e.key.Value, r.terms.routes)
			continue
		}
		to, spoken := r.mapping.routes[i], r.terms.byRoute[e.key.Value]
		if e.value.Kind == yaml.ScalarNode {
			r.address(to, spoken, e.value)
			continue
		}
		list := r.entries(e.value, e.key.Value, append([]string{"to"}, namesKeys()...)...)
		for _, one := range list {
			if one.key.Value == "to" {
				r.address(to, spoken, one.value)
			}
		}
		own[to.name] = r.names(list, e.key.Value, spoken)
	}
	return own
}

// address reads what the server has instead of a route.
func (r *reader) address(to *route, spoken *spoken, n *yaml.Node) {
	to.at = n
	text, ok := r.text(n, "what the server has instead of "+to.name)
	if to.missing = text == "missing"; !ok || to.missing {
		return
	}
	method, path, _ := strings.Cut(text, " ")
	path, query, _ := strings.Cut(path, "?")
	methods := []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}
	if !slices.Contains(methods, method) || !strings.HasPrefix(path, "/") || strings.ContainsAny(path+query, " #") {
		r.refuse(n, "%s: %q is not like POST /v2/groups/{groupId}, or missing", to.name, text)
		return
	}
	a := &address{name: method + " " + path, method: method, path: path}
	for part := range strings.SplitSeq(query, "&") {
		if name, value, _ := strings.Cut(part, "="); part != "" {
			a.query = append(a.query, [2]string{name, value})
		}
	}
	used := placeholdersIn(text)
	for _, name := range used {
		if !slices.Contains(spoken.values, name) {
			r.unknown(n, "value for the path of "+to.name+":", name, spoken.values)
		}
	}
	for _, name := range spoken.inPath {
		if !slices.Contains(used, name) {
			r.refuse(n, "%s: the server's route must have {%s} in its path or its query", to.name, name)
		}
	}
	to.to = a
}

// distinct refuses addresses that are themselves routes of the contract.
func (r *reader) distinct() {
	for _, one := range r.mapping.routes {
		if one.to == nil || one.to.name == one.name {
			continue
		}
		for _, other := range r.mapping.routes {
			if other.name == one.to.name && other.to == nil && !other.missing {
				r.refuse(one.at, "%s is sent as %s, which is itself a route of the contract; say what the server has "+
					"instead of that", one.name, other.name)
			}
		}
	}
}

// form reads the form of an id.
func (r *reader) form(n *yaml.Node, what string) *system.Mapping {
	text, ok := r.text(n, what)
	if !ok {
		return nil
	}
	form, err := system.NewIDForm(what, text)
	if err != nil {
		r.refuse(n, "%s", err)
		return nil
	}
	return form
}

// Fit returns a design as a server with the mapping needs it: with the form of its ids, and the path of its health
// route.
func (m *Mapping) Fit(design system.System) system.System {
	if m == nil {
		return design
	}
	if m.ids != nil {
		design.IDs = m.ids
	}
	if m.session.id != nil {
		design.Session.ID = m.session.id
	}
	for _, r := range m.routes {
		if r.name == "GET "+design.Ready && r.to != nil {
			design.Ready = r.to.path
			for i, one := range r.to.query {
				design.Ready += fmt.Sprintf("%c%s=%s", "?&"[min(i, 1)], one[0], one[1])
			}
		}
	}
	return design
}

// Missing returns the routes that the server lacks, as parts of a design that a server may lack.
func (m *Mapping) Missing() (parts []system.Capability) {
	if m == nil {
		return nil
	}
	for _, r := range m.routes {
		if r.missing {
			parts = append(parts, m.capability(r))
		}
	}
	return parts
}

// Sendable returns why the server cannot be sent a request; nil if it can.
func (m *Mapping) Sendable(r *http.Request) error {
	if m == nil {
		return nil
	}
	_, _, err := m.request(r)
	return err
}
