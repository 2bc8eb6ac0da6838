package blobs_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/sas"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/service"

	"github.com/storespec/storespec/internal/emulator/azure"
	"github.com/storespec/storespec/internal/emulator/azure/blobs"
	"github.com/storespec/storespec/internal/emulator/engine"
)

// tokens issues tokens to a user as Microsoft Entra ID does, without anybody's signature.
type tokens struct{ object, tenant string }

const (
	homeTenant = "22222222-2222-2222-2222-222222222222"
	mary       = "abababab-abab-abab-abab-abababababab"
	john       = "44444444-4444-4444-4444-444444444444"
)

// delegator gets the keys.
var delegator = tokens{"11111111-1111-1111-1111-111111111111", homeTenant}

func (u tokens) GetToken(context.Context, policy.TokenRequestOptions) (azcore.AccessToken, error) {
	encode := base64.RawURLEncoding.EncodeToString
	until := time.Now().Add(time.Hour)
	claims := fmt.Sprintf(`{"aud":"https://storage.azure.com","iss":"https://sts.windows.net/t/","nbf":%d,"exp":%d,`+
		`"oid":%q,"tid":%q}`, time.Now().Add(-time.Minute).Unix(), until.Unix(), u.object, u.tenant)
	return azcore.AccessToken{Token: encode([]byte(`{"alg":"RS256"}`)) + "." + encode([]byte(claims)) + ".c2ln",
		ExpiresOn: until}, nil
}

// overHTTPS starts the service with TLS and tokens, and returns a client with a token and its options. The container
// cont exists.
func overHTTPS(t *testing.T) (*service.Client, policy.ClientOptions) {
	t.Helper()
	e := must[*engine.Engine](t)(engine.Open(engine.Options{}))
	accounts := azure.NewAccounts(e)
	must[*azure.Account](t)(accounts.Add(azure.DevelopmentAccount, azure.DevelopmentKey))
	s := blobs.New(blobs.Options{ServiceOptions: azure.ServiceOptions{Engine: e}})
	server := httptest.NewTLSServer(azure.NewFront(azure.Options{Service: azure.Blob, Accounts: accounts, OAuth: true,
		Policies: s.Policies}, s.Serve))
	t.Cleanup(server.Close)
	// The SDK takes the account's name from the host.
	transport := server.Client().Transport.(*http.Transport).Clone()
	transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
	}
	transport.TLSClientConfig.ServerName = "example.com" // which httptest's certificate is for
	t.Cleanup(transport.CloseIdleConnections)
	options := policy.ClientOptions{Transport: &http.Client{Transport: transport},
		Retry: policy.RetryOptions{MaxRetries: -1}}
	client := must[*service.Client](t)(service.NewClient("https://"+azure.DevelopmentAccount+".blob.core.windows.net",
		delegator, &service.ClientOptions{ClientOptions: options}))
	must[any](t)(client.CreateContainer(t.Context(), "cont", nil))
	return client, options
}

// stamp is the time after d.
func stamp(d time.Duration) *string {
	return to.Ptr(time.Now().UTC().Add(d).Format(sas.TimeFormat))
}

// delegationKey gets a key that is valid for an hour.
func delegationKey(t *testing.T, client *service.Client) *service.UserDelegationCredential {
	t.Helper()
	return must[*service.UserDelegationCredential](t)(client.GetUserDelegationCredential(t.Context(),
		service.KeyInfo{Start: stamp(-time.Minute), Expiry: stamp(time.Hour)}, nil))
}

