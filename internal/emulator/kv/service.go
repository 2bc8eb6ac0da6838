package kv

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// Options configure a Service.
type Options struct {
	Engine *engine.Engine
	// Account and Token are what a client of the REST API must name. An empty Token: any will do.
	Account, Token string
	// Now is the clock; nil: time.Now.
	Now func() time.Time
	// Log receives errors of the service itself; nil: they are not logged.
	Log func(format string, args ...any)
}

// Service is the namespaces of an account.
type Service struct {
	options Options
	cursors cursors
	titles  *engine.Account // its catalogue has the titles of the namespaces by their ids

	mu         sync.Mutex
	namespaces map[string]*Namespace
	known      map[string]string // titles that were read or written, by the ids
}

// catalogueName is the engine's account with the namespaces' titles; a namespace's own is its id with a prefix, so that
// neither is the name of a storage account of Azure.
const (
	catalogueName = "kv:namespaces"
	accountPrefix = "kv:"
)

// New returns a service with the namespaces that the engine has.
func New(o Options) *Service {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = func(string, ...any) {}
	}
	return &Service{options: o, cursors: newCursors(), titles: o.Engine.Account(catalogueName),
		namespaces: map[string]*Namespace{}, known: map[string]string{}}
}

// Add creates a namespace unless it is there. An id is 32 hexadecimal digits for Cloudflare; here any text that a path
// can hold. The error is the engine's.
func (s *Service) Add(id, title string) (*Namespace, error) {
	if _, found, err := s.title(id); err != nil || found {
		return s.namespace(id), err
	}
	if err := s.setTitle(id, title); err != nil {
		return nil, fmt.Errorf("add the namespace %s: %w", title, err)
	}
	return s.namespace(id), nil
}

// setTitle writes the title of a namespace, and with it the namespace.
func (s *Service) setTitle(id, title string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.options.Engine.Set(s.titles.Catalogue().Key(nil, id), []byte(title))
	if err == nil {
		s.known[id] = title
	}
	return err
}

// namespace returns a namespace whose id exists, always the same pointer.
func (s *Service) namespace(id string) *Namespace {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.namespaces[id]
	if n == nil {
		n = newNamespace(s.options.Engine, accountPrefix+id, s.options.Now)
		s.namespaces[id] = n
	}
	return n
}

func (s *Service) title(id string) (string, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if title, is := s.known[id]; is {
		return title, true, nil
	}
	title, found, err := s.options.Engine.Get(s.titles.Catalogue().Key(nil, id), nil)
	if found {
		s.known[id] = string(title)
	}
	return string(title), found, err
}

// remove deletes a namespace and its keys.
func (s *Service) remove(id string) error {
	if err := s.namespace(id).Reset(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.known, id)
	return s.options.Engine.Delete(s.titles.Catalogue().Key(nil, id))
}

// titled is a namespace as the REST API shows it.
type titled struct {
	ID          string `json:"id"`
	Title       string `json:"title"`
	URLEncoding bool   `json:"supports_url_encoding"`
}

// all returns the namespaces by their titles.
func (s *Service) all() (found []titled, err error) {
	space := s.titles.Catalogue()
	lower, upper := space.Range()
	err = s.options.Engine.Each(lower, upper, lower, func(key, title []byte) (bool, error) {
		parts, err := space.Parts(key)
		if err == nil {
			found = append(found, titled{parts[0], string(title), true})
		}
		return true, err
	})
	slices.SortFunc(found, func(a, b titled) int { return strings.Compare(a.Title, b.Title) })
	return found, err
}

const restPrefix = "/client/v4/"

// Handler answers all dialects: the REST API below /client/v4, and elsewhere the binding's protocol, for the namespace
// of this id. A key of the binding's protocol has its slashes encoded, so the two never meet.
func (s *Service) Handler(id string) http.Handler { return s.handler(id, "") }

// Only is Handler, but the REST API has no other namespace either.
func (s *Service) Only(id string) http.Handler { return s.handler(id, id) }

