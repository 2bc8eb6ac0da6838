package wiremutant

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/run/contract"
	"github.com/storespec/storespec/internal/verify"
)

// routes are the routes of a design: methods, and paths in which a segment with braces stands for any one.
type routes struct {
	known    []route
	contract *contract.Contract // nil: the design has none
}

type route struct {
	name, method string
	segments     []string
	open         int // segments that stand for any
}

// anySegment stands for any segment that is not empty.
const anySegment = "{}"

// written is a route as a step, a cell or a contract names it; a query is not part of it.
var written = regexp.MustCompile(`\b(GET|POST|PUT|PATCH|DELETE) (/[^\s|"?<>#]*)`)

// routesOf returns the routes of a design's contract or, without one, those that its features name.
func routesOf(o verify.Options) (*routes, error) {
	r := &routes{}
	if o.System.Contract != nil {
		var err error
		if r.contract, err = contract.Load(o.System.Contract); err != nil {
			return nil, fmt.Errorf("the contract of %s: %w", o.System.Name, err)
		}
		for _, text := range r.contract.Routes() {
			r.add(text)
		}
		return r, nil
	}
	for text := range o.Catalogue.Texts() {
		r.add(text)
	}
	return r, nil
}

// add adds the routes that a text names. Of two that differ only in their placeholders, the first gives the name.
func (r *routes) add(text string) {
	for _, found := range written.FindAllStringSubmatch(text, -1) {
		path := strings.TrimRight(found[2], ".,:;`")
		one := route{name: found[1] + " " + path, method: found[1], segments: strings.Split(path, "/")}
		for i, segment := range one.segments {
			if strings.Contains(segment, "{") {
				one.segments[i] = anySegment
				one.open++
			}
		}
		if !slices.ContainsFunc(r.known, func(k route) bool {
			return k.method == one.method && k.open == one.open && slices.Equal(k.segments, one.segments)
		}) {
			r.known = append(r.known, one)
		}
	}
}

// leavesOpen reports whether the contract lets the server leave a member out of an answer.
func (r *routes) leavesOpen(method, path string, given answer, field string) bool {
	without, there := given.without(field)
	return there && r.contract != nil && r.contract.Check(contract.Answer{Method: method, Path: path,
		Status: without.status, Header: without.header, Body: without.body}) == nil
}

// of returns the name of the route that a request is on, "" if it is on none. Of several it is the one with the most
// placeholders.
func (r *routes) of(method, path string) string {
	segments := strings.Split(path, "/")
	best := route{open: -1}
	for _, one := range r.known {
		if one.method == method && one.open > best.open && one.fits(segments) {
			best = one
		}
	}
	return best.name
}

func (r route) fits(segments []string) bool {
	if len(segments) != len(r.segments) {
		return false
	}
	for i, segment := range segments {
		open := r.segments[i] == anySegment && segment != ""
		if !open && segment != r.segments[i] {
			return false
		}
	}
	return true
}
