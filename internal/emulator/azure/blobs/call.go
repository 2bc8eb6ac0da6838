package blobs

import (
	"cmp"
	"errors"
	"os"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azure"
	"github.com/storespec/storespec/internal/emulator/engine"
)

// call is one request being served. Its methods find the blob that the request names, check whether it may be read or
// written, and lock it; the operations are functions of a call.
type call struct {
	*azure.Request
	place
	s      *Service
	answer answer
	target target // the blob that the request names, once it is read
	keyUse keyUse // what the operation does with a customer-provided key
	key    string // the SHA-256 of the one that was sent; empty: none
}

// place is where the blob of a request is, and when the request came.
type place struct {
	shelf     *shelf
	clock     *clock
	container string
	blob      string
	id        string // of the container, once it is known to exist
	now       ticks
	// The settings of the account; kept is read for writes only.
	versioning bool
	kept       azure.SoftDelete
}

func (s *Service) newCall(r *azure.Request) *call {
	return &call{Request: r, s: s, place: place{clock: &s.clock, now: ticksOf(r.Now), versioning: s.versioning}}
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
	if p := cmp.Or(refused(c.HTTP.Header), c.signedScope(op.key), c.readKey(op.key)); p != nil {
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
