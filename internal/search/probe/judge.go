package probe

import (
	"errors"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/run/contract"
	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/search/explore"
)

// Verdict is how a route of the server stands to the contract.
type Verdict string

// The verdicts.
const (
	Fits    Verdict = "fits"
	Differs Verdict = "differs"
	Missing Verdict = "missing"   // the server answers as to a path that it does not have
	Lacking Verdict = "lacking"   // the mapping says that the server does not have it
	Unsent  Verdict = "not sent"  // the mapping has no counterpart for its requests
	Unclear Verdict = "unclear"   // an earlier answer should have given an id that its request needs
	Skipped Verdict = "not asked" // explore.yaml says why
	// Unproven says that no valid request was found, and that no reference server answers the same.
	Unproven Verdict = "not tried"
)

// Result is what a probe has shown.
type Result struct {
	System string
	Routes []Route
	names  *names
	design system.System
	// stranger says that the server knows no session: what it answers then says nothing of its codes and statuses.
	stranger bool
	scrub    func(text string) string // masks e-mails, sessions and secrets
}

// Route is what a route has shown.
type Route struct {
	Route   string   `json:"route"` // METHOD /path
	Verdict Verdict  `json:"verdict"`
	Note    string   `json:"note,omitempty"`    // why it, or a request that is refused, was not asked
	Allowed []string `json:"contract"`          // the statuses that the contract lists
	Valid   *Answer  `json:"valid,omitempty"`   // nil: it was not asked
	Refused *Answer  `json:"refused,omitempty"` // nil: no request was found that the design refuses
}

// Answer is the answer to a request.
type Answer struct {
	Person   string   `json:"person,omitempty"` // who asked; "": a caller without a session
	Answered string   `json:"answered"`         // status and error code, such as "404 group_not_found"
	Expected string   `json:"expected"`         // the same of the reference server; else the statuses of successes
	Differs  []string `json:"differs"`          // what differs, for people
	Notes    []string `json:"notes,omitempty"`
	// Sent and Body are the request and the body of the answer as they went over the wire, without secrets; of a long
	// one, the beginning.
	Sent    string `json:"sent"`
	Body    string `json:"body"`
	absent  bool
	unsure  bool // it may be absent
	guessed bool
}

// Fits reports whether every route that was asked was tried, and nothing differs that the mapping does not say.
func (r *Result) Fits() bool { return r.Count(Fits) == r.asked() }

// asked returns how many routes a server must have.
func (r *Result) asked() int { return len(r.Routes) - r.Count(Skipped) - r.Count(Lacking) }

// Count returns how many routes have a verdict.
func (r *Result) Count(of Verdict) (count int) {
	for _, one := range r.Routes {
		if one.Verdict == of {
			count++
		}
	}
	return count
}

// Prober judges the routes of a design.
type Prober struct {
	design   system.System
	spec     *explore.Spec
	contract *contract.Contract
	names    *names
}

// New returns a prober of a design that has a contract. spec says what the design leaves open. The error is one of the
// contract.
func New(design system.System, spec *explore.Spec) (*Prober, error) {
	read, err := contract.Load(design.Contract)
	if err != nil {
		return nil, fmt.Errorf("the contract of %s: %w", design.Name, err)
	}
	return &Prober{design, spec, read, newNames(design, read)}, nil
}

// Judge compares the answers to trials with the contract.
func (p *Prober) Judge(tried explore.Tried) *Result {
	r := &Result{System: p.design.Name, Routes: []Route{}, names: p.names, design: p.design, scrub: tried.Scrub,
		stranger: isStranger(tried.Trials)}
	p.names.stranger = r.stranger
	for _, t := range tried.Trials {
		one := p.route(t)
		one.Note = r.scrub(one.Note)
		one.Valid.mask(r.scrub)
		one.Refused.mask(r.scrub)
		r.Routes = append(r.Routes, one)
	}
	return r
}

// mask takes what must not be shown out of the texts of an answer, which may be nil.
func (a *Answer) mask(scrub func(string) string) {
	if a == nil {
		return
	}
	for _, text := range []*string{&a.Answered, &a.Expected, &a.Sent, &a.Body} {
		*text = scrub(*text)
	}
	for _, list := range [][]string{a.Differs, a.Notes} {
		for i := range list {
			list[i] = scrub(list[i])
		}
	}
	a.Sent, a.Body = short(a.Sent), short(a.Body)
}

