package azure

// SoftDelete is what an account keeps of blobs that are deleted or overwritten.
// https://learn.microsoft.com/azure/storage/blobs/soft-delete-blob-overview
type SoftDelete struct {
	// Days is how long they are kept; 0: not at all.
	Days int
	// Permanent allows what is kept to be deleted for good before that.
	Permanent bool
}

// cachedSoftDelete is the setting as read from the catalogue after that many drops of the account.
type cachedSoftDelete struct {
	SoftDelete
	drops uint64
}

// SoftDelete returns the setting of the request's account. No lock of the account may be held. The error is the
// engine's.
func (r *Request) SoftDelete() (SoftDelete, error) {
	if cached := r.Account.softDelete.Load(); cached != nil && cached.drops == r.Account.Data.Drops() {
		return cached.SoftDelete, nil
	}
	defer r.Account.Data.Lock([]byte(propertiesKey))() // nothing may be set between reading and caching
	drops := r.Account.Data.Drops()
	set, err := r.front.properties(r.Account)
	if err != nil {
		return SoftDelete{}, err
	}
	cached := &cachedSoftDelete{drops: drops}
	if p := set.DeleteRetentionPolicy; p.on() {
		cached.SoftDelete = SoftDelete{Days: *p.Days, Permanent: p.permanent()}
	}
	r.Account.softDelete.Store(cached)
	return cached.SoftDelete, nil
}

// permanent reports whether what the policy keeps may be deleted for good.
func (r *retention) permanent() bool { return r.AllowPermanentDelete != nil && *r.AllowPermanentDelete }
