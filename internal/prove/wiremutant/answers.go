package wiremutant

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/storespec/storespec/internal/run/lane"
)

type roundTripper func(*http.Request) (*http.Response, error)

func (r roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return r(req) }

// answer is one answer of a server.
type answer struct {
	header http.Header
	status int
	body   []byte
}

// whole reads an answer's body, which can still be read afterwards.
func whole(res *http.Response) (answer, error) {
	body, err := io.ReadAll(res.Body)
	_ = res.Body.Close()
	res.Body = io.NopCloser(bytes.NewReader(body))
	return answer{res.Header, res.StatusCode, body}, err
}

func (a answer) succeeded() bool { return a.status >= 200 && a.status < 300 }

func (a answer) refuses() bool { return refuses(a.status) }

// refuses reports whether a status says that the caller may not do that.
func refuses(status int) bool {
	return status == http.StatusUnauthorized || status == http.StatusForbidden
}

// json returns the body's value; ok is false if it is not JSON.
func (a answer) json() (value any, ok bool) {
	if !strings.HasPrefix(a.header.Get("Content-Type"), "application/json") {
		return nil, false
	}
	decoder := json.NewDecoder(bytes.NewReader(a.body))
	decoder.UseNumber()
	return value, decoder.Decode(&value) == nil
}

// put replaces what an answer says.
func (a answer) put(res *http.Response) {
	res.Header, res.StatusCode = a.header, a.status
	res.Status = strconv.Itoa(a.status) + " " + http.StatusText(a.status)
	res.Body, res.ContentLength = io.NopCloser(bytes.NewReader(a.body)), int64(len(a.body))
	res.TransferEncoding = nil
	res.Header.Set("Content-Length", strconv.Itoa(len(a.body)))
}

// forgery makes the answers of one lane's target those of a mutant.
type forgery struct {
	Mutant
	routes *routes
	usual  answer // what a caller who is let in got on this route before; the zero value: nothing is known

	mu   sync.Mutex
	seen map[string]answer // the same, in the current scenario, by path and query
}

// distortAnswers returns what a lane needs for a mutant of the target's answers.
func distortAnswers(m Mutant, routes *routes, usual answer) lane.Distortion {
	f := &forgery{Mutant: m, routes: routes, usual: usual, seen: map[string]answer{}}
	return lane.Distortion{Answers: f.answers, Renew: f.renew}
}

func (f *forgery) renew() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seen = map[string]answer{}
}

func (f *forgery) answers(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(req *http.Request) (*http.Response, error) {
		res, err := next.RoundTrip(req)
		if err != nil || f.routes.of(req.Method, req.URL.EscapedPath()) != f.Route {
			return res, err
		}
		given, err := whole(res)
		if err != nil {
			return nil, err
		}
		if forged, ok := f.forge(req.Method+" "+req.URL.RequestURI(), given); ok {
			forged.put(res)
		}
		return res, nil
	})
}

// forge returns what the mutant answers; false: the same.
func (f *forgery) forge(request string, given answer) (answer, bool) {
	switch {
	case f.Kind == Admitted && given.refuses():
		return f.admit(request), true
	case f.Kind == Admitted && given.succeeded():
		f.mu.Lock()
		defer f.mu.Unlock()
		f.seen[request] = given
	case f.Kind == RowAdded && given.succeeded():
		return given.changed(addRows)
	case f.Kind == FieldTaken && given.succeeded():
		return given.without(f.Field)
	}
	return answer{}, false
}

// without takes a member away from the answer's object; false: it has no such member.
func (a answer) without(field string) (answer, bool) {
	return a.changed(func(value any) (any, bool) {
		object, _ := value.(map[string]any)
		if _, there := object[field]; !there {
			return nil, false
		}
		delete(object, field)
		return object, true
	})
}

// admit returns the answer that another caller got to this request, or to another one on the route.
func (f *forgery) admit(request string) answer {
	f.mu.Lock()
	like, found := f.seen[request]
	f.mu.Unlock()
	if !found {
		like = f.usual
	}
	if like.status == 0 {
		like = answer{http.Header{"Content-Type": {"application/json"}}, http.StatusOK, []byte("{}")}
	}
	like.header = like.header.Clone()
	like.header.Del("Set-Cookie") // it would be a session, which no refusal can be mistaken for
	return like
}

// changed returns the answer with another value in its body.
func (a answer) changed(to func(any) (any, bool)) (answer, bool) {
	value, ok := a.json()
	if !ok {
		return a, false
	}
	if value, ok = to(value); !ok {
		return a, false
	}
	a.body, _ = json.Marshal(value) // marshals JSON that was just parsed
	a.header = a.header.Clone()
	return a, true
}

// addRows adds a row to each outermost list that is not empty; false if no list is.
func addRows(value any) (any, bool) {
	switch value := value.(type) {
	case []any:
		if len(value) == 0 {
			return value, false
		}
		return append(value, another(value)), true
	case map[string]any:
		added := false
		for _, name := range slices.Sorted(maps.Keys(value)) {
			if larger, ok := addRows(value[name]); ok {
				value[name], added = larger, true
			}
		}
		return value, added
	}
	return value, false
}

// another returns a copy of the last row of a list in which texts are different: not those that all rows have in
// common, nor times, so that it is still a row of its kind.
func another(rows []any) any {
	last, ok := rows[len(rows)-1].(map[string]any)
	if !ok {
		return altered(rows[len(rows)-1])
	}
	other := maps.Clone(last)
	for name, value := range last {
		if len(rows) == 1 || slices.ContainsFunc(rows, func(row any) bool {
			object, _ := row.(map[string]any)
			return object[name] != nil && !same(object[name], value)
		}) {
			other[name] = altered(value)
		}
	}
	return other
}

func same(a, b any) bool {
	one, _ := json.Marshal(a)
	two, _ := json.Marshal(b) // both were just parsed
	return bytes.Equal(one, two)
}

// altered returns a value in which texts end differently.
func altered(value any) any {
	switch value := value.(type) {
	case string:
		return alteredText(value)
	case []any:
		changed := make([]any, len(value))
		for i := range value {
			changed[i] = altered(value[i])
		}
		return changed
	case map[string]any:
		changed := map[string]any{}
		for name := range value {
			changed[name] = altered(value[name])
		}
		return changed
	}
	return value
}

// alteredText replaces the last letter or digit by the next one of its kind: an id stays an id.
func alteredText(text string) string {
	if _, err := time.Parse(time.RFC3339, text); err == nil {
		return text
	}
	end := strings.LastIndexFunc(text, func(r rune) bool {
		return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	})
	if end < 0 {
		return text + "x"
	}
	next := text[end] + 1
	switch text[end] {
	case '9':
		next = '0'
	case 'f', 'z': // a hexadecimal digit stays one
		next = 'a'
	case 'F', 'Z':
		next = 'A'
	}
	return text[:end] + string(next) + text[end+1:]
}
