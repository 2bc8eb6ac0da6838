package explore

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Walk is a sequence of steps that can be taken on any server of a design: nothing in it is an id that a server made.
type Walk struct {
	System string `json:"system"`
	// Tag is what the ids and e-mails of its people are made of.
	Tag string `json:"tag,omitempty"`
	// Some are the steps of Spec.Sometimes that it begins with, by number.
	Some []int `json:"some,omitempty"`
	// Less are steps of its beginning that are left out, by number, from 0.
	Less []int `json:"less,omitempty"`
	// Env are variables that the servers are started with, in addition to the usual ones.
	Env   map[string]string `json:"env,omitempty"`
	Steps []Step            `json:"steps"`
}

// Step is one request, or one thing that happens between two.
type Step struct {
	ID     int    `json:"id"` // by which later steps refer to its answer; unique in a walk
	Person string `json:"person,omitempty"`
	Method string `json:"method,omitempty"`
	Path   string `json:"path,omitempty"` // of the contract, with {parameters}
	// At, Query and Header are the values of parameters by name. A text is a template, in which {Ana.email} and the
	// like stand for values, or a reference such as "$3.groups[0].groupId": a member of the answer to the step with
	// the ID 3, or "$3#ETag": its header.
	At     map[string]string `json:"at,omitempty"`
	Query  map[string]string `json:"query,omitempty"`
	Header map[string]string `json:"header,omitempty"`
	Body   any               `json:"body,omitempty"` // JSON, whose strings are such texts
	Raw    string            `json:"raw,omitempty"`  // a body that is not a JSON object

	Again     int        `json:"again,omitempty"` // the ID of an earlier step whose request is sent once more
	Fault     *Fault     `json:"fault,omitempty"`
	Meanwhile *Meanwhile `json:"meanwhile,omitempty"`
	Pause     int        `json:"pause,omitempty"` // milliseconds, instead of a request
	Restart   bool       `json:"restart,omitempty"`
	// Do is a step of Spec.Steps, as it is written, instead of a request.
	Do string `json:"do,omitempty"`
	// With are variables that the servers are started again with.
	With map[string]string `json:"with,omitempty"`
}

// Place is a storage call of a request: the Nth of a class on a resource, from 1.
type Place struct {
	Class string `json:"class"`
	On    string `json:"on,omitempty"`
	Nth   int    `json:"nth"`
}

func (p Place) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %s on %s", ordinal(p.Nth), p.Class, p.On))
}

// Fault is a storage call that fails; the request is then mostly sent again.
type Fault struct {
	Place
	Kind string `json:"kind"` // one of faultKinds
	// Left says that the client gives up, and the request is not sent again.
	Left bool `json:"left,omitempty"`
}

// Meanwhile is another request, sent and answered just before a storage call of the step's own.
type Meanwhile struct {
	Place
	Step Step `json:"step"`
}

// requests reports whether the step sends a request.
func (s *Step) requests() bool { return s.Pause == 0 && !s.Restart && s.Do == "" }

// route is what the step asks, as Operation.String formats it.
func (s *Step) route() string { return s.Method + " " + s.Path }

// next returns an ID that no step of the walk has.
func (w *Walk) next() int {
	most := 0
	for step := range w.all {
		most = max(most, step.ID)
	}
	return most + 1
}

// all yields the steps of the walk, each followed by the request in between, if it has one.
func (w *Walk) all(yield func(*Step) bool) {
	for i := range w.Steps {
		m := w.Steps[i].Meanwhile
		if !yield(&w.Steps[i]) || m != nil && !yield(&m.Step) {
			return
		}
	}
}

// clone returns a copy that shares nothing.
func (w *Walk) clone() *Walk {
	text, err := json.Marshal(w)
	if err != nil {
		panic(err) // all of it is plain data
	}
	copied, err := decodeWalk(text)
	if err != nil {
		panic(err)
	}
	return copied
}

