package familyscheduler

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"

	"github.com/storespec/storespec/reference/account"
)

const typeJSON = "application/json"

// document is a blob's content as it was read, with its version.
type document struct {
	data []byte
	etag string
}

// readBlob reads a blob; nil when there is none.
func (s *store) readBlob(ctx context.Context, name string) (*document, error) {
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	data, etag, err := account.Download(ctx, s.blob(name))
	if data == nil {
		return nil, err
	}
	return &document{data: data, etag: etag}, nil
}

// readJSON reads a blob into a value; found is false when there is none. errCorrupt when it does not decode.
func (s *store) readJSON(ctx context.Context, name string, into any) (found bool, err error) {
	doc, err := s.readBlob(ctx, name)
	if doc == nil {
		return false, err
	}
	return true, doc.decode(into)
}

// decode decodes the content as JSON; errCorrupt when it does not decode.
func (d *document) decode(into any) error {
	if err := json.Unmarshal(d.data, into); err != nil {
		return fmt.Errorf("%w: %T", errCorrupt, into)
	}
	return nil
}

// writeBlob writes a blob unconditionally.
func (s *store) writeBlob(ctx context.Context, name, contentType string, data []byte) error {
	return s.upload(ctx, name, contentType, data, nil)
}

// createJSON writes a value as a blob that must not exist; account.ErrChanged when it does.
func (s *store) createJSON(ctx context.Context, name string, value any) error {
	anyVersion := azcore.ETagAny
	return s.conditional(ctx, name, value, &blob.ModifiedAccessConditions{IfNoneMatch: &anyVersion})
}

// replaceJSON writes a value as a blob that was read before; account.ErrChanged when it has changed since.
func (s *store) replaceJSON(ctx context.Context, name string, value any, etag string) error {
	match := azcore.ETag(etag)
	return s.conditional(ctx, name, value, &blob.ModifiedAccessConditions{IfMatch: &match})
}

// conditional treats a blob with exactly this data as its own write. Go SDK: it repeats a call whose answer was lost,
// and the repetition then finds this call's own write.
func (s *store) conditional(ctx context.Context, name string, value any, on *blob.ModifiedAccessConditions) error {
	data, _ := json.Marshal(value) // JSON can express all that is stored
	err := s.upload(ctx, name, typeJSON, data, on)
	if !errors.Is(err, account.ErrChanged) {
		return err
	}
	now, failed := s.readBlob(ctx, name)
	if failed != nil {
		return failed
	}
	if now != nil && bytes.Equal(now.data, data) {
		return nil
	}
	return err
}

func (s *store) upload(ctx context.Context, name, contentType string, data []byte,
	on *blob.ModifiedAccessConditions) error {
	if err := s.ready(ctx); err != nil {
		return err
	}
	if err := account.Upload(ctx, s.blob(name), contentType, data, on); err != nil {
		return account.Failed("writing a blob", err)
	}
	return nil
}

// deleteBlob deletes a blob.
func (s *store) deleteBlob(ctx context.Context, name string) error {
	if _, err := s.blob(name).Delete(ctx, nil); err != nil {
		return account.Failed("deleting a blob", err)
	}
	return nil
}
