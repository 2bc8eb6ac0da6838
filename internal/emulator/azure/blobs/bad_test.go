package blobs_test

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/lease"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// malformed is a request that no client should send, and its answer.
type malformed struct {
	name, method, target, body string
	headers                    []string
	status                     int
	code                       string
}

func malformedAddresses() []malformed {
	return []malformed{
		{"no container", "PUT", "/none/b", "x", []string{"x-ms-blob-type: BlockBlob"}, 404, "ContainerNotFound"},
		{"no container and a large body", "PUT", "/none/b", strings.Repeat("x", 4<<20),
			[]string{"x-ms-blob-type: BlockBlob"}, 404, "ContainerNotFound"},
		{"no blob", "GET", "/cont/none", "", nil, 404, "BlobNotFound"},
		{"no blob, HEAD", "HEAD", "/cont/none", "", nil, 404, "BlobNotFound"},
		{"a verb the blob lacks", "PATCH", "/cont/b", "", nil, 405, "UnsupportedHttpVerb"},
		{"a verb the container lacks", "POST", "/cont?restype=container", "", nil, 405, "UnsupportedHttpVerb"},
		{"a comp no blob has", "PUT", "/cont/b?comp=nonsense", "", nil, 400, "InvalidQueryParameterValue"},
		{"a comp no container has", "GET", "/cont?restype=container&comp=nonsense", "", nil, 400,
			"InvalidQueryParameterValue"},
		{"a restype no blob has", "GET", "/cont/b?restype=nonsense", "", nil, 400, "InvalidQueryParameterValue"},
		{"the service without comp", "GET", "/", "", nil, 400, "MissingRequiredQueryParameter"},
		{"an empty segment", "GET", "//b", "", nil, 400, "InvalidUri"},
		{"a container's name", "PUT", "/Cont?restype=container", "", nil, 400, "InvalidResourceName"},
		{"a name that is too long", "GET", "/cont/" + strings.Repeat("n", 1025), "", nil, 400, "OutOfRangeInput"},
		{"too many segments", "GET", "/cont/" + strings.Repeat("n/", 300), "", nil, 400, "InvalidUri"},
		{"a bad percent sign", "GET", "/cont/a%25zz", "", nil, 404, "BlobNotFound"},
		{"a blob type", "PUT", "/cont/b", "x", []string{"x-ms-blob-type: Nonsense"}, 400, "InvalidHeaderValue"},
		{"a public access", "PUT", "/other?restype=container", "", []string{"x-ms-blob-public-access: all"}, 400,
			"InvalidHeaderValue"},
	}
}

