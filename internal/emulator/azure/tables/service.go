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
	"github.com/storespec/storespec/internal/emulator/patience"
)

// Options are the service's dependencies.
type Options = azure.ServiceOptions

// Service is the table service of all accounts of an engine. Serve and Policies are for
// azure.NewFront.
type Service struct {
	Options
	clock      clock
	pageTime   time.Duration // after which a page ends
	catalogues sync.Map      // *engine.Account → *catalogue
	scratches  sync.Pool     // of *scratch
	routes     map[route]handler
}

// New returns the service.
func New(o Options) *Service {
	s := &Service{Options: o.WithDefaults(), pageTime: pageTime, routes: newRoutes()}
	s.scratches.New = func() any { return &scratch{} }
	return s
}

// scratch holds the buffers of a request, for reuse by the next one.
type scratch struct {
	reader reader
	body   []byte // of the request
	stored []byte // what will be stored
	old    []byte // what is stored
	key    []byte
	out    []byte // of the answer
}

// maxKept is the largest buffer that is kept: most are far smaller, and one large request should not hold memory for
// good.
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

// Serve answers a request that the front has admitted.
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
	if o.hasBody() {
		if x.body, problem = readBody(r.HTTP, x.body[:0]); problem != nil {
			return response{}, problem
		}
		o.body = x.body
	}
	return s.operate(&o, x)
}

// operation is one request, alone or in a batch.
type operation struct {
	*azure.Request // the one that was authenticated
	address
	method string
	header http.Header
	query  azure.Query
	body   []byte

	metadata metadata
}

// route identifies an operation: the kind of its address, and its method.
type route struct {
	resource resource
	method   string
}

// handler executes an operation whose signature grants one of anyOf; without anyOf the handler checks that itself.
type handler struct {
	run   func(*Service, *operation, *scratch) (response, *azure.Problem)
	level azure.Level
	anyOf []string
}

// newRoutes lists the operations of every resource except the batch.
func newRoutes() map[route]handler {
	return map[route]handler{
		{theService, http.MethodGet}:   {(*Service).describe, azure.ContainerLevel, []string{"l"}},
		{theTables, http.MethodGet}:    {(*Service).listTables, azure.ContainerLevel, []string{"l"}},
		{theTables, http.MethodPost}:   {(*Service).createTable, azure.ContainerLevel, []string{"c", "w"}},
		{oneTable, http.MethodGet}:     {(*Service).getTable, azure.ContainerLevel, []string{"l"}},
		{oneTable, http.MethodDelete}:  {(*Service).deleteTable, azure.ContainerLevel, []string{"d"}},
		{entities, http.MethodGet}:     {(*Service).query, azure.ObjectLevel, []string{"r"}},
		{entities, http.MethodPost}:    {run: (*Service).changeOne},
		{oneEntity, http.MethodGet}:    {(*Service).get, azure.ObjectLevel, []string{"r"}},
		{oneEntity, http.MethodPut}:    {run: (*Service).changeOne},
		{oneEntity, methodMerge}:       {run: (*Service).changeOne},
		{oneEntity, http.MethodDelete}: {run: (*Service).changeOne},
	}
}

// operate executes an operation on any resource except the batch.
func (s *Service) operate(o *operation, x *scratch) (response, *azure.Problem) {
	h, found := s.routes[route{o.resource, o.method}]
	if !found {
		return response{}, methodNotAllowed()
	}
	if h.anyOf != nil {
		if problem := o.Allow(h.level, h.anyOf...); problem != nil {
			return response{}, problem
		}
	}
	return h.run(s, o, x)
}

// tableOf finds an account's table. Problem: TableNotFound.
func (s *Service) tableOf(account *azure.Account, name string) (*table, *azure.Problem) {
	t, err := s.catalogue(account).lookup(name)
	if err != nil {
		return nil, s.broken(err)
	}
	if t == nil {
		return nil, tableNotFound()
	}
	return t, nil
}

// broken is the answer when the engine fails; nil for no error. It says so if the disk refuses writes, since the user
// of an emulator is the one who can fix that.
func (s *Service) broken(err error) *azure.Problem {
	if err == nil {
		return nil
	}
	s.Log("table service: %v", err)
	p := azure.Internal()
	if errors.Is(err, engine.ErrFailed) {
		p.Message = "The data directory refused a write (full, read-only or broken); no further writes are accepted " +
			"until a restart."
	}
	return p
}

// maxDrained is how much of an oversized body is still read: a client that is still sending does not see an answer, and
// the connection would be lost.
const maxDrained = 64 << 20

// readBody appends a request's body to dst. Problems: RequestBodyTooLarge, InvalidInput,
// OperationTimedOut.
func readBody(r *http.Request, dst []byte) ([]byte, *azure.Problem) {
	if n := r.ContentLength; n > maxRequest {
		_, _ = io.CopyN(io.Discard, r.Body, min(n, maxDrained))
		return dst, azure.BodyTooLarge()
	}
	b := bytes.NewBuffer(dst)
	b.Grow(int(max(0, r.ContentLength)) + bytes.MinRead) // all of it, and a read that finds the end
	_, err := b.ReadFrom(io.LimitReader(r.Body, maxRequest+1))
	switch {
	case b.Len() > maxRequest:
		_, _ = io.CopyN(io.Discard, r.Body, maxDrained)
		return b.Bytes(), azure.BodyTooLarge()
	case patience.RanOut(err):
		return b.Bytes(), azure.OperationTimedOut()
	case err != nil:
		return b.Bytes(), invalidInput() // the client disconnected, or sent less than announced
	}
	return b.Bytes(), nil
}

// form returns the format of a table's entities in the answer to o.
func (o *operation) form(t string) form {
	return form{metadata: o.metadata, account: o.Account.Name, base: o.Endpoint(), table: t}
}

// describe answers with the service document, which lists the tables.
func (s *Service) describe(o *operation, x *scratch) (response, *azure.Problem) {
	tables, err := s.catalogue(o.Account).list()
	if err != nil {
		return response{}, s.broken(err)
	}
	out := x.out[:0]
	out = append(out, '{')
	if o.metadata != noMetadata {
		out = appendString(append(out, `"odata.metadata":`...), []byte(o.Endpoint()+"$metadata"))
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
