package companion

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/emulator/azureauth"
	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

func startIdentity(t *testing.T) (i *Identity, env map[string]string) {
	t.Helper()
	i = &Identity{}
	if _, err := i.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = i.Close() })
	return i, i.Environment()
}

// ask asks the endpoint for a token, and returns the status and the fields of the answer.
func ask(t *testing.T, env map[string]string, header string, query url.Values) (int, map[string]any) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
		env["IDENTITY_ENDPOINT"]+"?"+query.Encode(), nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-IDENTITY-HEADER", header)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	var fields map[string]any
	if err := json.NewDecoder(answer.Body).Decode(&fields); err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, fields
}

func TestWhoGetsAToken(t *testing.T) {
	i, env := startIdentity(t)
	for name, c := range map[string]struct {
		header  string
		query   url.Values
		status  int
		refused string
	}{
		"an app": {env["IDENTITY_HEADER"], url.Values{"resource": {azureauth.Audience},
			"api-version": {identityVersion}, "client_id": {"any"}}, 200, ""},
		"somebody else": {"guessed", url.Values{"resource": {azureauth.Audience},
			"api-version": {identityVersion}}, 401, "X-IDENTITY-HEADER"},
		"the older API": {env["IDENTITY_HEADER"], url.Values{"resource": {azureauth.Audience},
			"api-version": {"2017-09-01"}}, 400, "2017-09-01"},
		"for nothing": {env["IDENTITY_HEADER"], url.Values{"api-version": {identityVersion}}, 400, "resource"},
	} {
		status, fields := ask(t, env, c.header, c.query)
		if status != c.status {
			t.Errorf("%s: status %d, want %d", name, status, c.status)
		}
		if c.status != http.StatusOK && (!strings.Contains(i.Refused(), c.refused) || fields["access_token"] != nil) {
			t.Errorf("%s: refused because of %q, with %v", name, i.Refused(), fields)
		}
		if token, _ := fields["access_token"].(string); c.status == http.StatusOK && strings.Count(token, ".") != 2 {
			t.Errorf("%s: %v holds no token", name, fields)
		}
	}
}

// admission is the identity before a store that answers each call with a status.
type admission struct {
	identity *Identity
	status   int
}

// pass sends a call for the table Things of the account "account", and returns the Authorization that the store gets.
// An empty authorization or version is not sent.
func (a *admission) pass(t *testing.T, authorization, query, version string) (sent string) {
	t.Helper()
	lease := store.NewLease(&store.Namespace{
		Sign: func(_ wire.Service, r *http.Request) { r.Header.Set("Authorization", "signed") },
		Values: func(map[wire.Service]string) map[string]string {
			return map[string]string{"account": "account"}
		},
	}, func() {})
	door := a.identity.Admit(&lane.Lane{Lease: lease}, azure.Tables{},
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			sent = r.Header.Get("Authorization")
			w.WriteHeader(a.status)
		}))
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/account/Things?"+query, nil)
	for name, value := range map[string]string{"Authorization": authorization, "X-Ms-Version": version} {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	door.ServeHTTP(httptest.NewRecorder(), r)
	return sent
}

// What a call carries decides whether it is signed for the store, and what is noted of it.
func TestCallsWithATokenAreSigned(t *testing.T) {
	i, env := startIdentity(t)
	token := func(resource string) string {
		_, fields := ask(t, env, env["IDENTITY_HEADER"], url.Values{"resource": {resource},
			"api-version": {identityVersion}})
		return "Bearer " + fields["access_token"].(string)
	}
	door := &admission{identity: i}
	const current = "2019-02-02"
	good := token("https://storage.azure.com")
	_, bare, _ := strings.Cut(good, " ")
	const otherScheme = "an Authorization header whose scheme is not Bearer"
	for name, c := range map[string]struct {
		authorization, query, version string
		status                        int
		had                           string
	}{
		"a token":               {good, "", current, 200, ""},
		"in the oldest version": {good, "", "2017-11-09", 200, ""},
		"in lower case":         {"bearer " + bare, "", current, 200, ""},
		"the same with a /":     {token("https://storage.azure.com/"), "", current, 200, ""},
		"for the application":   {token("e406a681-f3d4-42a8-90b6-c2b029497af1"), "", current, 200, ""},
		"for the account":       {token("https://account.table.core.windows.net"), "", current, 200, ""},
		"for its other service": {token("https://account.blob.core.windows.net"), "", current, 401,
			"a token for https://account.blob.core.windows.net"},
		"of another resource": {token("https://vault.azure.net"), "", current, 401,
			"a token for https://vault.azure.net"},
		"by Basic":         {"Basic " + bare, "", current, 401, otherScheme},
		"by token":         {"token " + bare, "", current, 401, otherScheme},
		"without a scheme": {bare, "", current, 401, otherScheme},
		"in a version before": {good, "", "2017-07-29", 403,
			`a token with the x-ms-version "2017-07-29", before 2017-11-09`},
		"without a version":    {good, "", "", 403, "a token without an x-ms-version"},
		"made up":              {"Bearer a.b.c", "", current, 401, "a token that the managed identity has not issued"},
		"a key":                {"SharedKeyLite account:signature", "", current, 200, "a shared key"},
		"a signature":          {"", "sig=abc", current, 200, "a shared access signature"},
		"nothing, and refused": {"", "", current, 401, ""},
		"nothing, and served":  {"", "", current, 200, nothing},
	} {
		i.Reset()
		door.status = c.status
		sent := door.pass(t, c.authorization, c.query, c.version)
		carried, others := i.Carried()
		switch {
		case c.had != "":
			if carried != 0 || len(others) != 1 || others[0].Had != c.had || others[0].Call.Resource != "Things" {
				t.Errorf("%s: %d carried a token, others %+v", name, carried, others)
			}
			fallthrough
		case c.authorization == "":
			if sent != c.authorization {
				t.Errorf("%s: sent %q", name, sent)
			}
		case carried != 1 || len(others) != 0 || sent != "signed":
			t.Errorf("%s: %d carried a token, others %+v, sent %q", name, carried, others, sent)
		}
	}
}
