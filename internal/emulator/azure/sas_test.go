package azure

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/sas"
)

// sasTest is a signature and what it is to be used for.
type sasTest struct {
	service Service
	target  string // without the signature
	query   string // the signature
	remote  string // the client's address; empty: 127.0.0.1
}

func (c sasTest) request() *http.Request {
	sep := "?"
	if strings.Contains(c.target, "?") {
		sep = "&"
	}
	r := newRequest("GET", c.target+sep+c.query, nil)
	r.RemoteAddr = "127.0.0.1:4711"
	if c.remote != "" {
		r.RemoteAddr = c.remote
	}
	return r
}

const hour = time.Hour

// The SDKs' signers are the other implementation of the REST documents' strings to sign.
func tableSAS(t *testing.T, change func(*aztables.SASSignatureValues)) string {
	t.Helper()
	credential, err := aztables.NewSharedKeyCredential("acct", testKey)
	if err != nil {
		t.Fatal(err)
	}
	v := aztables.SASSignatureValues{TableName: "Things", Permissions: "r", ExpiryTime: testNow.Add(hour),
		Protocol: aztables.SASProtocolHTTPSandHTTP}
	change(&v)
	query, err := v.Sign(credential)
	if err != nil {
		t.Fatal(err)
	}
	return query
}

func tableAccountSAS(t *testing.T, change func(*aztables.AccountSASSignatureValues)) string {
	t.Helper()
	credential, err := aztables.NewSharedKeyCredential("acct", testKey)
	if err != nil {
		t.Fatal(err)
	}
	v := aztables.AccountSASSignatureValues{Services: "t", ResourceTypes: "sco", Permissions: "rl",
		ExpiryTime: testNow.Add(hour), Protocol: aztables.SASProtocolHTTPSandHTTP}
	change(&v)
	query, err := v.Sign(credential)
	if err != nil {
		t.Fatal(err)
	}
	return query.Encode()
}

func blobSAS(t *testing.T, change func(*sas.BlobSignatureValues)) string {
	t.Helper()
	credential, err := azblob.NewSharedKeyCredential("acct", testKey)
	if err != nil {
		t.Fatal(err)
	}
	v := sas.BlobSignatureValues{ContainerName: "box", BlobName: "a b/c", Permissions: "r",
		ExpiryTime: testNow.Add(hour)}
	change(&v)
	query, err := v.SignWithSharedKey(credential)
	if err != nil {
		t.Fatal(err)
	}
	return query.Encode()
}

func blobAccountSAS(t *testing.T, change func(*sas.AccountSignatureValues)) string {
	t.Helper()
	credential, err := azblob.NewSharedKeyCredential("acct", testKey)
	if err != nil {
		t.Fatal(err)
	}
	v := sas.AccountSignatureValues{ResourceTypes: "sco", Permissions: "rl", ExpiryTime: testNow.Add(hour)}
	change(&v)
	query, err := v.SignWithSharedKey(credential)
	if err != nil {
		t.Fatal(err)
	}
	return query.Encode()
}

func policies(*Account, string) ([]SignedIdentifier, error) {
	return []SignedIdentifier{
		{ID: "reader", Expiry: "2030-01-01", Permission: "r"},
		{ID: "bare"},
		{ID: "over", Expiry: "2020-01-01T00:00Z", Permission: "r"},
	}, nil
}

