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
			p.fails(409, "ContainerAlreadyExists")(p.container.Create(p.Context(), nil))
			p.works(p.container.SetMetadata(p.Context(),
				&container.SetMetadataOptions{Metadata: map[string]*string{"a": to.Ptr("1")}}))
			res := result(p.container.GetProperties(p.Context(), nil))(p)
			value(p, "metadata", res.Metadata["A"], "1")
			p.fails(404, "ContainerNotFound")(p.service.NewContainerClient("no-such").GetProperties(p.Context(), nil))
			other := p.service.NewContainerClient(p.name + "-other")
			p.works(other.Create(p.Context(), nil))
			p.works(other.Delete(p.Context(), nil))
			p.fails(404, "ContainerNotFound")(other.NewBlockBlobClient("b").Upload(p.Context(), seekable("x"), nil))
		}},
		{"a container's name", nil, func(p *blobProbe) {
			p.fails(400, "InvalidResourceName")(p.service.NewContainerClient("foo bar").Create(p.Context(), nil))
			p.fails(400, "OutOfRangeInput")(p.service.NewContainerClient("ab").Create(p.Context(), nil))
			p.fails(400, "InvalidResourceName")(p.service.NewContainerClient("a--b").Create(p.Context(), nil))
		}},
		{"stored access policies", LimitsAccessPolicies, func(p *blobProbe) {
			p.works(p.container.SetAccessPolicy(p.Context(),
				&container.SetAccessPolicyOptions{ContainerACL: []*container.SignedIdentifier{{
					ID: to.Ptr("reader"), AccessPolicy: &container.AccessPolicy{Permission: to.Ptr("r"),
						Expiry: to.Ptr(time.Now().Add(time.Hour))},
				}}}))
			res := result(p.container.GetAccessPolicy(p.Context(), nil))(p)
			equal(p, "policies", len(res.SignedIdentifiers), 1)
			value(p, "id", res.SignedIdentifiers[0].ID, "reader")
			var six []*container.SignedIdentifier
			for range 6 {
				six = append(six, &container.SignedIdentifier{ID: to.Ptr("p"),
					AccessPolicy: &container.AccessPolicy{Permission: to.Ptr("r")}})
			}
			p.fails(400, "InvalidXmlDocument")(
				p.container.SetAccessPolicy(p.Context(), &container.SetAccessPolicyOptions{ContainerACL: six}))
		}},
	}
}

// blobTiers are older states of a blob, and where it is kept.
func blobTiers() []blobCase {
	return []blobCase{
		{"snapshots", nil, func(p *blobProbe) {
			b := p.put("b", "one")
			snap := result(b.CreateSnapshot(p.Context(), nil))(p)
			p.put("b", "two")
			old := result(b.WithSnapshot(*snap.Snapshot))(p)
			p.holds(old, "one")
			p.holds(b, "two")
			p.fails(409, "SnapshotsPresent")(b.Delete(p.Context(), nil))
			p.works(b.Delete(p.Context(),
				&blob.DeleteOptions{DeleteSnapshots: to.Ptr(blob.DeleteSnapshotsOptionTypeOnly)}))
			p.fails(404, "BlobNotFound")(old.GetProperties(p.Context(), nil))
			p.holds(b, "two")
		}},
		{"tiers", NamesUnknownTiers, func(p *blobProbe) {
			b := p.put("b", "x")
			before := result(b.GetProperties(p.Context(), nil))(p)
			p.works(b.SetTier(p.Context(), blob.AccessTierCool, nil))
			after := result(b.GetProperties(p.Context(), nil))(p)
			value(p, "tier", after.AccessTier, "Cool")
			value(p, "ETag", after.ETag, *before.ETag)
			p.fails(400, "InvalidHeaderValue")(b.SetTier(p.Context(), "Warm", nil))
		}},
		{"an archived blob cannot be read", nil, func(p *blobProbe) {
			b := p.put("b", "x")
			p.works(b.SetTier(p.Context(), blob.AccessTierArchive, nil))
			p.fails(409, "BlobArchived")(b.DownloadStream(p.Context(), nil))
		}},
	}
}

// blobSignatures are what a shared access signature allows.
func blobSignatures() []blobCase {
	return []blobCase{
		{"a blob's signature", nil, func(p *blobProbe) {
			b := p.put("b", "x")
			read := result(b.GetSASURL(sas.BlobPermissions{Read: true}, time.Now().Add(time.Hour), nil))(p)
			c := result(
				blockblob.NewClientWithNoCredential(read, &blockblob.ClientOptions{ClientOptions: p.options()}))(p)
			p.holds(c, "x")
			p.fails(403, "AuthorizationPermissionMismatch")(c.Upload(p.Context(), seekable("y"), nil))
			p.holds(b, "x")
		}},
		{"a signature to create does not overwrite", NamesForbiddenOverwrite, func(p *blobProbe) {
			b := p.container.NewBlockBlobClient("b")
			create := result(b.GetSASURL(sas.BlobPermissions{Create: true}, time.Now().Add(time.Hour), nil))(p)
			c := result(
				blockblob.NewClientWithNoCredential(create, &blockblob.ClientOptions{ClientOptions: p.options()}))(p)
			p.works(c.Upload(p.Context(), seekable("x"), nil))
			p.fails(403, "UnauthorizedBlobOverwrite")(c.Upload(p.Context(), seekable("y"), nil))
			p.holds(b, "x")
		}},
	}
}
