package familyscheduler

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/streaming"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"

	"github.com/storespec/storespec/reference/account"
)

const typeJSON = "application/json"

// document is a blob's content as it was read, and the version that was read.
type document struct {
	data        []byte
	contentType string
	etag        string
}

// readBlob reads a blob; nil when there is none.
func (s *store) readBlob(ctx context.Context, name string) (*document, error) {
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	answer, err := s.blob(name).DownloadStream(ctx, nil)
	if account.Absent(err) {
		return nil, nil
	}
	if err != nil {
		return nil, account.Failed("reading a blob", err)
	}
	body := answer.NewRetryReader(ctx, nil)
	defer func() { _ = body.Close() }()
	data, err := io.ReadAll(body)
	if err != nil {
		return nil, account.Failed("reading a blob's content", err)
	}
	doc := &document{data: data}
	if answer.ContentType != nil {
		doc.contentType = *answer.ContentType
	}
	if answer.ETag != nil {
		doc.etag = string(*answer.ETag)
	}
	return doc, nil
}

// readJSON reads a blob into a value; found is false when there is none. errCorrupt when it is not such a value.
func (s *store) readJSON(ctx context.Context, name string, into any) (found bool, err error) {
	doc, err := s.readBlob(ctx, name)
	if doc == nil || err != nil {
		return false, err
	}
	return true, doc.decode(into)
}

// decode reads the content as JSON; errCorrupt when it is not such a value.
func (d *document) decode(into any) error {
	if err := json.Unmarshal(d.data, into); err != nil {
		return fmt.Errorf("%w: %T", errCorrupt, into)
	}
	return nil
}

// writeBlob writes a blob whatever is there.
func (s *store) writeBlob(ctx context.Context, name, contentType string, data []byte) error {
	return s.upload(ctx, name, contentType, data, nil)
}

// createBlob writes a blob that must not be there; created is false when it is, unless an attempt of this very call
// put it there and its answer was lost.
func (s *store) createBlob(ctx context.Context, name string, data []byte) (created bool, err error) {
	anyVersion := azcore.ETagAny
	return s.conditional(ctx, name, data, &blob.ModifiedAccessConditions{IfNoneMatch: &anyVersion})
}

// replaceBlob writes a blob that was read before; replaced is false when it is no longer the one that was read.
func (s *store) replaceBlob(ctx context.Context, name string, data []byte, etag string) (replaced bool, err error) {
	match := azcore.ETag(etag)
	return s.conditional(ctx, name, data, &blob.ModifiedAccessConditions{IfMatch: &match})
}

func (s *store) conditional(ctx context.Context, name string, data []byte, on *blob.ModifiedAccessConditions) (bool, error) {
	err := s.upload(ctx, name, typeJSON, data, on)
	if !errors.Is(err, account.ErrChanged) {
		return err == nil, err
	}
	// The SDK repeats a call whose answer was lost, and the repetition finds our own write.
	now, err := s.readBlob(ctx, name)
	if err != nil {
		return false, err
	}
	return now != nil && bytes.Equal(now.data, data), nil
}

func (s *store) upload(ctx context.Context, name, contentType string, data []byte, on *blob.ModifiedAccessConditions) error {
	if err := s.ready(ctx); err != nil {
		return err
	}
	options := &blockblob.UploadOptions{HTTPHeaders: &blob.HTTPHeaders{BlobContentType: &contentType}}
	if on != nil {
		options.AccessConditions = &blob.AccessConditions{ModifiedAccessConditions: on}
	}
	if _, err := s.blob(name).Upload(ctx, streaming.NopCloser(bytes.NewReader(data)), options); err != nil {
		return account.Failed("writing a blob", err)
	}
	return nil
}

// deleteBlob deletes a blob; one that is not there is as good.
func (s *store) deleteBlob(ctx context.Context, name string) error {
	if err := s.ready(ctx); err != nil {
		return err
	}
	if _, err := s.blob(name).Delete(ctx, nil); err != nil && !account.Absent(err) {
		return account.Failed("deleting a blob", err)
	}
	return nil
}
