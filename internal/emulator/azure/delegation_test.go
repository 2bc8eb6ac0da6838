package azure

import (
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/emulator/azureauth"
)

// What is signed grew with the versions.
func TestDelegatedText(t *testing.T) {
	for version, lines := range map[string]int{"2018-11-09": 20, "2020-02-10": 23, "2020-12-06": 24, "2025-07-05": 26} {
		s := &signature{sv: version, sp: "r", sr: "b", scid: "mine", user: "mary"}
		req := &Request{Service: Blob, Account: &Account{Name: "acct"}, Path: "c/b"}
		text := s.delegatedText(req, false)
		if got := len(strings.Split(text, "\n")); got != lines {
			t.Errorf("%s: %d lines, want %d", version, got, lines)
		}
		if signs := strings.Contains(text, "\nmine\n"); signs != (version >= delegationObjects) {
			t.Errorf("%s: scid is signed: %v", version, signs)
		}
		if signs := strings.Contains(text, "\nmary\n"); signs != (version >= delegationBound) {
			t.Errorf("%s: sduoid is signed: %v", version, signs)
		}
		if got := len(strings.Split(s.delegatedText(req, true), "\n")); got != lines+2 {
			t.Errorf("%s, dynamic: %d lines, want %d", version, got, lines+2)
		}
	}
}

const (
	testObject = "11111111-1111-1111-1111-111111111111"
	testTenant = "22222222-2222-2222-2222-222222222222"
	keyStart   = "2026-03-04T05:00:00Z"
	keyExpiry  = "2026-03-04T06:00:00Z"
)

// delegationKey asks for a user delegation key from keyStart to keyExpiry, with a token of this principal.
func delegationKey(t *testing.T, object, tenant string) (*DelegationKey, *Problem) {
	t.Helper()
	f, got := newTestFront(t, Options{Service: Blob, OAuth: true})
	claims := fmt.Sprintf(`"oid":%q,"tid":%q,"nbf":`, object, tenant)
	r := newRequest("POST", "/acct/?restype=service&comp=userdelegationkey",
		map[string]string{"Authorization": "Bearer " + token(`"nbf":`, claims)})
	r.TLS = &tls.ConnectionState{}
	if a := respond(f, r); a.StatusCode != 200 {
		t.Fatalf("the token is refused: %d", a.StatusCode)
	}
	return got.requests[0].DelegationKey([]byte("<KeyInfo><Start>" + keyStart + "</Start><Expiry>" + keyExpiry +
		"</Expiry></KeyInfo>"))
}

// delegated returns the query of a signature for reading the container box, with a key's value and these fields.
func delegated(t *testing.T, k DelegationKey) string {
	t.Helper()
	return delegatedTo(t, k, "2020-12-06", "")
}

// delegatedTo is delegated in another version, and bound to a user.
func delegatedTo(t *testing.T, k DelegationKey, version, user string) string {
	t.Helper()
	value, err := base64.StdEncoding.DecodeString(k.Value)
	if err != nil {
		t.Fatal(err)
	}
	s := &signature{sv: version, sr: "c", sp: "r", se: "2030-01-01", delegation: k, user: user}
	text := s.delegatedText(&Request{Service: Blob, Account: &Account{Name: "acct"}, Path: "box/b"}, false)
	sig := azureauth.NewKey(value).AppendSignature(nil, []byte(text))
	return url.Values{"sv": {s.sv}, "sr": {s.sr}, "sp": {s.sp}, "se": {s.se}, "skoid": {k.ObjectID},
		"sktid": {k.TenantID}, "skt": {k.Start}, "ske": {k.Expiry}, "sks": {k.Service}, "skv": {k.Version},
		"sduoid": {user}, "sig": {string(sig)}}.Encode()
}

