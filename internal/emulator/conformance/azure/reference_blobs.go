package azure

import "github.com/storespec/storespec/internal/emulator/conformance"

// BlobReference are the cases of what the REST reference of the blob service has.
func BlobReference() (*Reference, conformance.Suite[Account], error) {
	r, err := LoadReference("blobs")
	if err != nil {
		return nil, nil, err
	}
	return r, referenceSuite(r, beginBlobs), nil
}

func (p *blobProbe) ask(method, path, body string, headers ...string) reply {
	return p.rawService(method, "/"+path, body, headers...)
}

func (p *blobProbe) another(suffix string) (asker, string) {
	other := *p
	other.name += suffix
	other.container = p.service.NewContainerClient(other.name)
	_, err := other.container.Create(p.Context(), nil)
	p.OK(err)
	return &other, other.name
}
