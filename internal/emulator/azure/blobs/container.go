package blobs

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// containerRecord is a container as its row in the catalogue has it.
type containerRecord struct {
	// id is in the keys of its blobs, so that a container that is made anew under its name is empty.
	id       string
	etag     ticks
	access   string // x-ms-blob-public-access; empty: private
	metadata []pair
	lease    lease
	policies string // the stored access policies, as XML; empty: none
}

func (r *containerRecord) append(b []byte) []byte {
	b = appendString(append(b, recordFormat), r.id)
	b = appendUint(b, uint64(r.etag))
	b = appendString(b, r.access)
	b = appendPairs(b, r.metadata)
	return appendString(r.lease.append(b), r.policies)
}

func (r *containerRecord) decode(value []byte) error {
	f := fields{rest: string(value)}
	if f.rest == "" || f.rest[0] != recordFormat {
		return errRecord
	}
	f.rest = f.rest[1:]
	*r = containerRecord{id: f.string(), etag: ticks(f.uint()), access: f.string(), metadata: f.pairs(), lease: f.lease(), policies: f.string()}
	if f.bad || f.rest != "" {
		return errRecord
	}
	return nil
}

// containerID reads just the id of an encoded record.
func containerID(value []byte) (string, error) {
	if len(value) < 2 || value[0] != recordFormat || len(value) < 2+int(value[1]) {
		return "", fmt.Errorf("container: %w", errRecord)
	}
	return string(value[2 : 2+int(value[1])]), nil // ids are shorter than 128 bytes
}

func (c *call) containerKey() []byte {
	return c.Account.Data.Catalogue().Key(nil, containerRows, c.container)
}

// loadContainer reads the container. Problem: ContainerNotFound.
func (c *call) loadContainer() (*containerRecord, *azure.Problem) {
	value, found, err := c.s.engine.Get(c.containerKey(), nil)
	if err != nil {
		return nil, c.failed(err)
	}
	if !found {
		return nil, containerNotFound()
	}
	r := &containerRecord{}
	if err := r.decode(value); err != nil {
		return nil, c.failed(err)
	}
	return r, nil
}

// createContainer is Create Container.
// https://learn.microsoft.com/rest/api/storageservices/create-container
func (c *call) createContainer() *azure.Problem {
	metadata, p := parseMetadata(c.HTTP.Header)
	if p != nil {
		return p
	}
	access, p := publicAccess(c.HTTP.Header)
	if p != nil {
		return p
	}
	key := c.containerKey()
	defer c.Account.Data.Lock(key)()
	_, found, err := c.s.engine.Get(key, nil)
	if err != nil {
		return c.failed(err)
	}
	if found {
		return containerAlreadyExists()
	}
	r := containerRecord{id: rand.Text(), etag: c.s.clock.next(c.Now), access: access, metadata: metadata}
	if err := c.s.engine.Set(key, r.append(nil)); err != nil {
		return c.failed(err)
	}
	c.etagHeaders(r.etag)
	c.empty(http.StatusCreated)
	return nil
}

func publicAccess(h http.Header) (string, *azure.Problem) {
	access := strings.ToLower(first(h, "X-Ms-Blob-Public-Access"))
	switch access {
	case "", "container", "blob":
		return access, nil
	}
	return "", azure.InvalidHeaderValue("x-ms-blob-public-access", access)
}

// readContainer is loadContainer for an operation that needs no lease; an id that was sent must match.
func (c *call) readContainer() (*containerRecord, *azure.Problem) {
	r, p := c.loadContainer()
	if p != nil {
		return nil, p
	}
	if p := r.lease.guardRead(leaseOfContainer, c.leaseID(), c.now); p != nil {
		return nil, p
	}
	return r, nil
}

// getContainer is Get Container Properties.
func (c *call) getContainer() *azure.Problem {
	r, p := c.readContainer()
	if p != nil {
		return p
	}
	c.etagHeaders(r.etag)
	setMetadata(c.h, r.metadata)
	r.lease.headers(c.h, c.now)
	c.accessHeader(r)
	c.h["X-Ms-Has-Immutability-Policy"] = []string{"false"}
	c.h["X-Ms-Has-Legal-Hold"] = []string{"false"}
	c.h["X-Ms-Immutable-Storage-With-Versioning-Enabled"] = []string{"false"}
	c.h["X-Ms-Default-Encryption-Scope"] = []string{defaultScope}
	c.h["X-Ms-Deny-Encryption-Scope-Override"] = []string{"false"}
	c.empty(http.StatusOK)
	return nil
}

// defaultScope is the encryption scope of containers that were given none.
const defaultScope = "$account-encryption-key"

func (c *call) accessHeader(r *containerRecord) {
	if r.access != "" {
		c.h["X-Ms-Blob-Public-Access"] = []string{r.access}
	}
}

// getContainerMetadata is Get Container Metadata.
func (c *call) getContainerMetadata() *azure.Problem {
	r, p := c.readContainer()
	if p != nil {
		return p
	}
	c.etagHeaders(r.etag)
	setMetadata(c.h, r.metadata)
	c.empty(http.StatusOK)
	return nil
}

