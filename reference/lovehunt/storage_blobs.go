package lovehunt

import (
	"context"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"

	"github.com/storespec/storespec/reference/account"
)

const typeJSON = "application/json"

// document is a blob as it was read.
type document struct {
	data []byte
	etag string
}

// blob reads a blob; nil when there is none.
func (s *store) blob(ctx context.Context, name string) (_ *document, err error) {
	defer func() { s.logged("reading a blob", "blobs", err) }()
	if err := s.blobsMade.Once(ctx, s.createContainer); err != nil {
		return nil, err
	}
	data, etag, err := account.Download(ctx, s.blobs.NewBlockBlobClient(name))
	if data == nil {
		return nil, err
	}
	return &document{data: data, etag: etag}, nil
}

// writeBlob writes a blob that was read, or a new one if etag is "". Errors: account.ErrChanged.
func (s *store) writeBlob(ctx context.Context, name string, data []byte, etag string) (err error) {
	defer func() { s.logged("writing a blob", "blobs", err) }()
	if err := s.blobsMade.Once(ctx, s.createContainer); err != nil {
		return err
	}
	match := azcore.ETag(etag)
	conditions := &blob.ModifiedAccessConditions{IfMatch: &match}
	if etag == "" {
		absent := azcore.ETagAny
		conditions = &blob.ModifiedAccessConditions{IfNoneMatch: &absent}
	}
	err = account.Upload(ctx, s.blobs.NewBlockBlobClient(name), typeJSON, data, conditions)
	if err != nil {
		return account.Failed("writing a blob", err)
	}
	return nil
}

// orgBlobs lists the blobs of organizations in the order of their names: one call for each page.
func (s *store) orgBlobs(ctx context.Context) (names []string, err error) {
	defer func() { s.logged("listing blobs", "blobs", err) }()
	if err := s.blobsMade.Once(ctx, s.createContainer); err != nil {
		return nil, err
	}
	prefix := orgsPrefix
	pages := s.blobs.NewListBlobsFlatPager(&container.ListBlobsFlatOptions{Prefix: &prefix})
	for pages.More() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, account.Failed("listing blobs", err)
		}
		for _, item := range page.Segment.BlobItems {
			names = append(names, *item.Name)
		}
	}
	return names, nil
}

// removeBlob deletes a blob that was read; one that is not there is fine. Errors: account.ErrChanged.
func (s *store) removeBlob(ctx context.Context, name, etag string) (err error) {
	defer func() { s.logged("deleting a blob", "blobs", err) }()
	match := azcore.ETag(etag)
	_, err = s.blobs.NewBlobClient(name).Delete(ctx, &blob.DeleteOptions{
		AccessConditions: &blob.AccessConditions{
			ModifiedAccessConditions: &blob.ModifiedAccessConditions{IfMatch: &match},
		},
	})
	if err != nil && !account.Absent(err) {
		return account.Failed("deleting a blob", err)
	}
	return nil
}
