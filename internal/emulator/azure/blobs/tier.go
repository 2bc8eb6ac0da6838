package blobs

import (
	"cmp"
	"net/http"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// tier is a block blob's access tier, and the one it is on its way to from the archive.
// https://learn.microsoft.com/azure/storage/blobs/archive-rehydrate-overview
type tier struct {
	name    string // empty: the account's default
	changed ticks  // or when the pending tier was asked for
	pending string // the tier it leaves the archive for; empty: none
	urgent  bool   // the pending tier was asked for with high priority
}

const (
	// defaultTier is the tier of blobs created without one.
	defaultTier = "Hot"
	// archiveTier is the tier whose blobs cannot be read.
	archiveTier = "Archive"

	// How long a blob takes to leave the archive: the longest that Azure documents.
	standardRehydration = 15 * time.Hour
	urgentRehydration   = time.Hour
)

func isTier(name string) bool { return canonicalTier(name) != "" }

// canonicalTier returns a tier in Azure's spelling; empty: a block blob cannot have it.
func canonicalTier(name string) string {
	for _, tier := range []string{defaultTier, "Cool", "Cold", archiveTier} {
		if strings.EqualFold(tier, name) {
			return tier
		}
	}
	return ""
}

// at returns the tier at a time: a pending one is reached some hours after it was asked for.
func (t tier) at(now ticks) tier {
	if t.pending == "" {
		return t
	}
	if done := t.changed + ticks(t.duration()/100); now >= done {
		return tier{name: t.pending, changed: done}
	}
	return t
}

func (t tier) duration() time.Duration {
	if t.urgent {
		return urgentRehydration
	}
	return standardRehydration
}

func (t tier) priority() string {
	if t.urgent {
		return "High"
	}
	return "Standard"
}

func (r *record) archived(now ticks) bool { return r.tier.at(now).name == archiveTier }

// each calls do with each property of a block blob's tier, with its names in headers and in lists.
func (t tier) each(now ticks, do func(header, element, value string)) {
	t = t.at(now)
	do("X-Ms-Access-Tier", "AccessTier", cmp.Or(t.name, defaultTier))
	if t.pending != "" {
		do("X-Ms-Archive-Status", "ArchiveStatus", "rehydrate-pending-to-"+strings.ToLower(t.pending))
		do("X-Ms-Rehydrate-Priority", "RehydratePriority", t.priority())
	}
	if t.name == "" {
		do("X-Ms-Access-Tier-Inferred", "AccessTierInferred", "true")
		return
	}
	do("X-Ms-Access-Tier-Change-Time", "AccessTierChangeTime", t.changed.http())
}

// rehydration reports whether x-ms-rehydrate-priority asks for haste. Problem: InvalidHeaderValue.
func rehydration(h http.Header) (urgent bool, p *azure.Problem) {
	switch priority := first(h, "X-Ms-Rehydrate-Priority"); strings.ToLower(priority) {
	case "", "standard":
		return false, nil
	case "high":
		return true, nil
	default:
		return false, azure.InvalidHeaderValue("x-ms-rehydrate-priority", priority)
	}
}

// setTier is Set Blob Tier. It does not change ETag and Last-Modified.
// https://learn.microsoft.com/rest/api/storageservices/set-blob-tier
func setTier(c *call) *azure.Problem {
	name := first(c.HTTP.Header, "X-Ms-Access-Tier")
	if name == "" {
		return azure.MissingHeader("x-ms-access-tier")
	}
	if !isTier(name) {
		return azure.InvalidHeaderValue("x-ms-access-tier", name)
	}
	urgent, p := rehydration(c.HTTP.Header)
	if p != nil {
		return p
	}
	status := http.StatusOK
	p = c.changeVersion(func(t *target) *azure.Problem {
		if t.rec.kind != blockBlob {
			return invalidBlobType()
		}
		next, p := t.rec.tier.at(c.now).change(canonicalTier(name), urgent, t.current, c.now)
		if p != nil {
			return p
		}
		if t.rec.tier = next; next.pending != "" {
			status = http.StatusAccepted
		}
		return nil
	})
	if p != nil {
		return p
	}
	return c.answer.empty(status)
}

// change returns the tier after another one was asked for. mayLeave says whether it may leave the archive,
// which snapshots and previous versions do not. Problems: BlobOperationNotSupported, BlobBeingRehydrated.
func (t tier) change(to string, urgent, mayLeave bool, now ticks) (tier, *azure.Problem) {
	switch {
	case t.name != archiveTier || to == archiveTier && t.pending == "":
		return tier{name: to, changed: now}, nil
	case !mayLeave:
		return t, operationNotSupported()
	case t.pending == "":
		return tier{name: archiveTier, changed: now, pending: to, urgent: urgent}, nil
	case t.pending != to:
		return t, beingRehydrated()
	}
	t.urgent = t.urgent || urgent // a priority can be raised, not lowered
	return t, nil
}