func (p *Prober) route(t explore.Trial) Route {
	r := Route{Route: t.Operation.String(), Verdict: Fits, Note: t.Skipped,
		Allowed: slices.Sorted(maps.Keys(t.Operation.Answers))}
	switch {
	case t.Skipped != "":
		r.Verdict = Skipped
		return r
	case t.Lacking:
		r.Verdict, r.Note = Lacking, "the mapping says that the server lacks it"
		return r
	case t.Valid == nil:
		r.Verdict = Unproven
		return r
	case t.Valid.Unsent() != nil:
		r.Verdict, r.Note = Unsent, t.Valid.Unsent().Error()
		return r
	}
	r.Valid = p.answer(t.Operation, t.Valid, true)
	switch {
	case t.Refused != nil && t.Refused.Unsent() != nil:
		r.Note = "the request that is refused was not sent: " + t.Refused.Unsent().Error()
	case t.Refused != nil:
		r.Refused = p.answer(t.Operation, t.Refused, false)
	case slices.ContainsFunc(r.Allowed, func(status string) bool { return status[0] == '4' }):
		r.Note = "no request was found that is refused"
	}
	switch {
	case r.Valid.absent:
		r.Verdict = Missing
	case r.Valid.guessed && len(r.Valid.Differs) > 0:
		r.Verdict = Unclear
	case len(r.Valid.Differs) > 0, r.Refused != nil && len(r.Refused.Differs) > 0:
		r.Verdict = Differs
	case len(r.Valid.Notes) > 0 && t.Valid.Want == nil && t.Valid.Got.Status >= http.StatusBadRequest:
		r.Verdict = Unproven
	}
	return r
}

// answer compares one answer.
func (p *Prober) answer(o contract.Operation, a *explore.Attempt, valid bool) *Answer {
	got := &Answer{Person: a.Person, Differs: []string{}, Sent: a.Sent, Body: a.Got.Shown, guessed: a.Guessed,
		Answered: p.brief(&a.Got), Expected: p.expected(o, a, valid)}
	differ := func(format string, args ...any) { got.Differs = append(got.Differs, fmt.Sprintf(format, args...)) }
	if a.Got.Err != nil {
		reason := a.Got.Err
		if of, is := errors.AsType[*url.Error](reason); is {
			reason = of.Err // without the address, and the values in it
		}
		differ("it gave no answer: %s", reason)
		return got
	}
	if a.Guessed {
		got.Notes = append(got.Notes, "an earlier answer lacks what its request needs")
	}
	err := p.contract.Check(contract.Answer{Method: a.Method, Path: a.Path, Status: a.Got.Status,
		Header: a.Got.Header, Body: a.Got.Body})
	got.unsure = a.Absent && a.Want == nil && err == nil && p.unknownID(o, a)
	p.names.failure(o.String(), a)
	same := p.status(o, a, valid, got)
	if got.absent {
		return got
	}
	p.code(o, a, got)
	lacks := p.compare(o, a)
	for _, one := range lacks {
		differ("%s", one)
	}
	if v, is := errors.AsType[*contract.Violation](err); is && !p.spec.LeavesOpen(v.Where, o.String()) &&
		(same || v.Where != "the status") && !explained(lacks, v) {
		if v.Where == "the header Content-Type" {
			differ("Content-Type is %s; the contract has %s", media(a.Got.Header), v.Want)
		} else {
			differ("%s must be %s", v.Where, v.Want)
		}
	}
	return got
}

// compare compares the names of an answer, and returns what is missing.
func (p *Prober) compare(o contract.Operation, a *explore.Attempt) []string {
	return p.names.compare(o, a, func(what string) bool { return p.spec.LeavesOpen(what, o.String()) })
}

// unknownID reports whether an answer may say that an id is unknown: it is a 404 of the contract, with its code.
func (p *Prober) unknownID(o contract.Operation, a *explore.Attempt) bool {
	_, documented := o.Answers[strconv.Itoa(a.Got.Status)]
	codes := p.names.codesOf(o, a.Got.Status)
	return documented && a.Got.Status == http.StatusNotFound &&
		(len(codes) == 0 || slices.Contains(codes, codeAt(a.Got.JSON, p.design.ErrorCode)))
}

