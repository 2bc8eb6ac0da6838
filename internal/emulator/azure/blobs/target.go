package blobs

import (
	"encoding/base64"
	"net/http"
	"strings"

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

// target is a blob's row, read and perhaps to be written.
type target struct {
	key    []byte
	rec    record
	exists bool
	row    *[]byte // what rec.inline is part of
}

// done gives the row's buffer back. rec.inline is not to be used after it.
func (c *call) done(t *target) {
	if t.row != nil {
		c.s.bodies.Put(t.row)
		t.row, t.rec.inline = nil, nil
	}
}

// load reads the row of the blob or of one of its snapshots.
func (c *call) load(t *target, version string) *azure.Problem {
	if t.key == nil {
		t.key = c.shelf.space.Key(make([]byte, 0, 128), blobRows, c.id, c.blob, version)
	}
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

// version is the last part of the key of what a request names: a snapshot or the blob.
// Problem: InvalidQueryParameterValue.
func (c *call) version() (string, *azure.Problem) {
	if c.Query == "" {
		return baseMark, nil
	}
	if v, ok := c.Query.Lookup("versionid"); ok && v != "" {
		return "", azure.InvalidQuery("versionid", v, "Versioning is not enabled for this account.")
	}
	s, ok := c.Query.Lookup("snapshot")
	if !ok || s == "" {
		return baseMark, nil
	}
	t, ok := parseSnapshot(s)
	if !ok {
		return "", azure.InvalidQuery("snapshot", s, "Invalid snapshot.")
	}
	return t.snapshot(), nil
}

// noSnapshot refuses a request that names a snapshot, which cannot be written.
func (c *call) noSnapshot() *azure.Problem {
	if c.Query == "" {
		return nil
	}
	for _, name := range []string{"snapshot", "versionid"} {
		if v, ok := c.Query.Lookup(name); ok && v != "" {
			return azure.InvalidQuery(name, v, "Snapshots cannot be written.")
		}
	}
	return nil
}

// read finds what the request names, for reading: conditions and a lease id that was sent hold.
// The caller is done with it. Problems: ContainerNotFound, BlobNotFound, ConditionNotMet and those of
// leases.
func (c *call) read(t *target) *azure.Problem {
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
		return blobNotFound()
	}
	if p := c.mayRead(&t.rec); p != nil {
		c.done(t)
		return p
	}
	return nil
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
	return r.lease.guardRead(leaseOfBlob, c.leaseID(), c.now)
}

// leaseID is the lease the request names; empty: none.
func (c *call) leaseID() string { return first(c.HTTP.Header, "X-Ms-Lease-Id") }

// checkLeaseID: Problem InvalidHeaderValue for an id that is no GUID.
func (c *call) checkLeaseID() *azure.Problem {
	id := c.leaseID()
	if id == "" {
		return nil
	}
	if _, ok := guid(id); !ok {
		return azure.InvalidHeaderValue("x-ms-lease-id", id)
	}
	return nil
}

// lock takes the blob's lock and reads its row, for a write. The caller is done with the target and
// unlocks, in this order.
func (c *call) lock(t *target) (unlock func(), p *azure.Problem) {
	t.key = c.shelf.space.Key(make([]byte, 0, 128), blobRows, c.id, c.blob, baseMark)
	unlock = c.Account.Data.Lock(t.key)
	if p := c.load(t, baseMark); p != nil {
		unlock()
		return nil, p
	}
	return unlock, nil
}

// mayWrite checks conditions and lease of a blob under its lock. creates says that the operation makes
// the blob, so that it need not exist.
func (c *call) mayWrite(t *target, creates bool) *azure.Problem {
	if !t.exists && !creates {
		return blobNotFound()
	}
	conditions, p := parseConditions(c.HTTP.Header, ownConditions())
	if p != nil {
		return p
	}
	conditions.alreadyIsConflict = creates
	if p := conditions.write(t.exists, t.rec.etag, t.rec.tags); p != nil {
		return p
	}
	if p := c.checkLeaseID(); p != nil {
		return p
	}
	if t.exists && creates && c.SAS != nil {
		if p := c.Allow(azure.ObjectLevel, "w"); p != nil {
			return azure.NewProblem(http.StatusForbidden, "UnauthorizedBlobOverwrite",
				"This request is not authorized to perform blob overwrites.")
		}
	}
	return t.rec.lease.guardWrite(leaseOfBlob, c.leaseID(), c.now)
}

// change runs an operation on a blob that exists: under its lock, after conditions and lease were
// checked. do changes the record, and may write more; the record is then written with it.
func (c *call) change(do func(t *target, ch *change) *azure.Problem) *azure.Problem {
	if p := c.noSnapshot(); p != nil {
		return p
	}
	if p := c.enter(); p != nil {
		return p
	}
	var t target
	unlock, p := c.lock(&t)
	if p != nil {
		return p
	}
	defer unlock()
	defer c.done(&t)
	if p := c.mayWrite(&t, false); p != nil {
		return p
	}
	ch := c.shelf.change()
	defer ch.discard()
	if p := do(&t, ch); p != nil {
		return p
	}
	ch.set(t.key, t.rec.append(nil))
	if err := ch.commit(); err != nil {
		return c.failed(err)
	}
	return nil
}

// touch gives the record a new ETag and Last-Modified.
func (c *call) touch(r *record) { r.etag = c.s.clock.next(c.Now) }

// etagHeaders are on the answer of every write.
func (c *call) etagHeaders(etag ticks) {
	values := []string{etag.quoted(), etag.http()}
	c.h["Etag"] = values[0:1:1]
	c.h["Last-Modified"] = values[1:2:2]
}

// empty answers without a body. net/http adds the length; a ninth header of our own would cost a map that
// grows.
func (c *call) empty(status int) { c.w.WriteHeader(status) }

// contentHeaders reads the headers a blob is to have. With plain, the ordinary headers of the request
// count where the x-ms-blob- ones are not there, as Put Blob has it.
func (c *call) contentHeaders(plain bool) (contentHeaders, *azure.Problem) {
	h := c.HTTP.Header
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
		raw, err := base64.StdEncoding.DecodeString(sent)
		if err != nil || len(raw) != 16 {
			return out, azure.InvalidHeaderValue("x-ms-blob-content-md5", sent)
		}
		out.md5 = string(raw)
	}
	return out, nil
}

