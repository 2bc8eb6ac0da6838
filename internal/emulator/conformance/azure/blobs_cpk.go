package azure

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
)

// customerKeys is the page about customer-provided keys.
const customerKeys = azureDocs + "encryption-customer-provided-keys"

// What Azure does with customer-provided keys and encryption scopes.
var (
	EncryptsBlobs = documented("the key in the headers of a request encrypts what it writes",
		recorded+"TestUploadBlobWithMD5WithCPK")
	BlobsNeedKeys = documented("409 BlobUsesCustomerSpecifiedEncryption without the key",
		recorded+"TestGetSetBlobMetadataWithCPK and TestBlobSnapshotWithCPK")
	NamesUnusedKeys = documented("409 BlobDoesNotUseCustomerSpecifiedEncryption",
		recordedJS+"@azure/storage-file-datalake, DataLakeFileClient with CPK")
	BlocksNeedKeys = documented("blocks are staged and committed with the key",
		recorded+"TestPutBlockAndPutBlockListWithCPK")
	AppendsNeedKeys = documented("blocks are appended with the key", recorded+"TestAppendBlockWithCPK")
	PagesNeedKeys   = documented("pages are written with the key; resizing needs none",
		recordedJS+"@azure/storage-blob, PageBlobClient with CPK")
	OthersNeedNoKeys = documented("they work without the key",
		customerKeys+"#blob-storage-operations-supporting-customer-provided-keys")
	RotatesKeys = documented("a blob can be overwritten with another key",
		customerKeys+"#rotate-customer-provided-keys")
	ListsKeys           = documented("CustomerProvidedKeySha256; the metadata is left out", rest+"list-blobs")
	NamesMalformedKeys  = documented("400 InvalidHeaderValue", recorded+"TestBlobSnapshotWithCPK")
	TakesAlgorithmAlone = documented("x-ms-encryption-algorithm without a key has no effect",
		"https://github.com/Azure/azure-sdk-for-js/issues/16673")
	CopiesNoCustomerKeys = documented("409 CannotVerifyCopySource",
		"https://github.com/Azure/azure-sdk-for-java/issues/18072")
	TakesKeysOfSources = documented("x-ms-source-encryption-key is the key of the source",
		recorded+"TestAppendBlockFromURLSourceCPK")
	NamesUnknownScopes = documented("409 EncryptionScopeNotAvailable", recorded+"TestBlobSnapshotWithCPKScope")
)

// customerKey is a customer-provided key: in base64, with the digest of its bytes.
type customerKey struct{ key, digest string }

// keyOf makes a key of 32 equal bytes.
func keyOf(b byte) customerKey { return newKey([]byte(strings.Repeat(string(b), 32))) }

func newKey(key []byte) customerKey {
	digest := sha256.Sum256(key)
	return customerKey{base64.StdEncoding.EncodeToString(key), base64.StdEncoding.EncodeToString(digest[:])}
}

// with adds the key's headers to others.
func (k customerKey) with(others ...string) []string {
	return append([]string{"x-ms-encryption-key: " + k.key, "x-ms-encryption-key-sha256: " + k.digest,
		"x-ms-encryption-algorithm: AES256"}, others...)
}

// ofSource are the headers of the key of a copy's source.
func (k customerKey) ofSource() []string {
	return []string{"x-ms-source-encryption-key: " + k.key, "x-ms-source-encryption-key-sha256: " + k.digest,
		"x-ms-source-encryption-algorithm: AES256"}
}

// info is the key as the SDK takes it.
func (k customerKey) info() *blob.CPKInfo {
	return &blob.CPKInfo{EncryptionKey: &k.key, EncryptionKeySHA256: &k.digest,
		EncryptionAlgorithm: to.Ptr(blob.EncryptionAlgorithmTypeAES256)}
}

// The codes for a key that is missing, is another, or is not that of any.
const (
	usesKey       = "BlobUsesCustomerSpecifiedEncryption"
	otherKey      = "BlobCustomerSpecifiedEncryptionMismatch"
	usesNoKey     = "BlobDoesNotUseCustomerSpecifiedEncryption"
	aColor        = "x-ms-meta-color: red"
	keyDigestName = "x-ms-encryption-key-sha256"
)

// putKeyed puts a blob that is encrypted with a key.
func (p *blobProbe) putKeyed(name, data string, k customerKey, headers ...string) {
	r := p.raw("PUT", "/"+name, data, k.with(append(headers, aBlockBlob)...)...)
	p.shows(p.answers(r, 201, ""), k)
}

