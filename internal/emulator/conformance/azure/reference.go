package azure

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/storespec/storespec/internal/emulator/conformance"
)

// Reference lists what the REST reference of a service has: its operations, and the headers and parameters that each
// one takes, with what a store does with them. Each entry is built, is refused, or has no effect in Azure either;
// referenceSuite sends every entry, and checks which of the three holds.
//
// The lists are the files reference/*.yaml. {name} in them is the table or the container of the case.
type Reference struct {
	// Page is the address below which the pages of the reference are.
	Page string `yaml:"page"`
	// Contents are the pages of its operations, as its table of contents has them: each needs an operation, and each
	// operation is one of them.
	Contents []string `yaml:"contents"`
	// Every is what all operations take.
	Every      []Parameter `yaml:"every"`
	Operations []Operation `yaml:"operations"`
}

// Operation is one operation of the reference.
type Operation struct {
	Name    string `yaml:"name"`
	Page    string `yaml:"page"` // below that of the reference
	Request `yaml:",inline"`
	// First are requests that make what the operation needs; they have to succeed.
	First []Request `yaml:"first"`
	// Answers is the status of a plain request, with an error code behind it if it is an error.
	Answers string `yaml:"answers"`
	// Refused says, for an operation that is not built, what else the user can do, or why it is not.
	Refused string `yaml:"refused"`
	// Then is a request whose answer shows the effect, if that of the operation does not.
	Then  *Request    `yaml:"then"`
	Takes []Parameter `yaml:"takes"`
	// Alone leaves out what every operation takes.
	Alone bool `yaml:"alone"`
}

// Request is what is sent.
type Request struct {
	Send    string   `yaml:"send"` // a method and a path below the account
	Headers []string `yaml:"headers"`
	Body    string   `yaml:"body"`
}

// Parameter is one header, query parameter or member of the body. It says what changes in the operation's request
// (Header, Query, Body, Without), and then how the answer differs.
type Parameter struct {
	Header  string `yaml:"header"`  // "Name: value", replaces one of that name
	Query   string `yaml:"query"`   // name=value, added to the address
	Body    string `yaml:"body"`    // replaces the operation's
	Without string `yaml:"without"` // the name of a header that is left out
	Is      Is     `yaml:"is"`
	// Answers is the status, with the code of an error behind it; empty: as without the parameter.
	Answers string `yaml:"answers"`
	// Shows is part of the headers ("Name: value") or the body of an answer, Hides what the last one must not contain.
	Shows string `yaml:"shows"`
	Hides string `yaml:"hides"`
	// Why says what Azure documents, for a parameter without effect, or what else the user can do if it is refused.
	Why string `yaml:"why"`
}

// Is is what becomes of a parameter.
type Is string

// What becomes of a parameter. An entry that is built shows in the answer; without the parameter the answer differs.
const (
	Built    Is = "built"
	Refused  Is = "refused"
	NoEffect Is = "without effect"
)

//go:embed reference/*.yaml
var references embed.FS

// LoadReference reads reference/NAME.yaml. The error says which entry is incomplete.
func LoadReference(name string) (*Reference, error) {
	data, err := references.ReadFile("reference/" + name + ".yaml")
	if err != nil {
		return nil, fmt.Errorf("read a reference: %w", err)
	}
	r := &Reference{}
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(r); err != nil {
		return nil, fmt.Errorf("read the reference %s: %w", name, err)
	}
	return r, r.check()
}

func (r *Reference) check() error {
	var errs []error
	if len(r.Contents) == 0 {
		errs = append(errs, errors.New("the list has no contents: which operations does the reference have?"))
	}
	listed := map[string]bool{}
	for _, o := range r.Operations {
		listed[o.Page] = true
		if !slices.Contains(r.Contents, o.Page) {
			errs = append(errs, fmt.Errorf("operation %q: the contents have no page %s", o.Name, o.Page))
		}
		if o.Name == "" || o.Page == "" || o.Answers == "" || strings.Count(o.Send, " ") != 1 {
			errs = append(errs, fmt.Errorf("operation %q needs name, page, send and answers", o.Name))
		}
		if !coded(o.Answers) {
			errs = append(errs, fmt.Errorf("operation %q answers %s: with which code?", o.Name, o.Answers))
		}
		if !oneCell(o.Refused) {
			errs = append(errs, fmt.Errorf("operation %q: why it is refused has a line break or a |", o.Name))
		}
		if failed := o.Answers >= "400"; failed != (o.Refused != "") {
			errs = append(errs, fmt.Errorf("operation %q is refused: say why, or else let it succeed", o.Name))
		}
	}
	for _, page := range r.Contents {
		if !listed[page] {
			errs = append(errs, fmt.Errorf("no operation for %s", page))
		}
	}
	for o, p := range r.entries() {
		if err := p.check(); err != nil {
			errs = append(errs, fmt.Errorf("%s, %s: %w", o.Name, p.what(), err))
		}
	}
	return errors.Join(errs...)
}

