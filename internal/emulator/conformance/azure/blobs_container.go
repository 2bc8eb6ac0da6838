package azure

import (
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/sas"
)

// blobContainers are containers and their policies.
func blobContainers() []blobCase {
	return []blobCase{
		{"containers", nil, func(p *blobProbe) {
			_, err := p.container.Create(p.Context(), nil)
			p.code(err, 409, "ContainerAlreadyExists")
			_, err = p.container.SetMetadata(p.Context(),
				&container.SetMetadataOptions{Metadata: map[string]*string{"a": to.Ptr("1")}})
			p.OK(err)
			res, err := p.container.GetProperties(p.Context(), nil)
			p.OK(err)
			value(p, "metadata", res.Metadata["A"], "1")
			_, err = p.service.NewContainerClient("no-such").GetProperties(p.Context(), nil)
			p.code(err, 404, "ContainerNotFound")
			other := p.service.NewContainerClient(p.name + "-other")
			_, err = other.Create(p.Context(), nil)
			p.OK(err)
			_, err = other.Delete(p.Context(), nil)
			p.OK(err)
			_, err = other.NewBlockBlobClient("b").Upload(p.Context(), seekable("x"), nil)
			p.code(err, 404, "ContainerNotFound")
		}},
		{"a container's name", nil, func(p *blobProbe) {
			_, err := p.service.NewContainerClient("foo bar").Create(p.Context(), nil)
			p.code(err, 400, "InvalidResourceName")
			_, err = p.service.NewContainerClient("ab").Create(p.Context(), nil)
			p.code(err, 400, "OutOfRangeInput")
			_, err = p.service.NewContainerClient("a--b").Create(p.Context(), nil)
			p.code(err, 400, "InvalidResourceName")
		}},
		{"stored access policies", LimitsAccessPolicies, func(p *blobProbe) {
			_, err := p.container.SetAccessPolicy(p.Context(),
				&container.SetAccessPolicyOptions{ContainerACL: []*container.SignedIdentifier{{
					ID: to.Ptr("reader"), AccessPolicy: &container.AccessPolicy{Permission: to.Ptr("r"),
						Expiry: to.Ptr(time.Now().Add(time.Hour))},
				}}})
			p.OK(err)
			res, err := p.container.GetAccessPolicy(p.Context(), nil)
			p.OK(err)
			equal(p, "policies", len(res.SignedIdentifiers), 1)
			value(p, "id", res.SignedIdentifiers[0].ID, "reader")
			var six []*container.SignedIdentifier
			for range 6 {
				six = append(six, &container.SignedIdentifier{ID: to.Ptr("p"),
					AccessPolicy: &container.AccessPolicy{Permission: to.Ptr("r")}})
			}
			_, err = p.container.SetAccessPolicy(p.Context(), &container.SetAccessPolicyOptions{ContainerACL: six})
			p.code(err, 400, "InvalidXmlDocument")
		}},
	}
}

// blobTiers are older states of a blob, and where it is kept.
func blobTiers() []blobCase {
	return []blobCase{
		{"snapshots", nil, func(p *blobProbe) {
			b := p.put("b", "one")
			snap, err := b.CreateSnapshot(p.Context(), nil)
			p.OK(err)
			p.put("b", "two")
			old, err := b.WithSnapshot(*snap.Snapshot)
			p.OK(err)
			p.holds(old, "one")
			p.holds(b, "two")
			_, err = b.Delete(p.Context(), nil)
			p.code(err, 409, "SnapshotsPresent")
			_, err = b.Delete(p.Context(),
				&blob.DeleteOptions{DeleteSnapshots: to.Ptr(blob.DeleteSnapshotsOptionTypeOnly)})
			p.OK(err)
			_, err = old.GetProperties(p.Context(), nil)
			p.code(err, 404, "BlobNotFound")
			p.holds(b, "two")
		}},
		{"tiers", NamesUnknownTiers, func(p *blobProbe) {
			b := p.put("b", "x")
			before, err := b.GetProperties(p.Context(), nil)
			p.OK(err)
			_, err = b.SetTier(p.Context(), blob.AccessTierCool, nil)
			p.OK(err)
			after, err := b.GetProperties(p.Context(), nil)
			p.OK(err)
			value(p, "tier", after.AccessTier, "Cool")
			value(p, "ETag", after.ETag, *before.ETag)
			_, err = b.SetTier(p.Context(), "Warm", nil)
			p.code(err, 400, "InvalidHeaderValue")
		}},
		{"an archived blob cannot be read", nil, func(p *blobProbe) {
			b := p.put("b", "x")
			_, err := b.SetTier(p.Context(), blob.AccessTierArchive, nil)
			p.OK(err)
			_, err = b.DownloadStream(p.Context(), nil)
			p.code(err, 409, "BlobArchived")
		}},
	}
}

// blobSignatures are what a shared access signature allows.
func blobSignatures() []blobCase {
	return []blobCase{
		{"a blob's signature", nil, func(p *blobProbe) {
			b := p.put("b", "x")
			read, err := b.GetSASURL(sas.BlobPermissions{Read: true}, time.Now().Add(time.Hour), nil)
			p.OK(err)
			c, err := blockblob.NewClientWithNoCredential(read, &blockblob.ClientOptions{ClientOptions: p.options()})
			p.OK(err)
			p.holds(c, "x")
			_, err = c.Upload(p.Context(), seekable("y"), nil)
			p.code(err, 403, "AuthorizationPermissionMismatch")
			p.holds(b, "x")
		}},
		{"a signature to create does not overwrite", NamesForbiddenOverwrite, func(p *blobProbe) {
			b := p.container.NewBlockBlobClient("b")
			create, err := b.GetSASURL(sas.BlobPermissions{Create: true}, time.Now().Add(time.Hour), nil)
			p.OK(err)
			c, err := blockblob.NewClientWithNoCredential(create, &blockblob.ClientOptions{ClientOptions: p.options()})
			p.OK(err)
			_, err = c.Upload(p.Context(), seekable("x"), nil)
			p.OK(err)
			_, err = c.Upload(p.Context(), seekable("y"), nil)
			p.code(err, 403, "UnauthorizedBlobOverwrite")
			p.holds(b, "x")
		}},
	}
}
