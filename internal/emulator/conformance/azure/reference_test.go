package azure

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// stand is a store for one operation. Its answers show what it does not ignore.
type stand struct {
	ignores string // a header
	sent    *int
}

// failure is what a case ends with.
type failure string

func (s stand) Fatalf(format string, args ...any) { panic(failure(fmt.Sprintf(format, args...))) }

func (s stand) another(suffix string) (asker, string) { return s, "box" + suffix }

// ask answers with the path and the headers that were sent, and an id of its own.
func (s stand) ask(_, path, _ string, headers ...string) reply {
	*s.sent++
	h := http.Header{"X-Ms-Request-Id": {fmt.Sprintf("%08x-0000-4000-8000-000000000000", *s.sent)}}
	for _, header := range headers {
		if name, value, _ := strings.Cut(header, ": "); name != s.ignores {
			h.Add(name, value)
		}
	}
	return reply{status: 200, header: h, body: path}
}

// TestEntries compares entries with a store that does, or ignores, what they say.
func TestEntries(t *testing.T) {
	o := &Operation{Name: "Read", Request: Request{Send: "GET /{name}"}, Answers: "200"}
	built := &Parameter{Header: "A: 1", Is: Built, Shows: "A: 1"}
	unused := &Parameter{Header: "A: 1", Is: NoEffect, Why: "it is for others"}
	for what, c := range map[string]struct {
		entry   *Parameter
		ignores string
		want    string
	}{
		"built":                        {built, "", ""},
		"built, and ignored":           {built, "A", `does not show "A: 1"`},
		"without effect":               {unused, "A", ""},
		"without effect, and it shows": {unused, "", "said to be without effect"},
		"always there":                 {&Parameter{Header: "A: 1", Is: Built, Shows: "box"}, "", "the same without"},
	} {
		t.Run(what, func(t *testing.T) {
			got := failure("")
			func() {
				defer func() { got, _ = recover().(failure) }()
				o.compare(stand{c.ignores, new(int)}, c.entry)
			}()
			if (got == "") != (c.want == "") || !strings.Contains(string(got), c.want) {
				t.Errorf("failure %q, want %q", got, c.want)
			}
		})
	}
}

// broken is a stand that fails requests to one path.
type broken struct{ stand }

func (b broken) another(string) (asker, string) { return b, "box" }

func (b broken) ask(method, path, body string, headers ...string) reply {
	r := b.stand.ask(method, path, body, headers...)
	if path == "broken" {
		r.status = 500
	}
	return r
}

// TestPreparationIsFinished shows that a request that takes back a setting is sent after one that has failed.
func TestPreparationIsFinished(t *testing.T) {
	sent, got := 0, failure("")
	o := &Operation{First: []Request{{Send: "PUT /broken"}, {Send: "PUT /restored"}}}
	func() {
		defer func() { got, _ = recover().(failure) }()
		o.prepare(broken{stand{"", &sent}}, "a")
	}()
	if sent != 2 || !strings.HasPrefix(string(got), "PUT /broken, to begin with: 500") {
		t.Errorf("%d requests, failure %q", sent, got)
	}
}

// TestIncompleteReferences checks lists that leave something open.
func TestIncompleteReferences(t *testing.T) {
	list := func(contents string, takes ...Parameter) *Reference {
		return &Reference{Contents: strings.Fields(contents), Operations: []Operation{{Name: "Read", Page: "read",
			Request: Request{Send: "GET /{name}"}, Answers: "200", Takes: takes}}}
	}
	for want, r := range map[string]*Reference{
		"":                        list("read", Parameter{Query: "a=1", Is: Refused, Answers: "400 Bad"}),
		"no contents":             list(""),
		"no operation for write":  list("read write"),
		"contents have no page":   list("write"),
		"answers 404: with which": list("read", Parameter{Query: "a=1", Is: Refused, Answers: "404"}),
		"how does the answer":     list("read", Parameter{Query: "a=1", Is: Built}),
		"where does Azure say so": list("read", Parameter{Query: "a=1", Is: NoEffect}),
		"want exactly one of":     list("read", Parameter{Is: Built, Shows: "x"}),
		"a line break or a |":     list("read", Parameter{Query: "a=1", Is: Refused, Answers: "400 Bad", Why: "a\nb"}),
		"it is for a table":       list("read", Parameter{Query: "a=1", Is: NoEffect, Why: "a | b"}),
		"why it is refused": {Contents: []string{"read"}, Operations: []Operation{{Name: "Read", Page: "read",
			Request: Request{Send: "GET /{name}"}, Answers: "400 Bad", Refused: "a\nb"}}},
		"with which status": list("read", Parameter{Query: "a=1", Is: Refused, Answers: "200"}),
	} {
		err := r.check()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// TestRefusals shows that a body of several lines is one row.
func TestRefusals(t *testing.T) {
	r := &Reference{Page: "https://pages/", Operations: []Operation{{Name: "Write", Page: "write",
		Takes: []Parameter{{Body: "--b\r\nA: 1\r\n\r\nx", Is: Refused, Answers: "400 Bad", Why: "it is not built"}}}}}
	const row = "| `the body --b A: 1 x` | 400 Bad | [Write](https://pages/write) | it is not built |\n"
	if got := r.Refusals(); !strings.Contains(got, row) {
		t.Errorf("no row %s in %s", row, got)
	}
}
