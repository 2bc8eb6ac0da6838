package account

import (
	"context"
	"fmt"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/bloberror"
)

// metadataOf begins the name of a property that is one of the metadata. The service ignores the case of such names, and
// the SDK may change it.
const metadataOf = "metadata "

// headers returns where the SDK has the properties that are headers, by name.
func headers(of *blob.HTTPHeaders) map[string]**string {
	return map[string]**string{"Content-Type": &of.BlobContentType, "Content-Encoding": &of.BlobContentEncoding,
		"Content-Language": &of.BlobContentLanguage, "Content-Disposition": &of.BlobContentDisposition,
		"Cache-Control": &of.BlobCacheControl}
}

// Properties reads the headers and the metadata of a blob; nil if it does not exist.
func (b blobs) Properties(ctx context.Context, container, name string) (map[string]string, error) {
	if err := b.open(); err != nil {
		return nil, err
	}
	answer, err := b.client(container, name).GetProperties(ctx, nil)
	if bloberror.HasCode(err, bloberror.BlobNotFound, bloberror.ContainerNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the properties of a blob of %s: %w", container, err)
	}
	found := map[string]string{}
	of := blob.ParseHTTPHeaders(answer)
	for header, value := range headers(&of) {
		if *value != nil && **value != "" {
			found[header] = **value
		}
	}
	for one, value := range answer.Metadata {
		if value != nil {
			found[metadataOf+strings.ToLower(one)] = *value
		}
	}
	return found, nil
}

// SetProperties changes headers and metadata of a blob. The service replaces all headers, and all metadata, at a time.
func (b blobs) SetProperties(ctx context.Context, container, name string, values map[string]string) error {
	if err := b.open(); err != nil {
		return err
	}
	client := b.client(container, name)
	answer, err := client.GetProperties(ctx, nil)
	if err != nil {
		return fmt.Errorf("read the properties of a blob of %s: %w", container, err)
	}
	of, metadata := blob.ParseHTTPHeaders(answer), map[string]*string{}
	for one, value := range answer.Metadata {
		metadata[strings.ToLower(one)] = value
	}
	for property, value := range values {
		if of, is := strings.CutPrefix(property, metadataOf); is && value == "" {
			delete(metadata, strings.ToLower(of))
		} else if is {
			metadata[strings.ToLower(of)] = &value
		}
		if to := headers(&of)[property]; to != nil && value == "" {
			*to = nil
		} else if to != nil {
			*to = &value
		}
	}
	if _, err := client.SetHTTPHeaders(ctx, of, nil); err != nil {
		return fmt.Errorf("set the properties of a blob of %s: %w", container, err)
	}
	if _, err := client.SetMetadata(ctx, metadata, nil); err != nil {
		return fmt.Errorf("set the metadata of a blob of %s: %w", container, err)
	}
	return nil
}

func (b blobs) client(container, name string) *blob.Client {
	return b.blobs.ServiceClient().NewContainerClient(container).NewBlobClient(name)
}