// With a signature that is bound to its user, a token authorizes nothing by itself: neither if the signature's version
// does not sign the user, nor to get a key.
func TestSignatureAndToken(t *testing.T) {
	k, p := delegationKey(t, testObject, testTenant)
	if p != nil {
		t.Fatal(p)
	}
	for version, status := range map[string]int{delegationBound: http.StatusOK, "2020-12-06": http.StatusForbidden} {
		f, got := newTestFront(t, Options{Service: Blob, OAuth: true})
		r := sasTest{service: Blob, target: "/acct/box/b", query: delegatedTo(t, *k, version, testObject)}.request()
		claims := fmt.Sprintf(`"oid":%q,"tid":%q,"nbf":`, testObject, testTenant)
		r.Header.Set("Authorization", "Bearer "+token(`"nbf":`, claims))
		r.TLS = &tls.ConnectionState{}
		a := respond(f, r)
		if a.StatusCode != status {
			t.Errorf("%s: %d, want %d", version, a.StatusCode, status)
		}
		if status != http.StatusOK {
			continue
		}
		if len(got.requests) != 1 || got.requests[0].SAS == nil || got.requests[0].SAS.Permissions != "r" {
			t.Fatalf("%s: %+v", version, got.requests)
		}
		if k, p := got.requests[0].DelegationKey([]byte("<KeyInfo><Expiry>" + keyExpiry +
			"</Expiry></KeyInfo>")); p == nil || p.Code != signatureFailed {
			t.Errorf("%s: a key %+v, %v", version, k, p)
		}
	}
}

// A user delegation signature comes from a token, so it is refused where tokens are.
func TestDelegatedSignaturesNeedOAuth(t *testing.T) {
	k, p := delegationKey(t, testObject, testTenant)
	if p != nil {
		t.Fatal(p)
	}
	c := sasTest{service: Blob, target: "/acct/box/b", query: delegated(t, *k)}
	f, got := newTestFront(t, Options{Service: Blob, OAuth: true})
	if a := respond(f, c.request()); a.StatusCode != http.StatusOK || got.requests[0].SAS == nil {
		t.Errorf("with --oauth: %d", a.StatusCode)
	}
	f, got = newTestFront(t, Options{Service: Blob})
	wantProblem(t, respond(f, c.request()), got, 403, signatureFailed)
}

// A key is for the times and the principal that it was given for: what it is made of cannot be cut in other places.
func TestDelegationKeysCannotBeStretched(t *testing.T) {
	for name, p := range map[string][2]string{
		"an object with a line of its own": {testObject + "\n" + testTenant, testTenant},
		"a tenant with lines of its own":   {testObject, testTenant + "\n2026-01-01\n2099-01-01\nb\n2020-12-06"},
		"an object that is no GUID":        {"somebody", testTenant},
		"a tenant that is no GUID":         {testObject, "somewhere"},
	} {
		k, problem := delegationKey(t, p[0], p[1])
		if problem == nil || problem.Code != signatureFailed {
			t.Errorf("%s: a key %+v, %v", name, k, problem)
		}
	}
	honest, problem := delegationKey(t, testObject, testTenant)
	if problem != nil {
		t.Fatal(problem)
	}
	for name, change := range map[string]func(*DelegationKey){
		"longer": func(k *DelegationKey) { k.Expiry = "2027-01-01T00:00:00Z" },
		"object and tenant as one": func(k *DelegationKey) {
			k.ObjectID, k.TenantID = testObject+"\n"+testTenant, keyStart
		},
		"a version that holds more": func(k *DelegationKey) { k.Version += "\n" },
		"an invalid version":        func(k *DelegationKey) { k.Version = "newest" },
		"an invalid object id":      func(k *DelegationKey) { k.ObjectID = "somebody" },
	} {
		t.Run(name, func(t *testing.T) {
			k := *honest
			change(&k)
			// Whoever knows what the account's key makes of these fields still gets nothing.
			f, got := newTestFront(t, Options{Service: Blob, OAuth: true})
			if name != "longer" {
				k.Value = string(f.Accounts.Lookup("acct").delegated(&k, 0))
			}
			c := sasTest{service: Blob, target: "/acct/box/b", query: delegated(t, k)}
			wantProblem(t, respond(f, c.request()), got, 403, signatureFailed)
		})
	}
}
