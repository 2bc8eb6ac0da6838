package blobs

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
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
	s.since = s.clock.Next(o.Now())
	return s
}

// call is one request being served.
type call struct {
	*azure.Request
	s         *Service
	w         http.ResponseWriter
	h         http.Header // of the answer
	shelf     *shelf
	container string
	blob      string
	id        string // of the container, once it is known to exist
	target    target // the blob that the request names, once it is read
	kept      azure.SoftDelete
	now       ticks
	keyUse    keyUse // what the operation does with a customer-provided key
	key       string // the SHA-256 of the one that was sent; empty: none
}

// maxDrain is how much of a body is read after an operation has failed, so that a client that is still sending gets the
// answer and not a broken connection.
const maxDrain = 256 << 20

// Serve answers one request.
func (s *Service) Serve(w http.ResponseWriter, r *azure.Request) {
	c := &call{Request: r, s: s, w: w, h: w.Header(), now: ticksOf(r.Now)}
	p := c.serve()
	if p == nil {
		return
	}
	if r.HTTP.Body != nil && r.HTTP.Body != http.NoBody && r.HTTP.Header.Get("Expect") == "" {
		_, _ = io.CopyN(io.Discard, r.HTTP.Body, maxDrain) // stops at the end of the body
	}
	p.Write(w, r)
}

func (c *call) serve() *azure.Problem {
	if p := c.locate(); p != nil {
		return p
	}
	op, p := c.operation()
	if p != nil {
		return p
	}
	if op.refuse != nil {
		return op.refuse()
	}
	if c.SAS != nil && !op.open {
		if p := c.Allow(op.level, op.anyOf...); p != nil {
			return p
		}
	}
	if p := cmp.Or(c.refused(), c.signedScope(op.key), c.readKey(op.key)); p != nil {
		return p
	}
	var err error
	if c.shelf, err = c.s.shelf(c.Account); err != nil {
		return c.failed(err)
	}
	if err := c.prepare(); err != nil {
		return c.failed(err)
	}
	return op.run(c)
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

// failed returns the answer to an error of the engine or of a file; nil for no error.
func (c *call) failed(err error) *azure.Problem {
	if err == nil {
		return nil
	}
	c.s.log("blob service: %s %s: %v", c.HTTP.Method, c.container, err)
	if errors.Is(err, engine.ErrFailed) || errors.As(err, new(*os.PathError)) {
		p := azure.Internal()
		p.Message = "The emulator's disk has refused a write. What was acknowledged is safe."
		return p
	}
	return azure.Internal()
}

// locate parses container and blob from the path. Problems: InvalidUri, InvalidResourceName, OutOfRangeInput.
func (c *call) locate() *azure.Problem {
	var p *azure.Problem
	c.container, c.blob, p = splitPath(c.Request)
	return p
}

// splitPath returns the container and the blob that a request names; both are empty for the service itself.
func splitPath(r *azure.Request) (container, blob string, p *azure.Problem) {
	container, blob = r.BlobPath()
	blob = strings.ReplaceAll(blob, `\`, "/")
	switch {
	case r.Path == "":
		return "", "", nil
	case r.Path[0] == '/':
		return "", "", azure.InvalidURI()
	case container == "" || strings.Contains(container, "/"):
		return "", "", invalidResourceName()
	}
	if p := checkContainerName(container); p != nil {
		return "", "", p
	}
	return container, blob, checkBlobName(blob)
}

// checkContainerName requires 3 to 63 lower-case letters, digits and single hyphens, or one of the names with $.
// https://learn.microsoft.com/rest/api/storageservices/naming-and-referencing-containers--blobs--and-metadata
func checkContainerName(name string) *azure.Problem {
	switch name {
	case azure.RootContainer, "$web", logsContainer, "$blobchangefeed":
		return nil
	}
	for i := range len(name) {
		c := name[i]
		letter := c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
		hyphen := c == '-' && i > 0 && i < len(name)-1 && name[i-1] != '-'
		if !letter && !hyphen {
			return invalidResourceName()
		}
	}
	if len(name) < 3 || len(name) > 63 {
		return outOfRange("The specified resource name length is not within the permissible limits.")
	}
	return nil
}

const (
	maxBlobName     = 1024 // characters
	maxBlobSegments = 254
)

func checkBlobName(name string) *azure.Problem {
	if len(name) <= maxBlobSegments { // neither limit can be exceeded
		return nil
	}
	if len([]rune(name)) > maxBlobName {
		return outOfRange("The specified resource name length is not within the permissible limits.")
	}
	if strings.Count(name, "/") >= maxBlobSegments {
		return azure.InvalidURI()
	}
	return nil
}
