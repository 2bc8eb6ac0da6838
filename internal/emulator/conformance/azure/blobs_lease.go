package azure

import (
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/lease"
)

const (
	leaseOne = "11111111-1111-4111-8111-111111111111"
	leaseTwo = "22222222-2222-4222-8222-222222222222"
)

func holding(id string) *blob.AccessConditions {
	return &blob.AccessConditions{LeaseAccessConditions: &blob.LeaseAccessConditions{LeaseID: &id}}
}

// leased makes a blob with an infinite lease.
func (p *blobProbe) leased() (*blockblob.Client, *lease.BlobClient) {
	b := p.put("b", "x")
	l, err := lease.NewBlobClient(b, &lease.BlobClientOptions{LeaseID: to.Ptr(leaseOne)})
	p.OK(err)
	_, err = l.AcquireLease(p.Context(), -1, nil)
	p.OK(err)
	return b, l
}

// blobLeases are leases that are held.
func blobLeases() []blobCase {
	return []blobCase{
		{"a leased blob is written by its holder only", nil, func(p *blobProbe) {
			b, l := p.leased()
			_, err := b.Upload(p.Context(), seekable("y"), nil)
			p.code(err, 412, "LeaseIdMissing")
			_, err = b.Upload(p.Context(), seekable("y"), &blockblob.UploadOptions{AccessConditions: holding(leaseTwo)})
			p.code(err, 412, "LeaseIdMismatchWithBlobOperation")
			_, err = b.Upload(p.Context(), seekable("y"), &blockblob.UploadOptions{AccessConditions: holding(leaseOne)})
			p.OK(err)
			_, err = b.Delete(p.Context(), nil)
			p.code(err, 412, "LeaseIdMissing")
			_, err = b.SetMetadata(p.Context(), nil, nil)
			p.code(err, 412, "LeaseIdMissing")
			_, err = b.StageBlock(p.Context(), id("1"), seekable("z"), nil)
			p.code(err, 412, "LeaseIdMissing")
			p.holds(b, "y")
			props, err := b.GetProperties(p.Context(), nil)
			p.OK(err)
			value(p, "state", props.LeaseState, "leased")
			value(p, "status", props.LeaseStatus, "locked")
			value(p, "duration", props.LeaseDuration, "infinite")
			_, err = l.ReleaseLease(p.Context(), nil)
			p.OK(err)
			p.put("b", "z")
		}},
		{"a tier is set under a lease by its holder", nil, func(p *blobProbe) {
			b, _ := p.leased()
			_, err := b.SetTier(p.Context(), blob.AccessTierCool,
				&blob.SetTierOptions{AccessConditions: holding(leaseOne)})
			p.OK(err)
		}},
		{"acquire, renew, change", nil, func(p *blobProbe) {
			b, l := p.leased()
			other, err := lease.NewBlobClient(b, &lease.BlobClientOptions{LeaseID: to.Ptr(leaseTwo)})
			p.OK(err)
			_, err = other.AcquireLease(p.Context(), 15, nil)
			p.code(err, 409, "LeaseAlreadyPresent")
			_, err = other.RenewLease(p.Context(), nil)
			p.code(err, 409, "LeaseIdMismatchWithLeaseOperation")
			_, err = l.RenewLease(p.Context(), nil)
			p.OK(err)
			_, err = l.ChangeLease(p.Context(), leaseTwo, nil)
			p.OK(err)
			_, err = other.RenewLease(p.Context(), nil)
			p.OK(err)
		}},
		{"a lease leaves the ETag alone", nil, func(p *blobProbe) {
			b := p.put("b", "x")
			before, err := b.GetProperties(p.Context(), nil)
			p.OK(err)
			l, err := lease.NewBlobClient(b, nil)
			p.OK(err)
			_, err = l.AcquireLease(p.Context(), 15, nil)
			p.OK(err)
			after, err := b.GetProperties(p.Context(), nil)
			p.OK(err)
			value(p, "ETag", after.ETag, *before.ETag)
			value(p, "duration", after.LeaseDuration, "fixed")
		}},
	}
}

// blobLeaseEnds are leases that break or are missing, and those of containers.
func blobLeaseEnds() []blobCase {
	return []blobCase{
		{"break a lease", nil, func(p *blobProbe) {
			b, l := p.leased()
			res, err := l.BreakLease(p.Context(), &lease.BlobBreakOptions{BreakPeriod: to.Ptr(int32(0))})
			p.OK(err)
			value(p, "time left", res.LeaseTime, 0)
			_, err = l.RenewLease(p.Context(), nil)
			p.code(err, 409, "LeaseIsBrokenAndCannotBeRenewed")
			props, err := b.GetProperties(p.Context(), nil)
			p.OK(err)
			value(p, "state", props.LeaseState, "broken")
			p.put("b", "y") // a write ends it for good
			props, err = b.GetProperties(p.Context(), nil)
			p.OK(err)
			value(p, "state after a write", props.LeaseState, "available")
		}},
		{"a lease while it breaks", nil, func(p *blobProbe) {
			b, l := p.leased()
			_, err := l.BreakLease(p.Context(), &lease.BlobBreakOptions{BreakPeriod: to.Ptr(int32(60))})
			p.OK(err)
			_, err = l.AcquireLease(p.Context(), 15, nil)
			p.code(err, 409, "LeaseIsBreakingAndCannotBeAcquired")
			_, err = l.ChangeLease(p.Context(), leaseTwo, nil)
			p.code(err, 409, "LeaseIsBreakingAndCannotBeChanged")
			_, err = b.Upload(p.Context(), seekable("y"), nil)
			p.code(err, 412, "LeaseIdMissing")
		}},
		{"no lease", nil, func(p *blobProbe) {
			b := p.put("b", "x")
			_, err := b.Upload(p.Context(), seekable("y"),
				&blockblob.UploadOptions{AccessConditions: holding(leaseOne)})
			p.code(err, 412, "LeaseNotPresentWithBlobOperation")
			l, err := lease.NewBlobClient(b, &lease.BlobClientOptions{LeaseID: to.Ptr(leaseOne)})
			p.OK(err)
			_, err = l.BreakLease(p.Context(), nil)
			p.code(err, 409, "LeaseNotPresentWithLeaseOperation")
			_, err = l.AcquireLease(p.Context(), 14, nil)
			p.code(err, 400, "InvalidHeaderValue")
		}},
		{"a leased container is deleted by its holder only", nil, func(p *blobProbe) {
			l, err := lease.NewContainerClient(p.container, &lease.ContainerClientOptions{LeaseID: to.Ptr(leaseOne)})
			p.OK(err)
			_, err = l.AcquireLease(p.Context(), -1, nil)
			p.OK(err)
			_, err = p.container.Delete(p.Context(), nil)
			p.code(err, 412, "LeaseIdMissing")
			p.put("b", "x") // its blobs are not leased
			_, err = l.ReleaseLease(p.Context(), nil)
			p.OK(err)
			_, err = p.container.Delete(p.Context(), nil)
			p.OK(err)
		}},
	}
}
