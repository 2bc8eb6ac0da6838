package blobs

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"net/http"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// containerRecord is a container as stored in its row of the catalogue.
type containerRecord struct {
	// id is in the keys of its blobs, so that a container that is recreated under the same name is empty.
	id       string
	etag     ticks
	access   string // x-ms-blob-public-access; empty: private
	metadata []pair
	lease    lease
	policies string // the stored access policies, as XML; empty: none
}

func (r *containerRecord) append(b []byte) []byte {
	c := coder{writing: true, out: append(b, recordFormat)}
	r.code(&c)
	return c.out
}

func (r *containerRecord) code(c *coder) {
	c.texts(&r.id)
	c.numbers((*int64)(&r.etag))
	c.texts(&r.access)
	c.pairs(&r.metadata)
	r.lease.code(c)
	c.texts(&r.policies)
}

func (r *containerRecord) decode(value []byte) error {
	if len(value) == 0 || value[0] != recordFormat {
		return errRecord
	}
	c := coder{rest: string(value[1:])}
	*r = containerRecord{}
	r.code(&c)
	return c.end()
}

// containerID decodes only the id of an encoded record.
func containerID(value []byte) (string, error) {
	if len(value) < 2 || value[0] != recordFormat || len(value) < 2+int(value[1]) {
		return "", fmt.Errorf("container: %w", errRecord)
	}
	return string(value[2 : 2+int(value[1])]), nil // ids are shorter than 128 bytes
}

func containerKey(c *call) []byte {
	return c.Account.Data.Catalogue().Key(nil, containerRows, c.container)
}

// loadContainer reads the container. Problem: ContainerNotFound.
func loadContainer(c *call) (*containerRecord, *azure.Problem) {
	r, err := c.s.container(c.Account, c.container)
	switch {
	case err != nil:
		return nil, c.failed(err)
	case r != nil:
		return r, nil
	case c.container == logsContainer:
		return c.s.unusedLogs(), nil
	}
	return nil, containerNotFound()
}

// container reads a container's row; nil if there is none.
func (s *Service) container(account *azure.Account, name string) (*containerRecord, error) {
	value, found, err := s.engine.Get(account.Data.Catalogue().Key(nil, containerRows, name), nil)
	if err != nil || !found {
		return nil, err
	}
	r := &containerRecord{}
	return r, r.decode(value)
}

// createContainer is Create Container.
// https://learn.microsoft.com/rest/api/storageservices/create-container
func createContainer(c *call) *azure.Problem {
	metadata, p := parseMetadata(c.HTTP.Header)
	access, q := publicAccess(c.HTTP.Header)
	if p := cmp.Or(p, q); p != nil {
		return p
	}
	key := containerKey(c)
	defer c.Account.Data.Lock(key)()
	_, found, err := c.s.engine.Get(key, nil)
	if err != nil {
		return c.failed(err)
	}
	if found || c.container == logsContainer {
		return containerAlreadyExists()
	}
	r := containerRecord{id: rand.Text(), etag: c.clock.Next(c.now), access: access, metadata: metadata}
	if err := c.s.engine.Set(key, r.append(nil)); err != nil {
		return c.failed(err)
	}
	c.answer.etag(r.etag)
	return c.answer.empty(http.StatusCreated)
}

func publicAccess(h http.Header) (string, *azure.Problem) {
	access := strings.ToLower(first(h, "X-Ms-Blob-Public-Access"))
	switch access {
	case "", "container", "blob":
		return access, nil
	}
	return "", azure.InvalidHeaderValue("x-ms-blob-public-access", access)
}

// readingContainer makes an operation from a function that answers from a container. It needs no lease, but an id that
// was sent must match.
func readingContainer(answer func(*call, *containerRecord) *azure.Problem) func(*call) *azure.Problem {
	return func(c *call) *azure.Problem {
		r, p := loadContainer(c)
		if p != nil {
			return p
		}
		if p := r.lease.guardRead(leaseOfContainer, c.leaseID(), c.now); p != nil {
			return p
		}
		c.answer.etag(r.etag)
		return answer(c, r)
	}
}

// getContainer is Get Container Properties.
func getContainer(c *call, r *containerRecord) *azure.Problem {
	setMetadata(c.answer.h, r.metadata)
	r.lease.headers(c.answer.h, c.now)
	r.accessHeader(c.answer.h)
	c.answer.h["X-Ms-Has-Immutability-Policy"] = []string{"false"}
	c.answer.h["X-Ms-Has-Legal-Hold"] = []string{"false"}
	c.answer.h["X-Ms-Immutable-Storage-With-Versioning-Enabled"] = []string{"false"}
	c.answer.h["X-Ms-Default-Encryption-Scope"] = []string{defaultScope}
	c.answer.h["X-Ms-Deny-Encryption-Scope-Override"] = []string{"false"}
	return c.answer.empty(http.StatusOK)
}

