package azure

import (
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/emulator/azureauth"
)

// token is a JSON Web Token with these claims, as Microsoft Entra ID issues them, valid at testNow.
func token(change ...string) string {
	encode := base64.RawURLEncoding.EncodeToString
	payload := fmt.Sprintf(`{"aud":"https://storage.azure.com","iss":"https://sts.windows.net/ab1f708d/",`+
		`"nbf":%d,"exp":%d}`, testNow.Add(-time.Minute).Unix(), testNow.Add(time.Hour).Unix())
	for i := 0; i < len(change); i += 2 {
		payload = strings.Replace(payload, change[i], change[i+1], 1)
	}
	return encode([]byte(`{"typ":"JWT","alg":"RS256"}`)) + "." + encode([]byte(payload)) + "." +
		encode([]byte("signature"))
}

func TestTokens(t *testing.T) {
	audience := "https://storage.azure.com"
	past := fmt.Sprint(testNow.Add(-time.Minute).Unix())
	future := fmt.Sprint(testNow.Add(time.Hour).Unix())
	const (
		wrongAudience = "Audience validation failed. Audience did not match."
		noToken       = "The token is not a JSON Web Token with a lifetime."
	)
	for _, c := range []struct{ name, token, detail string }{ // no detail: it is taken
		{"valid", token(), ""},
		{"with a slash", token(audience, audience+"/"), ""},
		{"for the application", token(audience, azureauth.ApplicationID), ""},
		{"for the account's blobs", token(audience, "https://acct.blob.core.windows.net"), ""},
		{"of version 2", token("https://sts.windows.net/ab1f708d/",
			"https://login.microsoftonline.com/ab1f708d/v2.0"), ""},
		{"for another account", token(audience, "https://other.blob.core.windows.net"), wrongAudience},
		{"for the account's tables", token(audience, "https://acct.table.core.windows.net"), wrongAudience},
		{"for another service", token(audience, "https://vault.azure.net"), wrongAudience},
		{"of another issuer", token("https://sts.windows.net/", "https://evil.example/"),
			"Issuer validation failed. Issuer did not match."},
		{"expired", token(future, past), "Lifetime validation failed. The token is expired."},
		{"too early", token(past, future), "Lifetime validation failed. The token is not yet valid."},
		{"without an end", token("exp", "other"), noToken},
		{"without a beginning", token("nbf", "other"), noToken},
		{"an opaque one", "abc", noToken},
		{"not JSON", "YQ.YQ.YQ", noToken},
		{"without a signature's place", strings.TrimSuffix(token(), ".c2lnbmF0dXJl"), noToken},
		{"empty", "", noToken},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, got := newTestFront(t, Options{Service: Blob, OAuth: true})
			r := newRequest("PUT", "/acct/box/b", map[string]string{"Authorization": "Bearer " + c.token})
			r.TLS = &tls.ConnectionState{}
			a := respond(f, r)
			body, err := io.ReadAll(a.Body)
			if err != nil {
				t.Fatal(err)
			}
			if c.detail == "" {
				if a.StatusCode != 200 || len(got.requests) != 1 || !got.requests[0].Bearer {
					t.Errorf("%d %s", a.StatusCode, body)
				}
				return
			}
			if want := challenge; a.Header.Get("Www-Authenticate") != want {
				t.Errorf("challenge %q, want %q", a.Header.Get("Www-Authenticate"), want)
			}
			if a.StatusCode != 401 || a.Header.Get("X-Ms-Error-Code") != "InvalidAuthenticationInfo" ||
				len(got.requests) > 0 || !strings.Contains(string(body),
				"<AuthenticationErrorDetail>"+c.detail+"</AuthenticationErrorDetail>") {
				t.Errorf("%d %s, want the detail %q", a.StatusCode, body, c.detail)
			}
		})
	}
}

