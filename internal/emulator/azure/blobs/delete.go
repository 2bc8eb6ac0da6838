package blobs

import (
	"cmp"
	"net/http"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// Which snapshots Delete Blob removes, spelled as in x-ms-delete-snapshots.
const (
	deleteInclude = "include" // the blob and its snapshots
	deleteOnly    = "only"    // the snapshots, not the blob
)

// deleteBlob is Delete Blob, for a blob, a snapshot or a version.
// https://learn.microsoft.com/rest/api/storageservices/delete-blob
func deleteBlob(c *call) *azure.Problem {
	which := first(c.HTTP.Header, "X-Ms-Delete-Snapshots")
	if which != "" && which != deleteInclude && which != deleteOnly {
		return azure.InvalidHeaderValue("x-ms-delete-snapshots", which)
	}
	version, p := c.version()
	if p != nil {
		return p
	}
	if version != baseMark && which != "" {
		return azure.InvalidHeaderValue("x-ms-delete-snapshots", which)
	}
	permanent, p := deletePermanent(c, version)
	if p != nil {
		return p
	}
	if p := c.enter(); p != nil {
		return p
	}
	lasting := c.history().keeps() && !permanent
	p = c.locked(version, func(t *target) *azure.Problem {
		if t.current && version != baseMark {
			return notOnRootBlob()
		}
		if permanent {
			return deleteGone(c, t, version)
		}
		if p := cmp.Or(c.mayWrite(t, false), tierConditions(c, &t.rec)); p != nil {
			return p
		}
		ch := c.shelf.change()
		defer ch.discard()
		if version == baseMark {
			if p := deleteSnapshots(c, ch, t, which); p != nil {
				return p
			}
		}
		switch {
		case which == deleteOnly:
		case version == baseMark:
			ch.dropStaged(c.id, c.blob)
			lasting = c.history().removeBlob(ch, t)
		default:
			c.history().remove(ch, t.key, version, &t.rec)
		}
		return c.failed(ch.commit())
	})
	if p != nil {
		return p
	}
	c.answer.h["X-Ms-Delete-Type-Permanent"] = c.s.yes
	if lasting {
		c.answer.h["X-Ms-Delete-Type-Permanent"] = []string{"false"}
	}
	return c.answer.empty(http.StatusAccepted)
}

// deletePermanent reports whether a request is to delete what was soft-deleted, and checks its permission. Problems:
// InvalidQueryParameterValue, PermanentDeleteIsOff, BlobOperationNotSupported.
func deletePermanent(c *call, version string) (bool, *azure.Problem) {
	kind, asked := c.Query.Lookup("deletetype")
	switch {
	case !asked || kind == "":
		if isVersion(version) {
			return false, c.Allow(azure.ObjectLevel, "x")
		}
		return false, c.Allow(azure.ObjectLevel, "d")
	case !strings.EqualFold(kind, "permanent"):
		return false, azure.InvalidQuery("deletetype", kind, "Invalid query parameter value.")
	}
	if p := c.Allow(azure.ObjectLevel, "y"); p != nil {
		return false, p
	}
	if !c.kept.Permanent {
		return false, permanentDeleteIsOff()
	}
	if version == baseMark {
		return false, operationNotSupported()
	}
	return true, nil
}

// deleteSnapshots removes a blob's snapshots, if the request says which. Problem: SnapshotsPresent, if it does not.
func deleteSnapshots(c *call, ch *change, t *target, which string) *azure.Problem {
	present := false
	err := c.history().eachEarlier(func(key []byte, version string, rec *record) bool {
		if isVersion(version) {
			return true
		}
		present = true
		if which != "" {
			c.history().remove(ch, key, version, rec)
		}
		return which != ""
	})
	if err != nil {
		return c.failed(err)
	}
	if !c.history().keeps() && !c.history().versioned(t) && which != deleteOnly {
		gone, err := c.history().forgetSnapshots(ch)
		if err != nil {
			return c.failed(err)
		}
		present = present || gone
	}
	if present && which == "" {
		return snapshotsPresent()
	}
	return nil
}

// deleteGone removes a soft-deleted snapshot or version for good; t is the one that is not deleted, if there is one.
// Problems: BlobSnapshotNotSoftDeleted, BlobNotFound.
func deleteGone(c *call, t *target, version string) *azure.Problem {
	ch := c.shelf.change()
	defer ch.discard()
	rows, err := ch.goneOf(c.id, c.blob, c.now)
	if err != nil {
		return c.failed(err)
	}
	for i := range rows {
		if rows[i].version == version {
			ch.forget(&rows[i])
			return c.failed(ch.commit())
		}
	}
	if t.exists {
		return notSoftDeleted()
	}
	return blobNotFound()
}

// tierConditions are the conditions of Delete Blob on the time of the last tier change.
func tierConditions(c *call, r *record) *azure.Problem {
	since, p := parseDate(c.HTTP.Header, "X-Ms-Access-Tier-If-Modified-Since")
	notSince, q := parseDate(c.HTTP.Header, "X-Ms-Access-Tier-If-Unmodified-Since")
	if p := cmp.Or(p, q); p != nil {
		return p
	}
	changed := r.tier.at(c.now).changed.seconds()
	if since != 0 && changed <= since || notSince != 0 && changed > notSince {
		return azure.NewProblem(http.StatusPreconditionFailed, "AccessTierChangeTimeConditionNotMet",
			"The condition specified on blob's access tier change time using HTTP conditional header(s) is not met.")
	}
	return nil
}