// malformedContent is pages, appends and blocks that cannot be.
func malformedContent() []malformed {
	return []malformed{
		{"a page blob without a size", "PUT", "/cont/q", "", []string{"x-ms-blob-type: PageBlob"}, 400,
			"MissingRequiredHeader"},
		{"a page blob of no pages", "PUT", "/cont/q", "",
			[]string{"x-ms-blob-type: PageBlob", "x-ms-blob-content-length: 100"}, 400, "InvalidHeaderValue"},
		{"a page blob with a body", "PUT", "/cont/q", "x",
			[]string{"x-ms-blob-type: PageBlob", "x-ms-blob-content-length: 512"}, 400, "InvalidHeaderValue"},
		{"pages without a range", "PUT", "/cont/p?comp=page", "", []string{"x-ms-page-write: clear"}, 400,
			"MissingRequiredHeader"},
		{"pages of another length", "PUT", "/cont/p?comp=page", "x",
			[]string{"x-ms-page-write: update", "x-ms-range: bytes=0-511"}, 400, "InvalidHeaderValue"},
		{"pages not aligned", "PUT", "/cont/p?comp=page", "x",
			[]string{"x-ms-page-write: update", "x-ms-range: bytes=0-0"}, 416, "InvalidPageRange"},
		{"pages after the end", "PUT", "/cont/p?comp=page", "",
			[]string{"x-ms-page-write: clear", "x-ms-range: bytes=1024-1535"}, 416, "InvalidPageRange"},
		{"pages of a block blob", "PUT", "/cont/b?comp=page", "",
			[]string{"x-ms-page-write: clear", "x-ms-range: bytes=0-511"}, 409, "InvalidBlobType"},
		{"a page write", "PUT", "/cont/p?comp=page", "",
			[]string{"x-ms-page-write: nonsense", "x-ms-range: bytes=0-511"}, 400, "InvalidHeaderValue"},
		{"a sequence number", "PUT", "/cont/p?comp=page", "", []string{"x-ms-page-write: clear",
			"x-ms-range: bytes=0-511", "x-ms-if-sequence-number-le: -1"}, 400, "InvalidInput"},
		{"append nothing", "PUT", "/cont/a?comp=appendblock", "", nil, 400, "InvalidHeaderValue"},
		{"append to a block blob", "PUT", "/cont/b?comp=appendblock", "x", nil, 409, "InvalidBlobType"},
		{"an append position", "PUT", "/cont/a?comp=appendblock", "x", []string{"x-ms-blob-condition-appendpos: -1"},
			400, "InvalidHeaderValue"},
		{"a block without an id", "PUT", "/cont/b?comp=block", "x", nil, 400, "MissingRequiredQueryParameter"},
		{"a block list", "PUT", "/cont/b?comp=blocklist", "<BlockList><Nonsense>AAAA</Nonsense></BlockList>", nil, 400,
			"InvalidXmlDocument"},
		{"two block lists", "PUT", "/cont/b?comp=blocklist", "<BlockList/><BlockList/>", nil, 400,
			"InvalidXmlDocument"},
		{"a block list's id", "PUT", "/cont/b?comp=blocklist", "<BlockList><Latest>*</Latest></BlockList>", nil, 400,
			"InvalidBlockId"},
		{"which blocks", "GET", "/cont/b?comp=blocklist&blocklisttype=some", "", nil, 400,
			"InvalidQueryParameterValue"},
	}
}

// malformedConditions are ranges, conditions, versions and leases.
func malformedConditions() []malformed {
	return []malformed{
		{"a range", "GET", "/cont/b", "", []string{"Range: bytes=10-"}, 416, "InvalidRange"},
		{"a digest without a range", "GET", "/cont/b", "", []string{"x-ms-range-get-content-md5: true"}, 400,
			"InvalidHeaderValue"},
		{"a date", "GET", "/cont/b", "", []string{"If-Modified-Since: yesterday"}, 400, "InvalidHeaderValue"},
		{"a condition on tags", "GET", "/cont/b", "", []string{"x-ms-if-tags: nonsense"}, 400, "InvalidHeaderValue"},
		{"a star that cannot hold", "GET", "/cont/b", "", []string{"If-None-Match: *"}, 400, "UnsatisfiableCondition"},
		{"a snapshot", "GET", "/cont/b?snapshot=x", "", nil, 400, "InvalidQueryParameterValue"},
		{"write a snapshot", "PUT", "/cont/b?comp=metadata&snapshot=2024-01-01T00:00:00.0000000Z", "", nil, 400,
			"InvalidQueryParameterValue"},
		{"a missing version", "GET", "/cont/b?versionid=2024-01-01T00:00:00.0000000Z", "", nil, 404,
			"BlobNotFound"},
		{"a version", "GET", "/cont/b?versionid=yesterday", "", nil, 400, "InvalidQueryParameterValue"},
		{"a version of a snapshot", "GET", "/cont/b?versionid=2024-01-01T00:00:00.0000000Z&" +
			"snapshot=2024-01-01T00:00:00.0000000Z", "", nil, 400, "InvalidQueryParameterValue"},
		{"a metadata name", "PUT", "/cont/b?comp=metadata", "", []string{"x-ms-meta-a-b: x"}, 400, "InvalidMetadata"},
		{"a lease without an action", "PUT", "/cont/b?comp=lease", "", nil, 400, "MissingRequiredHeader"},
		{"a lease action", "PUT", "/cont/b?comp=lease", "", []string{"x-ms-lease-action: nonsense"}, 400,
			"InvalidHeaderValue"},
		{"a lease without a duration", "PUT", "/cont/b?comp=lease", "", []string{"x-ms-lease-action: acquire"}, 400,
			"MissingRequiredHeader"},
		{"a lease duration", "PUT", "/cont/b?comp=lease", "",
			[]string{"x-ms-lease-action: acquire", "x-ms-lease-duration: 61"}, 400, "InvalidHeaderValue"},
		{"a lease id", "PUT", "/cont/b?comp=lease", "", []string{"x-ms-lease-action: renew", "x-ms-lease-id: x"}, 400,
			"InvalidHeaderValue"},
		{"a break period", "PUT", "/cont/b?comp=lease", "",
			[]string{"x-ms-lease-action: break", "x-ms-lease-break-period: 61"}, 400, "InvalidHeaderValue"},
		{"a lease id of a write", "PUT", "/cont/b?comp=metadata", "", []string{"x-ms-lease-id: x"}, 400,
			"InvalidHeaderValue"},
	}
}

