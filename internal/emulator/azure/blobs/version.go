package blobs

import (
	"strings"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// Previous versions of a blob have rows among those of its snapshots. The current one is the blob itself, whose record
// has the version's id. https://learn.microsoft.com/azure/storage/blobs/versioning-overview

// versionKey returns the last part of the key that a previous version has.
func versionKey(id ticks) string { return id.snapshot() + versionMark }

// isVersion reports whether a row is that of a previous version, by the last part of its key.
func isVersion(version string) bool { return strings.HasSuffix(version, versionMark) }

// loadCurrent reads the blob as a version that it may be. A blob that is not may have been when the previous versions
// were looked at, and is one of them now.
func (c *call) loadCurrent(t *target, version string) *azure.Problem {
	previous := t.key
	t.key = c.shelf.space.Key(nil, blobRows, c.id, c.blob, baseMark)
	if p := c.loadRow(t); p != nil {
		return p
	}
	if t.exists && versionKey(t.rec.version) == version {
		t.current = true
		return nil
	}
	c.done(t)
	t.key, t.rec = previous, record{}
	return c.loadRow(t)
}

// checkKind checks that a new blob is of the type of its versions: of the current one, or else of all the others,
// soft-deleted ones too. Problem: InvalidBlobType.
func checkKind(c *call, t *target, k kind) *azure.Problem {
	h := c.history()
	if !h.versioning && !h.versioned(t) {
		return nil
	}
	same := t.rec.kind == k
	if !t.exists {
		var err error
		if same, err = h.haveKind(k); err != nil {
			return c.failed(err)
		}
	}
	if !same {
		return invalidBlobType()
	}
	return nil
}