// A part of a batch has come over the connection of the batch, which its caller says.
func TestTokenOfAPart(t *testing.T) {
	f, got := newTestFront(t, Options{Service: Blob, OAuth: true})
	bearer := map[string]string{"Authorization": "Bearer " + token()}
	r := newRequest("POST", "/acct?comp=batch", bearer)
	r.TLS = &tls.ConnectionState{}
	respond(f, r)
	if len(got.requests) != 1 {
		t.Fatal("the batch was refused")
	}
	inner := newRequest("DELETE", "/box/a", bearer)
	if _, p := got.requests[0].Part(inner); p == nil {
		t.Error("a token was taken that did not come over https")
	}
	inner.TLS = r.TLS
	if part, p := got.requests[0].Part(inner); p != nil || !part.Bearer {
		t.Errorf("part %+v, %v", part, p)
	}
}

// The detail is in the errors of the blob service. Versions before the challenge are answered 403.
func TestRefusedTokens(t *testing.T) {
	for _, c := range []struct {
		name          string
		o             Options
		version       string
		http          bool
		status        int
		code, detail  string
		authorization string
	}{
		{"expired", Options{OAuth: true}, "2020-12-06", false, 401, "InvalidAuthenticationInfo",
			"Lifetime validation failed. The token is expired.", token(`"exp":`, `"exp":1,"x":`)},
		{"expired, in an old version", Options{OAuth: true}, "2019-02-02", false, 403, "AuthenticationFailed",
			"Lifetime validation failed. The token is expired.", token(`"exp":`, `"exp":1,"x":`)},
		{"in a version without tokens", Options{OAuth: true}, "2017-07-29", false, 403, "AuthenticationFailed",
			"Authentication scheme Bearer is not supported in this version.", token()},
		{"over http", Options{OAuth: true}, "2020-12-06", true, 403, "AuthenticationFailed",
			"Authentication scheme Bearer is not allowed with HTTP.", token()},
		{"not switched on", Options{}, "2020-12-06", false, 401, "InvalidAuthenticationInfo", "--oauth", token()},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.o.Service = Blob
			f, got := newTestFront(t, c.o)
			r := newRequest("GET", "/acct/box/b", map[string]string{"Authorization": "Bearer " + c.authorization,
				"X-Ms-Version": c.version})
			if !c.http {
				r.TLS = &tls.ConnectionState{}
			}
			a := respond(f, r)
			body, err := io.ReadAll(a.Body)
			if err != nil {
				t.Fatal(err)
			}
			if a.StatusCode != c.status || a.Header.Get("X-Ms-Error-Code") != c.code || len(got.requests) > 0 ||
				!strings.Contains(string(body), "<AuthenticationErrorDetail>") ||
				!strings.Contains(string(body), c.detail) {
				t.Errorf("%d %s", a.StatusCode, body)
			}
			if strings.Contains(string(body), c.authorization) {
				t.Errorf("the token is in the answer: %s", body)
			}
		})
	}
}

// What is taken for a token is one: three parts in base64 without padding, an algorithm, and claims of JSON.
func FuzzToken(f *testing.F) {
	encode := base64.RawURLEncoding.EncodeToString
	f.Add(token())
	f.Add(token("https://storage.azure.com", `\"`))
	for _, payload := range []string{"null", "[]", `{"aud":["a"]}`, `{"exp":"1"}`, `{"exp":1e400}`, "{}{}", "{"} {
		f.Add(encode([]byte(`{"alg":"none"}`)) + "." + encode([]byte(payload)) + ".")
	}
	for _, text := range []string{"", "a.b.c", "..", token() + ".", token() + "=", "e30.e30.e30",
		strings.Repeat(".", 100)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, ok := parseToken(text)
		if !ok {
			return
		}
		parts := strings.Split(text, ".")
		if len(parts) != 3 {
			t.Fatalf("%q has %d parts", text, len(parts))
		}
		var head map[string]any
		for i, part := range parts {
			decoded, err := base64.RawURLEncoding.DecodeString(part)
			if err != nil || i < 2 && !json.Valid(decoded) || i == 0 && json.Unmarshal(decoded, &head) != nil {
				t.Errorf("%q is taken for a token: its part %d is %q, %v", text, i+1, decoded, err)
			}
		}
		for name := range head {
			if strings.EqualFold(name, "alg") {
				return
			}
		}
		t.Errorf("%q is taken for a token without an algorithm: %+v", text, c)
	})
}