// entries returns every parameter with its operation.
func (r *Reference) entries() func(yield func(*Operation, *Parameter) bool) {
	return func(yield func(*Operation, *Parameter) bool) {
		for i := range r.Operations {
			o := &r.Operations[i]
			takes := o.Takes
			if !o.Alone && o.Refused == "" {
				takes = slices.Concat(o.Takes, r.Every)
			}
			for _, p := range takes {
				if !yield(o, &p) {
					return
				}
			}
		}
	}
}

// coded reports whether the status of an error has a code behind it.
func coded(answer string) bool { return answer < "300" || strings.Contains(answer, " ") }

// oneCell reports whether a text fits in a cell of a Markdown table.
func oneCell(text string) bool { return !strings.ContainsAny(text, "\r\n|") }

func (p *Parameter) check() error {
	changes := 0
	for _, change := range []string{p.Header, p.Query, p.Body, p.Without} {
		if change != "" {
			changes++
		}
	}
	shows := p.Answers != "" || p.Shows != "" || p.Hides != ""
	switch {
	case changes != 1:
		return errors.New("want exactly one of header, query, body and without")
	case p.Is == Built && !shows:
		return errors.New("it is built: how does the answer show that?")
	case !coded(p.Answers):
		return fmt.Errorf("it answers %s: with which code?", p.Answers)
	case p.Is == Refused && p.Answers < "400":
		return errors.New("it is refused: with which status and code?")
	case p.Is == NoEffect && (shows || p.Why == ""):
		return errors.New("it is without effect: where does Azure say so? (and the answer cannot show it)")
	case !oneCell(p.Why):
		return errors.New("why has a line break or a |, and it is for a table")
	case !slices.Contains([]Is{Built, Refused, NoEffect}, p.Is):
		return fmt.Errorf("is is %q, want %q, %q or %q", p.Is, Built, Refused, NoEffect)
	}
	return nil
}

// what names a parameter, with its value.
func (p *Parameter) what() string {
	switch {
	case p.Header != "":
		return p.Header
	case p.Query != "":
		return p.Query
	case p.Without != "":
		return "no " + p.Without
	}
	return "the body " + p.Body
}

// asker is a case's access to a service.
type asker interface {
	Fatalf(format string, args ...any)
	// ask sends a signed request to a path below the account.
	ask(method, path, body string, headers ...string) reply
	// another returns the access to a new table or container, and its name.
	another(suffix string) (asker, string)
}

// referenceSuite returns a case for every entry of a reference.
func referenceSuite[P asker](r *Reference, begin func(*conformance.T, Account) P) conformance.Suite[Account] {
	var cases []probing[P]
	for i := range r.Operations {
		o := &r.Operations[i]
		cases = append(cases, probing[P]{name: o.Name, run: func(p P) { o.run(o.prepare(p, "a"), nil) }})
	}
	seen := map[string]int{}
	for o, parameter := range r.entries() {
		name := o.Name + ", " + parameter.what()
		if seen[name]++; seen[name] > 1 {
			name += " (" + strconv.Itoa(seen[name]) + ")"
		}
		cases = append(cases, probing[P]{name: name, run: func(p P) { o.compare(p, parameter) }})
	}
	return suite(begin, cases)
}

// compare runs the operation with a parameter, and without it, and checks what becomes of the parameter.
func (o *Operation) compare(p asker, with *Parameter) {
	// Both tables or containers exist before the first run, so that a list of all is the same in both.
	b, a := o.prepare(p, "b"), o.prepare(p, "a")
	changed := o.run(b, with)
	if wrong := with.differs(o, changed); wrong != "" {
		p.Fatalf("%s: %s", with.what(), wrong)
	}
	plain := o.run(a, nil)
	if with.Is == NoEffect {
		if got, want := changed.constant(b, a), plain.constant(b, a); got != want {
			p.Fatalf("%s is said to be without effect, but the answer is\n%.1000s\nand without it\n%.1000s",
				with.what(), got, want)
		}
		return
	}
	if with.differs(o, plain) == "" {
		p.Fatalf("the answer is the same without %s, so it does not show that it is %s", with.what(), with.Is)
	}
}

// outcome is what came of a run: the answer to the operation, and the one that shows its effect.
type outcome struct{ own, shown reply }

