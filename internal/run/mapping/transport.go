package mapping

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/source/yamldoc"
)

// Mapping says how a server's names differ from those of a contract. Nil changes nothing. It is safe for concurrent
// use.
type Mapping struct {
	routes  []*route          // all of the contract
	others  names             // of what the contract does not list
	headers map[string]string // the contract's names to the server's, both as http.CanonicalHeaderKey writes them
	session session
	ids     *system.Mapping
	laid    []laid
	rows    sync.Map       // of the ids of rows that only this server needs, or does not have
	objects sync.Map       // of the names of objects that only this server needs
	tables  []string       // of the design, as far as they are known
	reader  yamldoc.Reader // of the file
	code    path           // where the contract's errors have their code; nil: it is not known
}

// Exchange is a request and its answer as they went over the wire. It is empty without a mapping.
type Exchange struct {
	Route  string // of the server, METHOD /path with {placeholders} instead of values
	Method string
	Path   string // with its query
	Sent   http.Header
	Body   string // of the request
	Header http.Header
	Answer []byte // of the answer; nil: as it was passed on
}

// Raw returns the header and the body of an answer as the server sent them, given what was passed on.
func (e *Exchange) Raw(header http.Header, body []byte) (http.Header, []byte) {
	if e == nil || e.Header == nil {
		return header, body
	}
	if e.Answer != nil {
		body = e.Answer
	}
	return e.Header, body
}

type exchangeKey struct{}

// Keep returns a context for a request, and what will be known of it once it was sent.
func Keep(ctx context.Context) (context.Context, *Exchange) {
	e := &Exchange{}
	return context.WithValue(ctx, exchangeKey{}, e), e
}

// Transport returns a transport that sends the contract's requests as the server takes them, over next, and returns its
// answers as the contract has them. Its errors are those of next, and *UnsendableError.
func (m *Mapping) Transport(next http.RoundTripper) http.RoundTripper {
	if m == nil {
		return next
	}
	return translating{m, next}
}

type translating struct {
	*Mapping

	next http.RoundTripper
}

// RoundTrip leaves the request unchanged (http.RoundTripper) and sends another one.
func (t translating) RoundTrip(r *http.Request) (*http.Response, error) {
	sent, route, err := t.request(r)
	if err != nil {
		return nil, err
	}
	kept, _ := r.Context().Value(exchangeKey{}).(*Exchange)
	if kept == nil {
		kept = &Exchange{}
	}
	kept.Method, kept.Path, kept.Sent = sent.Method, sent.URL.RequestURI(), sent.Header
	if route != nil && route.to != nil {
		kept.Route = sent.Method + " " + route.to.path
	}
	if sent.Body, kept.Body, err = copied(sent.Body); err != nil {
		return nil, err
	}
	answer, err := t.next.RoundTrip(sent)
	if err != nil {
		return answer, err
	}
	names := t.others
	if route != nil {
		names = route.names
	}
	kept.Header = answer.Header
	return t.answer(answer, names, sent.URL, route, kept), nil
}

// copied reads a body, and returns another one with the same content.
func copied(body io.ReadCloser) (io.ReadCloser, string, error) {
	if body == nil || body == http.NoBody {
		return body, "", nil
	}
	content, err := io.ReadAll(body)
	return io.NopCloser(bytes.NewReader(content)), string(content), errors.Join(err, body.Close())
}

// request returns a request as the server takes it.
func (m *Mapping) request(r *http.Request) (*http.Request, *route, error) {
	body, content, err := copied(r.Body)
	if err != nil {
		return nil, nil, fmt.Errorf("read the request: %w", err)
	}
	o := &outgoing{method: r.Method, path: r.URL.EscapedPath()}
	if r.URL.RawQuery != "" {
		o.query = strings.Split(r.URL.RawQuery, "&")
	}
	if n, is := parse([]byte(content)); is {
		o.body = n
	}
	if err := m.address(o); err != nil {
		return nil, nil, err
	}
	rules := m.others.requests
	if o.route != nil {
		rules = o.route.names.requests
	}
	o.renameQuery(rules.names)
	o.query = append(o.added, o.query...) // whose names are the server's already
	sent := r.Clone(r.Context())
	sent.Method, sent.GetBody = o.method, nil
	if sent.URL, err = url.Parse(r.URL.Scheme + "://" + r.URL.Host + o.path); err != nil {
		return nil, nil, fmt.Errorf("the server's address of %s %s: %w", r.Method, r.URL.Path, err)
	}
	sent.URL.RawQuery, sent.URL.ForceQuery = strings.Join(o.query, "&"), r.URL.ForceQuery
	if sent.Body = body; o.body != nil {
		rules.toServer(o.body)
		if text := o.body.bytes(); changed(content, text) {
			sent.Body, sent.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
		}
	}
	m.dress(sent.Header)
	return sent, o.route, nil
}