// changeContainer changes the container under its lock, after its conditions were checked: containers
// have those on dates only.
func (c *call) changeContainer(do func(*containerRecord) *azure.Problem) *azure.Problem {
	key := c.containerKey()
	defer c.Account.Data.Lock(key)()
	r, p := c.loadContainer()
	if p != nil {
		return p
	}
	if p := c.containerConditions(r); p != nil {
		return p
	}
	if p := do(r); p != nil {
		return p
	}
	if err := c.s.engine.Set(key, r.append(nil)); err != nil {
		return c.failed(err)
	}
	return nil
}

func (c *call) containerConditions(r *containerRecord) *azure.Problem {
	conditions, p := parseConditions(c.HTTP.Header, ownConditions())
	if p != nil {
		return p
	}
	if conditions.match != "" || conditions.noneMatch != "" || conditions.tags != nil {
		return azure.NewProblem(http.StatusBadRequest, "ConditionHeadersNotSupported", "Condition headers are not supported.")
	}
	return conditions.write(true, r.etag, nil)
}

// setContainerMetadata is Set Container Metadata: all of it is replaced.
func (c *call) setContainerMetadata() *azure.Problem {
	metadata, p := parseMetadata(c.HTTP.Header)
	if p != nil {
		return p
	}
	return c.rewriteContainer(func(r *containerRecord) *azure.Problem {
		r.metadata = metadata
		return nil
	})
}

// rewriteContainer is changeContainer for what gives it a new ETag; it answers 200.
func (c *call) rewriteContainer(do func(*containerRecord) *azure.Problem) *azure.Problem {
	var etag ticks
	p := c.changeContainer(func(r *containerRecord) *azure.Problem {
		if p := r.lease.guardRead(leaseOfContainer, c.leaseID(), c.now); p != nil {
			return p
		}
		r.etag = c.s.clock.next(c.Now)
		etag = r.etag
		return do(r)
	})
	if p != nil {
		return p
	}
	c.etagHeaders(etag)
	c.empty(http.StatusOK)
	return nil
}

// maxPolicies bounds the body of Set Container ACL: five policies.
const maxPolicies = 64 << 10

// setContainerACL is Set Container ACL: public access and stored access policies are replaced.
// https://learn.microsoft.com/rest/api/storageservices/set-container-acl
func (c *call) setContainerACL() *azure.Problem {
	access, p := publicAccess(c.HTTP.Header)
	if p != nil {
		return p
	}
	body, p := c.readAll(maxPolicies)
	if p != nil {
		return p
	}
	list, p := azure.ParseIdentifiers(body)
	if p != nil {
		return p
	}
	policies := ""
	if len(list) > 0 {
		encoded, err := azure.EncodeIdentifiers(list)
		if err != nil {
			return c.failed(err)
		}
		policies = string(encoded)
	}
	return c.rewriteContainer(func(r *containerRecord) *azure.Problem {
		r.access, r.policies = access, policies
		return nil
	})
}

// getContainerACL is Get Container ACL.
func (c *call) getContainerACL() *azure.Problem {
	r, p := c.readContainer()
	if p != nil {
		return p
	}
	document := r.policies
	if document == "" {
		encoded, err := azure.EncodeIdentifiers(nil)
		if err != nil {
			return c.failed(err)
		}
		document = string(encoded)
	}
	c.etagHeaders(r.etag)
	c.accessHeader(r)
	return c.answerXML(&xmlWriter{[]byte(document)})
}

// Policies gives a container's stored access policies; nil for one that is not there. It is the front's
// option of that name.
func (s *Service) Policies(account *azure.Account, container string) ([]azure.SignedIdentifier, error) {
	value, found, err := s.engine.Get(account.Data.Catalogue().Key(nil, containerRows, container), nil)
	if err != nil || !found {
		return nil, err
	}
	var r containerRecord
	if err := r.decode(value); err != nil {
		return nil, fmt.Errorf("container %s: %w", container, err)
	}
	list, p := azure.ParseIdentifiers([]byte(r.policies))
	if p != nil {
		return nil, fmt.Errorf("container %s: %w", container, p)
	}
	return list, nil
}

// leaseContainer is Lease Container.
// https://learn.microsoft.com/rest/api/storageservices/lease-container
func (c *call) leaseContainer() *azure.Problem {
	request, p := parseLease(c.HTTP.Header)
	if p != nil {
		return p
	}
	if p := c.allowLease(request.action, azure.ContainerLevel); p != nil {
		return p
	}
	status, etag := 0, ticks(0)
	p = c.changeContainer(func(r *containerRecord) (p *azure.Problem) {
		etag = r.etag
		status, p = request.apply(&r.lease, c.h, c.now)
		return p
	})
	if p != nil {
		return p
	}
	c.etagHeaders(etag)
	c.empty(status)
	return nil
}
