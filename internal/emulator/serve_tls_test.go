package emulator

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// certificate makes one for 127.0.0.1 and returns its files, and a client that trusts it.
func certificate(t *testing.T) (cert, key string, client *http.Client) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	certPEM := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	for name, data := range map[string][]byte{cert: certPEM,
		key: pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded})} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(certPEM)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}
	t.Cleanup(transport.CloseIdleConnections)
	return cert, key, &http.Client{Transport: transport}
}

// credential gives tokens for an audience, as DefaultAzureCredential does for the scope it is asked for.
type credential struct {
	audience string // empty: what the scope names
	expires  time.Duration
}

func (c credential) GetToken(_ context.Context, o policy.TokenRequestOptions) (azcore.AccessToken, error) {
	audience := strings.TrimSuffix(o.Scopes[0], "/.default")
	if c.audience != "" {
		audience = c.audience
	}
	now := time.Now()
	encode := base64.RawURLEncoding.EncodeToString
	token := encode([]byte(`{"typ":"JWT","alg":"RS256"}`)) + "." + encode(fmt.Appendf(nil,
		`{"aud":%q,"iss":"https://sts.windows.net/ab1f708d-50f6-404c-a006-d71b2ac7a606/","nbf":%d,"exp":%d}`, audience,
		now.Add(-5*time.Minute).Unix(), now.Add(c.expires).Unix())) + "." + encode([]byte("signature"))
	return azcore.AccessToken{Token: token, ExpiresOn: now.Add(time.Hour)}, nil
}

// tokenUser is a user of the SDKs with a TokenCredential.
type tokenUser struct {
	t             *testing.T
	tables, blobs string // the addresses of the services
	options       policy.ClientOptions
}

func (u *tokenUser) tablesWith(c credential) *aztables.ServiceClient {
	u.t.Helper()
	client, err := aztables.NewServiceClient(u.tables, c, &aztables.ClientOptions{ClientOptions: u.options})
	if err != nil {
		u.t.Fatal(err)
	}
	return client
}

// write makes a table with an entity, and a container.
func (u *tokenUser) write(c credential) (table, blob error) {
	u.t.Helper()
	things := u.tablesWith(c).NewClient("Things")
	if _, table = things.CreateTable(u.t.Context(), nil); table == nil {
		_, table = things.UpsertEntity(u.t.Context(), []byte(`{"PartitionKey":"p","RowKey":"r"}`), nil)
	}
	blobs, err := azblob.NewClient(u.blobs, c, &azblob.ClientOptions{ClientOptions: u.options})
	if err != nil {
		u.t.Fatal(err)
	}
	_, blob = blobs.CreateContainer(u.t.Context(), "box", nil)
	return table, blob
}

func (u *tokenUser) refused(name string, err error, status int, code string) {
	u.t.Helper()
	var response *azcore.ResponseError
	if !errors.As(err, &response) || response.StatusCode != status || response.ErrorCode != code {
		u.t.Errorf("%s: %v, want %d %s", name, err, status, code)
	}
}

// The SDKs with a TokenCredential, over https.
func TestTokensOfTheSDK(t *testing.T) {
	cert, key, client := certificate(t)
	s := start(t, func(o *ServeOptions) { o.OAuth, o.TLSCert, o.TLSKey = true, cert, key })
	if !strings.HasPrefix(s.connections[0], "DefaultEndpointsProtocol=https;") {
		t.Fatalf("connection string %s", s.connections[0])
	}
	u := &tokenUser{t, endpoint(t, s.connections[0], "TableEndpoint"), endpoint(t, s.connections[0], "BlobEndpoint"),
		policy.ClientOptions{Transport: client, Retry: policy.RetryOptions{MaxRetries: -1}}}
	// aztables asks in version 2019-02-02, which has no challenge.
	table, blob := u.write(credential{audience: "https://vault.azure.net", expires: time.Hour})
	u.refused("a table with another audience", table, 403, "AuthenticationFailed")
	u.refused("a container with another audience", blob, 401, "InvalidAuthenticationInfo")
	table, blob = u.write(credential{expires: -time.Minute})
	u.refused("a table with an expired token", table, 403, "AuthenticationFailed")
	u.refused("a container with an expired token", blob, 401, "InvalidAuthenticationInfo")
	valid := credential{expires: time.Hour}
	if table, blob = u.write(valid); table != nil || blob != nil {
		t.Errorf("valid tokens: %v, %v", table, blob)
	}
	_, err := u.tablesWith(valid).NewClient("Things").GetAccessPolicy(t.Context(), nil)
	u.refused("access policies with a token", err, 403, "AuthorizationFailure")
	// Keys go on to work, over https too.
	shared, err := azblob.NewSharedKeyCredential(azure.DevelopmentAccount, azure.DevelopmentKey)
	if err != nil {
		t.Fatal(err)
	}
	blobs, err := azblob.NewClientWithSharedKeyCredential(u.blobs, shared,
		&azblob.ClientOptions{ClientOptions: u.options})
	if err == nil {
		_, err = blobs.UploadBuffer(t.Context(), "box", "b", []byte("content"), nil)
	}
	if err != nil {
		t.Error(err)
	}
	const caution = "signatures of bearer tokens are not checked"
	if err := s.end(); err != nil || !strings.Contains(s.stderr.String(), caution) {
		t.Errorf("%v\n%s", err, s.stderr)
	}
}

func TestWhatHTTPSNeeds(t *testing.T) {
	cert, key, _ := certificate(t)
	for want, o := range map[string]ServeOptions{
		"--oauth needs https":               {OAuth: true},
		"--tls-cert and --tls-key go":       {TLSCert: cert},
		"--tls-cert missing with --tls-key": {TLSCert: "missing", TLSKey: key},
		"--tls-cert " + key:                 {TLSCert: key, TLSKey: cert},
		"--tls-cert, --tls-key and --oauth are for the services of Azure": {OAuth: true, TLSCert: cert, TLSKey: key,
			KV: ":0"},
		"Workers KV and DynamoDB are served over http only": {TLSCert: cert, TLSKey: key, DynamoDB: ":0"},
		"none is started": {TLSCert: cert, TLSKey: key, DynamoDB: ":0", KV: ":0"},
	} {
		if o.KV == "" && o.DynamoDB == "" {
			o.AzureTable = ":0"
		}
		o.Stdout, o.Stderr = io.Discard, io.Discard
		if err := Serve(t.Context(), o); !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
