package companion

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/storespec/storespec/internal/emulator/azureauth"
	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/wire"
)

// Identity is the managed identity of an app in Azure App Service or Azure Functions. It issues tokens to the target
// (https://learn.microsoft.com/azure/app-service/overview-managed-identity#rest-endpoint-reference), and stands before
// the store in Azure's place: a call with such a token goes on as one with the account's key, so that a store needs to
// know nothing of tokens. Other calls go on as they are, and the store decides.
//
// It is an app with every identity: client_id, principal_id and mi_res_id of a request are ignored. Its tokens outlive
// any run.
type Identity struct {
	listening
	secret string // proves to the endpoint that a request comes from the app

	mu      sync.Mutex
	issued  map[string]string // the resource of each token
	refused string            // why the last request for a token was refused; "": none was
	carried int               // calls with a token since Reset
	others  []Unidentified    // since Reset
}

// Unidentified is a storage call that carried no token of the identity.
type Unidentified struct {
	Call wire.Call
	Had  string // what it had instead, such as "a shared key", or "a token" with what is wrong with it
}

const (
	identityPath    = "/msi/token"
	identityVersion = "2019-08-01"   // of the endpoint's API; the SDKs use no other
	tokenLifetime   = 24 * time.Hour // as in App Service
	tenant          = "72f988bf-0000-4000-8000-73746f726573"
	principal       = "7c8d9e0f-0000-4000-8000-73746f726573"
)

// Start listens on a free port. What a target needs to know is in Environment.
func (i *Identity) Start(context.Context) (map[string]string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("open the endpoint of a managed identity: %w", err)
	}
	i.secret, i.issued = rand.Text(), map[string]string{}
	i.serve(listener, i.answer)
	return nil, nil
}

// Environment returns the variables by which an app finds the endpoint.
func (i *Identity) Environment() map[string]string {
	return map[string]string{"IDENTITY_ENDPOINT": i.server.URL + identityPath, "IDENTITY_HEADER": i.secret}
}

// Excludes returns the variables that would make an SDK prefer another credential, or another host. Some SDKs go by
// whether they are set, even if to nothing.
func (*Identity) Excludes() []string {
	return []string{
		"IDENTITY_SERVER_THUMBPRINT", // of Service Fabric
		"AZURE_TENANT_ID", "AZURE_USERNAME", "AZURE_FEDERATED_TOKEN_FILE",
		"AZURE_TOKEN_CREDENTIALS", // such as dev: no managed identity
	}
}

// Replaces returns the placeholders whose values hold the key, which an app with an identity does not have.
func (*Identity) Replaces() []string { return []string{"connection", "key"} }

// Addresses returns the placeholders of what a target needs besides its identity: where the services are.
func Addresses() []string { return []string{"blobs", "tables"} }

// Reset forgets which calls were seen. Tokens stay valid: a target may keep them.
func (i *Identity) Reset() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.carried, i.others = 0, nil
}

// Snapshot has nothing to restore.
func (*Identity) Snapshot() (restore func()) { return func() {} }

// Carried returns how many storage calls since Reset carried a token of the identity, and those that did not.
func (i *Identity) Carried() (count int, others []Unidentified) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.carried, i.others
}

// Refused says why the endpoint last refused a token, such as `api-version "2017-09-01", not 2019-08-01`; "" if it
// never did.
func (i *Identity) Refused() string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.refused
}

// answer answers a request for a token.
func (i *Identity) answer(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	resource, version := r.URL.Query().Get("resource"), r.URL.Query().Get("api-version")
	refuse := func(status int, why string) {
		i.refused = why
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(map[string]any{"statusCode": status, "message": why})
	}
	switch {
	case r.Method != http.MethodGet || r.URL.Path != identityPath:
		refuse(http.StatusNotFound, r.Method+" "+r.URL.Path+", not GET "+identityPath)
	case r.Header.Get("X-Identity-Header") != i.secret:
		refuse(http.StatusUnauthorized, "X-IDENTITY-HEADER is not what IDENTITY_HEADER says")
	case version != identityVersion:
		refuse(http.StatusBadRequest, fmt.Sprintf("api-version %q, not %s", version, identityVersion))
	case resource == "":
		refuse(http.StatusBadRequest, "no resource")
	default:
		until := time.Now().Add(tokenLifetime)
		token := newToken(resource, until)
		i.issued[token] = resource
		// The target may have gone.
		_ = json.NewEncoder(w).Encode(map[string]string{"access_token": token, "token_type": "Bearer",
			"resource": resource, "expires_on": strconv.FormatInt(until.Unix(), 10), "client_id": principal})
	}
}

// newToken returns a token in the form of Microsoft Entra ID's, with a signature that cannot be guessed.
func newToken(resource string, until time.Time) string {
	encode := base64.RawURLEncoding.EncodeToString
	from := until.Add(-tokenLifetime).Unix()
	claims, _ := json.Marshal(map[string]any{"aud": resource, "iss": "https://sts.windows.net/" + tenant + "/",
		"iat": from, "nbf": from, "exp": until.Unix(), "oid": principal, "sub": principal, "tid": tenant})
	return encode([]byte(`{"typ":"JWT","alg":"RS256"}`)) + "." + encode(claims) + "." + encode([]byte(rand.Text()))
}

// Admit signs the calls that carry a token for storage with the account's key, and notes what the others have instead.
// SDKs may ask for a token only after the store has refused a call without any: such a call is not noted.
func (i *Identity) Admit(l *lane.Lane, protocol wire.Protocol, service http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		had := i.had(r, l.Lease.Values(nil)["account"], protocol.Service())
		if had == "" {
			r = r.Clone(r.Context())
			r.Header.Del("Authorization")
			l.Lease.Sign(protocol.Service(), r)
		}
		answered := &statusOf{ResponseWriter: w}
		service.ServeHTTP(answered, r)
		i.mu.Lock()
		defer i.mu.Unlock()
		switch {
		case had == "":
			i.carried++
		case had != nothing || answered.status < http.StatusBadRequest:
			call := protocol.Decode(wire.HeadOf(r)).Call()
			call.Status = answered.status
			i.others = append(i.others, Unidentified{call, had})
		}
	})
}

// nothing is what a call had that carried no authorization at all.
const nothing = "no authorization"

// had returns what a call to an account's service had instead of a token that Azure takes; "": it had one.
func (i *Identity) had(r *http.Request, account string, service wire.Service) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	switch {
	case strings.HasPrefix(scheme, "SharedKey"):
		return "a shared key"
	case scheme == "" && r.URL.Query().Has("sig"):
		return "a shared access signature"
	case scheme == "":
		return nothing
	case !strings.EqualFold(scheme, "Bearer"): // which may be a secret
		return "an Authorization header whose scheme is not Bearer"
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	version := r.Header.Get("X-Ms-Version")
	switch resource, issued := i.issued[strings.TrimSpace(token)]; {
	case !issued:
		return "a token that the managed identity has not issued"
	case !azureauth.TakesToken(resource, account, string(service)):
		return "a token for " + resource
	case version == "":
		return "a token without an x-ms-version"
	case version < azureauth.OldestTokenVersion:
		return fmt.Sprintf("a token with the x-ms-version %q, before %s", version, azureauth.OldestTokenVersion)
	}
	return ""
}

// statusOf notes the status of an answer.
type statusOf struct {
	http.ResponseWriter
	status int
}

func (s *statusOf) WriteHeader(status int) {
	s.status = status
	s.ResponseWriter.WriteHeader(status)
}

// Unwrap is for http.ResponseController.
func (s *statusOf) Unwrap() http.ResponseWriter { return s.ResponseWriter }
