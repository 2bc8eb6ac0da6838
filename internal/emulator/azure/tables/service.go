package tables

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/storespec/storespec/internal/emulator/azure"
	"github.com/storespec/storespec/internal/emulator/engine"
)

// Options are what the service needs.
type Options struct {
	// Engine keeps the tables; it is that of the accounts of the requests.
	Engine *engine.Engine
	// Now is the clock, from which Timestamps come; nil: time.Now.
	Now func() time.Time
	// Log is told why a request could not be served, without any of its data; nil: nothing is said.
	Log func(format string, args ...any)
}

// Service is the table service of all accounts of an engine. Serve and Policies are for
// azure.NewFront.
type Service struct {
	Options
	clock      clock
	pageTime   time.Duration // after which a page ends
	catalogues sync.Map      // *engine.Account → *catalogue
	scratches  sync.Pool     // of *scratch
}

// New makes the service.
func New(o Options) *Service {
	if o.Log == nil {
		o.Log = func(string, ...any) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Service{Options: o, pageTime: pageTime}
	s.scratches.New = func() any { return &scratch{} }
	return s
}

// scratch is what a request needs memory for; the next one uses it again.
type scratch struct {
	reader reader
	body   []byte // of the request
	stored []byte // what will be stored
	old    []byte // what is stored
	key    []byte
	out    []byte // of the answer
}

// maxKept is the largest buffer that is kept: most are far smaller, and memory should not grow with
// one large request.
const maxKept = 256 << 10

func (s *Service) scratch() *scratch { return s.scratches.Get().(*scratch) }

func (s *Service) release(x *scratch) {
	if cap(x.body)+cap(x.out)+cap(x.stored)+cap(x.old)+cap(x.reader.arena) <= maxKept {
		s.scratches.Put(x)
	}
}

func (s *Service) catalogue(account *azure.Account) *catalogue {
	if c, ok := s.catalogues.Load(account.Data); ok {
		return c.(*catalogue)
	}
	c, _ := s.catalogues.LoadOrStore(account.Data, &catalogue{engine: s.Engine, account: account.Data})
	return c.(*catalogue)
}

// Serve answers a request that the front has let through.
func (s *Service) Serve(w http.ResponseWriter, r *azure.Request) {
	x := s.scratch()
	defer s.release(x)
	answer, problem := s.serve(r, x)
	if problem != nil {
		problem.Write(w, r)
		return
	}
	answer.write(w)
}

func (s *Service) serve(r *azure.Request, x *scratch) (response, *azure.Problem) {
	a, problem := parseAddress(r.Path)
	if problem != nil {
		return response{}, problem
	}
	if a.resource == theBatch {
		if r.HTTP.Method != http.MethodPost {
			return response{}, methodNotAllowed()
		}
		return s.batch(r, x)
	}
	if r.Query != "" && strings.EqualFold(r.Query.Get("comp"), "acl") && a.resource == entities {
		return s.policies(r, x, a.table)
	}
	o := operation{Request: r, address: a, method: r.HTTP.Method, header: r.HTTP.Header, query: r.Query}
	if problem = o.prepare(); problem != nil {
		return response{}, problem
	}
	if o.method != http.MethodGet && o.method != http.MethodDelete {
		if x.body, problem = readBody(r.HTTP, x.body[:0]); problem != nil {
			return response{}, problem
		}
		o.body = x.body
	}
	return s.operate(&o, x)
}

// operation is one request, or one of those in a batch.
type operation struct {
	*azure.Request // the one that was authenticated
	address
	method string
	header http.Header
	query  azure.Query
	body   []byte

	metadata metadata
}

// prepare finds the method and the format.
func (o *operation) prepare() *azure.Problem {
	if o.method == http.MethodPost {
		// Clients behind proxies that know few methods tunnel the others.
		if tunneled := o.header["X-Http-Method"]; len(tunneled) > 0 {
			o.method = strings.ToUpper(tunneled[0])
		}
	}
	if o.method == http.MethodPatch {
		o.method = methodMerge
	}
	if strings.Contains(o.header.Get("Content-Type"), "application/atom+xml") {
		return atomNotSupported()
	}
	format := o.header.Get("Accept")
	if o.query != "" {
		if f, ok := o.query.Lookup("$format"); ok {
			format = f
		}
	}
	switch {
	case strings.Contains(format, "odata=nometadata"):
		o.metadata = noMetadata
	case strings.Contains(format, "odata=fullmetadata"):
		o.metadata = fullMetadata
	case strings.Contains(format, "application/atom+xml") && !strings.Contains(format, "json") && !strings.Contains(format, "*/*"):
		return atomNotSupported()
	}
	return nil
}

const methodMerge = "MERGE"

// operate does an operation of any resource but the batch.
func (s *Service) operate(o *operation, x *scratch) (response, *azure.Problem) {
	switch o.resource {
	case theService:
		if o.method == http.MethodGet {
			return s.describe(o, x)
		}
	case theTables:
		switch o.method {
		case http.MethodGet:
			return s.listTables(o, x)
		case http.MethodPost:
			return s.createTable(o, x)
		}
	case oneTable:
		switch o.method {
		case http.MethodGet:
			return s.getTable(o, x)
		case http.MethodDelete:
			return s.deleteTable(o)
		}
	case entities:
		switch o.method {
		case http.MethodGet:
			return s.query(o, x)
		case http.MethodPost:
			return s.changeOne(o, x)
		}
	case oneEntity:
		switch o.method {
		case http.MethodGet:
			return s.get(o, x)
		case http.MethodPut, methodMerge, http.MethodDelete:
			return s.changeOne(o, x)
		}
	}
	return response{}, methodNotAllowed()
}

// broken is the answer when the engine fails. That the disk refuses writes is said, since the user
// of an emulator is the one who can help.
func (s *Service) broken(err error) *azure.Problem {
	s.Log("table service: %v", err)
	p := azure.Internal()
	if errors.Is(err, engine.ErrFailed) {
		p.Message = "The data directory refused a write (full, read-only or broken); no further writes are accepted until a restart."
	}
	return p
}

// maxDrained is how much of a body that is too large is read nevertheless: a client that is still
// sending does not see an answer, and the connection would be lost.
const maxDrained = 64 << 20

// readBody appends a request's body to dst. Problems: RequestBodyTooLarge, InvalidInput.
func readBody(r *http.Request, dst []byte) ([]byte, *azure.Problem) {
	if n := r.ContentLength; n > maxRequest {
		_, _ = io.CopyN(io.Discard, r.Body, min(n, maxDrained))
		return dst, azure.BodyTooLarge()
	}
	for {
		if len(dst) == cap(dst) {
			dst = append(dst, make([]byte, max(512, int(r.ContentLength)+1))...)[:len(dst)]
		}
		n, err := r.Body.Read(dst[len(dst):cap(dst)])
		dst = dst[:len(dst)+n]
		switch {
		case len(dst) > maxRequest:
			_, _ = io.CopyN(io.Discard, r.Body, maxDrained)
			return dst, azure.BodyTooLarge()
		case err == io.EOF:
			return dst, nil
		case err != nil:
			return dst, invalidInput() // the client went away, or sent less than it said
		}
	}
}

// form is how the entities of a table are written in the answer to o.
func (o *operation) form(t string) form {
	return form{metadata: o.metadata, account: o.Account.Name, base: o.base(), table: t}
}

// base is the address of the service as the client sees it, with its last slash.
func (o *operation) base() string {
	r := o.HTTP
	scheme, host, path := "http://", r.Host, r.RequestURI
	if r.TLS != nil {
		scheme = "https://"
	}
	if i := strings.Index(path, "://"); i >= 0 && !strings.HasPrefix(path, "/") {
		scheme, path = path[:i+3], path[i+3:]
		slash := strings.IndexByte(path+"/", '/')
		host, path = path[:slash], path[slash:]
	}
	path, _, _ = strings.Cut(path, "?")
	if path == "" {
		path = r.URL.EscapedPath()
	}
	path = strings.TrimSuffix(path, o.Path)
	if !strings.HasSuffix(path, "/") {
		path += "/"
	}
	return scheme + host + path
}

// describe answers with the service document, which lists the tables.
func (s *Service) describe(o *operation, x *scratch) (response, *azure.Problem) {
	if p := o.Allow(azure.ContainerLevel, "l"); p != nil {
		return response{}, p
	}
	tables, err := s.catalogue(o.Account).list()
	if err != nil {
		return response{}, s.broken(err)
	}
	out := x.out[:0]
	out = append(out, '{')
	if o.metadata != noMetadata {
		out = appendString(append(out, `"odata.metadata":`...), []byte(o.base()+"$metadata"))
		out = append(out, ',')
	}
	out = append(out, `"value":[`...)
	for _, name := range append([]*table{{name: tablesName}}, tables...) {
		out = appendString(append(out, `{"name":`...), []byte(name.name))
		out = appendString(append(out, `,"url":`...), []byte(name.name))
		out = append(out, "},"...)
	}
	x.out = append(bytes.TrimSuffix(out, []byte(",")), "]}"...)
	return response{status: http.StatusOK, metadata: o.metadata, body: x.out}, nil
}