func TestGoodSignatures(t *testing.T) {
	for name, c := range map[string]sasTest{
		"table": {service: Table, target: "/acct/things", query: tableSAS(t, func(*aztables.SASSignatureValues) {})},
		"table, policy": {service: Table, target: "/acct/things",
			query: tableSAS(t, func(v *aztables.SASSignatureValues) {
				v.Identifier, v.Permissions, v.ExpiryTime = "reader", "", time.Time{}
			})},
		"table, bare": {service: Table, target: "/acct/things",
			query: tableSAS(t, func(v *aztables.SASSignatureValues) { v.Identifier = "bare" })},
		"table, started": {service: Table, target: "/acct/things",
			query: tableSAS(t, func(v *aztables.SASSignatureValues) { v.StartTime = testNow.Add(-hour) })},
		"table, account": {service: Table, target: "/acct/Tables",
			query: tableAccountSAS(t, func(*aztables.AccountSASSignatureValues) {})},
		"blob": {service: Blob, target: "/acct/box/a%20b/c",
			query: blobSAS(t, func(*sas.BlobSignatureValues) {})},
		"blob, host": {service: Blob, target: "http://acct.blob.localhost/box/a%20b%2Fc",
			query: blobSAS(t, func(*sas.BlobSignatureValues) {})},
		"blob of the root": {service: Blob, target: "/acct/a%2Fb", query: blobSAS(t,
			func(v *sas.BlobSignatureValues) { v.ContainerName, v.BlobName = "$root", "a/b" })},
		"blob, policy": {service: Blob, target: "/acct/box/a%20b/c",
			query: blobSAS(t, func(v *sas.BlobSignatureValues) {
				v.Identifier, v.Permissions, v.ExpiryTime = "reader", "", time.Time{}
			})},
		"blob, address": {service: Blob, target: "/acct/box/a%20b/c", remote: "10.0.0.7:1",
			query: blobSAS(t, func(v *sas.BlobSignatureValues) {
				v.IPRange = sas.IPRange{Start: []byte{10, 0, 0, 1}, End: []byte{10, 0, 0, 9}}
			})},
		"blob, headers": {service: Blob, target: "/acct/box/a%20b/c", query: blobSAS(t,
			func(v *sas.BlobSignatureValues) { v.ContentType, v.CacheControl = "text/csv", "no-store" })},
		"snapshot": {service: Blob, target: "/acct/box/a%20b/c?snapshot=2026-03-04T04:06:07.0000000Z",
			query: blobSAS(t, func(v *sas.BlobSignatureValues) { v.SnapshotTime = testNow.Add(-hour) })},
		"container": {service: Blob, target: "/acct/box/any/blob",
			query: blobSAS(t, func(v *sas.BlobSignatureValues) { v.BlobName = "" })},
		"container, list": {service: Blob, target: "/acct/box?restype=container&comp=list",
			query: blobSAS(t, func(v *sas.BlobSignatureValues) { v.BlobName, v.Permissions = "", "l" })},
		"blob, account": {service: Blob, target: "/acct/box/a",
			query: blobAccountSAS(t, func(*sas.AccountSignatureValues) {})},
	} {
		t.Run(name, func(t *testing.T) {
			f, got := newTestFront(t, Options{Service: c.service, Policies: policies})
			a := respond(f, c.request())
			if a.StatusCode != 200 || got.requests[0].SAS == nil {
				body, _ := io.ReadAll(a.Body)
				t.Errorf("answer %d: %s", a.StatusCode, body)
			}
		})
	}
}

// refusal is a signature that does not hold for a use, and the code that says so.
type refusal struct {
	sasTest
	code string
}

// forBlob is a signature that is used for the blob of blobSAS.
func forBlob(query string) sasTest {
	return sasTest{service: Blob, target: "/acct/box/a%20b/c", query: query}
}

const signatureFailed = "AuthenticationFailed"

func refuse(t *testing.T, refusals map[string]refusal) {
	t.Helper()
	for name, c := range refusals {
		t.Run(name, func(t *testing.T) {
			f, got := newTestFront(t, Options{Service: c.service, Policies: policies})
			wantProblem(t, respond(f, c.request()), got, 403, c.code)
		})
	}
}

// A parameter that was changed after it was signed, or taken away.
func TestChangedSignatures(t *testing.T) {
	good := blobSAS(t, func(*sas.BlobSignatureValues) {})
	changed := func(name, value string) refusal {
		q, err := url.ParseQuery(good)
		if err != nil {
			t.Fatal(err)
		}
		if value == "" {
			q.Del(name)
		} else {
			q.Set(name, value)
		}
		return refusal{forBlob(q.Encode()), signatureFailed}
	}
	ofAccount := blobAccountSAS(t, func(v *sas.AccountSignatureValues) { v.ResourceTypes = "o" })
	refuse(t, map[string]refusal{
		"more permissions":    changed("sp", "rw"),
		"longer":              changed("se", "2030-01-01"),
		"no expiry":           changed("se", ""),
		"no permission":       changed("sp", ""),
		"no version":          changed("sv", ""),
		"bad version":         changed("sv", "newest"),
		"no resource":         changed("sr", ""),
		"queue resource":      changed("sr", "q"),
		"user delegation":     changed("skoid", "someone"),
		"account, more types": {forBlob(strings.Replace(ofAccount, "srt=o", "srt=sco", 1)), signatureFailed},
	})
}