func decodeWalk(text []byte) (*Walk, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	decoder.DisallowUnknownFields()
	w := &Walk{}
	if err := decoder.Decode(w); err != nil {
		return nil, fmt.Errorf("it is not a walk: %w", err)
	}
	return w, nil
}

// Token returns the walk as a text that can be passed on a command line.
func (w *Walk) Token() string {
	var packed bytes.Buffer
	writer, err := flate.NewWriter(&packed, flate.BestCompression)
	if err == nil {
		err = errors.Join(json.NewEncoder(writer).Encode(w), writer.Close())
	}
	if err != nil {
		return "" // writing to a buffer never fails
	}
	return base64.RawURLEncoding.EncodeToString(packed.Bytes())
}

// longestWalk bounds what a token may unfold to.
const longestWalk = 4 << 20

// Parse reads what Token has made.
func Parse(token string) (*Walk, error) {
	packed, err := base64.RawURLEncoding.DecodeString(strings.TrimSpace(token))
	if err != nil {
		return nil, errors.New("it is not a token that storespec explore has printed")
	}
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), longestWalk))
	if err != nil {
		return nil, errors.New("the token is truncated")
	}
	return decodeWalk(text)
}

// reference is a value of an earlier answer.
type reference struct {
	step   int
	header string // "": path is a member of its JSON
	path   string
}

// readReference reads a text such as "$3.groupId" or "$3#ETag".
func readReference(text string) (r reference, ok bool) {
	if !strings.HasPrefix(text, "$") {
		return r, false
	}
	at := strings.IndexAny(text, ".#")
	if at < 0 {
		return r, false
	}
	var err error
	if r.step, err = strconv.Atoi(text[1:at]); err != nil {
		return r, false
	}
	if text[at] == '#' {
		r.header = text[at+1:]
	} else {
		r.path = text[at+1:]
	}
	return r, true
}

func (r reference) String() string {
	if r.header != "" {
		return fmt.Sprintf("$%d#%s", r.step, r.header)
	}
	return fmt.Sprintf("$%d.%s", r.step, r.path)
}

// texts calls a function for every text in the step's values, and replaces it by what that returns.
func (s *Step) texts(each func(string) string) {
	for _, values := range []map[string]string{s.At, s.Query, s.Header} {
		for name, value := range values {
			values[name] = each(value)
		}
	}
	s.Body = eachText(s.Body, func(text string) any { return each(text) })
	if s.Meanwhile != nil {
		s.Meanwhile.Step.texts(each)
	}
}

// dangles reports whether a step refers to an answer that no step gives.
func (w *Walk) dangles() (found bool) {
	known := map[int]bool{}
	for i := range w.Steps {
		step := &w.Steps[i]
		step.texts(func(text string) string {
			if r, ok := readReference(text); ok && !known[r.step] {
				found = true
			}
			return text
		})
		found = found || step.Again != 0 && !known[step.Again]
		if known[step.ID] = true; step.Meanwhile != nil {
			known[step.Meanwhile.Step.ID] = true
		}
	}
	return found
}

// eachText returns a copy of a JSON value with every string replaced.
func eachText(value any, each func(string) any) any {
	switch value := value.(type) {
	case string:
		return each(value)
	case map[string]any:
		object := make(map[string]any, len(value))
		for name, member := range value {
			object[name] = eachText(member, each)
		}
		return object
	case []any:
		list := make([]any, len(value))
		for i, item := range value {
			list[i] = eachText(item, each)
		}
		return list
	}
	return value
}

func ordinal(n int) string {
	switch {
	case n%100 >= 11 && n%100 <= 13:
	case n%10 == 1:
		return strconv.Itoa(n) + "st"
	case n%10 == 2:
		return strconv.Itoa(n) + "nd"
	case n%10 == 3:
		return strconv.Itoa(n) + "rd"
	}
	return strconv.Itoa(n) + "th"
}