// malformedOperations are tiers, tags, copies, lists and what is left.
func malformedOperations() []malformed {
	return []malformed{
		{"a tier", "PUT", "/cont/b?comp=tier", "", []string{"x-ms-access-tier: Warm"}, 400, "InvalidHeaderValue"},
		{"no tier", "PUT", "/cont/b?comp=tier", "", nil, 400, "MissingRequiredHeader"},
		{"the tier of an append blob", "PUT", "/cont/a?comp=tier", "", []string{"x-ms-access-tier: Cool"}, 409,
			"InvalidBlobType"},
		{"tags that are not XML", "PUT", "/cont/b?comp=tags", "nonsense", nil, 400, "InvalidXmlDocument"},
		{"a search", "GET", "/?comp=blobs&where=nonsense", "", nil, 400, "InvalidQueryParameterValue"},
		{"no search", "GET", "/?comp=blobs", "", nil, 400, "MissingRequiredQueryParameter"},
		{"a copy source", "PUT", "/cont/c", "", []string{"x-ms-copy-source: nonsense"}, 400, "InvalidHeaderValue"},
		{"a copy source elsewhere", "PUT", "/cont/c", "", []string{"x-ms-copy-source: http://127.0.0.1/other/cont/b"},
			404, "CannotVerifyCopySource"},
		{"the priority of a copy that need not wait", "PUT", "/cont/c", "",
			[]string{"x-ms-copy-source: {url}/cont/b", "x-ms-rehydrate-priority: soon"}, 400, "InvalidHeaderValue"},
		{"a copy id", "PUT", "/cont/b?comp=copy&copyid=x", "", []string{"x-ms-copy-action: abort"}, 400,
			"InvalidQueryParameterValue"},
		{"a batch", "POST", "/?comp=batch", "nonsense", []string{"Content-Type: text/plain"}, 400, "InvalidInput"},
		{"a page of a list", "GET", "/cont?restype=container&comp=list&maxresults=-1", "", nil, 400,
			"OutOfRangeQueryParameterValue"},
		{"a marker", "GET", "/cont?restype=container&comp=list&marker=x", "", nil, 400, "OutOfRangeInput"},
		{"what to restore, without a name", "PUT", "/?restype=container&comp=undelete", "", nil, 400,
			"MissingRequiredHeader"},
		{"an expiry", "PUT", "/cont/b?comp=expiry", "", []string{"x-ms-expiry-option: RelativeToNow",
			"x-ms-expiry-time: 1000"}, 400, "HierarchicalNamespaceNotEnabled"},
		{"a structured body", "PUT", "/cont/s", "x", []string{"x-ms-blob-type: BlockBlob",
			"x-ms-structured-body: XSM/1.0; properties=crc64"}, 400, "MissingRequiredHeader"},
		{"delete and keep snapshots", "DELETE", "/cont/b", "", []string{"x-ms-delete-snapshots: none"}, 400,
			"InvalidHeaderValue"},
	}
}

