package azure

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/emulator/azureauth"
)

// Tokens of Microsoft Entra ID are checked as far as that goes without Azure: their form, for whom and by whom they
// were issued, and when they are valid; not who signed them, and every principal has every role.
// https://learn.microsoft.com/rest/api/storageservices/authorize-with-azure-active-directory

// issuers are the beginnings of the addresses that issue tokens.
var issuers = []string{"https://sts.windows.net/", "https://login.microsoftonline.com/", "https://sts.chinacloudapi.cn/",
	"https://sts.microsoftonline.de/", "https://sts.windows-ppe.net/"}

// claims are those of a token that are checked.
type claims struct {
	Audience  string   `json:"aud"`
	Issuer    string   `json:"iss"`
	NotBefore *float64 `json:"nbf"` // seconds since 1970
	Expires   *float64 `json:"exp"`
	principal
}

// principal is who a token was issued to.
type principal struct {
	ObjectID string `json:"oid"`
	TenantID string `json:"tid"`
}

// checkToken returns why a bearer token does not authorize the request.
func (f *Front) checkToken(req *Request, token string) *Problem {
	switch {
	case !f.OAuth:
		return unauthenticated(req, "This emulator does not take tokens without --oauth: use the account's key or a "+
			"shared access signature.")
	case req.HTTP.TLS == nil:
		return AuthenticationFailed("Authentication scheme Bearer is not allowed with HTTP.")
	case req.Version < azureauth.OldestTokenVersion:
		return AuthenticationFailed("Authentication scheme Bearer is not supported in this version.")
	}
	c, ok := parseToken(token)
	now := float64(req.Now.UnixNano()) / float64(time.Second)
	switch {
	case !ok || c.NotBefore == nil || c.Expires == nil:
		return unauthenticated(req, "The token is not a JSON Web Token with a lifetime.")
	case now < *c.NotBefore:
		return unauthenticated(req, "Lifetime validation failed. The token is not yet valid.")
	case now >= *c.Expires:
		return unauthenticated(req, "Lifetime validation failed. The token is expired.")
	case !issued(c.Issuer):
		return unauthenticated(req, "Issuer validation failed. Issuer did not match.")
	case !azureauth.TakesToken(c.Audience, req.Account.Name, string(req.Service)):
		return unauthenticated(req, "Audience validation failed. Audience did not match.")
	}
	req.Bearer, req.principal = true, c.principal
	return nil
}

// parseToken reads a token's claims; ok is false if it is not a JSON Web Token.
func parseToken(token string) (c claims, ok bool) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return c, false
	}
	var header struct {
		Algorithm string `json:"alg"`
	}
	for i, into := range []any{&header, &c} {
		text, err := base64.RawURLEncoding.DecodeString(parts[i])
		if err != nil || json.Unmarshal(text, into) != nil {
			return c, false
		}
	}
	_, err := base64.RawURLEncoding.DecodeString(parts[2])
	return c, err == nil && header.Algorithm != ""
}

func issued(issuer string) bool {
	for _, known := range issuers {
		if strings.HasPrefix(issuer, known) {
			return true
		}
	}
	return false
}

const (
	// challengeVersion is the first version with a bearer challenge; older ones get none.
	// https://learn.microsoft.com/rest/api/storageservices/authorize-with-azure-active-directory#bearer-challenge
	challengeVersion = "2019-12-12"
	challenge        = `Bearer authorization_uri=https://login.microsoftonline.com/common/oauth2/authorize ` +
		`resource_id=` + azureauth.Audience
)

// unauthenticated asks for a token; a version without challenges gets AuthenticationFailed instead. detail says why,
// unless it is empty.
func unauthenticated(req *Request, detail string) *Problem {
	if req.Version < challengeVersion {
		return AuthenticationFailed(detail)
	}
	return challenged("InvalidAuthenticationInfo", detail)
}

// challenged is the answer with the challenge.
func challenged(code, detail string) *Problem {
	p := NewProblem(http.StatusUnauthorized, code,
		"Server failed to authenticate the request. Please refer to the information in the www-authenticate header.")
	p.Header = http.Header{"Www-Authenticate": {challenge}}
	return p.because(detail)
}
