package lovehunt

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/storespec/storespec/reference/account"
)

// archivePrefix begins the names of archived blobs (LH-MIG-6).
const archivePrefix = "archive/"

// ErrNotReady says why the blobs cannot be archived yet.
var ErrNotReady = errors.New("the blobs are still needed")

// Archive puts the blobs of the time before the migration aside, in tables-only, when every record agrees: each is
// copied to archive/, and deleted when the copy is there. It returns how many. Errors: ErrNotReady.
func (t *Tools) Archive(ctx context.Context) (moved int, err error) {
	s := t.server
	if s.phase() != tablesOnly {
		return 0, fmt.Errorf("%w: the phase is %s, not tables-only", ErrNotReady, s.phase())
	}
	found, err := t.Compare(ctx)
	if err != nil {
		return 0, err
	}
	if len(found.Wrong) > 0 {
		return 0, fmt.Errorf("%w: %d of %d records do not agree", ErrNotReady, len(found.Wrong), found.Records)
	}
	names, err := s.store.orgBlobs(ctx)
	if err != nil {
		return 0, err
	}
	names = append(names, blobApp)
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return moved, err
		}
		was, err := s.putAside(ctx, name)
		if err != nil {
			return moved, err
		}
		if was {
			moved++
		}
	}
	return moved, nil
}

// putAside copies a blob and deletes it; false if there is none.
func (s *records) putAside(ctx context.Context, name string) (bool, error) {
	doc, err := s.store.blob(ctx, name)
	if doc == nil {
		return false, err
	}
	err = s.store.writeBlob(ctx, archivePrefix+name, doc.data, "")
	if errors.Is(err, account.ErrChanged) { // an earlier run was ended after it
		old, failed := s.store.blob(ctx, archivePrefix+name)
		if failed != nil {
			return false, failed
		}
		if old == nil || !bytes.Equal(old.data, doc.data) {
			return false, fmt.Errorf("%s%s is there already, with other content: %w", archivePrefix, name, ErrNotReady)
		}
		err = nil
	}
	if err != nil {
		return false, err
	}
	return true, s.store.removeBlob(ctx, name, doc.etag)
}