// defaultScope is the encryption scope of containers created without one.
const defaultScope = "$account-encryption-key"

func (r *containerRecord) accessHeader(h http.Header) {
	if r.access != "" {
		h["X-Ms-Blob-Public-Access"] = []string{r.access}
	}
}

// getContainerMetadata is Get Container Metadata.
func getContainerMetadata(c *call, r *containerRecord) *azure.Problem {
	setMetadata(c.answer.h, r.metadata)
	return c.answer.empty(http.StatusOK)
}

// lockedContainer calls do with the container under its lock, after checking its conditions: containers only support
// those on dates.
func lockedContainer(c *call, do func(key []byte, r *containerRecord) *azure.Problem) *azure.Problem {
	key := containerKey(c)
	defer c.Account.Data.Lock(key)()
	r, p := loadContainer(c)
	if p != nil {
		return p
	}
	if p := containerConditions(c, r); p != nil {
		return p
	}
	return do(key, r)
}

// changeContainer is lockedContainer for a change, which it then writes.
func changeContainer(c *call, do func(*containerRecord) *azure.Problem) *azure.Problem {
	return lockedContainer(c, func(key []byte, r *containerRecord) *azure.Problem {
		if p := do(r); p != nil {
			return p
		}
		return c.failed(c.s.engine.Set(key, r.append(nil)))
	})
}

func containerConditions(c *call, r *containerRecord) *azure.Problem {
	conditions, p := parseConditions(c.HTTP.Header, ownConditions())
	if p != nil {
		return p
	}
	if conditions.match != "" || conditions.noneMatch != "" || conditions.tags != nil {
		return azure.NewProblem(http.StatusBadRequest, "ConditionHeadersNotSupported",
			"Condition headers are not supported.")
	}
	return conditions.write(true, r.etag, nil)
}

// setContainerMetadata is Set Container Metadata, which replaces all metadata.
func setContainerMetadata(c *call) *azure.Problem {
	metadata, p := parseMetadata(c.HTTP.Header)
	if p != nil {
		return p
	}
	return rewriteContainer(c, func(r *containerRecord) { r.metadata = metadata })
}

// rewriteContainer is changeContainer for a change that gives the container a new ETag; it answers 200.
func rewriteContainer(c *call, do func(*containerRecord)) *azure.Problem {
	var etag ticks
	p := changeContainer(c, func(r *containerRecord) *azure.Problem {
		if p := r.lease.guardRead(leaseOfContainer, c.leaseID(), c.now); p != nil {
			return p
		}
		r.etag = c.clock.Next(c.now)
		etag = r.etag
		do(r)
		return nil
	})
	if p != nil {
		return p
	}
	return c.answer.changed(etag)
}

// maxPolicies bounds the body of Set Container ACL: five policies.
const maxPolicies = 64 << 10

// setContainerACL is Set Container ACL, which replaces public access and stored access policies.
// https://learn.microsoft.com/rest/api/storageservices/set-container-acl
func setContainerACL(c *call) *azure.Problem {
	access, p := publicAccess(c.HTTP.Header)
	if p != nil {
		return p
	}
	body, p := readAll(c, maxPolicies)
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
	return rewriteContainer(c, func(r *containerRecord) { r.access, r.policies = access, policies })
}

// getContainerACL is Get Container ACL.
func getContainerACL(c *call, r *containerRecord) *azure.Problem {
	document := r.policies
	if document == "" {
		encoded, err := azure.EncodeIdentifiers(nil)
		if err != nil {
			return c.failed(err)
		}
		document = string(encoded)
	}
	r.accessHeader(c.answer.h)
	return c.answer.xml(&xmlWriter{[]byte(document)})
}

// Policies returns a container's stored access policies; nil if it does not exist. It is the front's option of that
// name.
func (s *Service) Policies(account *azure.Account, container string) ([]azure.SignedIdentifier, error) {
	r, err := s.container(account, container)
	if err != nil {
		return nil, fmt.Errorf("container %s: %w", container, err)
	}
	if r == nil {
		return nil, nil
	}
	list, p := azure.ParseIdentifiers([]byte(r.policies))
	if p != nil {
		return nil, fmt.Errorf("container %s: %w", container, p)
	}
	return list, nil
}

// leaseContainer is Lease Container.
// https://learn.microsoft.com/rest/api/storageservices/lease-container
func leaseContainer(c *call) *azure.Problem {
	request, p := parseLease(c.HTTP.Header)
	if p != nil {
		return p
	}
	if p := allowLease(c, request.action, azure.ContainerLevel); p != nil {
		return p
	}
	status, etag := 0, ticks(0)
	p = changeContainer(c, func(r *containerRecord) (p *azure.Problem) {
		etag = r.etag
		status, p = request.apply(&r.lease, c.answer.h, c.now)
		return p
	})
	if p != nil {
		return p
	}
	c.answer.etag(etag)
	return c.answer.empty(status)
}