// changed reports whether a JSON text is another one than before, apart from white space.
func changed(before string, after []byte) bool {
	n, _ := parse([]byte(before))
	return !bytes.Equal(n.bytes(), after)
}

// longestAnswer limits how much of an answer is translated. It is more than what callers read.
const longestAnswer = 32 << 20

// answer returns an answer as the contract has it.
func (m *Mapping) answer(a *http.Response, n names, sent *url.URL, r *route, kept *Exchange) *http.Response {
	translated := *a
	translated.Header = m.undress(a.Header, sent)
	m.allow(translated.Header, r)
	media, _, err := mime.ParseMediaType(a.Header.Get("Content-Type"))
	isJSON := err == nil && (media == "application/json" || strings.HasSuffix(media, "+json")) &&
		a.Header.Get("Content-Encoding") == "" && kept.Method != http.MethodHead
	code := ""
	if isJSON {
		code = m.body(&translated, n, kept)
	}
	status := a.StatusCode
	if to := n.statuses[a.StatusCode]; to != 0 {
		status = to
	}
	if to := n.codes[code].status; to != 0 && to/100 == a.StatusCode/100 {
		status = to
	}
	if translated.StatusCode = status; status != a.StatusCode {
		translated.Status = strconv.Itoa(status) + " " + http.StatusText(status)
	}
	return &translated
}

// body translates the body of an answer, and returns the server's code of an error.
func (m *Mapping) body(a *http.Response, n names, kept *Exchange) (code string) {
	content, err := io.ReadAll(io.LimitReader(a.Body, longestAnswer))
	rest := io.Reader(a.Body)
	if err != nil { // it is passed on where it happened
		rest = failing{err}
	}
	original := a.Body
	pass := func(text []byte) {
		a.Body = struct {
			io.Reader
			io.Closer
		}{io.MultiReader(bytes.NewReader(text), rest), original}
	}
	value, is := parse(content)
	if !is || err != nil {
		pass(content)
		return ""
	}
	rules := n.answers
	if a.StatusCode >= http.StatusBadRequest {
		rules = n.failures
	}
	rules.toContract(value)
	if a.StatusCode >= http.StatusBadRequest && m.code != nil {
		code = n.translateCode(value.find(m.code))
	}
	text := value.bytes()
	if !changed(string(content), text) {
		pass(content)
		return code
	}
	kept.Answer = content
	if a.ContentLength >= 0 {
		a.ContentLength = int64(len(text))
	}
	if a.Header.Get("Content-Length") != "" {
		a.Header.Set("Content-Length", strconv.Itoa(len(text)))
	}
	pass(text)
	return code
}

// translateCode replaces the code of an error, and returns the server's.
func (n names) translateCode(at *node) string {
	if at == nil {
		return ""
	}
	code, is := at.scalarText()
	if to, mapped := n.codes[code]; is && mapped {
		at.text = quoted(to.code)
	}
	return code
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// allow gives the header Allow the methods that the contract's routes of the path have.
func (m *Mapping) allow(header http.Header, r *route) {
	listed := header.Get("Allow")
	if listed == "" || r == nil || r.to == nil {
		return
	}
	var methods []string
	for one := range strings.SplitSeq(listed, ",") {
		one = strings.TrimSpace(one)
		known := len(methods)
		for _, other := range m.routes {
			if other.path == r.path && other.to != nil && other.to.path == r.to.path && other.to.method == one &&
				!slices.Contains(methods, other.method) {
				methods = append(methods, other.method)
			}
		}
		if len(methods) == known {
			methods = append(methods, one)
		}
	}
	header.Set("Allow", strings.Join(methods, ", "))
}

// Unsent returns why a request was not sent; nil if that is not what the error of a client says.
func Unsent(err error) *UnsendableError {
	if unsent, is := errors.AsType[*UnsendableError](err); is {
		return unsent
	}
	return nil
}