// TestMalformed sends what no client should. Each is answered with Azure's status and code, over the
// same connections.
func TestMalformed(t *testing.T) {
	m := start(t, engine.Options{}, true)
	m.raw(t, "PUT", "/cont?restype=container", "").want(t, 201, "")
	m.raw(t, "PUT", "/cont/b", "0123456789", "x-ms-blob-type: BlockBlob").want(t, 201, "")
	m.raw(t, "PUT", "/cont/p", "", "x-ms-blob-type: PageBlob", "x-ms-blob-content-length: 1024").want(t, 201, "")
	m.raw(t, "PUT", "/cont/a", "", "x-ms-blob-type: AppendBlob").want(t, 201, "")
	for _, c := range slices.Concat(malformedAddresses(), malformedContent(), malformedConditions(),
		malformedOperations()) {
		t.Run(c.name, func(t *testing.T) {
			headers := slices.Clone(c.headers)
			for i, h := range headers {
				headers[i] = strings.ReplaceAll(h, "{url}", m.url())
			}
			m.raw(t, c.method, c.target, c.body, headers...).want(t, c.status, c.code)
		})
	}
	if got := m.raw(t, "GET", "/cont/b", "").want(t, 200, "").body; got != "0123456789" {
		t.Fatalf("a refused request changed the blob: %q", got)
	}
}

// TestBatchRefused sends batches that are refused as a whole.
func TestBatchRefused(t *testing.T) {
	m := start(t, engine.Options{}, true)
	part := func(line string) string {
		return "--b\r\nContent-Type: application/http\r\nContent-ID: 0\r\n\r\n" + line + "\r\n\r\n\r\n"
	}
	for name, body := range map[string]string{
		"no parts":          "--b--\r\n",
		"no request line":   part("nonsense") + "--b--\r\n",
		"another operation": part("PUT /devstoreaccount1/c/b HTTP/1.1") + "--b--\r\n",
		"a container":       part("DELETE /devstoreaccount1/cont?restype=container HTTP/1.1") + "--b--\r\n",
		"two operations": part("DELETE /devstoreaccount1/c/b HTTP/1.1") +
			part("PUT /devstoreaccount1/c/b?comp=tier HTTP/1.1") + "--b--\r\n",
		"too many":   strings.Repeat(part("DELETE /devstoreaccount1/c/b HTTP/1.1"), 257) + "--b--\r\n",
		"unfinished": part("DELETE /devstoreaccount1/c/b HTTP/1.1"),
	} {
		t.Run(name, func(t *testing.T) {
			m.raw(t, "POST", "/?comp=batch", body, "Content-Type: multipart/mixed; boundary=b").want(t, 400,
				"InvalidInput")
		})
	}
}

// A batch of a container deletes no blob of the root container that has the container's name.
func TestABatchKeepsToItsContainer(t *testing.T) {
	m := start(t, engine.Options{}, true)
	for _, container := range []string{"/cont", "/$root"} {
		m.raw(t, "PUT", container+"?restype=container", "").want(t, 201, "")
	}
	for _, blob := range []string{"/cont", "/cont/b"} {
		m.raw(t, "PUT", blob, "x", "x-ms-blob-type: BlockBlob").want(t, 201, "")
	}
	for path, want := range map[string]string{"/cont": "HTTP/1.1 400", "/cont/b": "HTTP/1.1 202"} {
		body := "--b\r\nContent-Type: application/http\r\n\r\nDELETE /devstoreaccount1" + path +
			" HTTP/1.1\r\n\r\n--b--\r\n"
		answer := m.raw(t, "POST", "/cont?restype=container&comp=batch", body,
			"Content-Type: multipart/mixed; boundary=b").want(t, 202, "").body
		if !strings.Contains(answer, want) {
			t.Errorf("%s: %s", path, answer)
		}
	}
	m.raw(t, "GET", "/cont", "").want(t, 200, "")
}

