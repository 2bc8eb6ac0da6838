package account

import (
	"bytes"
	"context"
	"io"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/streaming"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
)

// Download returns a blob's content and its version; no content (nil) when there is no blob.
func Download(ctx context.Context, from *blockblob.Client) (data []byte, etag string, err error) {
	answer, err := from.DownloadStream(ctx, nil)
	if Absent(err) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", Failed("reading a blob", err)
	}
	body := answer.NewRetryReader(ctx, nil) // Go SDK: the plain body is not resumed when the connection breaks
	defer func() { _ = body.Close() }()
	if data, err = io.ReadAll(body); err != nil {
		return nil, "", Failed("reading a blob's content", err)
	}
	return data, string(*answer.ETag), nil
}

// Upload writes a blob on a condition, or whatever there is if the condition is nil. Its error is the SDK's.
func Upload(ctx context.Context, to *blockblob.Client, contentType string, data []byte,
	on *blob.ModifiedAccessConditions) error {
	_, err := to.Upload(ctx, streaming.NopCloser(bytes.NewReader(data)), &blockblob.UploadOptions{
		HTTPHeaders:      &blob.HTTPHeaders{BlobContentType: &contentType},
		AccessConditions: &blob.AccessConditions{ModifiedAccessConditions: on},
	})
	return err
}