// status compares the status, and reports whether it is the one to expect.
func (p *Prober) status(o contract.Operation, a *explore.Attempt, valid bool, got *Answer) (same bool) {
	status := a.Got.Status
	_, documented := o.Answers[strconv.Itoa(status)]
	same = a.Want != nil && status == a.Want.Status
	switch {
	case valid && got.unsure:
		got.Notes = append(got.Notes, "missing, or no id was found that it knows: same answer as for an unknown path")
		return true
	case valid && a.Absent && (!same || p.brief(&a.Got) != p.brief(a.Want)):
		got.absent = true
		got.Differs = append(got.Differs, "missing: same answer as for an unknown path")
		return false
	case same && valid && status >= http.StatusBadRequest:
		got.Notes = append(got.Notes, "no request was found that succeeds; the reference server answers the same")
		return true
	case same, a.Want != nil && (p.spec.LeavesOpen(either("status", status, a.Want.Status), o.String()) ||
		p.spec.LeavesOpen(either("status", a.Want.Status, status), o.String())):
		return true
	case a.Want != nil, !documented:
	case valid && status >= http.StatusBadRequest:
		got.Notes = append(got.Notes, "no request was found that succeeds; the contract has this answer too")
		return true
	default:
		return true
	}
	text := fmt.Sprintf("%s, not %s", got.Answered, got.Expected)
	if !documented {
		text += ", and not in the contract"
	}
	got.Differs = append(got.Differs, text)
	return false
}

// code compares the error code.
func (p *Prober) code(o contract.Operation, a *explore.Attempt, got *Answer) {
	if a.Got.Status < http.StatusBadRequest || p.design.ErrorCode == "" {
		return
	}
	code := codeAt(a.Got.JSON, p.design.ErrorCode)
	known := p.names.codesOf(o, a.Got.Status)
	var want string
	if a.Want != nil && a.Want.Status >= http.StatusBadRequest {
		want = codeAt(a.Want.JSON, p.design.ErrorCode)
	}
	switch {
	case code == "" || code == want:
	case want != "" && (p.spec.LeavesOpen(either("code", code, want), o.String()) ||
		p.spec.LeavesOpen(either("code", want, code), o.String())):
	case want != "" && (a.Want.Status == a.Got.Status || !slices.Contains(p.names.codes, code)):
		got.Differs = append(got.Differs, fmt.Sprintf("the code %q, not %q", code, want))
	case want == "" && len(known) > 0 && !slices.Contains(known, code):
		got.Differs = append(got.Differs, fmt.Sprintf("the code %q; the contract has %s", code,
			strings.Join(known, ", ")))
	}
}

func either[T any](what string, a, b T) string { return fmt.Sprintf("%s %v|%v", what, a, b) }

// brief is the status of an answer and its code.
func (p *Prober) brief(r *explore.Reply) string {
	if r.Err != nil {
		return "no answer"
	}
	if r.Status < http.StatusBadRequest {
		return strconv.Itoa(r.Status)
	}
	code := codeAt(r.JSON, p.design.ErrorCode)
	if code == "" {
		_, code = p.names.serverCode(r.JSON)
	}
	return strings.TrimSpace(strconv.Itoa(r.Status) + " " + code)
}

// expected is what is to be answered: what the reference server answers, or what the contract lists.
func (p *Prober) expected(o contract.Operation, a *explore.Attempt, valid bool) string {
	if a.Want != nil {
		return p.brief(a.Want)
	}
	var list []string
	for _, status := range slices.Sorted(maps.Keys(o.Answers)) {
		if (status < "4") == valid {
			list = append(list, status)
		}
	}
	return strings.Join(list, " or ")
}

func codeAt(value any, path string) string {
	if path == "" {
		return ""
	}
	found, _ := matching.Lookup(value, path)
	code, _ := found.(string)
	return code
}

func media(header http.Header) string {
	found, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		return strconv.Quote(header.Get("Content-Type"))
	}
	return found
}
