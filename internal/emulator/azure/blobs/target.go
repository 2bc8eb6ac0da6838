package blobs

import (
	"cmp"
	"net/http"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// enter finds the container. Problem: ContainerNotFound.
func (c *call) enter() *azure.Problem {
	id, found, err := c.shelf.containerNamed(c.container)
	if err != nil {
		return c.failed(err)
	}
	if !found {
		return containerNotFound()
	}
	c.id = id
	return nil
}

// target is a blob's row that was read, and may be written.
type target struct {
	key    []byte
	rec    record
	exists bool
	// asked is the last part of the key that a request named; current reports that the row is the blob's.
	asked   string
	current bool
	row     *[]byte // the buffer that rec.inline is part of
}

// done returns the row's buffer to the pool. rec.inline must not be used afterwards.
func (c *call) done(t *target) {
	if t.row != nil {
		c.s.bodies.Put(t.row)
		t.row, t.rec.inline = nil, nil
	}
}

// load reads the row of the blob, or of one of its snapshots or versions.
func (c *call) load(t *target, version string) *azure.Problem {
	if t.key == nil || isVersion(version) { // the current version is read from the blob's own row
		t.key = c.shelf.space.Key(make([]byte, 0, 128), blobRows, c.id, c.blob, version)
	}
	t.asked, t.current = version, version == baseMark
	if p := c.loadRow(t); p != nil || t.exists || !isVersion(version) {
		return p
	}
	return c.loadCurrent(t, version)
}

// loadRow reads the row of the target's key.
func (c *call) loadRow(t *target) *azure.Problem {
	buffer := c.s.bodies.get()
	value, found, err := c.s.engine.Get(t.key, (*buffer)[:0])
	*buffer = value
	t.row = buffer
	if err == nil && found {
		err = t.rec.decode(value)
	}
	if err != nil {
		c.done(t)
		return c.failed(err)
	}
	if t.exists = found; !found {
		c.done(t)
	}
	return nil
}

// version returns the last part of the key that a request names: a snapshot, a version or the blob. Problem:
// InvalidQueryParameterValue.
func (c *call) version() (string, *azure.Problem) {
	if c.Query == "" {
		return baseMark, nil
	}
	id, byID := c.Query.Lookup("versionid")
	s, ok := c.Query.Lookup("snapshot")
	if byID && id != "" {
		t, valid := parseSnapshot(id)
		if !valid || s != "" {
			return "", azure.InvalidQuery("versionid", id, "Invalid version.")
		}
		return versionKey(t), nil
	}
	if !ok || s == "" {
		return baseMark, nil
	}
	t, ok := parseSnapshot(s)
	if !ok {
		return "", azure.InvalidQuery("snapshot", s, "Invalid snapshot.")
	}
	return t.snapshot(), nil
}

// onlyCurrent rejects a request that names a snapshot or a version: only the blob itself can be written. Problem:
// InvalidQueryParameterValue.
func (c *call) onlyCurrent() *azure.Problem {
	if c.Query == "" {
		return nil
	}
	for _, name := range []string{"snapshot", "versionid"} {
		if v, ok := c.Query.Lookup(name); ok && v != "" {
			return azure.InvalidQuery(name, v, "Snapshots and versions cannot be written.")
		}
	}
	return nil
}

// read finds what the request names, for reading, and checks conditions and the lease id, if one was sent. The caller
// must call done. Problems: ContainerNotFound, BlobNotFound, ConditionNotMet and those of leases.
func (c *call) read(t *target) *azure.Problem {
	if p := c.find(t); p != nil {
		return p
	}
	if !t.exists {
		return blobNotFound()
	}
	return nil
}

// find is read for a blob that need not exist.
func (c *call) find(t *target) *azure.Problem {
	version, p := c.version()
	if p != nil {
		return p
	}
	if p := c.enter(); p != nil {
		return p
	}
	if p := c.load(t, version); p != nil {
		return p
	}
	if !t.exists {
		return nil
	}
	if p := c.mayRead(&t.rec); p != nil {
		c.done(t)
		return p
	}
	return nil
}

// reading makes an operation from a function that answers from the blob, snapshot or version that a request names.
func reading(answer func(*call, *target) *azure.Problem) func(*call) *azure.Problem {
	return func(c *call) *azure.Problem {
		if p := c.read(&c.target); p != nil {
			return p
		}
		defer c.done(&c.target)
		return answer(c, &c.target)
	}
}

func (c *call) mayRead(r *record) *azure.Problem {
	conditions, p := parseConditions(c.HTTP.Header, ownConditions())
	if p != nil {
		return p
	}
	if p := conditions.read(r.etag, r.tags); p != nil {
		if p.Status == http.StatusNotModified {
			p.Header = http.Header{"Etag": {r.etag.quoted()}, "Last-Modified": {r.etag.http()}}
		}
		return p
	}
	return cmp.Or(r.lease.guardRead(leaseOfBlob, c.leaseID(), c.now), c.unlocks(r))
}

// leaseID returns the lease the request names; empty: none.
func (c *call) leaseID() string { return first(c.HTTP.Header, "X-Ms-Lease-Id") }

// checkLeaseID returns the problem InvalidHeaderValue for an id that is not a GUID.
func (c *call) checkLeaseID() *azure.Problem {
	id := c.leaseID()
	if _, ok := guid(id); !ok && id != "" {
		return azure.InvalidHeaderValue("x-ms-lease-id", id)
	}
	return nil
}

// locked takes the blob's lock, reads the row of the blob, or of the snapshot or the version that version names, and
// calls do with it, which must take no lock of the account. Problem: ContainerNotFound, if the container was deleted
// after enter.
func (c *call) locked(version string, do func(*target) *azure.Problem) *azure.Problem {
	base := c.shelf.space.Key(make([]byte, 0, 128), blobRows, c.id, c.blob, baseMark)
	defer c.Account.Data.Lock(base)()
	c.shelf.writing.RLock()
	defer c.shelf.writing.RUnlock()
	if !c.shelf.holds(c.container, c.id) {
		return containerNotFound()
	}
	t := &c.target
	if version == baseMark {
		t.key = base
	}
	if p := c.load(t, version); p != nil {
		return p
	}
	defer c.done(t)
	return do(t)
}

// mayWrite checks conditions and lease of a blob under its lock. creates says that the operation creates the blob, so
// that it need not exist.
func (c *call) mayWrite(t *target, creates bool) *azure.Problem {
	if p := cmp.Or(c.meets(t, creates), c.checkLeaseID()); p != nil {
		return p
	}
	if creates && !c.mayOverwrite(t) {
		return unauthorizedOverwrite()
	}
	return cmp.Or(t.rec.lease.guardWrite(leaseOfBlob, c.leaseID(), c.now), c.unlocks(&t.rec))
}

// meets checks that the blob exists, unless the operation creates it, and that the conditions hold.
func (c *call) meets(t *target, creates bool) *azure.Problem {
	if !t.exists && !creates {
		return blobNotFound()
	}
	conditions, p := parseConditions(c.HTTP.Header, ownConditions())
	if p != nil {
		return p
	}
	conditions.alreadyIsConflict = creates
	etag := t.rec.etag
	if !t.exists && (conditions.since != 0 || conditions.notSince != 0) {
		var err error
		if etag, err = c.shelf.stagedAt(c.id, c.blob); err != nil {
			return c.failed(err)
		}
	}
	return conditions.write(t.exists, etag, t.rec.tags)
}

// mayOverwrite reports whether the request may overwrite the blob: a signature with create permission only may not
// overwrite an existing one.
func (c *call) mayOverwrite(t *target) bool {
	return !t.exists || c.Allow(azure.ObjectLevel, "w") == nil
}

// change runs an operation on an existing blob: under its lock, after checking conditions and lease. do changes the
// record, and may write more; the record is then written in the same batch. The answer gets the headers of its ETag.
func (c *call) change(do func(t *target, ch *change) *azure.Problem) (written record, p *azure.Problem) {
	if p := cmp.Or(c.onlyCurrent(), c.enter()); p != nil {
		return written, p
	}
	p = c.locked(baseMark, func(t *target) *azure.Problem {
		if p := c.mayWrite(t, false); p != nil {
			return p
		}
		ch := c.shelf.change()
		defer ch.discard()
		if p := do(t, ch); p != nil {
			return p
		}
		ch.set(t.key, t.rec.append(nil))
		if err := ch.commit(); err != nil {
			return c.failed(err)
		}
		written = t.rec
		c.answer.etag(written.etag)
		return nil
	})
	return written, p
}

// parseContentHeaders reads the headers to store with a blob. With plain, the ordinary headers of the request are used
// if the x-ms-blob- ones are missing, as in Put Blob.
func parseContentHeaders(h http.Header, plain bool) (contentHeaders, *azure.Problem) {
	value := func(own, ordinary string) string {
		v := first(h, own)
		if v == "" && plain {
			v = first(h, ordinary)
		}
		return v
	}
	out := contentHeaders{
		contentType:  value("X-Ms-Blob-Content-Type", "Content-Type"),
		encoding:     value("X-Ms-Blob-Content-Encoding", "Content-Encoding"),
		language:     value("X-Ms-Blob-Content-Language", "Content-Language"),
		cacheControl: value("X-Ms-Blob-Cache-Control", "Cache-Control"),
		disposition:  first(h, "X-Ms-Blob-Content-Disposition"),
	}
	if sent := first(h, "X-Ms-Blob-Content-Md5"); sent != "" {
		var p *azure.Problem
		if out.md5, p = parseMD5("x-ms-blob-content-md5", sent); p != nil {
			return out, p
		}
	}
	return out, nil
}

// defaultType is the type of blobs created without one.
const defaultType = "application/octet-stream"

// newRecord returns the record of a new blob: metadata, tags, tier and headers of the request, replacing an old blob or
// none.
func newRecord(c *call, k kind, plain bool) (record, *azure.Problem) {
	r := record{kind: k, key: c.key}
	var p *azure.Problem
	if r.headers, p = parseContentHeaders(c.HTTP.Header, plain); p != nil {
		return r, p
	}
	r.headers.contentType = cmp.Or(r.headers.contentType, defaultType)
	if r.metadata, p = parseMetadata(c.HTTP.Header); p != nil {
		return r, p
	}
	if r.tags, p = headerTags(c); p != nil {
		return r, p
	}
	name := first(c.HTTP.Header, "X-Ms-Access-Tier")
	if name == "" {
		return r, nil
	}
	if k != blockBlob || !isTier(name) {
		return r, azure.InvalidHeaderValue("x-ms-access-tier", name)
	}
	r.tier = tier{name: canonicalTier(name), changed: c.now}
	return r, nil
}