// defaultType is the type of blobs that were given none.
const defaultType = "application/octet-stream"

// newRecord begins a blob: metadata, tags, tier and headers of the request, over an old blob or none.
func (c *call) newRecord(k kind, plain bool) (record, *azure.Problem) {
	r := record{kind: k}
	var p *azure.Problem
	if r.headers, p = c.contentHeaders(plain); p != nil {
		return r, p
	}
	if r.headers.contentType == "" {
		r.headers.contentType = defaultType
	}
	if r.metadata, p = parseMetadata(c.HTTP.Header); p != nil {
		return r, p
	}
	if r.tags, p = c.headerTags(); p != nil {
		return r, p
	}
	name := first(c.HTTP.Header, "X-Ms-Access-Tier")
	if name == "" {
		return r, nil
	}
	if k != blockBlob || !isTier(name) {
		return r, invalidTier(name)
	}
	r.tier = tier{canonicalTier(name), c.now}
	return r, nil
}

func isTier(name string) bool { return canonicalTier(name) != "" }

// canonicalTier spells a tier as Azure does; empty: it is none that a block blob can have.
func canonicalTier(name string) string {
	for _, tier := range []string{"Hot", "Cool", "Cold", archiveTier} {
		if strings.EqualFold(tier, name) {
			return tier
		}
	}
	return ""
}

// archiveTier is the tier whose blobs cannot be read.
const archiveTier = "Archive"