func (s *Service) handler(id, only string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r, wrong := Unwrapped(r)
		switch {
		case wrong != nil:
			s.refuseBinding(w, r, wrong)
		case strings.HasPrefix(r.URL.EscapedPath(), restPrefix):
			if err := s.rest(w, r, only); err != nil {
				s.refuseREST(w, r, err)
			}
		default:
			if err := s.binding(s.namespace(id), w, r); err != nil {
				s.refuseBinding(w, r, err)
			}
		}
	})
}

// Miniflare reaches a remote binding by the same requests, but with their address in one header and each of their
// headers under another name.
const (
	headerAddress = "Mf-Url"
	headerOwn     = "Mf-Header-"
)

// Unwrapped returns the request of the binding's protocol that one of miniflare's means; others stay as they are.
// The error says that its address cannot be read.
func Unwrapped(r *http.Request) (*http.Request, error) {
	address := r.Header.Get(headerAddress)
	if address == "" {
		return r, nil
	}
	target, err := url.Parse(address)
	if err != nil {
		return r, badRequest("MF-URL is not an address")
	}
	inner := r.WithContext(r.Context())
	inner.URL = &url.URL{Path: target.Path, RawPath: target.RawPath, RawQuery: target.RawQuery}
	inner.RequestURI = inner.URL.RequestURI()
	inner.Header = http.Header{}
	for name, values := range r.Header {
		if own, is := strings.CutPrefix(name, headerOwn); is {
			inner.Header[http.CanonicalHeaderKey(own)] = values
		}
	}
	return inner, nil
}

// problemOf returns the problem that an error is. Others are the service's own, and are logged.
func (s *Service) problemOf(err error) *problem {
	var known *problem
	switch {
	case errors.As(err, &known):
		return known
	case errors.Is(err, ErrTooOften):
		return &problem{http.StatusTooManyRequests, codeTooOften, "Too Many Requests"}
	}
	s.options.Log("kv: %v", err)
	return &problem{http.StatusInternalServerError, codeUnavailable, "Internal Server Error"}
}

// drainMost is how much of a refused body is read: workerd reads no answer before it has written a body of up to 25
// MiB, and waits forever on a connection that is closed meanwhile.
const drainMost = 64 << 20

// refusal returns why a request is refused, and reads its body.
func (s *Service) refusal(r *http.Request, err error) *problem {
	if errors.Is(err, errGone) {
		panic(http.ErrAbortHandler)
	}
	_, _ = io.CopyN(io.Discard, r.Body, drainMost)
	return s.problemOf(err)
}

// refuseBinding answers with the status; the text is for people.
func (s *Service) refuseBinding(w http.ResponseWriter, r *http.Request, err error) {
	p := s.refusal(r, err)
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(p.status)
	_, _ = io.WriteString(w, p.message) // the client may have gone
}

// refuseREST answers in Cloudflare's envelope.
func (s *Service) refuseREST(w http.ResponseWriter, r *http.Request, err error) {
	p := s.refusal(r, err)
	_ = writeJSON(w, p.status, envelope{Errors: []restError{{p.code, p.message}}, Messages: []string{}})
}

// envelope is the form of all answers of the REST API.
type envelope struct {
	Success    bool        `json:"success"`
	Errors     []restError `json:"errors"`
	Messages   []string    `json:"messages"`
	Result     any         `json:"result"`
	ResultInfo any         `json:"result_info,omitempty"`
}

type restError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// done answers with a result.
func done(w http.ResponseWriter, result, info any) error {
	return writeJSON(w, http.StatusOK, envelope{true, []restError{}, []string{}, result, info})
}

// decodeBody reads a body of JSON.
func decodeBody(r *http.Request, most int64, into any) error {
	limited := &io.LimitedReader{R: r.Body, N: most + 1}
	err := json.NewDecoder(limited).Decode(into)
	switch {
	case limited.N == 0:
		return &problem{http.StatusRequestEntityTooLarge, codeTooLarge, "the request's body is too large"}
	case err != nil:
		return unread(err, &problem{http.StatusBadRequest, codeMalformed, "could not parse the request's body as JSON"})
	}
	return nil
}
