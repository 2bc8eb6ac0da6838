package blobs

import (
	"net/http"
	"strconv"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// getProperties is Get Blob Properties.
// https://learn.microsoft.com/rest/api/storageservices/get-blob-properties
func (c *call) getProperties(t *target) *azure.Problem {
	rec := &t.rec
	c.describe(rec)
	c.tierHeaders(rec)
	c.bodyHeaders(rec, span{0, rec.size})
	return c.empty(http.StatusOK)
}

// setProperties is Set Blob Properties: it replaces all headers, unless the request only sets a page blob's size or
// sequence number. https://learn.microsoft.com/rest/api/storageservices/set-blob-properties
func (c *call) setProperties() *azure.Problem {
	headers, p := c.contentHeaders(false)
	if p != nil {
		return p
	}
	written, p := c.change(func(t *target, ch *change) *azure.Problem {
		if p := c.setPageProperties(t, ch); p != nil {
			return p
		}
		aboutPages := first(c.HTTP.Header, "X-Ms-Blob-Content-Length") != "" ||
			first(c.HTTP.Header, "X-Ms-Sequence-Number-Action") != ""
		if headers != (contentHeaders{}) || !aboutPages {
			t.rec.headers = headers
		}
		c.touch(&t.rec)
		return nil
	})
	if p != nil {
		return p
	}
	if written.kind == pageBlob {
		c.h["X-Ms-Blob-Sequence-Number"] = []string{strconv.FormatInt(written.sequence, 10)}
	}
	return c.empty(http.StatusOK)
}

// getMetadata is Get Blob Metadata.
func (c *call) getMetadata(t *target) *azure.Problem {
	setMetadata(c.h, t.rec.metadata)
	return c.changed(t.rec.etag)
}

// setMetadata is Set Blob Metadata, which replaces all metadata.
func (c *call) setMetadata() *azure.Problem {
	metadata, p := parseMetadata(c.HTTP.Header)
	if p != nil {
		return p
	}
	written, p := c.change(func(t *target, ch *change) *azure.Problem {
		c.preserve(t, ch)
		t.rec.metadata = metadata
		c.touch(&t.rec)
		t.rec.version = c.newVersion(t.rec.etag)
		return nil
	})
	if p != nil {
		return p
	}
	c.versionHeader(written.version)
	c.encrypted()
	return c.empty(http.StatusOK)
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
