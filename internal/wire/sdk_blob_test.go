package wire_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/lease"

	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

// sessionBlob is the name of the blob that is called on.
const sessionBlob = "it's/ü |100%;+€.json"

const sessionListing = `<?xml version="1.0" encoding="utf-8"?><EnumerationResults><Blobs><Blob><Name>a</Name>` +
	`<Properties/></Blob><Blob><Name>b</Name><Properties/></Blob></Blobs><NextMarker/></EnumerationResults>`

// sessions is a client of a blob service that answers by script.
type sessions struct {
	store  *script
	rec    *wire.Recorder
	client *azblob.Client
}

func openSessions(t *testing.T) sessions {
	t.Helper()
	store := &script{}
	rec, gate := openGateway(t, store)
	cred, err := azblob.NewSharedKeyCredential("acc", accountKey)
	must(t, err)
	client, err := azblob.NewClientWithSharedKeyCredential(gate.Endpoint(azure.Blob)+"/acc", cred,
		&azblob.ClientOptions{ClientOptions: fastRetry()})
	must(t, err)
	return sessions{store, rec, client}
}

// onSessions is a call on the container with that status, or on a blob of it.
func onSessions(class, operation string, status int, key ...string) wire.Call {
	return wire.Call{Service: azure.Blob, Class: class, Operation: operation, Resource: "sessions", Key: key,
		Status: status}
}

// blobCall is an answer of the service, a call by the SDK, and what is seen of it.
type blobCall struct {
	name   string
	status int
	body   string
	header []string
	do     func(context.Context) error
	want   wire.Call
}

func (s sessions) contentCalls() []blobCall {
	read := onSessions(azure.Read, "Get Blob", 200, sessionBlob)
	read.Entities = 1
	missing := onSessions(azure.Read, "Get Blob", 404, sessionBlob)
	missing.ErrorCode = "BlobNotFound"
	return []blobCall{
		{"create container", 201, "", nil, func(ctx context.Context) error {
			_, err := s.client.CreateContainer(ctx, "sessions", nil)
			return err
		}, onSessions(azure.CreateContainer, "Create Container", 201)},
		{"upload", 201, "", nil, func(ctx context.Context) error {
			_, err := s.client.UploadBuffer(ctx, "sessions", sessionBlob, []byte("content"), nil)
			return err
		}, onSessions(azure.Write, "Put Blob", 201, sessionBlob)},
		{"download", 200, "content", []string{"Content-Type", "text/plain"}, func(ctx context.Context) error {
			res, err := s.client.DownloadStream(ctx, "sessions", sessionBlob, nil)
			if err != nil {
				return err
			}
			defer res.Body.Close()
			if body, err := io.ReadAll(res.Body); err != nil || string(body) != "content" {
				return fmt.Errorf("read %q: %w", body, err)
			}
			return nil
		}, read},
		{"missing", 404, "", []string{"x-ms-error-code", "BlobNotFound"}, func(ctx context.Context) error {
			if _, err := s.client.DownloadStream(ctx, "sessions", sessionBlob, nil); err == nil {
				return fmt.Errorf("no error for status 404")
			}
			return nil
		}, missing},
	}
}

func (s sessions) otherCalls() []blobCall {
	list := onSessions(azure.List, "List Blobs", 200)
	list.Prefix, list.Entities = "it's/", 2
	blob := s.client.ServiceClient().NewContainerClient("sessions").NewBlobClient(sessionBlob)
	return []blobCall{
		{"properties", 200, "", nil, func(ctx context.Context) error {
			_, err := blob.GetProperties(ctx, nil)
			return err
		}, onSessions(azure.Head, "Get Blob Properties", 200, sessionBlob)},
		{"list", 200, sessionListing, []string{"Content-Type", "application/xml"}, func(ctx context.Context) error {
			_, err := s.client.NewListBlobsFlatPager("sessions",
				&container.ListBlobsFlatOptions{Prefix: to.Ptr("it's/")}).NextPage(ctx)
			return err
		}, list},
		{"lease", 201, "", []string{"x-ms-lease-id", "1"}, func(ctx context.Context) error {
			client, err := lease.NewBlobClient(blob, nil)
			if err != nil {
				return err
			}
			_, err = client.AcquireLease(ctx, 15, nil)
			return err
		}, onSessions(azure.Lease, "Lease Blob", 201, sessionBlob)},
		{"copy", 202, "", nil, func(ctx context.Context) error {
			_, err := blob.StartCopyFromURL(ctx, "http://h/acc/c/other", nil)
			return err
		}, onSessions(azure.Copy, "Copy Blob", 202, sessionBlob)},
		{"delete", 202, "", nil, func(ctx context.Context) error {
			_, err := s.client.DeleteBlob(ctx, "sessions", sessionBlob, nil)
			return err
		}, onSessions(azure.Delete, "Delete Blob", 202, sessionBlob)},
	}
}

func TestBlobsSDK(t *testing.T) {
	s := openSessions(t)
	for _, tt := range slices.Concat(s.contentCalls(), s.otherCalls()) {
		t.Run(tt.name, func(t *testing.T) {
			s.store.then(tt.status, tt.body, tt.header...)
			must(t, tt.do(t.Context()))
			sees(t, s.rec, tt.want)
		})
	}
}

func TestBlobsSDKStagesALargeUpload(t *testing.T) {
	s := openSessions(t)
	for range 3 {
		s.store.then(201, "")
	}
	content := bytes.Repeat([]byte("x"), 3<<20)
	_, err := s.client.UploadStream(t.Context(), "sessions", sessionBlob, bytes.NewReader(content),
		&azblob.UploadStreamOptions{BlockSize: 2 << 20, Concurrency: 1})
	if err != nil {
		t.Fatal(err)
	}
	var size int64
	for _, c := range s.rec.Calls() {
		size += c.RequestBytes
	}
	if size <= int64(len(content)) || !strings.HasPrefix(s.rec.Calls()[0].Operation, "Put Block") {
		t.Errorf("%d bytes in %+v", size, s.rec.Calls())
	}
	block := onSessions(azure.Write, "Put Block", 201, sessionBlob)
	sees(t, s.rec, block, block,
		onSessions(azure.Write, "Put Block List", 201, sessionBlob))
}
