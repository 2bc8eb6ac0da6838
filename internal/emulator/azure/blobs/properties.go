package blobs

import (
	"net/http"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// getBlobProperties is Get Blob Properties.
// https://learn.microsoft.com/rest/api/storageservices/get-blob-properties
func getBlobProperties(c *call, t *target) *azure.Problem {
	rec := &t.rec
	describe(c, rec)
	c.answer.tier(rec, c.now)
	bodyHeaders(c, rec, span{0, rec.size})
	return c.answer.empty(http.StatusOK)
}

// setBlobProperties is Set Blob Properties: it replaces all headers, unless the request only sets a page blob's size or
// sequence number. https://learn.microsoft.com/rest/api/storageservices/set-blob-properties
func setBlobProperties(c *call) *azure.Problem {
	headers, p := parseContentHeaders(c.HTTP.Header, false)
	if p != nil {
		return p
	}
	written, p := c.change(func(t *target, ch *change) *azure.Problem {
		if p := setPageProperties(c, t, ch); p != nil {
			return p
		}
		aboutPages := first(c.HTTP.Header, "X-Ms-Blob-Content-Length") != "" ||
			first(c.HTTP.Header, "X-Ms-Sequence-Number-Action") != ""
		if headers != (contentHeaders{}) || !aboutPages {
			t.rec.headers = headers
		}
		t.rec.etag = c.clock.Next(c.now)
		return nil
	})
	if p != nil {
		return p
	}
	if written.kind == pageBlob {
		c.answer.number("X-Ms-Blob-Sequence-Number", written.sequence)
	}
	return c.answer.empty(http.StatusOK)
}

// getBlobMetadata is Get Blob Metadata.
func getBlobMetadata(c *call, t *target) *azure.Problem {
	setMetadata(c.answer.h, t.rec.metadata)
	return c.answer.changed(t.rec.etag)
}

// setBlobMetadata is Set Blob Metadata, which replaces all metadata.
func setBlobMetadata(c *call) *azure.Problem {
	metadata, p := parseMetadata(c.HTTP.Header)
	if p != nil {
		return p
	}
	written, p := c.change(func(t *target, ch *change) *azure.Problem {
		c.history().preserve(t, ch)
		t.rec.metadata = metadata
		t.rec.etag = c.clock.Next(c.now)
		t.rec.version = c.history().newVersion(t.rec.etag)
		return nil
	})
	if p != nil {
		return p
	}
	c.answer.version(written.version)
	c.answer.encrypted(c.key)
	return c.answer.empty(http.StatusOK)
}

// changeVersion changes the row of a blob, or of one of its snapshots or versions, without changing the body or the
// ETag. Only the blob has a lease.
func (c *call) changeVersion(do func(*target) *azure.Problem) *azure.Problem {
	version, p := c.version()
	if p != nil {
		return p
	}
	if p := c.enter(); p != nil {
		return p
	}
	return c.locked(version, func(t *target) *azure.Problem {
		if p := c.mayWrite(t, false); p != nil {
			return p
		}
		if p := do(t); p != nil {
			return p
		}
		return c.setRow(t.key, &t.rec)
	})
}
