package account

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
)

func TestTokensOfAnIdentity(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
		err    string // "": a token
	}{
		"a token":    {200, `{"access_token":"abc","expires_on":"1786000000","token_type":"Bearer"}`, ""},
		"no token":   {200, `{"expires_on":"1786000000"}`, "status 200"},
		"no time":    {200, `{"access_token":"abc","expires_on":"soon"}`, "status 200"},
		"a refusal":  {400, `{"statusCode":400,"message":"abc"}`, "status 400"},
		"not JSON":   {502, `<html>abc`, "status 502"},
		"no answer":  {0, "", "asking the managed identity"},
		"an outsize": {200, `{"access_token":"` + strings.Repeat("a", maxToken) + `"}`, "status 200"},
	} {
		t.Run(name, func(t *testing.T) {
			endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if c.status == 0 {
					panic(http.ErrAbortHandler)
				}
				if got := r.URL.RawQuery; got != "api-version=2019-08-01&resource=https%3A%2F%2Fstorage.azure.com" {
					t.Errorf("the query is %s", got)
				}
				if r.Header.Get("X-Identity-Header") != "secret" {
					t.Error("the header X-IDENTITY-HEADER is missing")
				}
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			}))
			defer endpoint.Close()
			env := map[string]string{"IDENTITY_ENDPOINT": endpoint.URL + "/msi/token", "IDENTITY_HEADER": "secret"}
			i, err := IdentityFromEnv(func(name string) string { return env[name] })
			if err != nil {
				t.Fatal(err)
			}
			got, err := i.GetToken(t.Context(),
				policy.TokenRequestOptions{Scopes: []string{"https://storage.azure.com/.default"}})
			if c.err == "" {
				if err != nil || got.Token != "abc" || !got.ExpiresOn.Equal(time.Unix(1786000000, 0)) {
					t.Errorf("%+v, %v", got, err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.err) || strings.Contains(err.Error(), "abc") ||
				strings.Contains(err.Error(), "secret") {
				t.Errorf("error %v, want %q and nothing of the answer", err, c.err)
			}
		})
	}
}

func TestNoIdentity(t *testing.T) {
	if _, err := IdentityFromEnv(func(string) string { return "" }); err == nil ||
		!strings.Contains(err.Error(), "IDENTITY_ENDPOINT") {
		t.Errorf("error %v", err)
	}
}
