package blobs_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/sas"

	"github.com/storespec/storespec/internal/emulator/azure"
	"github.com/storespec/storespec/internal/emulator/engine"
)

// testKey is a customer-provided key, in no other place than the tests.
const testKey = "a key of 32 bytes, found nowhere"

// keyed adds the headers of a key to others.
func keyed(key string, others ...string) []string {
	digest := sha256.Sum256([]byte(key))
	text := base64.StdEncoding.EncodeToString
	return append([]string{"x-ms-encryption-key: " + text([]byte(key)),
		"x-ms-encryption-key-sha256: " + text(digest[:]), "x-ms-encryption-algorithm: AES256"}, others...)
}

// TestKeyIsNotStored looks for the key in all files of the emulator's data, and reads the blobs again after a restart.
func TestKeyIsNotStored(t *testing.T) {
	dir := t.TempDir()
	options := engine.Options{Dir: dir}
	m := start(t, options, true)
	m.raw(t, "PUT", "/cont?restype=container", "").want(t, 201, "")
	contents := map[string]string{"/cont/small": "content", "/cont/large": strings.Repeat("content ", 1<<20)}
	for path, content := range contents {
		m.raw(t, "PUT", path, content, keyed(testKey, "x-ms-blob-type: BlockBlob")...).want(t, 201, "")
	}
	m.raw(t, "PUT", "/cont/blocks?comp=block&blockid=MDE=", "block", keyed(testKey)...).want(t, 201, "")
	m.stop()
	found, digest := 0, sha256.Sum256([]byte(testKey))
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		for _, form := range []string{testKey, base64.StdEncoding.EncodeToString([]byte(testKey))} {
			if bytes.Contains(data, []byte(form)) {
				t.Errorf("the key is in %s", path)
			}
		}
		found += bytes.Count(data, digest[:])
		return err
	})
	if err != nil || found == 0 {
		t.Fatalf("%v, and the digest of the key was found %d times: look elsewhere", err, found)
	}
	m = start(t, options, true)
	for path, content := range contents {
		m.raw(t, "GET", path, "").want(t, 409, "BlobUsesCustomerSpecifiedEncryption")
		if a := m.raw(t, "GET", path, "", keyed(testKey)...).want(t, 200, ""); a.body != content {
			t.Errorf("%s has %d bytes", path, len(a.body))
		}
	}
	const list = "<BlockList><Latest>MDE=</Latest></BlockList>"
	m.raw(t, "PUT", "/cont/blocks?comp=blocklist", list).want(t, 409, "BlobUsesCustomerSpecifiedEncryption")
	m.raw(t, "PUT", "/cont/blocks?comp=blocklist", list, keyed(testKey)...).want(t, 201, "")
}

// TestKeyIsNotRepeated sends keys that are refused.
func TestKeyIsNotRepeated(t *testing.T) {
	m := start(t, engine.Options{}, true)
	m.raw(t, "PUT", "/cont?restype=container", "").want(t, 201, "")
	m.raw(t, "PUT", "/cont/b", "content", "x-ms-blob-type: BlockBlob").want(t, 201, "")
	ofSource := "x-ms-source-encryption-key: " + testKey
	digest, text := sha256.Sum256([]byte(testKey)), base64.StdEncoding.EncodeToString
	for _, c := range []struct {
		name, method, path string
		headers            []string
		status             int
		code               string
	}{
		{"a malformed key", "GET", "/cont/b", []string{"x-ms-encryption-key: " + testKey}, 400, "InvalidHeaderValue"},
		{"a key in the place of its digest", "GET", "/cont/b", []string{"x-ms-encryption-key: " + text(digest[:]),
			"x-ms-encryption-key-sha256: " + text([]byte(testKey))}, 400, "InvalidHeaderValue"},
		{"a key for a deletion", "DELETE", "/cont/b", keyed(testKey), 400, "UnsupportedHeader"},
		{"a key for tags", "GET", "/cont/b?comp=tags", keyed(testKey), 400, "UnsupportedHeader"},
		{"a key for a list", "GET", "/cont?restype=container&comp=list", keyed(testKey), 400, "UnsupportedHeader"},
		{"a key for a copy", "PUT", "/cont/c", keyed(testKey, "x-ms-copy-source: "+m.url()+"/cont/b"), 400,
			"UnsupportedHeader"},
		{"a source's key for a copy", "PUT", "/cont/c", []string{ofSource, "x-ms-copy-source: " + m.url() + "/cont/b"},
			400, "UnsupportedHeader"},
		{"a source's key without a source", "PUT", "/cont/c", []string{ofSource, "x-ms-blob-type: BlockBlob"}, 400,
			"UnsupportedHeader"},
	} {
		a := m.raw(t, c.method, c.path, "", c.headers...)
		if a.status != c.status || a.header.Get("x-ms-error-code") != c.code {
			t.Errorf("%s: %d %s", c.name, a.status, a.header.Get("x-ms-error-code"))
		}
		for _, form := range []string{testKey, base64.StdEncoding.EncodeToString([]byte(testKey))} {
			if strings.Contains(a.body, form) {
				t.Errorf("%s: the key is in the answer: %s", c.name, a.body)
			}
		}
	}
	m.raw(t, "HEAD", "/cont/c", "").want(t, 404, "BlobNotFound")
}

