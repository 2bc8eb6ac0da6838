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
	l := result(lease.NewBlobClient(b, &lease.BlobClientOptions{LeaseID: to.Ptr(leaseOne)}))(p)
	p.works(l.AcquireLease(p.Context(), -1, nil))
	return b, l
}

// blobLeases are leases that are held.
func blobLeases() []blobCase {
	return []blobCase{
		{"a leased blob is written by its holder only", nil, func(p *blobProbe) {
			b, l := p.leased()
			p.fails(412, "LeaseIdMissing")(b.Upload(p.Context(), seekable("y"), nil))
			p.fails(412, "LeaseIdMismatchWithBlobOperation")(p.upload(b, "y", holding(leaseTwo)))
			p.works(p.upload(b, "y", holding(leaseOne)))
			p.fails(412, "LeaseIdMissing")(b.Delete(p.Context(), nil))
			p.fails(412, "LeaseIdMissing")(b.SetMetadata(p.Context(), nil, nil))
			p.fails(412, "LeaseIdMissing")(b.StageBlock(p.Context(), id("1"), seekable("z"), nil))
			p.holds(b, "y")
			props := result(b.GetProperties(p.Context(), nil))(p)
			value(p, "state", props.LeaseState, "leased")
			value(p, "status", props.LeaseStatus, "locked")
			value(p, "duration", props.LeaseDuration, "infinite")
			p.works(l.ReleaseLease(p.Context(), nil))
			p.put("b", "z")
		}},
		{"a tier is set under a lease by its holder", nil, func(p *blobProbe) {
			b, _ := p.leased()
			p.works(b.SetTier(p.Context(), blob.AccessTierCool,
				&blob.SetTierOptions{AccessConditions: holding(leaseOne)}))
		}},
		{"acquire, renew, change", nil, func(p *blobProbe) {
			b, l := p.leased()
			other := result(lease.NewBlobClient(b, &lease.BlobClientOptions{LeaseID: to.Ptr(leaseTwo)}))(p)
			p.fails(409, "LeaseAlreadyPresent")(other.AcquireLease(p.Context(), 15, nil))
			p.fails(409, "LeaseIdMismatchWithLeaseOperation")(other.RenewLease(p.Context(), nil))
			p.works(l.RenewLease(p.Context(), nil))
			p.works(l.ChangeLease(p.Context(), leaseTwo, nil))
			p.works(other.RenewLease(p.Context(), nil))
		}},
		{"a lease leaves the ETag alone", nil, func(p *blobProbe) {
			b := p.put("b", "x")
			before := result(b.GetProperties(p.Context(), nil))(p)
			l := result(lease.NewBlobClient(b, nil))(p)
			p.works(l.AcquireLease(p.Context(), 15, nil))
			after := result(b.GetProperties(p.Context(), nil))(p)
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
			res := result(l.BreakLease(p.Context(), &lease.BlobBreakOptions{BreakPeriod: to.Ptr(int32(0))}))(p)
			value(p, "time left", res.LeaseTime, 0)
			p.fails(409, "LeaseIsBrokenAndCannotBeRenewed")(l.RenewLease(p.Context(), nil))
			props := result(b.GetProperties(p.Context(), nil))(p)
			value(p, "state", props.LeaseState, "broken")
			p.put("b", "y") // a write ends it for good
			props = result(b.GetProperties(p.Context(), nil))(p)
			value(p, "state after a write", props.LeaseState, "available")
		}},
		{"a lease while it breaks", nil, func(p *blobProbe) {
			b, l := p.leased()
			p.works(l.BreakLease(p.Context(), &lease.BlobBreakOptions{BreakPeriod: to.Ptr(int32(60))}))
			p.fails(409, "LeaseIsBreakingAndCannotBeAcquired")(l.AcquireLease(p.Context(), 15, nil))
			p.fails(409, "LeaseIsBreakingAndCannotBeChanged")(l.ChangeLease(p.Context(), leaseTwo, nil))
			p.fails(412, "LeaseIdMissing")(b.Upload(p.Context(), seekable("y"), nil))
		}},
		{"no lease", nil, func(p *blobProbe) {
			b := p.put("b", "x")
			p.fails(412, "LeaseNotPresentWithBlobOperation")(p.upload(b, "y", holding(leaseOne)))
			l := result(lease.NewBlobClient(b, &lease.BlobClientOptions{LeaseID: to.Ptr(leaseOne)}))(p)
			p.fails(409, "LeaseNotPresentWithLeaseOperation")(l.BreakLease(p.Context(), nil))
			p.fails(400, "InvalidHeaderValue")(l.AcquireLease(p.Context(), 14, nil))
		}},
		{"a leased container is deleted by its holder only", nil, func(p *blobProbe) {
			l := result(
				lease.NewContainerClient(p.container, &lease.ContainerClientOptions{LeaseID: to.Ptr(leaseOne)}))(p)
			p.works(l.AcquireLease(p.Context(), -1, nil))
			p.fails(412, "LeaseIdMissing")(p.container.Delete(p.Context(), nil))
			p.put("b", "x") // its blobs are not leased
			p.works(l.ReleaseLease(p.Context(), nil))
			p.works(p.container.Delete(p.Context(), nil))
		}},
	}
}