// TestLeaseEnds moves the clock past the end of a lease.
func TestLeaseEnds(t *testing.T) {
	m := start(t, engine.Options{}, true)
	m.raw(t, "PUT", "/cont?restype=container", "").want(t, 201, "")
	m.raw(t, "PUT", "/cont/b", "x", "x-ms-blob-type: BlockBlob").want(t, 201, "")
	const id = "11111111-1111-4111-8111-111111111111"
	acquire := func(duration string) {
		t.Helper()
		m.raw(t, "PUT", "/cont/b?comp=lease", "", "x-ms-lease-action: acquire", "x-ms-lease-duration: "+duration,
			"x-ms-proposed-lease-id: "+id).want(t, 201, "")
	}
	state := func(want string) {
		t.Helper()
		if got := m.raw(t, "HEAD", "/cont/b", "").header.Get("x-ms-lease-state"); got != want {
			t.Fatalf("state %s, want %s", got, want)
		}
	}
	acquire("15")
	state("leased")
	m.advance(16 * time.Second)
	state("expired")
	m.raw(t, "PUT", "/cont/b?comp=metadata", "", "x-ms-lease-id: "+id).want(t, 412, "LeaseLost")
	m.raw(t, "PUT", "/cont/b?comp=lease", "", "x-ms-lease-action: renew", "x-ms-lease-id: "+id).want(t, 200, "")
	state("leased")
	m.advance(16 * time.Second)
	m.raw(t, "PUT", "/cont/b?comp=metadata", "").want(t, 200, "") // a write ends it for good
	state("available")
	acquire("-1")
	m.raw(t, "PUT", "/cont/b?comp=lease", "", "x-ms-lease-action: break", "x-ms-lease-break-period: 10").want(t, 202,
		"")
	state("breaking")
	m.raw(t, "PUT", "/cont/b?comp=metadata", "").want(t, 412, "LeaseIdMissing")
	m.advance(11 * time.Second)
	state("broken")
	acquire("60")
	state("leased")
}

// TestLeaseRace lets many clients acquire one lease: one gets it.
func TestLeaseRace(t *testing.T) {
	m := start(t, engine.Options{}, false)
	c := m.container(t, "cont")
	b := c.NewBlockBlobClient("b")
	must[blockblob.UploadResponse](t)(b.Upload(context.Background(), bodyOf(nil), nil))
	won := make(chan bool, 16)
	for range cap(won) {
		go func() {
			l, err := lease.NewBlobClient(b, nil)
			if err == nil {
				_, err = l.AcquireLease(context.Background(), -1, nil)
			}
			won <- err == nil
		}()
	}
	n := 0
	for range cap(won) {
		if <-won {
			n++
		}
	}
	if n != 1 {
		t.Fatalf("%d clients hold the lease", n)
	}
}

// TestDiskRefuses puts a file where the directory of large bodies was.
func TestDiskRefuses(t *testing.T) {
	m := start(t, engine.Options{Dir: t.TempDir()}, true)
	m.raw(t, "PUT", "/cont?restype=container", "").want(t, 201, "")
	big := string(noise(2 << 20))
	m.raw(t, "PUT", "/cont/b", big, "x-ms-blob-type: BlockBlob").want(t, 201, "")
	dir := filepath.Dir(files(t, m.engine)[0])
	if err := os.Rename(dir, dir+"-away"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	a := m.raw(t, "PUT", "/cont/b", big, "x-ms-blob-type: BlockBlob").want(t, 500, "InternalError")
	if !strings.Contains(a.body, "disk") {
		t.Fatalf("the answer does not say why: %s", a.body)
	}
	m.raw(t, "PUT", "/cont/small", "x", "x-ms-blob-type: BlockBlob").want(t, 201, "")
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(dir+"-away", dir); err != nil {
		t.Fatal(err)
	}
	if got := m.raw(t, "GET", "/cont/b", "").want(t, 200, ""); got.body != big {
		t.Fatal("the acknowledged blob is gone")
	}
}

// TestTruncatedBody breaks a connection in the middle of a body: nothing is written.
func TestTruncatedBody(t *testing.T) {
	m := start(t, engine.Options{}, true)
	m.raw(t, "PUT", "/cont?restype=container", "").want(t, 201, "")
	for _, size := range []int64{1000, 4 << 20} {
		r, err := http.NewRequest("PUT", m.url()+"/cont/b", bytes.NewReader(noise(int(size/2))))
		if err != nil {
			t.Fatal(err)
		}
		r.ContentLength = size
		r.Header.Set("x-ms-blob-type", "BlockBlob")
		if res, err := http.DefaultClient.Do(r); err == nil {
			_ = res.Body.Close()
			if res.StatusCode < 400 {
				t.Fatalf("half a body was taken: %d", res.StatusCode)
			}
		}
		m.raw(t, "GET", "/cont/b", "").want(t, 404, "BlobNotFound")
	}
}