// A principal with a token gets a key, and its signatures grant what they say, for as long as the key is valid.
func TestUserDelegation(t *testing.T) {
	ctx := t.Context()
	client, options := overHTTPS(t)
	b := client.NewContainerClient("cont").NewBlockBlobClient("dir/b")
	must[any](t)(b.Upload(ctx, bodyOf([]byte("x")), nil))
	key := delegationKey(t, client)
	open := func(change func(*sas.BlobSignatureValues)) *blockblob.Client {
		t.Helper()
		v := sas.BlobSignatureValues{ContainerName: "cont", BlobName: "dir/b", Permissions: "r",
			ExpiryTime: time.Now().UTC().Add(time.Hour)}
		change(&v)
		q := must[sas.QueryParameters](t)(v.SignWithUserDelegation(key))
		return must[*blockblob.Client](t)(blockblob.NewClientWithNoCredential(b.URL()+"?"+q.Encode(),
			&blockblob.ClientOptions{ClientOptions: options}))
	}
	reader := open(func(*sas.BlobSignatureValues) {})
	res, err := reader.DownloadStream(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	if body := must[[]byte](t)(io.ReadAll(res.Body)); string(body) != "x" {
		t.Errorf("read %q", body)
	}
	_, err = reader.Upload(ctx, bodyOf([]byte("y")), nil)
	wantCode(t, err, "AuthorizationPermissionMismatch")
	_, err = open(func(v *sas.BlobSignatureValues) { v.BlobName = "dir/other" }).DownloadStream(ctx, nil)
	wantCode(t, err, "AuthenticationFailed")
	_, err = open(func(v *sas.BlobSignatureValues) { v.BlobName = "" }).DownloadStream(ctx, nil) // the container's
	wantCode(t, err, "")
	_, err = open(func(v *sas.BlobSignatureValues) { v.AuthorizedObjectID = mary }).DownloadStream(ctx, nil)
	wantCode(t, err, "AuthenticationFailed")
	url := open(func(*sas.BlobSignatureValues) {}).URL()
	forged := strings.Replace(url, "skoid=11111111", "skoid=99999999", 1)
	_, err = must[*blockblob.Client](t)(blockblob.NewClientWithNoCredential(forged,
		&blockblob.ClientOptions{ClientOptions: options})).DownloadStream(ctx, nil)
	wantCode(t, err, "AuthenticationFailed")
	_, err = client.GetUserDelegationCredential(ctx,
		service.KeyInfo{Start: stamp(0), Expiry: stamp(8 * 24 * time.Hour)}, nil)
	wantCode(t, err, "InvalidXmlNodeValue")
}

// A signature that is bound to a user is good with that user's token only, which then allows no more than it says.
func TestSignatureBoundToAUser(t *testing.T) {
	ctx := t.Context()
	client, options := overHTTPS(t)
	b := client.NewContainerClient("cont").NewBlockBlobClient("b")
	must[any](t)(b.Upload(ctx, bodyOf([]byte("x")), nil))
	key := delegationKey(t, client)
	signed := func(blob, user string) string {
		q := must[sas.QueryParameters](t)(sas.BlobSignatureValues{ContainerName: "cont", BlobName: blob,
			Permissions: "r", ExpiryTime: time.Now().UTC().Add(time.Hour), SignedDelegatedUserObjectID: user}.
			SignWithUserDelegation(key))
		return q.Encode()
	}
	with := func(query string, credential azcore.TokenCredential) *blockblob.Client {
		return must[*blockblob.Client](t)(blockblob.NewClient(b.URL()+"?"+query, credential,
			&blockblob.ClientOptions{ClientOptions: options}))
	}
	marys, johns := tokens{mary, homeTenant}, tokens{john, homeTenant}
	for _, c := range []struct {
		name, query string
		credential  azcore.TokenCredential
		code        string
	}{
		{"hers", signed("b", mary), marys, ""},
		{"in upper case", signed("b", strings.ToUpper(mary)), marys, ""},
		{"of another user", signed("b", mary), johns, "AuthenticationFailed"},
		{"who made it", signed("b", mary), delegator, "AuthenticationFailed"},
		{"of another tenant", signed("b", mary), tokens{mary, john}, "AuthenticationFailed"},
		{"of no user", signed("b", mary), tokens{"", homeTenant}, "AuthenticationFailed"},
		{"changed", strings.Replace(signed("b", mary), mary, john, 1), johns, "AuthenticationFailed"},
		{"for another blob", signed("other", mary), marys, "AuthenticationFailed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := with(c.query, c.credential).DownloadStream(ctx, nil)
			wantCode(t, err, c.code)
		})
	}
	_, err := must[*blockblob.Client](t)(blockblob.NewClientWithNoCredential(b.URL()+"?"+signed("b", mary),
		&blockblob.ClientOptions{ClientOptions: options})).DownloadStream(ctx, nil)
	wantCode(t, err, "AuthenticationFailed")
	_, err = with(signed("b", mary), marys).Upload(ctx, bodyOf([]byte("y")), nil)
	wantCode(t, err, "AuthorizationPermissionMismatch")
	_, err = with(signed("b", ""), marys).Upload(ctx, bodyOf([]byte("y")), nil) // bound to no user: the token counts
	wantCode(t, err, "")
}

// What is inside a request that came over https did too: the parts of a batch with a token, and a copy's source whose
// signature is for https only.
func TestRequestsWithinARequestOverHTTPS(t *testing.T) {
	ctx := t.Context()
	client, options := overHTTPS(t)
	cont := client.NewContainerClient("cont")
	must[any](t)(cont.NewBlockBlobClient("b").Upload(ctx, bodyOf([]byte("x")), nil))
	shared := must[*azblob.SharedKeyCredential](t)(azblob.NewSharedKeyCredential(azure.DevelopmentAccount,
		azure.DevelopmentKey))
	signed := must[sas.QueryParameters](t)(sas.BlobSignatureValues{ContainerName: "cont", BlobName: "b",
		Permissions: "rd", Protocol: sas.ProtocolHTTPS, ExpiryTime: time.Now().UTC().Add(time.Hour)}.
		SignWithSharedKey(shared))
	source := cont.URL() + "/b?" + signed.Encode()
	_, err := cont.NewBlobClient("copy").CopyFromURL(ctx, source, nil)
	wantCode(t, err, "")
	_, err = cont.NewBlobClient("other").CopyFromURL(ctx, strings.Replace(source, "https://", "http://", 1), nil)
	wantCode(t, err, "CannotVerifyCopySource")

	deleted := func(blob string, c *container.Client) {
		t.Helper()
		batch := must[*container.BatchBuilder](t)(c.NewBatchBuilder())
		if err := batch.Delete(blob, nil); err != nil {
			t.Fatal(err)
		}
		answer := must[container.SubmitBatchResponse](t)(c.SubmitBatch(ctx, batch, nil))
		if len(answer.Responses) != 1 || answer.Responses[0].Error != nil {
			t.Errorf("delete %s in a batch: %+v", blob, answer.Responses)
		}
	}
	deleted("copy", cont)
	of := must[sas.QueryParameters](t)(sas.BlobSignatureValues{ContainerName: "cont", Permissions: "d",
		Protocol: sas.ProtocolHTTPS, ExpiryTime: time.Now().UTC().Add(time.Hour)}.SignWithSharedKey(shared))
	deleted("b", must[*container.Client](t)(container.NewClientWithNoCredential(cont.URL()+"?"+of.Encode(),
		&container.ClientOptions{ClientOptions: options})))
}
