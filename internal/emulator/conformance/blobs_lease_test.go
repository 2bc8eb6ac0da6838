package conformance

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
func (p *blobProbe) leased(name string) (*blockblob.Client, *lease.BlobClient) {
	b := p.put(name, "x")
	l, err := lease.NewBlobClient(b, &lease.BlobClientOptions{LeaseID: to.Ptr(leaseOne)})
	p.ok(err)
	_, err = l.AcquireLease(p.ctx, -1, nil)
	p.ok(err)
	return b, l
}

func blobLeases() []blobCase {
	return []blobCase{
		{"a leased blob is written by its holder only", func(p *blobProbe) {
			b, l := p.leased("b")
			_, err := b.Upload(p.ctx, seekable("y"), nil)
			p.code(err, 412, "LeaseIdMissing")
			_, err = b.Upload(p.ctx, seekable("y"), &blockblob.UploadOptions{AccessConditions: holding(leaseTwo)})
			p.code(err, 412, "LeaseIdMismatchWithBlobOperation")
			_, err = b.Upload(p.ctx, seekable("y"), &blockblob.UploadOptions{AccessConditions: holding(leaseOne)})
			p.ok(err)
			_, err = b.Delete(p.ctx, nil)
			p.code(err, 412, "LeaseIdMissing")
			_, err = b.SetMetadata(p.ctx, nil, nil)
			p.code(err, 412, "LeaseIdMissing")
			_, err = b.StageBlock(p.ctx, id("1"), seekable("z"), nil)
			p.code(err, 412, "LeaseIdMissing")
			p.holds(b, "y")
			props, err := b.GetProperties(p.ctx, nil)
			p.ok(err)
			value(p, "state", props.LeaseState, "leased")
			value(p, "status", props.LeaseStatus, "locked")
			value(p, "duration", props.LeaseDuration, "infinite")
			_, err = l.ReleaseLease(p.ctx, nil)
			p.ok(err)
			p.put("b", "z")
		}},
		{"a tier is set under a lease by its holder", func(p *blobProbe) {
			b, _ := p.leased("b")
			_, err := b.SetTier(p.ctx, blob.AccessTierCool, &blob.SetTierOptions{AccessConditions: holding(leaseOne)})
			p.ok(err)
		}},
		{"acquire, renew, change", func(p *blobProbe) {
			b, l := p.leased("b")
			other, err := lease.NewBlobClient(b, &lease.BlobClientOptions{LeaseID: to.Ptr(leaseTwo)})
			p.ok(err)
			_, err = other.AcquireLease(p.ctx, 15, nil)
			p.code(err, 409, "LeaseAlreadyPresent")
			_, err = other.RenewLease(p.ctx, nil)
			p.code(err, 409, "LeaseIdMismatchWithLeaseOperation")
			_, err = l.RenewLease(p.ctx, nil)
			p.ok(err)
			_, err = l.ChangeLease(p.ctx, leaseTwo, nil)
			p.ok(err)
			_, err = other.RenewLease(p.ctx, nil)
			p.ok(err)
		}},
		{"break a lease", func(p *blobProbe) {
			b, l := p.leased("b")
			res, err := l.BreakLease(p.ctx, &lease.BlobBreakOptions{BreakPeriod: to.Ptr(int32(0))})
			p.ok(err)
			value(p, "time left", res.LeaseTime, 0)
			_, err = l.RenewLease(p.ctx, nil)
			p.code(err, 409, "LeaseIsBrokenAndCannotBeRenewed")
			props, err := b.GetProperties(p.ctx, nil)
			p.ok(err)
			value(p, "state", props.LeaseState, "broken")
			p.put("b", "y") // a write ends it for good
			props, err = b.GetProperties(p.ctx, nil)
			p.ok(err)
			value(p, "state after a write", props.LeaseState, "available")
		}},
		{"a lease while it breaks", func(p *blobProbe) {
			b, l := p.leased("b")
			_, err := l.BreakLease(p.ctx, &lease.BlobBreakOptions{BreakPeriod: to.Ptr(int32(60))})
			p.ok(err)
			_, err = l.AcquireLease(p.ctx, 15, nil)
			p.code(err, 409, "LeaseIsBreakingAndCannotBeAcquired")
			_, err = l.ChangeLease(p.ctx, leaseTwo, nil)
			p.code(err, 409, "LeaseIsBreakingAndCannotBeChanged")
			_, err = b.Upload(p.ctx, seekable("y"), nil)
			p.code(err, 412, "LeaseIdMissing")
		}},
		{"no lease", func(p *blobProbe) {
			b := p.put("b", "x")
			_, err := b.Upload(p.ctx, seekable("y"), &blockblob.UploadOptions{AccessConditions: holding(leaseOne)})
			p.code(err, 412, "LeaseNotPresentWithBlobOperation")
			l, err := lease.NewBlobClient(b, &lease.BlobClientOptions{LeaseID: to.Ptr(leaseOne)})
			p.ok(err)
			_, err = l.BreakLease(p.ctx, nil)
			p.code(err, 409, "LeaseNotPresentWithLeaseOperation")
			_, err = l.AcquireLease(p.ctx, 14, nil)
			p.code(err, 400, "InvalidHeaderValue")
		}},
		{"a lease leaves the ETag alone", func(p *blobProbe) {
			b := p.put("b", "x")
			before, err := b.GetProperties(p.ctx, nil)
			p.ok(err)
			l, err := lease.NewBlobClient(b, nil)
			p.ok(err)
			_, err = l.AcquireLease(p.ctx, 15, nil)
			p.ok(err)
			after, err := b.GetProperties(p.ctx, nil)
			p.ok(err)
			value(p, "ETag", after.ETag, *before.ETag)
			value(p, "duration", after.LeaseDuration, "fixed")
		}},
		{"a leased container is deleted by its holder only", func(p *blobProbe) {
			l, err := lease.NewContainerClient(p.container, &lease.ContainerClientOptions{LeaseID: to.Ptr(leaseOne)})
			p.ok(err)
			_, err = l.AcquireLease(p.ctx, -1, nil)
			p.ok(err)
			_, err = p.container.Delete(p.ctx, nil)
			p.code(err, 412, "LeaseIdMissing")
			p.put("b", "x") // its blobs are not leased
			_, err = l.ReleaseLease(p.ctx, nil)
			p.ok(err)
			_, err = p.container.Delete(p.ctx, nil)
			p.ok(err)
		}},
	}
}
