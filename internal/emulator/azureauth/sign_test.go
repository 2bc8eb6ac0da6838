package azureauth

import (
	"net/http"
	"testing"
)

// The four strings to sign, as the REST document "Authorize with Shared Key" gives them.
func TestStringToSign(t *testing.T) {
	request := func(method string, length int64, header map[string]string) *http.Request {
		r := &http.Request{Method: method, Header: http.Header{}, ContentLength: length}
		for name, value := range header {
			r.Header.Set(name, value)
		}
		return r
	}
	const date = "Fri, 26 Jun 2015 23:39:12 GMT"
	for _, c := range []struct {
		name    string
		scheme  string
		service Service
		r       *http.Request
		path    string
		query   string
		want    string
	}{
		{"blob, list", SharedKey, Blob,
			request("GET", 0, map[string]string{"x-ms-date": date, "x-ms-version": "2015-02-21", "Date": "not signed"}),
			"/mycontainer", "restype=container&comp=metadata&timeout=20",
			"GET\n\n\n\n\n\n\n\n\n\n\n\nx-ms-date:" + date +
				"\nx-ms-version:2015-02-21\n/myaccount/mycontainer\ncomp:metadata\nrestype:container\ntimeout:20"},
		{"blob, repeated and encoded parameters", SharedKey, Blob, request("GET", 0, map[string]string{"Date": date}),
			"/c", "include=snapshots&Include=metadata&prefix=a%2Bb%20c;d",
			"GET\n\n\n\n\n\n" + date + "\n\n\n\n\n\n/myaccount/c\ninclude:metadata,snapshots\nprefix:a+b c;d"},
		{"blob, put", SharedKey, Blob, request("PUT", 11,
			map[string]string{"x-ms-date": date, "Content-Type": "text/plain", "If-Match": "*", "Range": "bytes=0-1"}),
			"/c/a%20b", "", "PUT\n\n\n11\n\ntext/plain\n\n\n*\n\n\nbytes=0-1\nx-ms-date:" + date +
				"\n/myaccount/c/a%20b"},
		{"blob, lite", SharedKeyLite, Blob,
			request("PUT", 11, map[string]string{"x-ms-date": date, "Content-Type": "text/plain"}),
			"/c", "comp=list&x=y", "PUT\n\ntext/plain\n\nx-ms-date:" + date + "\n/myaccount/c?comp=list"},
		{"table", SharedKey, Table,
			request("POST", 5, map[string]string{"x-ms-date": date, "Content-Type": "application/json"}),
			"/T(PartitionKey='a''b',RowKey='%25')", "$filter=x", "POST\n\napplication/json\n" + date +
				"\n/myaccount/T(PartitionKey='a''b',RowKey='%25')"},
		{"table, lite, date header", SharedKeyLite, Table, request("GET", 0, map[string]string{"Date": date}),
			"", "comp=properties&restype=service", date + "\n/myaccount/?comp=properties"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := string(AppendStringToSign(nil, c.scheme, c.service, "myaccount", c.r, c.path,
				c.query)); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// Underscore sorts before digits and letters, and a hyphen only breaks ties.
func TestHeadersSortAsTheServicesSortThem(t *testing.T) {
	h := http.Header{"X-Ms-Meta-Ab": {"3"}, "X-Ms-Meta-A_b": {"2"}, "X-Ms-Meta-A1": {"1"}, "X-Ms-Me-Ta-A1": {"0"},
		"X-Other": {"-"}}
	want := "x-ms-meta-a_b:2\nx-ms-me-ta-a1:0\nx-ms-meta-a1:1\nx-ms-meta-ab:3\n"
	if got := string(appendCanonicalHeaders(nil, h)); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func BenchmarkSign(b *testing.B) {
	r := &http.Request{Method: "PUT", ContentLength: 250,
		Header: http.Header{"X-Ms-Date": {"Fri, 26 Jun 2015 23:39:12 GMT"}, "X-Ms-Version": {"2019-02-02"},
			"Content-Type": {"application/json"}}}
	key := NewKey([]byte("key"))
	var text, signature []byte
	b.ReportAllocs()
	for b.Loop() {
		text = AppendStringToSign(text[:0], SharedKey, Blob, "account", r, "/account/box/name",
			"comp=block&blockid=AAAA")
		signature = key.AppendSignature(signature[:0], text)
	}
}
