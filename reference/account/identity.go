package account

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"

	"github.com/storespec/storespec/reference/web"
)

const (
	identityVersion = "2019-08-01" // of the endpoint's API
	tokenTimeout    = 5 * time.Second
	maxToken        = 64 << 10 // bytes of an answer; a token has a few thousand
)

// Identity is the managed identity of an app in Azure App Service or Azure Functions: the app asks an endpoint on its
// machine for tokens, and needs no key (https://learn.microsoft.com/azure/app-service/overview-managed-identity).
//
// It is an azcore.TokenCredential. Go SDK: its clients keep a token until it is about to expire, so nothing is kept
// here. A port uses its SDK's DefaultAzureCredential or ManagedIdentityCredential, which do the same.
type Identity struct {
	Endpoint string // IDENTITY_ENDPOINT
	Header   string // IDENTITY_HEADER, a secret
	HTTP     *http.Client
}

// IdentityFromEnv reads an Identity; getenv returns "" for unset variables. The error names the missing variable.
func IdentityFromEnv(getenv func(string) string) (*Identity, error) {
	i := &Identity{Endpoint: getenv("IDENTITY_ENDPOINT"), Header: getenv("IDENTITY_HEADER"),
		HTTP: &http.Client{Timeout: tokenTimeout}}
	if i.Endpoint == "" || i.Header == "" {
		return nil, errors.New("IDENTITY_ENDPOINT and IDENTITY_HEADER must be set for a managed identity")
	}
	return i, nil
}

// GetToken implements azcore.TokenCredential. Its errors contain neither the token nor the secret.
func (i *Identity) GetToken(ctx context.Context, options policy.TokenRequestOptions) (azcore.AccessToken, error) {
	resource := strings.TrimSuffix(strings.Join(options.Scopes, " "), "/.default")
	query := url.Values{"api-version": {identityVersion}, "resource": {resource}}
	// Go SDK: it passes a context whose values it hides.
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, i.Endpoint+"?"+query.Encode(), nil)
	if err != nil {
		return azcore.AccessToken{}, errors.New("IDENTITY_ENDPOINT is not an address")
	}
	request.Header.Set("X-IDENTITY-HEADER", i.Header)
	answer, err := i.HTTP.Do(request)
	if err != nil {
		return azcore.AccessToken{}, fmt.Errorf("asking the managed identity for a token: %s", web.WithoutURL(err))
	}
	defer func() { _ = answer.Body.Close() }()
	var token struct {
		Token   string `json:"access_token"`
		Expires string `json:"expires_on"` // seconds since 1970
	}
	err = json.NewDecoder(io.LimitReader(answer.Body, maxToken)).Decode(&token)
	expires, malformed := strconv.ParseInt(token.Expires, 10, 64)
	if answer.StatusCode != http.StatusOK || err != nil || malformed != nil || token.Token == "" {
		return azcore.AccessToken{}, fmt.Errorf("the managed identity gave no token: status %d", answer.StatusCode)
	}
	return azcore.AccessToken{Token: token.Token, ExpiresOn: time.Unix(expires, 0)}, nil
}
