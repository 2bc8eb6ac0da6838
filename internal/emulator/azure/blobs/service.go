package blobs

import (
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/storespec/storespec/internal/emulator/azure"
	"github.com/storespec/storespec/internal/emulator/engine"
)

// Options are the dependencies of a Service, and its settings.
type Options struct {
	// ServiceOptions are the dependencies. Requests bring their own time; Now is for anything created before the first
	// request.
	azure.ServiceOptions
	// Versioning keeps a previous version of each blob that a write replaces. In Azure it is a setting of the account,
	// outside its services.
	Versioning bool
}

// Service is the blob service of all accounts of an engine. Its method Serve is the handler behind an azure.Front for
// the service azure.Blob, and Policies is that front's option of the same name.
type Service struct {
	engine  *engine.Engine
	log     func(format string, args ...any)
	sync    bool // large bodies reach the disk before they are acknowledged
	lasting bool // there may be files from an earlier run
	clock   clock
	since   ticks // when the service was started
	routes  map[route]operation
	bodies  buffers // of small bodies and rows
	copies  buffers // for copying large ones

	versioning bool

	mu      sync.RWMutex
	shelves map[string]*shelf // by account, in its current epoch

	// Header values that most answers share. They must not be modified.
	yes, zero, bytes []string
}

// New returns the service. Nothing is read before the first request for an account.
func New(o Options) *Service {
	o.ServiceOptions = o.WithDefaults()
	s := &Service{
		engine: o.Engine, log: o.Log, sync: o.Engine.Durable(), lasting: o.Engine.Lasting(),
		routes: newRoutes(), shelves: map[string]*shelf{}, versioning: o.Versioning,
		yes: []string{"true"}, zero: []string{"0"}, bytes: []string{"bytes"},
	}
	s.copies.New = func() any { b := make([]byte, copyBuffer); return &b }
	s.since = s.clock.Next(ticksOf(o.Now()))
	return s
}

// maxDrain is how much of a body is read after an operation has failed, so that a client that is still sending gets the
// answer and not a broken connection.
const maxDrain = 256 << 20

// Serve answers one request.
func (s *Service) Serve(w http.ResponseWriter, r *azure.Request) {
	c := s.newCall(r)
	c.answer = answer{w, w.Header(), s.yes, r.HTTP.Method == http.MethodHead}
	p := c.serve()
	if p == nil {
		return
	}
	if r.HTTP.Body != nil && r.HTTP.Body != http.NoBody && r.HTTP.Header.Get("Expect") == "" {
		_, _ = io.CopyN(io.Discard, r.HTTP.Body, maxDrain) // stops at the end of the body
	}
	p.Write(w, r)
}

// shelf returns an account's data in its current epoch.
func (s *Service) shelf(account *azure.Account) (*shelf, error) {
	space := account.Data.Data()
	s.mu.RLock()
	sh := s.shelves[account.Name]
	s.mu.RUnlock()
	if sh != nil && sh.space.Name() == space.Name() {
		return sh, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if sh = s.shelves[account.Name]; sh != nil && sh.space.Name() == space.Name() {
		return sh, nil
	}
	sh, err := newShelf(s.engine, account.Data, space, s.sync, s.lasting)
	if err != nil {
		return nil, fmt.Errorf("open the blobs of %s: %w", account.Name, err)
	}
	s.shelves[account.Name] = sh
	return sh, nil
}