// shows checks that an answer names the key it was given, and no other.
func (p *blobProbe) shows(r reply, k customerKey) {
	equal(p, "digest of the key", r.header.Get(keyDigestName), k.digest)
}

// needsKey checks that a request fails without the key of a blob and with another one, and not with the right one.
func (p *blobProbe) needsKey(k customerKey, method, path, body string, status int, headers ...string) reply {
	refused := func(code string, headers []string) {
		r := p.raw(method, path, body, headers...)
		if r.status != 409 || r.header.Get("x-ms-error-code") != code {
			p.Fatalf("%s %s: %d %s, want 409 %s", method, path, r.status, r.header.Get("x-ms-error-code"), code)
		}
	}
	refused(usesKey, headers)
	refused(otherKey, keyOf('z').with(headers...))
	return p.answers(p.raw(method, path, body, k.with(headers...)...), status, "")
}

// blobCustomerKeys are blobs that are encrypted with a key of the customer's.
func blobCustomerKeys() []blobCase {
	return []blobCase{
		{"put and get a blob with a customer's key", EncryptsBlobs, func(p *blobProbe) {
			k, b := keyOf('k'), p.container.NewBlockBlobClient("b")
			put := result(b.Upload(p.Context(), seekable("content"), &blockblob.UploadOptions{CPKInfo: k.info()}))(p)
			value(p, "digest of the key", put.EncryptionKeySHA256, k.digest)
			value(p, "encrypted", put.IsServerEncrypted, true)
			got := result(b.DownloadStream(p.Context(), &blob.DownloadStreamOptions{CPKInfo: k.info()}))(p)
			p.OK(got.Body.Close())
			value(p, "digest of the key", got.EncryptionKeySHA256, k.digest)
			p.fails(409, usesKey)(b.DownloadStream(p.Context(), nil))
		}},
		{"reading needs a blob's key", BlobsNeedKeys, func(p *blobProbe) {
			k := keyOf('k')
			p.putKeyed("b", "content", k, aColor)
			r := p.needsKey(k, "GET", "/b", "", 200)
			equal(p, "content", r.body, "content")
			p.shows(r, k)
			r = p.needsKey(k, "HEAD", "/b", "", 200)
			equal(p, "encrypted", r.header.Get("x-ms-server-encrypted"), "true")
			equal(p, "metadata", r.header.Get("x-ms-meta-color"), "red")
			p.shows(r, k)
			r = p.needsKey(k, "GET", "/b?comp=metadata", "", 200)
			equal(p, "metadata", r.header.Get("x-ms-meta-color"), "red")
			p.needsKey(k, "GET", "/b", "", 206, "Range: bytes=1-2")
		}},
		{"a customer's key for a blob without one", NamesUnusedKeys, func(p *blobProbe) {
			p.put("b", "content")
			k := keyOf('k')
			p.answers(p.raw("GET", "/b", "", k.with()...), 409, usesNoKey)
			p.answers(p.raw("HEAD", "/b", "", k.with()...), 409, usesNoKey)
			p.answers(p.raw("PUT", "/b?comp=metadata", "", k.with()...), 409, usesNoKey)
			p.answers(p.raw("PUT", "/b?comp=snapshot", "", k.with()...), 409, usesNoKey)
			p.answers(p.raw("GET", "/none", "", k.with()...), 404, "BlobNotFound")
		}},
		{"overwriting a blob does not need its key", RotatesKeys, func(p *blobProbe) {
			p.putKeyed("b", "one", keyOf('1'))
			p.putKeyed("b", "two", keyOf('2'))
			p.needsKey(keyOf('2'), "GET", "/b", "", 200)
			p.answers(p.raw("PUT", "/b", "three", aBlockBlob), 201, "")
			equal(p, "content", p.answers(p.raw("GET", "/b", ""), 200, "").body, "three")
		}},
	}
}

