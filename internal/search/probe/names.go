package probe

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/run/contract"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/search/explore"
	"github.com/storespec/storespec/internal/source"
)

// names is what answers have shown of the server's names.
type names struct {
	design   system.System
	codes    []string // of the contract
	nowhere  []string // of them, those of a path that it does not list
	fields   pairs
	failures pairs // of answers from 400 on
	other    map[string]*pair
	statuses map[string]*pair
	stranger bool // as of Result
}

// pairs are names of the contract with those of the server that may be the same.
type pairs map[string][]*pair

// pair is a name of the contract and one of the server.
type pair struct {
	contract, server string
	why              string // it is likely that they are the same
	sure             bool
	routes           []string // where it was seen
}

func newNames(design system.System, read *contract.Contract) *names {
	n := &names{design: design, fields: pairs{}, failures: pairs{}, other: map[string]*pair{},
		statuses: map[string]*pair{}}
	for _, o := range read.Operations() {
		for status, shape := range o.Answers {
			if status >= "4" {
				n.codes = append(n.codes, valuesAt(shape, design.ErrorCode)...)
			}
		}
	}
	for i, shape := range read.Unlisted() {
		if i == 0 {
			n.nowhere = valuesAt(shape, design.ErrorCode)
		}
		n.codes = append(n.codes, valuesAt(shape, design.ErrorCode)...)
	}
	slices.Sort(n.codes)
	n.codes = slices.Compact(n.codes)
	return n
}

// valuesAt returns the texts that a member may have, as far as the schema lists them.
func valuesAt(s *contract.Shape, path string) (values []string) {
	for name := range strings.SplitSeq(path, ".") {
		if s = memberOf(s, name); s == nil {
			return nil
		}
	}
	for _, value := range s.Values {
		if text, is := value.(string); is {
			values = append(values, text)
		}
	}
	return values
}

func memberOf(s *contract.Shape, name string) *contract.Shape {
	if s == nil {
		return nil
	}
	for _, m := range s.Members {
		if m.Name == name {
			return m.Shape
		}
	}
	return nil
}

// codesOf returns the codes that a route may answer with a status, as far as the contract lists them.
func (n *names) codesOf(o contract.Operation, status int) []string {
	return valuesAt(o.Answers[strconv.Itoa(status)], n.design.ErrorCode)
}

// Understand notes the names of members in an answer of the server, and returns its JSON with the contract's names as
// far as they are known. It is for explore.TrialOptions.
func (p *Prober) Understand(o contract.Operation, a *explore.Attempt) any {
	p.compare(o, a)
	return renamed(a.Got.JSON, p.names.fields.back())
}

// back returns the contract's names by the server's: those that are sure, or else the only ones that are likely. What
// may stand for several names of the contract stands for none.
func (p pairs) back() map[string]string {
	names := map[string]string{}
	for _, sure := range []bool{true, false} {
		claimed := map[string][]string{}
		for name, list := range p {
			for _, one := range list {
				if _, taken := names[one.server]; !taken && one.sure == sure && (sure || len(list) == 1) {
					claimed[one.server] = append(claimed[one.server], name)
				}
			}
		}
		for server, of := range claimed {
			if len(of) == 1 {
				names[server] = of[0]
			} else if sure {
				names[server] = server // no likely one has it either
			}
		}
	}
	return names
}

// renamed returns a JSON value with other names of members, unless an object has a member of that name already.
func renamed(value any, names map[string]string) any {
	switch value := value.(type) {
	case map[string]any:
		object := make(map[string]any, len(value))
		for _, name := range slices.Sorted(maps.Keys(value)) {
			to, known := names[name]
			if _, has := object[to]; !known || has || value[to] != nil {
				to = name
			}
			object[to] = renamed(value[name], names)
		}
		return object
	case []any:
		list := make([]any, len(value))
		for i := range value {
			list[i] = renamed(value[i], names)
		}
		return list
	}
	return value
}

// compare compares the names of an answer with those of the contract, and of the reference server's answer, and returns
// what is missing.
func (n *names) compare(o contract.Operation, a *explore.Attempt, open func(string) bool) (missing []string) {
	got, want := a.Got, a.Want
	if got.JSON == nil || got.Err != nil {
		return nil
	}
	status, into := got.Status, n.fields
	if want != nil && want.Status/100 == got.Status/100 {
		status = want.Status
	}
	c := &comparison{names: n, open: open, route: o.String(), required: o.Required[strconv.Itoa(status)]}
	if got.Status >= http.StatusBadRequest {
		into = n.failures
	}
	c.into = into
	var other any
	if want != nil && want.Status/100 == got.Status/100 {
		other = want.JSON
	}
	shape := o.Answers[strconv.Itoa(status)]
	if got.Status >= http.StatusBadRequest {
		n.places(c, got.JSON)
		if a.Absent {
			return nil
		}
		if shape == nil && other == nil {
			return c.missing // the contract says nothing of it
		}
	}
	c.values(shape, got.JSON, other, "")
	return c.missing
}

// comparison compares the names of one answer.
type comparison struct {
	names    *names
	open     func(what string) bool // what the design leaves open in answers of the route
	route    string
	required map[string]bool
	into     pairs
	paired   []string // names of the contract for which the server has another
	missing  []string
}

