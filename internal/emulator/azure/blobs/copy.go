package blobs

import (
	"cmp"
	"crypto/md5"
	"crypto/tls"
	"encoding/base64"
	"io"
	"net/http"
	"net/url"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// copySource is the source blob of a copy.
type copySource struct {
	*call
	url    string
	atOnce bool // the source's content is read before the answer, as by a Get Blob

	verified ticks // the ETag of the content that was compared with the MD5 that was sent; 0: none was sent
}

// findSource finds the blob that x-ms-copy-source names. A request signed with the account's key may read the account's
// blobs by Copy Blob (async); everything else needs a signature in the source's address. Problems: InvalidHeaderValue,
// CannotVerifyCopySource.
func findSource(c *call, address string, async bool) (*copySource, *azure.Problem) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || len(address) > 2<<10 {
		return nil, azure.InvalidHeaderValue("x-ms-copy-source", address)
	}
	r := &http.Request{
		Method: http.MethodGet, URL: u, RequestURI: address, Host: u.Host, RemoteAddr: c.HTTP.RemoteAddr,
		Header: http.Header{"X-Ms-Version": {c.Version}}, Body: http.NoBody,
	}
	if u.Scheme == "https" {
		r.TLS = &tls.ConnectionState{}
	}
	part, p := sourceRequest(c, r, async)
	if p != nil {
		return nil, sourceProblem(p)
	}
	s := &copySource{call: c.s.newCall(part), url: withoutSignature(u)}
	s.shelf = c.shelf
	if p := s.locate(); p != nil || s.blob == "" {
		return nil, azure.InvalidHeaderValue("x-ms-copy-source", address)
	}
	if part.SAS != nil {
		if p := part.Allow(azure.ObjectLevel, "r"); p != nil {
			return nil, cannotVerifySource(http.StatusForbidden, p.Message)
		}
	}
	if p := s.readSourceKey(c.HTTP.Header); p != nil {
		return nil, p
	}
	if p := s.enter(); p != nil {
		return nil, sourceProblem(p)
	}
	return s, nil
}

func sourceRequest(c *call, r *http.Request, async bool) (*azure.Request, *azure.Problem) {
	path, query, own := c.PartPath(r.RequestURI)
	if !own {
		return nil, azure.ResourceNotFound()
	}
	if async && c.SAS == nil && !query.Has("sig") {
		return &azure.Request{
			HTTP: r, Service: c.Service, Account: c.Account, Path: path, Query: query,
			ID: c.ID, Version: c.Version, Now: c.Now,
		}, nil
	}
	return c.Part(r)
}

// withoutSignature returns the address as shown in x-ms-copy-source.
func withoutSignature(u *url.URL) string {
	shown := *u
	if q := u.Query(); q.Has("sig") {
		kept := url.Values{}
		for _, name := range []string{"snapshot", "versionid"} {
			if id := q.Get(name); id != "" {
				kept.Set(name, id)
			}
		}
		shown.RawQuery = kept.Encode()
	}
	return shown.String()
}

// find reads the source's row. Problems: CannotVerifyCopySource, SourceConditionNotMet, those of leases.
func (s *copySource) find(h http.Header) *azure.Problem {
	version, p := s.version()
	if p == nil {
		p = s.load(&s.target, version)
	}
	if p == nil && !s.target.exists {
		p = blobNotFound()
	}
	if p != nil {
		return sourceProblem(p)
	}
	if p := s.mayCopy(h); p != nil {
		s.done(&s.target)
		return p
	}
	return nil
}

// mayCopy checks the conditions on the source that was found, its lease and its key.
func (s *copySource) mayCopy(h http.Header) *azure.Problem {
	conditions, p := parseConditions(h, sourceConditions())
	if p != nil {
		return p
	}
	conditions.sourceOfCopy, conditions.readAtOnce = true, s.atOnce
	rec := &s.target.rec
	if p := cmp.Or(conditions.read(rec.etag, rec.tags),
		rec.lease.guardRead(leaseOfBlob, first(h, "X-Ms-Source-Lease-Id"), s.now)); p != nil {
		return p
	}
	if p := s.unlocks(rec); p != nil {
		return sourceProblem(p)
	}
	return nil
}

