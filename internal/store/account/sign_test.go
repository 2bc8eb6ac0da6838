package account

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"

	"github.com/storespec/storespec/internal/emulator/azureauth"
)

const testKey = "c3RvcmVzcGVjIHRlc3Qga2V5LCBub3QgYSBzZWNyZXQ="

// signChecker is a transport that signs each request again and compares with what the SDK signed.
type signChecker struct {
	t       *testing.T
	service azureauth.Service
	account string
	checked int
}

func (c *signChecker) RoundTrip(r *http.Request) (*http.Response, error) {
	key, err := base64.StdEncoding.DecodeString(testKey)
	if err != nil {
		return nil, err
	}
	// The SDK writes header names as it likes; a server sees them in canonical form.
	seen := &http.Request{Method: r.Method, Header: http.Header{}, ContentLength: r.ContentLength}
	for name, values := range r.Header {
		for _, value := range values {
			seen.Header.Add(name, strings.TrimSpace(value))
		}
	}
	got := seen.Header.Get("Authorization")
	scheme, _, _ := strings.Cut(got, " ")
	path, query := target(r.URL.RequestURI())
	if want := azureauth.Authorization(scheme, c.service, c.account, key, seen, path, query); got != want {
		c.t.Errorf("%s %s: signed differently; string to sign:\n%s", r.Method, r.URL,
			azureauth.AppendStringToSign(nil, scheme, c.service, c.account, seen, path, query))
	}
	c.checked++
	return &http.Response{StatusCode: http.StatusTeapot, Header: http.Header{},
		Body: io.NopCloser(strings.NewReader("")), Request: r}, nil
}

// The SDKs are the other implementation of the REST document's rules that is at hand.
func TestSignsLikeTheSDKs(t *testing.T) {
	for _, style := range []struct{ name, base string }{
		{"host style", "http://acct.%s.example"},
		{"path style", "http://127.0.0.1:10002/acct"},
	} {
		t.Run(style.name, func(t *testing.T) {
			base := func(service string) string { return strings.ReplaceAll(style.base, "%s", service) }
			connection := fmt.Sprintf("AccountName=acct;AccountKey=%s;TableEndpoint=%s;BlobEndpoint=%s;", testKey,
				base("table"), base("blob"))
			checker := &signChecker{t: t, service: azureauth.Table, account: "acct"}
			signTables(t, newClients(t, connection, checker).tables)
			tables := checker.checked
			checker.service = azureauth.Blob
			signBlobs(t, newClients(t, connection, checker).blobs)
			if want := 2 + 4*len(awkwardKeys()); tables != want {
				t.Errorf("%d table requests were checked, want %d", tables, want)
			}
			if want := 2 + 5*len(awkwardBlobs()); checker.checked-tables != want {
				t.Errorf("%d blob requests were checked, want %d", checker.checked-tables, want)
			}
		})
	}
}

// The transport answers nothing useful, so what these calls return does not matter.
func signTables(t *testing.T, service *aztables.ServiceClient) {
	ctx := t.Context()
	_, _ = service.NewListTablesPager(nil).NextPage(ctx)
	_, _ = service.GetProperties(ctx, nil) // comp=properties
	table := service.NewClient("Things")
	for _, key := range awkwardKeys() {
		entity, err := json.Marshal(aztables.Entity{PartitionKey: key, RowKey: key})
		if err != nil {
			t.Fatal(err)
		}
		_, _ = table.AddEntity(ctx, entity, nil)
		_, _ = table.GetEntity(ctx, key, key, nil)
		_, _ = table.DeleteEntity(ctx, key, key, nil)
		_, _ = table.NewListEntitiesPager(&aztables.ListEntitiesOptions{Filter: to.Ptr("RowKey eq '" + key +
			"'")}).NextPage(ctx)
	}
}

func signBlobs(t *testing.T, client *azblob.Client) {
	ctx := t.Context()
	_, _ = client.NewListContainersPager(nil).NextPage(ctx)
	_, _ = client.CreateContainer(ctx, "box", nil)
	for _, name := range awkwardBlobs() {
		b := client.ServiceClient().NewContainerClient("box").NewBlobClient(name)
		_, _ = client.UploadBuffer(ctx, "box", name, []byte(name), &azblob.UploadBufferOptions{
			Metadata:    map[string]*string{"a_b": to.Ptr("1"), "ab": to.Ptr("spaced out"), "A1": to.Ptr("3")},
			HTTPHeaders: &blob.HTTPHeaders{BlobContentType: to.Ptr("text/plain; charset=utf-8")},
		})
		_, _ = b.DownloadStream(ctx, &blob.DownloadStreamOptions{Range: blob.HTTPRange{Offset: 1, Count: 2}})
		changed := blob.ModifiedAccessConditions{IfMatch: to.Ptr[azcore.ETag](`"0x8D"`),
			IfUnmodifiedSince: to.Ptr(time.Unix(1_700_000_000, 0))}
		_, _ = b.Delete(ctx, &blob.DeleteOptions{AccessConditions: &blob.AccessConditions{
			ModifiedAccessConditions: &changed}})
		_, _ = b.GetProperties(ctx, nil)
		_, _ = client.NewListBlobsFlatPager("box", &azblob.ListBlobsFlatOptions{Prefix: to.Ptr(name)}).NextPage(ctx)
	}
}