// values compares two JSON values; want is nil if only the shape is known.
func (c *comparison) values(s *contract.Shape, got, want any, path string) {
	switch got := got.(type) {
	case map[string]any:
		other, _ := want.(map[string]any)
		c.object(s, got, other, path)
	case []any:
		other, _ := want.([]any)
		var items *contract.Shape
		if s != nil {
			items = s.Items
		}
		if len(got) > 0 && len(other) > 0 {
			c.values(items, got[0], other[0], path+"[]")
		} else if len(got) > 0 && want == nil {
			c.values(items, got[0], nil, path+"[]")
		}
	}
}

// object compares the members of two objects.
func (c *comparison) object(s *contract.Shape, got, want map[string]any, path string) {
	if want == nil && (s == nil || len(s.Members) == 0) {
		return // anything
	}
	var lacking, extra []string
	known := map[string]bool{}
	if s != nil {
		for _, m := range s.Members {
			known[m.Name] = true
			if _, has := got[m.Name]; !has && m.Required && want == nil {
				lacking = append(lacking, m.Name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if known[name] = true; got[name] == nil && want[name] != nil {
			if _, has := got[name]; !has {
				lacking = append(lacking, name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if known[name] {
			c.values(memberOf(s, name), got[name], want[name], join(path, name))
		} else {
			extra = append(extra, name)
		}
	}
	c.pair(s, lacking, extra, got, want, path)
}

// pair finds for each missing member the one that the server may have in its place: first those that are sure, which
// the others then cannot be.
func (c *comparison) pair(s *contract.Shape, lacking, extra []string, got, want map[string]any, path string) {
	var left []string
	for _, name := range lacking {
		server, why := c.twin(name, extra, got, want)
		if server == "" {
			left = append(left, name)
			continue
		}
		extra = slices.DeleteFunc(slices.Clone(extra), func(one string) bool { return one == server })
		c.into.add(name, server, why, c.route, true)
		c.missing = append(c.missing, join(path, name)+" is "+join(path, server))
		c.values(memberOf(s, name), got[server], want[name], join(path, name))
	}
	for _, name := range left {
		at := join(path, name)
		required := c.requires(s, name) && !c.open(at) && !slices.Contains(c.paired, name)
		server, why := likely(name, extra, got, want)
		if server != "" {
			c.into.add(name, server, why, c.route, false)
		}
		switch {
		case required && server != "":
			c.missing = append(c.missing, at+" is missing, and may be "+join(path, server))
		case required:
			c.missing = append(c.missing, at+" is missing"+beside(extra))
		}
	}
}

// requires reports whether the contract requires a member of an object.
func (c *comparison) requires(s *contract.Shape, name string) bool {
	if s == nil || len(s.Members) == 0 {
		return c.required[name]
	}
	return slices.ContainsFunc(s.Members, func(m contract.Member) bool { return m.Name == name && m.Required })
}

func beside(extra []string) string {
	if len(extra) == 0 {
		return ""
	}
	return "; the answer also has " + strings.Join(extra, ", ")
}

// twin returns the member that surely has the place of a missing one; "" if none does.
func (c *comparison) twin(name string, extra []string, got, want map[string]any) (server, why string) {
	for _, one := range extra {
		if source.Plain(one) == source.Plain(name) {
			return one, "same name, spelled differently"
		}
	}
	if value, has := want[name]; has && distinct(value) {
		var equal []string
		for _, one := range extra {
			if reflect.DeepEqual(got[one], value) {
				equal = append(equal, one)
			}
		}
		if len(equal) == 1 {
			return equal[0], "same value"
		}
	}
	for _, one := range c.into[name] { // seen before, on another route
		if one.sure && slices.Contains(extra, one.server) {
			return one.server, one.why
		}
	}
	return "", ""
}

// likely returns the member that may have the place of a missing one; "" if none is likely to.
func likely(name string, extra []string, got, want map[string]any) (server, why string) {
	value, has := want[name]
	fits := slices.DeleteFunc(slices.Clone(extra), func(one string) bool {
		return has && fmt.Sprintf("%T", value) != fmt.Sprintf("%T", got[one])
	})
	if near := source.Nearest(name, fits); near != "" {
		return near, "similar name"
	}
	if len(fits) == 1 && has {
		return fits[0], "only other name"
	}
	return "", ""
}

// shortestDistinct is how long a text must be for an equal one to be the same value, and not a coincidence.
const shortestDistinct = 3

func distinct(value any) bool {
	switch value := value.(type) {
	case string:
		return len(value) >= shortestDistinct
	case json.Number:
		return len(value) >= shortestDistinct
	case map[string]any:
		return len(value) > 0
	case []any:
		return len(value) > 0 && distinct(value[0])
	}
	return false
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// add notes a pair.
func (p pairs) add(name, server, why, route string, sure bool) {
	for _, one := range p[name] {
		if one.server == server {
			if sure && !one.sure {
				one.why, one.sure = why, true
			}
			if !slices.Contains(one.routes, route) {
				one.routes = append(one.routes, route)
			}
			return
		}
	}
	p[name] = append(p[name], &pair{name, server, why, sure, []string{route}})
}

// explained reports whether one of the texts says already what a violation does.
func explained(texts []string, v *contract.Violation) bool {
	last := v.Where[strings.LastIndexByte(v.Where, '.')+1:]
	return slices.ContainsFunc(texts, func(text string) bool {
		at, _, _ := strings.Cut(text, " ")
		return at[strings.LastIndexByte(at, '.')+1:] == last
	})
}