// blobCustomerKeysListed are lists of blobs with keys, and the other kind of encryption that a request can ask for.
func blobCustomerKeysListed() []blobCase {
	return []blobCase{
		{"a list says which blobs have a customer's key", ListsKeys, func(p *blobProbe) {
			p.putKeyed("b", "x", keyOf('k'), aColor)
			p.putKeyed("c", "x", keyOf('k'))
			r := p.answers(p.raw("GET", "?restype=container&comp=list&include=metadata&prefix=b", ""), 200, "")
			for _, part := range []string{"<ServerEncrypted>true</ServerEncrypted><CustomerProvidedKeySha256>" +
				keyOf('k').digest + "</CustomerProvidedKeySha256>", `<Metadata Encrypted="true"`} {
				if !strings.Contains(r.body, part) {
					p.Fatalf("no %s in %s", part, r.body)
				}
			}
			r = p.answers(p.raw("GET", "?restype=container&comp=list&include=metadata&prefix=c", ""), 200, "")
			if strings.Contains(r.body, "Encrypted=") {
				p.Fatalf("missing metadata is encrypted: %s", r.body)
			}
		}},
		{"an unknown encryption scope", NamesUnknownScopes, func(p *blobProbe) {
			const code = "EncryptionScopeNotAvailable"
			scope := "x-ms-encryption-scope: mumbojumboscope"
			p.answers(p.raw("PUT", "/b", "x", aBlockBlob, scope), 409, code)
			p.answers(p.raw("PUT", "/b", "x", aBlockBlob, "x-ms-encryption-scope: $account-encryption-key"), 201, "")
			p.answers(p.raw("PUT", "/b?comp=snapshot", "", scope), 409, code)
			p.answers(p.rawService("PUT", "/"+p.name+"-scoped?restype=container", "",
				"x-ms-default-encryption-scope: mumbojumboscope", "x-ms-deny-encryption-scope-override: false"),
				409, code)
		}},
	}
}

// blobCustomerKeysMalformed are keys that cannot be.
func blobCustomerKeysMalformed() []blobCase {
	k := keyOf('k')
	key, digest, algorithm := "x-ms-encryption-key: ", "x-ms-encryption-key-sha256: ", "x-ms-encryption-algorithm: "
	const missing, invalid = "MissingRequiredHeader", "InvalidHeaderValue"
	return []blobCase{
		{"malformed customers' keys", NamesMalformedKeys, func(p *blobProbe) {
			for _, c := range []struct {
				what, code string
				headers    []string
			}{
				{"not base64", invalid, []string{key + "mumbojumbo", digest + "mumbojumbohash", algorithm + "AES256"}},
				{"too short", invalid, newKey([]byte("key")).with()},
				{"another digest", invalid, []string{key + k.key, digest + keyOf('z').digest, algorithm + "AES256"}},
				{"a malformed digest", invalid, []string{key + k.key, digest + "AAAA", algorithm + "AES256"}},
				{"another algorithm", invalid, []string{key + k.key, digest + k.digest, algorithm + "AES128"}},
				{"no digest", missing, []string{key + k.key, algorithm + "AES256"}},
				{"no algorithm", missing, []string{key + k.key, digest + k.digest}},
				{"no key", missing, []string{digest + k.digest, algorithm + "AES256"}},
			} {
				r := p.raw("PUT", "/b", "x", append(c.headers, aBlockBlob)...)
				if r.status != 400 || r.header.Get("x-ms-error-code") != c.code {
					p.Fatalf("%s: %d %s, want 400 %s", c.what, r.status, r.header.Get("x-ms-error-code"), c.code)
				}
			}
			p.answers(p.raw("HEAD", "/b", ""), 404, "BlobNotFound")
		}},
		{"an algorithm without a key", TakesAlgorithmAlone, func(p *blobProbe) {
			r := p.raw("PUT", "/b", "x", algorithm+"AES256", aBlockBlob)
			equal(p, "digest of the key", p.answers(r, 201, "").header.Get(keyDigestName), "")
			p.answers(p.raw("GET", "/b", "", algorithm+"AES256"), 200, "")
		}},
	}
}

