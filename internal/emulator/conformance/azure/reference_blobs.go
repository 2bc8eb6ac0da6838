package azure

import (
	"encoding/base64"
	"net/http"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/emulator/azureauth"
	"github.com/storespec/storespec/internal/emulator/conformance"
)

// BlobReference are the cases of what the REST reference of the blob service has.
func BlobReference() (*Reference, conformance.Suite[Account], error) {
	r, err := LoadReference("blobs")
	if err != nil {
		return nil, nil, err
	}
	return r, referenceSuite(r, beginBlobs), nil
}

// ask signs with the account's key. {account} in a body stands for the account, {base} in a header for the address of
// its service, and {sas} for a signature for everything.
func (p *blobProbe) ask(method, path, body string, headers ...string) reply {
	base := strings.TrimSuffix(p.service.URL(), "/")
	named := strings.NewReplacer("{base}", base, "{sas}", p.sas, "{account}", p.account.Name)
	all := []string{"x-ms-version: 2026-12-06", "x-ms-date: " + time.Now().UTC().Format(http.TimeFormat)}
	for _, h := range headers {
		all = append(all, named.Replace(h))
	}
	r := p.request(method, base+"/"+strings.ReplaceAll(path, " ", "%20"), named.Replace(body), all...)
	key := result(base64.StdEncoding.DecodeString(p.account.Key))(p)
	r.Header.Set("Authorization", azureauth.Authorization(azureauth.SharedKeyLite, azureauth.Blob, p.account.Name,
		key, r, r.URL.EscapedPath(), r.URL.RawQuery))
	return p.send(r)
}

func (p *blobProbe) another(suffix string) (asker, string) {
	other := *p
	other.name += suffix
	other.container = p.service.NewContainerClient(other.name)
	p.works(other.container.Create(p.Context(), nil))
	return &other, other.name
}