// findReadable is find for a source that is read at once: one that has not changed is an answer 304 to that read, and
// an archived one cannot be read.
func (s *copySource) findReadable(h http.Header) *azure.Problem {
	s.atOnce = true
	if p := s.find(h); p != nil {
		return p
	}
	if s.target.rec.archived(s.now) {
		s.done(&s.target)
		return blobArchived()
	}
	return nil
}

// copyBlob is Copy Blob and, with x-ms-requires-sync, Copy Blob From URL. Within an account a copy shares its source's
// chunks, so both are complete when they are answered. https://learn.microsoft.com/rest/api/storageservices/copy-blob
func copyBlob(c *call, address string) *azure.Problem {
	if p := noKeys(c.HTTP.Header); p != nil {
		return p
	}
	sync := first(c.HTTP.Header, "X-Ms-Requires-Sync") == "true"
	src, p := findSource(c, address, !sync)
	if p != nil {
		return p
	}
	if sync {
		if p := src.verify(c.HTTP.Header); p != nil {
			return p
		}
	}
	rec, p := copyRecord(c, src, sync)
	if p != nil {
		return p
	}
	c.answer.etag(rec.etag)
	c.answer.version(rec.version)
	c.answer.h["X-Ms-Copy-Id"] = []string{rec.copy.id}
	c.answer.h["X-Ms-Copy-Status"] = []string{rec.copy.status}
	if sync && rec.headers.md5 != "" {
		c.answer.h["Content-Md5"] = []string{base64.StdEncoding.EncodeToString([]byte(rec.headers.md5))}
	}
	return c.answer.empty(http.StatusAccepted)
}

// copyRecord writes the copy, under the lock of its destination and that of the shelf: the source's chunks must exist
// until the copy is counted.
func copyRecord(c *call, src *copySource, sync bool) (rec *record, p *azure.Problem) {
	own, p := newRecord(c, blockBlob, false)
	if p != nil {
		return nil, p
	}
	urgent, p := rehydration(c.HTTP.Header)
	if p != nil {
		return nil, p
	}
	p = c.locked(baseMark, func(t *target) *azure.Problem {
		if p := c.mayWrite(t, true); p != nil {
			return p
		}
		if l := &t.rec.lease; !sync && l.state(c.now) == leaseLeased && l.duration != infiniteLease {
			return finiteLease()
		}
		ch := c.shelf.change()
		defer ch.discard()
		ch.lock()
		find := src.find
		if sync {
			find = src.findReadable
		}
		if p := find(c.HTTP.Header); p != nil {
			return p
		}
		defer src.done(&src.target)
		if t.exists && t.rec.kind != src.target.rec.kind {
			return invalidBlobType()
		}
		if p := cmp.Or(checkKind(c, t, src.target.rec.kind), leaveArchive(&own, &src.target.rec, urgent, c.now),
			src.unchanged()); p != nil {
			return p
		}
		rec = mergeCopy(c, &own, src)
		c.history().succeed(rec, t)
		rec.body = ch.copyBody(src.target.rec.body)
		c.history().supersede(ch, t, rec.kind)
		ch.set(t.key, rec.append(nil))
		return c.failed(ch.commit())
	})
	return rec, p
}

// leaveArchive makes the copy of an archived blob archived too, on its way to the tier that was asked for; urgent
// means with high priority. Problem: BlobArchived, if no tier was asked for, or the archive.
func leaveArchive(own, source *record, urgent bool, now ticks) *azure.Problem {
	if !source.archived(now) {
		return nil
	}
	if own.tier.name == "" || own.tier.name == archiveTier {
		return blobArchived()
	}
	own.tier = tier{name: archiveTier, changed: now, pending: own.tier.name, urgent: urgent}
	return nil
}

// verify compares the source with the MD5 that was sent; the copy is then made of what was compared. Problems:
// InvalidMd5, Md5Mismatch.
func (s *copySource) verify(h http.Header) *azure.Problem {
	sent := first(h, "X-Ms-Source-Content-Md5")
	if sent == "" {
		return nil
	}
	want, p := parseMD5("x-ms-source-content-md5", sent)
	if p != nil {
		return p
	}
	if p := s.findReadable(h); p != nil {
		return p
	}
	defer s.done(&s.target)
	write, closeSource, p := s.writer()
	if p != nil {
		return p
	}
	defer closeSource()
	sum := md5.New()
	if err := write(sum, span{0, s.target.rec.size}); err != nil {
		return s.failed(err)
	}
	if s.verified = s.target.rec.etag; string(sum.Sum(nil)) != want {
		return md5Mismatch()
	}
	return nil
}

