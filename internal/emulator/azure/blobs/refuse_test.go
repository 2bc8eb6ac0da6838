package blobs_test

import (
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// TestOneRefusalOfSeveral sends several headers that are each refused. The answer is about the same one each time.
func TestOneRefusalOfSeveral(t *testing.T) {
	m := start(t, engine.Options{}, true)
	m.raw(t, "PUT", "/cont?restype=container", "").want(t, 201, "")
	m.raw(t, "PUT", "/cont/b", "x", "x-ms-blob-type: BlockBlob").want(t, 201, "")
	for range 20 { // the order of a map's keys changes from one loop over them to the next
		a := m.raw(t, "PUT", "/cont/b", "x", "x-ms-blob-type: BlockBlob", "x-ms-legal-hold: true", "x-ms-upn: true",
			"x-ms-expiry-option: NeverExpire").want(t, 400, "UnsupportedHeader")
		if !strings.Contains(a.body, "<HeaderName>x-ms-expiry-option</HeaderName>") {
			t.Fatalf("the answer is not about the first header by name: %s", a.body)
		}
		a = m.raw(t, "GET", "/cont/b", "", "x-ms-range-get-content-md5: true", "x-ms-range-get-content-crc64: true").
			want(t, 400, "InvalidHeaderValue")
		if !strings.Contains(a.body, "<HeaderName>x-ms-range-get-content-md5</HeaderName>") {
			t.Fatalf("the answer is not about the MD5: %s", a.body)
		}
		a = m.raw(t, "PUT", "/cont/b?comp=appendblock", "x", "x-ms-blob-condition-appendpos: x",
			"x-ms-blob-condition-maxsize: x").want(t, 400, "InvalidHeaderValue")
		if !strings.Contains(a.body, "<HeaderName>x-ms-blob-condition-appendpos</HeaderName>") {
			t.Fatalf("the answer is not about the position: %s", a.body)
		}
		a = m.raw(t, "PUT", "/cont/b?comp=page", "x", "x-ms-range: bytes=0-511", "x-ms-if-sequence-number-lt: x",
			"x-ms-if-sequence-number-eq: x", "x-ms-if-sequence-number-le: x").want(t, 400, "InvalidInput")
		if !strings.Contains(a.body, "<HeaderName>x-ms-if-sequence-number-le</HeaderName>") {
			t.Fatalf("the answer is not about the highest number: %s", a.body)
		}
	}
}

// TestStructuredSource asks for a structured message where the content comes from another blob, and not as a body.
func TestStructuredSource(t *testing.T) {
	m := start(t, engine.Options{}, true)
	m.raw(t, "PUT", "/cont?restype=container", "").want(t, 201, "")
	m.raw(t, "PUT", "/cont/src", strings.Repeat("x", 512), "x-ms-blob-type: BlockBlob").want(t, 201, "")
	m.raw(t, "PUT", "/cont/p", "", "x-ms-blob-type: PageBlob", "x-ms-blob-content-length: 512").want(t, 201, "")
	m.raw(t, "PUT", "/cont/a", "", "x-ms-blob-type: AppendBlob").want(t, 201, "")
	for what, c := range map[string]struct {
		target  string
		headers []string
	}{
		"Put Blob From URL":     {"/cont/b", []string{"x-ms-blob-type: BlockBlob"}},
		"Put Block From URL":    {"/cont/b?comp=block&blockid=MDE=", nil},
		"Append Block From URL": {"/cont/a?comp=appendblock", nil},
		"Put Page From URL": {"/cont/p?comp=page", []string{"x-ms-page-write: update", "x-ms-range: bytes=0-511",
			"x-ms-source-range: bytes=0-511"}},
	} {
		t.Run(what, func(t *testing.T) {
			c.headers = append(c.headers, "x-ms-copy-source: "+m.url()+"/cont/src")
			m.raw(t, "PUT", c.target, "", c.headers...).want(t, 201, "")
			c.headers = append(c.headers, "x-ms-structured-body: XSM/1.0; properties=crc64")
			m.raw(t, "PUT", c.target, "", c.headers...).want(t, 400, "UnsupportedHeader")
		})
	}
}

// TestLogs uses $logs, which every account has, and which no one makes or deletes.
func TestLogs(t *testing.T) {
	m := start(t, engine.Options{}, true)
	names := func() string { return m.raw(t, "GET", "/$logs?restype=container&comp=list", "").want(t, 200, "").body }
	if got := names(); strings.Contains(got, "<Name>") {
		t.Errorf("new, and not empty: %s", got)
	}
	m.raw(t, "HEAD", "/$logs?restype=container", "").want(t, 200, "")
	m.raw(t, "GET", "/$logs/b", "").want(t, 404, "BlobNotFound")
	m.raw(t, "PUT", "/$logs?restype=container", "").want(t, 409, "ContainerAlreadyExists")
	m.raw(t, "PUT", "/$logs/b", "x", "x-ms-blob-type: BlockBlob").want(t, 201, "")
	m.raw(t, "PUT", "/$logs?restype=container&comp=metadata", "", "x-ms-meta-a: 1").want(t, 200, "")
	m.raw(t, "DELETE", "/$logs?restype=container", "").want(t, 403, "AuthorizationFailure")
	if got := names(); !strings.Contains(got, "<Name>b</Name>") {
		t.Errorf("its blob is gone: %s", got)
	}
	if got := m.raw(t, "HEAD", "/$logs?restype=container", "").header.Get("x-ms-meta-a"); got != "1" {
		t.Errorf("its metadata are gone: %q", got)
	}
}
