package blobs

import (
	"encoding/base64"
	"net/http"
	"strconv"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// getProperties is Get Blob Properties.
// https://learn.microsoft.com/rest/api/storageservices/get-blob-properties
func (c *call) getProperties() *azure.Problem {
	var t target
	if p := c.read(&t); p != nil {
		return p
	}
	defer c.done(&t)
	rec := &t.rec
	c.describe(rec)
	if rec.kind == blockBlob {
		c.h["X-Ms-Access-Tier"] = []string{rec.tierName()}
		if rec.tier.name == "" {
			c.h["X-Ms-Access-Tier-Inferred"] = c.s.yes
		} else {
			c.h["X-Ms-Access-Tier-Change-Time"] = []string{rec.tier.changed.http()}
		}
	}
	if rec.headers.md5 != "" {
		c.h["Content-Md5"] = []string{base64.StdEncoding.EncodeToString([]byte(rec.headers.md5))}
	}
	if c.SAS != nil {
		for name, values := range c.SAS.Headers {
			c.h[name] = values
		}
	}
	c.h["Content-Length"] = []string{strconv.FormatInt(rec.size, 10)}
	c.w.WriteHeader(http.StatusOK)
	return nil
}

// defaultTier is the tier of an account's blobs that were given none.
const defaultTier = "Hot"

func (r *record) tierName() string {
	if r.tier.name == "" {
		return defaultTier
	}
	return r.tier.name
}

// setProperties is Set Blob Properties: all headers are replaced, unless the request is only about a
// page blob's size or sequence number.
// https://learn.microsoft.com/rest/api/storageservices/set-blob-properties
func (c *call) setProperties() *azure.Problem {
	headers, p := c.contentHeaders(false)
	if p != nil {
		return p
	}
	var written record
	p = c.change(func(t *target, ch *change) *azure.Problem {
		if p := c.setPageProperties(t, ch); p != nil {
			return p
		}
		aboutPages := first(c.HTTP.Header, "X-Ms-Blob-Content-Length") != "" || first(c.HTTP.Header, "X-Ms-Sequence-Number-Action") != ""
		if headers != (contentHeaders{}) || !aboutPages {
			t.rec.headers = headers
		}
		c.touch(&t.rec)
		written = t.rec
		return nil
	})
	if p != nil {
		return p
	}
	c.etagHeaders(written.etag)
	if written.kind == pageBlob {
		c.h["X-Ms-Blob-Sequence-Number"] = []string{strconv.FormatInt(written.sequence, 10)}
	}
	c.empty(http.StatusOK)
	return nil
}

// getMetadata is Get Blob Metadata.
func (c *call) getMetadata() *azure.Problem {
	var t target
	if p := c.read(&t); p != nil {
		return p
	}
	defer c.done(&t)
	c.etagHeaders(t.rec.etag)
	setMetadata(c.h, t.rec.metadata)
	c.empty(http.StatusOK)
	return nil
}

// setMetadata is Set Blob Metadata: all of it is replaced.
func (c *call) setMetadata() *azure.Problem {
	metadata, p := parseMetadata(c.HTTP.Header)
	if p != nil {
		return p
	}
	var etag ticks
	p = c.change(func(t *target, _ *change) *azure.Problem {
		t.rec.metadata = metadata
		c.touch(&t.rec)
		etag = t.rec.etag
		return nil
	})
	if p != nil {
		return p
	}
	c.etagHeaders(etag)
	c.h["X-Ms-Request-Server-Encrypted"] = c.s.yes
	c.empty(http.StatusOK)
	return nil
}

// setTier is Set Blob Tier. It leaves ETag and Last-Modified alone. A blob leaves the archive at once,
// where Azure takes hours.
// https://learn.microsoft.com/rest/api/storageservices/set-blob-tier
func (c *call) setTier() *azure.Problem {
	name := first(c.HTTP.Header, "X-Ms-Access-Tier")
	if name == "" {
		return azure.MissingHeader("x-ms-access-tier")
	}
	if !isTier(name) {
		return invalidTier(name)
	}
	if priority := first(c.HTTP.Header, "X-Ms-Rehydrate-Priority"); priority != "" && priority != "High" && priority != "Standard" {
		return azure.InvalidHeaderValue("x-ms-rehydrate-priority", priority)
	}
	status := http.StatusOK
	p := c.changeVersion(func(t *target) *azure.Problem {
		if t.rec.kind != blockBlob {
			return invalidBlobType()
		}
		if t.rec.tier.name == archiveTier && canonicalTier(name) != archiveTier {
			status = http.StatusAccepted
		}
		t.rec.tier = tier{canonicalTier(name), c.now}
		return nil
	})
	if p != nil {
		return p
	}
	c.empty(status)
	return nil
}

// changeVersion changes the row of a blob or of one of its snapshots, in what neither changes the body
// nor the ETag. Only the blob has a lease.
func (c *call) changeVersion(do func(*target) *azure.Problem) *azure.Problem {
	version, p := c.version()
	if p != nil {
		return p
	}
	if p := c.enter(); p != nil {
		return p
	}
	var t target
	base := c.shelf.space.Key(nil, blobRows, c.id, c.blob, baseMark)
	defer c.Account.Data.Lock(base)()
	if p := c.load(&t, version); p != nil {
		return p
	}
	defer c.done(&t)
	if p := c.mayWrite(&t, false); p != nil {
		return p
	}
	if p := do(&t); p != nil {
		return p
	}
	return c.setRow(t.key, &t.rec)
}

// undelete is Undelete Blob. Soft delete is off, so there is nothing to bring back.
func (c *call) undelete() *azure.Problem {
	var t target
	if p := c.read(&t); p != nil {
		return p
	}
	c.done(&t)
	c.empty(http.StatusOK)
	return nil
}