// A signature that holds, but not for this.
func TestRefusedSignatures(t *testing.T) {
	good := blobSAS(t, func(*sas.BlobSignatureValues) {})
	signed := func(change func(*sas.BlobSignatureValues)) sasTest { return forBlob(blobSAS(t, change)) }
	refuse(t, map[string]refusal{
		"another blob": {sasTest{service: Blob, target: "/acct/box/other", query: good}, signatureFailed},
		"another container": {sasTest{service: Blob, target: "/acct/crate/a",
			query: blobSAS(t, func(v *sas.BlobSignatureValues) { v.BlobName = "" })}, signatureFailed},
		"a blob of the root, as a path": {sasTest{service: Blob, target: "/acct/box%2Fa%20b%2Fc", query: good},
			signatureFailed},
		"a blob of the root, as a container": {sasTest{service: Blob, target: "/acct/box",
			query: blobSAS(t, func(v *sas.BlobSignatureValues) { v.BlobName = "" })}, signatureFailed},
		"another account": {sasTest{service: Blob, target: "/other/box/a%20b/c", query: good}, signatureFailed},
		"the container": {sasTest{service: Blob, target: "/acct/box?restype=container", query: good},
			signatureFailed},
		"expired": {signed(func(v *sas.BlobSignatureValues) { v.ExpiryTime = testNow }), signatureFailed},
		"not yet": {signed(func(v *sas.BlobSignatureValues) { v.StartTime = testNow.Add(time.Second) }),
			signatureFailed},
		"https only": {signed(func(v *sas.BlobSignatureValues) { v.Protocol = sas.ProtocolHTTPS }),
			"AuthorizationProtocolMismatch"},
		"address": {sasTest{service: Blob, target: "/acct/box/a%20b/c", remote: "10.0.0.10:1",
			query: blobSAS(t, func(v *sas.BlobSignatureValues) {
				v.IPRange = sas.IPRange{Start: []byte{10, 0, 0, 1}, End: []byte{10, 0, 0, 9}}
			})}, "AuthorizationSourceIPMismatch"},
		"unknown policy": {signed(func(v *sas.BlobSignatureValues) { v.Identifier = "writer" }), signatureFailed},
		"policy and own": {signed(func(v *sas.BlobSignatureValues) { v.Identifier = "reader" }), signatureFailed},
		"policy expired": {signed(func(v *sas.BlobSignatureValues) {
			v.Identifier, v.Permissions, v.ExpiryTime = "over", "", time.Time{}
		}), signatureFailed},
		"policy without": {signed(func(v *sas.BlobSignatureValues) { v.Identifier, v.Permissions = "bare", "" }),
			signatureFailed},
		"the other service": {forBlob(tableAccountSAS(t, func(*aztables.AccountSASSignatureValues) {})),
			"AuthorizationServiceMismatch"},
		"a table's": {forBlob(tableSAS(t, func(*aztables.SASSignatureValues) {})), signatureFailed},
		"no table":  {sasTest{service: Table, target: "/acct/things", query: good}, signatureFailed},
	})
}

// A name with an encoded slash is one of the root container, whose policies count.
func TestPolicyOfTheRoot(t *testing.T) {
	var asked []string
	f, _ := newTestFront(t, Options{Service: Blob,
		Policies: func(a *Account, resource string) ([]SignedIdentifier, error) {
			asked = append(asked, resource)
			return policies(a, resource)
		}})
	c := sasTest{service: Blob, target: "/acct/a%2Fb", query: blobSAS(t, func(v *sas.BlobSignatureValues) {
		v.ContainerName, v.BlobName = "$root", "a/b"
		v.Identifier, v.Permissions, v.ExpiryTime = "reader", "", time.Time{}
	})}
	if a := respond(f, c.request()); a.StatusCode != 200 || !slices.Equal(asked, []string{"$root"}) {
		t.Errorf("answer %d, policies of %q", a.StatusCode, asked)
	}
}

func TestPoliciesThatCannotBeRead(t *testing.T) {
	f, got := newTestFront(t, Options{Service: Table,
		Policies: func(*Account, string) ([]SignedIdentifier, error) { return nil, errors.New("disk") }})
	c := sasTest{service: Table, target: "/acct/things",
		query: tableSAS(t, func(v *aztables.SASSignatureValues) { v.Identifier = "reader" })}
	wantProblem(t, respond(f, c.request()), got, 500, "InternalError")
}