// unchanged reports whether the source is the one that was verified, if one was.
func (s *copySource) unchanged() *azure.Problem {
	if s.verified != 0 && s.verified != s.target.rec.etag {
		return (&conditions{sourceOfCopy: true}).notMet()
	}
	return nil
}

// writer returns how to write ranges of the source that was found, and what to call afterwards.
func (s *copySource) writer() (write func(io.Writer, span) error, closeSource func(), p *azure.Problem) {
	if s.target.rec.body == "" {
		return inlineSource(s.target.rec.inline), func() {}, nil
	}
	held, p := openSource(s.call, &s.target)
	if p != nil {
		return nil, nil, p
	}
	return held.write, held.close, nil
}

// mergeCopy builds the copy's record from its source's and the request.
func mergeCopy(c *call, own *record, src *copySource) *record {
	h := c.HTTP.Header
	rec := src.target.rec
	rec.lease, rec.tier = lease{}, own.tier
	if own.metadata != nil {
		rec.metadata = own.metadata
	}
	if first(h, "X-Ms-Copy-Source-Tag-Option") != "COPY" {
		rec.tags = own.tags
	}
	if seal := first(h, "X-Ms-Seal-Blob"); seal != "" {
		rec.sealed = seal == "true" && rec.kind == appendBlob
	}
	rec.copy = copyState{
		id: newGUID(), source: src.url, status: "success", copied: rec.size, total: rec.size, finished: c.now,
	}
	return &rec
}

// abortCopy is Abort Copy Blob: copies are never pending.
// https://learn.microsoft.com/rest/api/storageservices/abort-copy-blob
func abortCopy(c *call) *azure.Problem {
	id := c.Query.Get("copyid")
	if _, ok := guid(id); !ok {
		return azure.InvalidQuery("copyid", id, "The copy id is not a GUID.")
	}
	switch action := first(c.HTTP.Header, "X-Ms-Copy-Action"); action {
	case "abort":
	case "":
		return azure.MissingHeader("x-ms-copy-action")
	default:
		return azure.InvalidHeaderValue("x-ms-copy-action", action)
	}
	_, p := c.change(func(*target, *change) *azure.Problem { return noPendingCopy() })
	return p
}

// sourceBody receives a range of another blob, for the operations with From URL: through a file when it is large, like
// any body.
func sourceBody(c *call, address string, most int64, inMemory int, want digests) (*body, *azure.Problem) {
	if c.HTTP.ContentLength > 0 {
		return nil, azure.InvalidHeaderValue("Content-Length", "The body must be empty.")
	}
	if value := first(c.HTTP.Header, "X-Ms-Structured-Body"); value != "" { // it is for bodies that are sent
		return nil, unsupportedHeader("x-ms-structured-body", value)
	}
	src, p := findSource(c, address, false)
	if p != nil {
		return nil, p
	}
	if p := src.findReadable(c.HTTP.Header); p != nil {
		return nil, p
	}
	defer src.done(&src.target)
	from, p := sourceRange(c.HTTP.Header, src.target.rec.size)
	if p != nil {
		return nil, p
	}
	write, closeSource, p := src.writer()
	if p != nil {
		return nil, p
	}
	defer closeSource()
	r, w := io.Pipe()
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		_ = w.CloseWithError(write(w, from)) // documented to be nil
	}()
	b, p := receiveFrom(c, r, from.length(), most, inMemory, want, http.Header{
		"Content-Md5":        c.HTTP.Header["X-Ms-Source-Content-Md5"],
		"X-Ms-Content-Crc64": c.HTTP.Header["X-Ms-Source-Content-Crc64"],
	})
	_ = r.Close() // ends the writer, if it is still running
	<-sent
	return b, p
}

// sourceRange parses x-ms-source-range, within a source's size.
func sourceRange(h http.Header, size int64) (span, *azure.Problem) {
	text := first(h, "X-Ms-Source-Range")
	if text == "" {
		return span{0, size}, nil
	}
	s, ok := parseRange(text)
	if !ok {
		return s, azure.InvalidHeaderValue("x-ms-source-range", text)
	}
	if s.start >= size {
		return s, invalidRange()
	}
	s.end = min(s.end, size)
	return s, nil
}