// blobCustomerKeysKept are operations on a blob with a key of the customer's that leave its content as it is.
func blobCustomerKeysKept() []blobCase {
	k := keyOf('k')
	return []blobCase{
		{"metadata of a blob with a customer's key", BlobsNeedKeys, func(p *blobProbe) {
			p.putKeyed("b", "content", k)
			p.shows(p.needsKey(k, "PUT", "/b?comp=metadata", "", 200, aColor), k)
			r := p.answers(p.raw("HEAD", "/b", "", k.with()...), 200, "")
			equal(p, "metadata", r.header.Get("x-ms-meta-color"), "red")
		}},
		{"snapshots of a blob with a customer's key", BlobsNeedKeys, func(p *blobProbe) {
			p.putKeyed("b", "content", k)
			r := p.needsKey(k, "PUT", "/b?comp=snapshot", "", 201)
			equal(p, "digest of the key", r.header.Get(keyDigestName), "")
			snapshot := "/b?snapshot=" + r.header.Get("x-ms-snapshot")
			p.putKeyed("b", "another", keyOf('2'))
			p.shows(p.needsKey(k, "GET", snapshot, "", 200), k)
			p.answers(p.raw("DELETE", snapshot, ""), 202, "")
		}},
		{"what does not need a blob's key", OthersNeedNoKeys, func(p *blobProbe) {
			p.putKeyed("b", "content", k, "x-ms-tags: a=1")
			p.answers(p.raw("PUT", "/b?comp=properties", "", "x-ms-blob-content-type: text/x"), 200, "")
			p.answers(p.raw("PUT", "/b?comp=properties", "", k.with("x-ms-blob-content-type: text/x")...), 200, "")
			p.answers(p.raw("GET", "/b?comp=tags", ""), 200, "")
			p.answers(p.raw("PUT", "/b?comp=tags", "<Tags><TagSet/></Tags>"), 204, "")
			p.answers(p.raw("PUT", "/b?comp=tier", "", "x-ms-access-tier: Cool"), 200, "")
			p.answers(p.raw("GET", "/b?comp=blocklist", ""), 200, "")
			r := p.answers(p.raw("PUT", "/b?comp=lease", "", "x-ms-lease-action: acquire", "x-ms-lease-duration: -1"),
				201, "")
			p.answers(p.raw("DELETE", "/b", "", "x-ms-lease-id: "+r.header.Get("x-ms-lease-id")), 202, "")
			p.putKeyed("c", "content", k)
			batch := result(p.container.NewBatchBuilder())(p)
			p.OK(batch.Delete("c", nil))
			res := result(p.container.SubmitBatch(p.Context(), batch, nil))(p)
			p.OK(res.Responses[0].Error)
		}},
	}
}

// blobCustomerKeysOfParts are blobs with a key of the customer's that are written in parts.
func blobCustomerKeysOfParts() []blobCase {
	k := keyOf('k')
	return []blobCase{
		{"blocks with a customer's key", BlocksNeedKeys, func(p *blobProbe) {
			block := "/b?comp=block&blockid="
			p.shows(p.answers(p.raw("PUT", block+"MDE=", "one ", k.with()...), 201, ""), k)
			p.shows(p.answers(p.raw("PUT", block+"MDI=", "two", k.with()...), 201, ""), k)
			list := "<BlockList><Latest>MDE=</Latest><Latest>MDI=</Latest></BlockList>"
			p.shows(p.needsKey(k, "PUT", "/b?comp=blocklist", list, 201), k)
			equal(p, "content", p.needsKey(k, "GET", "/b", "", 200).body, "one two")
			committed := "<BlockList><Committed>MDI=</Committed></BlockList>"
			p.needsKey(k, "PUT", "/b?comp=blocklist", committed, 201)
			equal(p, "content", p.needsKey(k, "GET", "/b", "", 200).body, "two")
		}},
		{"a block without a key under a customer's key", NamesUnusedKeys, func(p *blobProbe) {
			p.answers(p.raw("PUT", "/b?comp=block&blockid=MDE=", "one"), 201, "")
			list := "<BlockList><Latest>MDE=</Latest></BlockList>"
			p.answers(p.raw("PUT", "/b?comp=blocklist", list, k.with()...), 409, usesNoKey)
			p.answers(p.raw("PUT", "/b?comp=blocklist", list), 201, "")
		}},
		{"append with a customer's key", AppendsNeedKeys, func(p *blobProbe) {
			p.shows(p.answers(p.raw("PUT", "/b", "", k.with("x-ms-blob-type: AppendBlob")...), 201, ""), k)
			p.shows(p.needsKey(k, "PUT", "/b?comp=appendblock", "one ", 201), k)
			p.needsKey(k, "PUT", "/b?comp=appendblock", "two", 201)
			equal(p, "content", p.needsKey(k, "GET", "/b", "", 200).body, "one two")
			p.answers(p.raw("PUT", "/b?comp=seal", ""), 200, "")
		}},
		{"pages with a customer's key", PagesNeedKeys, func(p *blobProbe) {
			r := p.raw("PUT", "/b", "", k.with("x-ms-blob-type: PageBlob", "x-ms-blob-content-length: 1024")...)
			p.shows(p.answers(r, 201, ""), k)
			page := strings.Repeat("x", 512)
			p.shows(p.needsKey(k, "PUT", "/b?comp=page", page, 201, "x-ms-page-write: update",
				"x-ms-range: bytes=0-511"), k)
			p.needsKey(k, "PUT", "/b?comp=page", "", 201, "x-ms-page-write: clear", "x-ms-range: bytes=512-1023")
			equal(p, "content", p.needsKey(k, "GET", "/b", "", 200).body, page+strings.Repeat("\x00", 512))
			p.answers(p.raw("GET", "/b?comp=pagelist", ""), 200, "")
			r = p.answers(p.raw("PUT", "/b?comp=properties", "", "x-ms-blob-content-length: 512"), 200, "")
			equal(p, "digest of the key", r.header.Get(keyDigestName), "")
		}},
	}
}