// What a signature grants, for each kind.
func TestAllow(t *testing.T) {
	const ok, permission, types = "", "AuthorizationPermissionMismatch", "AuthorizationResourceTypeMismatch"
	const failure = "AuthorizationFailure"
	for _, c := range []struct {
		name  string
		grant *Grant
		level Level
		anyOf []string
		want  string
	}{
		{"key", nil, ServiceLevel, nil, ok},
		{"read", &Grant{Permissions: "r"}, ObjectLevel, []string{"r"}, ok},
		{"read only", &Grant{Permissions: "r"}, ObjectLevel, []string{"w", "c"}, permission},
		{"one of two", &Grant{Permissions: "rc"}, ObjectLevel, []string{"w", "c"}, ok},
		{"add and update", &Grant{Permissions: "au"}, ObjectLevel, []string{"au"}, ok},
		{"add without update", &Grant{Permissions: "a"}, ObjectLevel, []string{"au"}, permission},
		{"key only", &Grant{Permissions: "racwdl", account: true, resourceTypes: "sco"}, ContainerLevel, nil,
			permission},
		{"a container's list", &Grant{Permissions: "l"}, ContainerLevel, []string{"l"}, ok},
		{"a container's deletion", &Grant{Permissions: "d"}, ContainerLevel, []string{"d"}, failure},
		{"a service's list", &Grant{Permissions: "l"}, ServiceLevel, []string{"l"}, failure},
		{"account", &Grant{Permissions: "d", account: true, resourceTypes: "c"}, ContainerLevel, []string{"d"}, ok},
		{"account, other type", &Grant{Permissions: "d", account: true, resourceTypes: "c"}, ObjectLevel, []string{"d"},
			types},
	} {
		got := ok
		if p := (&Request{SAS: c.grant}).Allow(c.level, c.anyOf...); p != nil {
			got = p.Code
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestKeyRanges(t *testing.T) {
	f, got := newTestFront(t, Options{Service: Table})
	// The SDK signs key ranges, but leaves them out of the query.
	query := tableSAS(t, func(v *aztables.SASSignatureValues) {
		v.StartPartitionKey, v.StartRowKey, v.EndPartitionKey, v.EndRowKey = "b", "2", "d", "4"
	}) + "&spk=b&srk=2&epk=d&erk=4"
	if a := respond(f, sasTest{service: Table, target: "/acct/Things", query: query}.request()); a.StatusCode != 200 {
		body, _ := io.ReadAll(a.Body)
		t.Fatalf("answer %d: %s", a.StatusCode, body)
	}
	r := got.requests[0]
	for _, c := range []struct {
		partition, row string
		want           bool
	}{{"a", "9", false}, {"b", "1", false}, {"b", "2", true}, {"c", "0", true}, {"d", "4", true}, {"d", "5", false},
		{"e", "0", false}} {
		if (r.AllowRow("THINGS", c.partition, c.row) == nil) != c.want {
			t.Errorf("%s %s: want %v", c.partition, c.row, c.want)
		}
	}
	if r.AllowRow("Others", "c", "0") == nil || r.SAS.CoversTable("Others") || !r.SAS.CoversTable("things") {
		t.Error("the signature is good for another table")
	}
}

func TestOldSignatures(t *testing.T) {
	key, err := base64.StdEncoding.DecodeString(testKey)
	if err != nil {
		t.Fatal(err)
	}
	for version, text := range map[string]string{
		"2012-02-12": "r\n\n2030-01-01\n/acct/box\n\n2012-02-12",
		"2013-08-15": "r\n\n2030-01-01\n/acct/box\n\n2013-08-15\n\n\n\n\n",
		"2015-02-21": "r\n\n2030-01-01\n/blob/acct/box\n\n2015-02-21\n\n\n\n\n",
		"2015-04-05": "r\n\n2030-01-01\n/blob/acct/box\n\n\n\n2015-04-05\n\n\n\n\n",
		"2018-11-09": "r\n\n2030-01-01\n/blob/acct/box\n\n\n\n2018-11-09\nc\n\n\n\n\n\n",
	} {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(text))
		query := url.Values{"sv": {version}, "sr": {"c"}, "sp": {"r"}, "se": {"2030-01-01"},
			"sig": {base64.StdEncoding.EncodeToString(mac.Sum(nil))}}
		f, _ := newTestFront(t, Options{Service: Blob})
		if a := respond(f, sasTest{service: Blob, target: "/acct/box/x",
			query: query.Encode()}.request()); a.StatusCode != 200 {
			body, _ := io.ReadAll(a.Body)
			t.Errorf("%s: %d %s", version, a.StatusCode, body)
		}
	}
}

func FuzzSAS(f *testing.F) {
	f.Add("sv=2020-12-06&sr=c&sp=r&se=2030-01-01&sig=AAAA", true)
	f.Add("sv=2019-02-02&tn=Things&sp=raud&se=2030-01-01T00:00Z&spk=a&epk=b&sip=1.2.3.4-5&spr=https,http&sig=x%", false)
	f.Add("sv=2020-12-06&ss=bt&srt=sco&sp=rwdl&se=2030-01-01&si=reader&sig=A&&=&sig=B", true)
	f.Fuzz(func(t *testing.T, query string, blob bool) {
		if strings.ContainsAny(query, " \n\r\x00#") {
			t.Skip("no query that a server would pass on")
		}
		service := Table
		if blob {
			service = Blob
		}
		front, got := newTestFront(t, Options{Service: service, Policies: policies})
		r := newRequest("GET", "/acct/things/x", nil)
		r.RequestURI = "/acct/things/x?" + query
		a := respond(front, r)
		if a.StatusCode < 400 || a.StatusCode >= 500 || len(got.requests) > 0 {
			t.Errorf("answer %d, service reached %d times", a.StatusCode, len(got.requests))
		}
		s := readSAS(Query(query))
		s.se = "2030-01-01" // whatever the rest, what follows a good signature must not panic
		if s.complete(service) == nil && s.checkTimes(testNow) == nil && s.checkOrigin(r) == nil && s.grant() == nil {
			t.Error("no grant")
		}
	})
}