// varying is what differs between the answers to two equal requests: ids, ETags and times.
var varying = regexp.MustCompile(`[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|0x[0-9A-F]+|datetime'[^']*'|` +
	`\d{4}-\d\d-\d\dT[0-9:.]+Z|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [0-9:]{8} GMT`)

// constant is the part of the answers that equal requests have in common, whichever of two places they were for.
func (o outcome) constant(one, other place) string {
	text := strconv.Itoa(o.own.status)
	for _, r := range []reply{o.own, o.shown} {
		if r.body != "" { // its length follows from it
			r.header = r.header.Clone()
			r.header.Del("Content-Length")
		}
		text += "\n" + r.text()
	}
	text = strings.NewReplacer(one.name, "{name}", other.name, "{name}").Replace(text)
	return varying.ReplaceAllString(text, "…")
}

// place is a table or container, and the access to it.
type place struct {
	asker
	name string
}

// prepare makes a table or container, and in it what the operation needs.
func (o *Operation) prepare(p asker, suffix string) place {
	fresh, name := p.another(suffix)
	failed := ""
	for _, r := range o.First { // all of them: the last may take back what an earlier one has set
		if got := r.send(fresh, name); got.status >= 300 && failed == "" {
			failed = fmt.Sprintf("%s, to begin with: %d\n%.500s", r.Send, got.status, got.body)
		}
	}
	if failed != "" {
		p.Fatalf("%s", failed)
	}
	return place{fresh, name}
}

// run sends the operation, with a parameter if it is not nil. Without one it checks the status.
func (o *Operation) run(in place, with *Parameter) outcome {
	request := o.Request
	if with != nil {
		request = with.applied(request)
	}
	out := outcome{own: request.send(in, in.name)}
	if with == nil {
		if got := out.own.answer(o.Answers); got != o.Answers {
			in.Fatalf("%s answers %s, want %s\n%.500s", o.Send, got, o.Answers, out.own.body)
		}
	}
	if out.shown = out.own; o.Then != nil {
		out.shown = o.Then.send(in, in.name)
	}
	return out
}

// applied returns a request with the parameter.
func (p *Parameter) applied(r Request) Request {
	r.Headers = slices.Clone(r.Headers)
	switch {
	case p.Header != "":
		r.Headers = append(r.Headers, p.Header)
	case p.Without != "":
		r.Headers = append(r.Headers, absent+p.Without)
	case p.Body != "":
		r.Body = p.Body
	case strings.Contains(r.Send, "?"):
		r.Send += "&" + p.Query
	default:
		r.Send += "?" + p.Query
	}
	return r
}

// differs returns how an outcome differs from what the parameter is to bring about; empty: it does not.
func (p *Parameter) differs(o *Operation, out outcome) string {
	want := p.Answers
	if want == "" {
		want = o.Answers
	}
	last := out.shown.text()
	text := last
	if o.Then != nil {
		text = out.own.text() + last
	}
	switch got := out.own.answer(want); {
	case got != want:
		return fmt.Sprintf("answer %s, want %s\n%.500s", got, want, out.own.body)
	case p.Shows != "" && !strings.Contains(text, p.Shows):
		return fmt.Sprintf("the answer does not show %q\n%.1000s", p.Shows, text)
	case p.Hides != "" && strings.Contains(last, p.Hides):
		return fmt.Sprintf("the answer shows %q\n%.1000s", p.Hides, last)
	}
	return ""
}

func (r Request) send(p asker, name string) reply {
	named := strings.NewReplacer("{name}", name)
	method, path, _ := strings.Cut(named.Replace(r.Send), " ")
	headers := make([]string, len(r.Headers))
	for i, h := range r.Headers {
		headers[i] = named.Replace(h)
	}
	return p.ask(method, strings.TrimPrefix(path, "/"), named.Replace(r.Body), headers...)
}

// answer is a reply's status, with the error's code if want has one; the body, if there may be one, has to agree on it.
func (r reply) answer(want string) string {
	status := strconv.Itoa(r.status)
	if !strings.Contains(want, " ") {
		return status
	}
	code := r.header.Get("X-Ms-Error-Code")
	if r.method != http.MethodHead && r.status != http.StatusNotModified && !strings.Contains(r.body, code) {
		code += " (not in the body)"
	}
	return status + " " + code
}

// text is a reply's headers and body.
func (r reply) text() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(r.header)) {
		for _, value := range r.header[name] {
			fmt.Fprintf(&b, "%s: %s\n", name, value)
		}
	}
	return b.String() + "\n" + r.body
}