// blobCustomerKeysOfSources are copies of blobs with a key of the customer's.
func blobCustomerKeysOfSources() []blobCase {
	k := keyOf('k')
	return []blobCase{
		{"copying a blob with a customer's key", CopiesNoCustomerKeys, func(p *blobProbe) {
			p.putKeyed("src", "content", k)
			source := "x-ms-copy-source: " + p.container.URL() + "/src"
			p.answers(p.raw("PUT", "/dst", "", source+"?"+p.sas), 409, "CannotVerifyCopySource")
			p.answers(p.raw("PUT", "/dst", "", source+"?"+p.sas, "x-ms-requires-sync: true"), 409,
				"CannotVerifyCopySource")
			p.answers(p.raw("HEAD", "/dst", ""), 404, "BlobNotFound")
		}},
		{"from an address, with the source's key", TakesKeysOfSources, func(p *blobProbe) {
			p.putKeyed("src", strings.Repeat("x", 512), k)
			source := "x-ms-copy-source: " + p.container.URL() + "/src?" + p.sas
			p.answers(p.raw("PUT", "/a", "", "x-ms-blob-type: AppendBlob"), 201, "")
			p.answers(p.raw("PUT", "/p", "", "x-ms-blob-type: PageBlob", "x-ms-blob-content-length: 512"), 201, "")
			for _, c := range []struct {
				path    string
				headers []string
			}{
				{"/b", []string{source, aBlockBlob}},
				{"/c?comp=block&blockid=MDE=", []string{source}},
				{"/a?comp=appendblock", []string{source}},
				{"/p?comp=page", []string{source, "x-ms-page-write: update", "x-ms-range: bytes=0-511",
					"x-ms-source-range: bytes=0-511"}},
			} {
				send := func(more ...string) reply { return p.raw("PUT", c.path, "", append(more, c.headers...)...) }
				p.answers(send(), 409, "CannotVerifyCopySource")
				p.answers(send(keyOf('z').ofSource()...), 409, "CannotVerifyCopySource")
				p.answers(send("x-ms-source-encryption-algorithm: AES256"), 400, "MissingRequiredHeader")
				r := p.answers(send("x-ms-source-encryption-key: mumbojumbo",
					"x-ms-source-encryption-key-sha256: mumbojumbohash", "x-ms-source-encryption-algorithm: AES256"),
					400, "CannotVerifyCopySource")
				equal(p, "code of the source", r.header.Get("x-ms-copy-source-error-code"), "InvalidHeaderValue")
				equal(p, "status of the source", r.header.Get("x-ms-copy-source-status-code"), "400")
				r = p.answers(send(k.ofSource()...), 201, "")
				equal(p, "digest of the key", r.header.Get(keyDigestName), "")
			}
			equal(p, "content", p.raw("GET", "/b", "").body, strings.Repeat("x", 512))
		}},
		{"from an address, with another key than the source's", TakesKeysOfSources, func(p *blobProbe) {
			p.putKeyed("src", "content", k)
			source := "x-ms-copy-source: " + p.container.URL() + "/src?" + p.sas
			r := p.raw("PUT", "/b", "", append(k.ofSource(), keyOf('2').with(source, aBlockBlob)...)...)
			p.shows(p.answers(r, 201, ""), keyOf('2'))
			equal(p, "content", p.needsKey(keyOf('2'), "GET", "/b", "", 200).body, "content")
		}},
	}
}
