package mapping

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/run/contract"
	"github.com/storespec/storespec/internal/run/system"
)

// terms are the names of a contract.
type terms struct {
	design  system.System
	routes  []string
	byRoute map[string]*spoken
	all     spoken
	headers []string
}

// spoken are the names that requests and answers of a route have.
type spoken struct {
	requests, answers, failures []string // members at any depth, and parameters of queries
	values                      []string // that a server's path can take: of the path, the query, the top of the body
	inPath                      []string
	codes                       []string
	statuses                    []int
}

// termsOf reads the contract of a design. Without one there are no terms.
func termsOf(design system.System) (*terms, error) {
	t := &terms{design: design, byRoute: map[string]*spoken{}}
	t.headers = []string{"ETag", "Location", "Retry-After", "Idempotency-Key", "If-Match", "If-None-Match"}
	for _, person := range design.People {
		t.headers = append(t.headers, person.Name)
	}
	read, err := contract.Load(design.Contract)
	if err != nil {
		return nil, fmt.Errorf("the contract of %s: %w", design.Name, err)
	}
	for _, o := range read.Operations() {
		s := &spoken{}
		t.routes, t.byRoute[o.String()] = append(t.routes, o.String()), s
		for _, p := range o.Parameters {
			switch p.In {
			case "path":
				s.inPath, s.values = append(s.inPath, p.Name), append(s.values, p.Name)
			case "query":
				s.requests, s.values = append(s.requests, p.Name), append(s.values, p.Name)
			case "header":
				t.headers = append(t.headers, http.CanonicalHeaderKey(p.Name))
			}
		}
		if o.Body != nil {
			for _, m := range o.Body.Members {
				s.values = append(s.values, m.Name)
			}
			s.requests = append(s.requests, membersOf(o.Body)...)
		}
		for status, answer := range o.Answers {
			number, _ := strconv.Atoi(status) // "default" and 4XX are no status
			s.statuses = append(s.statuses, number)
			into := &s.answers
			if status >= "4" {
				into = &s.failures
				s.codes = append(s.codes, codesIn(answer, design.ErrorCode)...)
			}
			*into = append(*into, membersOf(answer)...)
		}
		t.all.add(s)
	}
	for _, answer := range read.Unlisted() {
		t.all.failures = append(t.all.failures, membersOf(answer)...)
		t.all.codes = append(t.all.codes, codesIn(answer, design.ErrorCode)...)
		t.all.statuses = append(t.all.statuses, http.StatusNotFound, http.StatusMethodNotAllowed)
	}
	slices.Sort(t.headers)
	t.headers = slices.Compact(t.headers)
	return t, nil
}

// add adds what another route says.
func (s *spoken) add(other *spoken) {
	s.requests = append(s.requests, other.requests...)
	s.answers = append(s.answers, other.answers...)
	s.failures = append(s.failures, other.failures...)
	s.codes = append(s.codes, other.codes...)
	s.statuses = append(s.statuses, other.statuses...)
}

// membersOf returns the names of members at any depth.
func membersOf(s *contract.Shape) (names []string) {
	if s == nil {
		return nil
	}
	for _, m := range s.Members {
		names = append(append(names, m.Name), membersOf(m.Shape)...)
	}
	return append(names, membersOf(s.Items)...)
}

// codesIn returns the codes that an answer may have, as far as its schema lists them.
func codesIn(s *contract.Shape, at string) (codes []string) {
	for name := range strings.SplitSeq(at, ".") {
		if s == nil {
			return nil
		}
		i := slices.IndexFunc(s.Members, func(m contract.Member) bool { return m.Name == name })
		if i < 0 {
			return nil
		}
		s = s.Members[i].Shape
	}
	for _, value := range s.Values {
		if code, is := value.(string); is {
			codes = append(codes, code)
		}
	}
	return codes
}