// TestPublicBlobNeedsKey reads a blob with a key that anybody may read.
func TestPublicBlobNeedsKey(t *testing.T) {
	m := start(t, engine.Options{}, false)
	ctx := context.Background()
	c := m.client(t).NewContainerClient("cont")
	must[container.CreateResponse](t)(c.Create(ctx, &container.CreateOptions{
		Access: to.Ptr(container.PublicAccessTypeBlob)}))
	digest := sha256.Sum256([]byte(testKey))
	info := &blob.CPKInfo{EncryptionKey: to.Ptr(base64.StdEncoding.EncodeToString([]byte(testKey))),
		EncryptionKeySHA256: to.Ptr(base64.StdEncoding.EncodeToString(digest[:])),
		EncryptionAlgorithm: to.Ptr(blob.EncryptionAlgorithmTypeAES256)}
	must[blockblob.UploadResponse](t)(c.NewBlockBlobClient("b").Upload(ctx, bodyOf([]byte("content")),
		&blockblob.UploadOptions{CPKInfo: info}))
	m.raw(t, "GET", "/cont/b", "").want(t, 409, "BlobUsesCustomerSpecifiedEncryption")
	if a := m.raw(t, "GET", "/cont/b", "", keyed(testKey)...).want(t, 200, ""); a.body != "content" {
		t.Errorf("content %q", a.body)
	}
}

// TestSignatureWithScope writes and reads with signatures that name an encryption scope for what is written.
func TestSignatureWithScope(t *testing.T) {
	m := start(t, engine.Options{}, false)
	b := m.container(t, "cont").NewBlockBlobClient("b")
	must[blockblob.UploadResponse](t)(b.Upload(context.Background(), bodyOf([]byte("content")), nil))
	key := must[*blob.SharedKeyCredential](t)(
		blob.NewSharedKeyCredential(azure.DevelopmentAccount, azure.DevelopmentKey))
	for scope, status := range map[string]int{"": 201, "$account-encryption-key": 201, "mine": 409} {
		permissions := sas.BlobPermissions{Read: true, Write: true}
		signed := must[sas.QueryParameters](t)(sas.BlobSignatureValues{ContainerName: "cont", BlobName: "b",
			ExpiryTime: time.Now().Add(time.Hour), Permissions: permissions.String(),
			EncryptionScope: scope}.SignWithSharedKey(key))
		a := m.raw(t, "PUT", "/cont/b?"+signed.Encode(), "x", "x-ms-blob-type: BlockBlob", "x-ms-version: 2024-11-04")
		if a.status != status || status == 409 && a.header.Get("x-ms-error-code") != "EncryptionScopeNotAvailable" {
			t.Errorf("scope %q: %d %s", scope, a.status, a.header.Get("x-ms-error-code"))
		}
		m.raw(t, "GET", "/cont/b?"+signed.Encode(), "", "x-ms-version: 2024-11-04").want(t, 200, "")
	}
}
