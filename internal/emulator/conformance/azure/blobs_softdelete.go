package azure

import (
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/service"
)

// What Azure does with deleted blobs when the account is set to keep them.
var (
	ShowsPermanentDelete = documented("AllowPermanentDelete is false unless it was set",
		recorded+"TestAccountDeleteRetentionPolicy")
	ChecksRetention = documented("400 InvalidXmlDocument for less than 1 day, or more than 365",
		recorded+"TestAccountDeleteRetentionPolicyDaysTooSmall")
	KeepsDeletedBlobs = documented("kept, hidden, and shown with include=deleted",
		azureDocs+"soft-delete-blob-overview")
	Undeletes = documented("the blob and its snapshots come back; 404 if the blob never existed",
		rest+"undelete-blob")
	UndeletesNoLease = documented("412 LeaseIdMissing; what comes back is the content and the metadata",
		rest+"undelete-blob")
	DeletesPermanently = documented("409 PermanentDeleteIsOff, unless it is allowed",
		recorded+"TestPermanentDeleteWithoutPermission")
)

// keep turns soft delete on, with a retention of 7 days, and returns the function that turns it off: the setting is
// the account's.
func (p *blobProbe) keep(permanent bool) (off func()) {
	set := func(on bool) {
		policy := &service.RetentionPolicy{Enabled: &on}
		if on {
			policy.Days, policy.AllowPermanentDelete = to.Ptr(int32(7)), &permanent
		}
		p.works(p.service.SetProperties(p.Context(), &service.SetPropertiesOptions{DeleteRetentionPolicy: policy}))
	}
	set(true)
	return func() { set(false) }
}

// kept is a case that runs while the account keeps what is deleted.
func kept(run func(p *blobProbe)) func(p *blobProbe) {
	return func(p *blobProbe) {
		defer p.keep(false)()
		run(p)
	}
}

// undelete restores a blob.
func (p *blobProbe) undelete(name string) {
	p.answers(p.raw("PUT", "/"+name+"?comp=undelete", ""), 200, "")
}

// shown are the blobs of a list in short: a name, with @ for a snapshot, v for a previous version, * for the current
// one, ! for one of which only previous versions exist, and - for a deleted one.
func (p *blobProbe) shown(include string) string {
	return p.list("&include=" + include).shown()
}

// shownByOne is shown for a list that is read in pages of one.
func (p *blobProbe) shownByOne(include string) string {
	var all []string
	marker := ""
	for range 20 {
		l := p.list("&include=" + include + "&maxresults=1&marker=" + marker)
		all, marker = append(all, l.shown()), l.Next
		if marker == "" {
			return strings.Join(all, " ")
		}
	}
	p.Fatalf("the list does not end: %v", all)
	return ""
}

func (l listing) shown() string {
	var all []string
	for _, b := range l.Blobs {
		text := b.Name
		for _, one := range []struct {
			mark string
			has  bool
		}{{"@", b.Snapshot != ""}, {"v", b.VersionID != "" && !b.Current}, {"*", b.Current}, {"!", b.OnlyVersions},
			{"-", b.Deleted}} {
			if one.has {
				text += one.mark
			}
		}
		all = append(all, text)
	}
	return strings.Join(all, " ")
}

// snapshot takes a snapshot and returns its time.
func (p *blobProbe) snapshot(name string) string {
	return p.answers(p.raw("PUT", "/"+name+"?comp=snapshot", ""), 201, "").header.Get("x-ms-snapshot")
}

// blobRetention is the setting.
func blobRetention() []blobCase {
	set := func(p *blobProbe, policy string) reply {
		return p.rawService("PUT", "/?restype=service&comp=properties", "<StorageServiceProperties>"+
			"<DeleteRetentionPolicy>"+policy+"</DeleteRetentionPolicy></StorageServiceProperties>")
	}
	return []blobCase{
		{"the retention policy of deleted blobs", ShowsPermanentDelete, func(p *blobProbe) {
			defer p.keep(false)()
			for policy, shown := range map[string]string{
				"<Enabled>true</Enabled><Days>5</Days>": "<Enabled>true</Enabled><Days>5</Days>" +
					"<AllowPermanentDelete>false</AllowPermanentDelete>",
				"<Enabled>false</Enabled>": "<Enabled>false</Enabled>" +
					"<AllowPermanentDelete>false</AllowPermanentDelete>",
			} {
				p.answers(set(p, policy), 202, "")
				r := p.answers(p.rawService("GET", "/?restype=service&comp=properties", ""), 200, "")
				want := "<DeleteRetentionPolicy>" + shown + "</DeleteRetentionPolicy>"
				if !strings.Contains(r.body, want) {
					p.Fatalf("no %s in %s", want, r.body)
				}
			}
		}},
		{"an invalid retention of deleted blobs", ChecksRetention, func(p *blobProbe) {
			for _, policy := range []string{"<Enabled>true</Enabled><Days>0</Days>",
				"<Enabled>true</Enabled><Days>366</Days>", "<Enabled>true</Enabled>", ""} {
				p.answers(set(p, policy), 400, "InvalidXmlDocument")
			}
		}},
	}
}

// blobSoftDeletes are deletions of one blob, and how they are undone.
func blobSoftDeletes() []blobCase {
	return []blobCase{
		{"a deleted blob is kept", KeepsDeletedBlobs, kept(func(p *blobProbe) {
			p.put("a", "x")
			p.put("b", "y")
			r := p.answers(p.raw("DELETE", "/a", ""), 202, "")
			equal(p, "permanent", r.header.Get("x-ms-delete-type-permanent"), "false")
			p.answers(p.raw("GET", "/a", ""), 404, "BlobNotFound")
			p.answers(p.raw("DELETE", "/a", ""), 404, "BlobNotFound")
			p.answers(p.raw("PUT", "/a?comp=snapshot", ""), 404, "BlobNotFound")
			equal(p, "blobs", p.shown("metadata"), "b")
			equal(p, "blobs with deleted ones", p.shown("deleted"), "a- b")
			l := p.list("&include=deleted")
			equal(p, "days left", l.Blobs[0].DaysLeft, "6")
			if l.Blobs[0].DeletedTime == "" || l.Blobs[1].DeletedTime != "" || l.Blobs[1].DaysLeft != "" {
				p.Fatalf("times of deletion %+v", l.Blobs)
			}
		})},
		{"undelete a blob", Undeletes, kept(func(p *blobProbe) {
			b := p.put("b", "x")
			p.works(b.SetMetadata(p.Context(), map[string]*string{"color": to.Ptr("red")}, nil))
			before := p.answers(p.raw("HEAD", "/b", ""), 200, "").header
			p.answers(p.raw("DELETE", "/b", ""), 202, "")
			p.undelete("b")
			after := p.answers(p.raw("HEAD", "/b", ""), 200, "").header
			for _, name := range []string{"Etag", "Last-Modified", "X-Ms-Creation-Time", "X-Ms-Meta-Color"} {
				equal(p, name, after.Get(name), before.Get(name))
			}
			p.holds(b, "x")
			equal(p, "blobs", p.shown("deleted"), "b")
			p.undelete("b") // it is not deleted: nothing changes
			p.holds(b, "x")
		})},
		{"undelete what never was", Undeletes, kept(func(p *blobProbe) {
			p.answers(p.raw("PUT", "/none?comp=undelete", ""), 404, "BlobNotFound")
			p.answers(p.rawService("PUT", "/none-such/b?comp=undelete", ""), 404, "ContainerNotFound")
		})},
	}
}

// blobUndeletes are deletions of several things, and how they are undone.
func blobUndeletes() []blobCase {
	return []blobCase{
		{"deleted snapshots are kept", Undeletes, kept(func(p *blobProbe) {
			p.put("b", "x")
			first, second := p.snapshot("b"), p.snapshot("b")
			p.put("b", "y")
			r := p.answers(p.raw("DELETE", "/b?snapshot="+first, ""), 202, "")
			equal(p, "permanent", r.header.Get("x-ms-delete-type-permanent"), "false")
			p.answers(p.raw("GET", "/b?snapshot="+first, ""), 404, "BlobNotFound")
			equal(p, "snapshots", p.shown("snapshots"), "b@ b")
			p.answers(p.raw("DELETE", "/b", "", "x-ms-delete-snapshots: only"), 202, "")
			equal(p, "snapshots", p.shown("snapshots"), "b")
			equal(p, "deleted without their snapshots", p.shown("deleted"), "b")
			equal(p, "deleted snapshots", p.shown("deleted,snapshots"), "b@- b@- b@- b") // one is the overwritten "x"
			p.undelete("b")
			for _, snapshot := range []string{first, second} {
				equal(p, "content", p.answers(p.raw("GET", "/b?snapshot="+snapshot, ""), 200, "").body, "x")
			}
		})},
		{"delete a blob with its snapshots, and undelete them", Undeletes, kept(func(p *blobProbe) {
			p.put("s", "x")
			snapshot := p.snapshot("s")
			p.answers(p.raw("DELETE", "/s", ""), 409, "SnapshotsPresent")
			p.answers(p.raw("DELETE", "/s", "", "x-ms-delete-snapshots: include"), 202, "")
			p.answers(p.raw("GET", "/s?snapshot="+snapshot, ""), 404, "BlobNotFound")
			equal(p, "blobs", p.shown("deleted,snapshots"), "s@- s-")
			p.undelete("s")
			equal(p, "blobs", p.shown("deleted,snapshots"), "s@ s")
		})},
		{"a lease keeps a blob from being deleted, and does not come back", UndeletesNoLease, kept(func(p *blobProbe) {
			p.put("leased", "x")
			r := p.raw("PUT", "/leased?comp=lease", "", "x-ms-lease-action: acquire", "x-ms-lease-duration: -1")
			id := p.answers(r, 201, "").header.Get("x-ms-lease-id")
			p.answers(p.raw("DELETE", "/leased", ""), 412, "LeaseIdMissing")
			p.answers(p.raw("DELETE", "/leased", "", "x-ms-lease-id: "+id), 202, "")
			p.undelete("leased")
			equal(p, "lease", p.raw("HEAD", "/leased", "").header.Get("x-ms-lease-state"), "available")
		})},
		{"undelete after soft delete was turned off", Undeletes, func(p *blobProbe) {
			off := p.keep(false)
			defer off() // also if the case fails before
			b := p.put("b", "x")
			p.answers(p.raw("DELETE", "/b", ""), 202, "")
			off()
			equal(p, "blobs", p.shown("deleted"), "b-")
			p.undelete("b")
			p.holds(b, "x")
			r := p.answers(p.raw("DELETE", "/b", ""), 202, "")
			equal(p, "permanent", r.header.Get("x-ms-delete-type-permanent"), "true")
			p.answers(p.raw("PUT", "/b?comp=undelete", ""), 404, "BlobNotFound")
		}},
	}
}

// blobPermanent is what lists of deleted blobs are made of, and deletion for good.
func blobPermanent() []blobCase {
	deleted := func(p *blobProbe) (path string) {
		p.put("b", "x")
		path = "/b?snapshot=" + p.snapshot("b")
		p.answers(p.raw("DELETE", path, ""), 202, "")
		return path + "&deletetype=Permanent"
	}
	return []blobCase{
		{"permanent deletion is off", DeletesPermanently, kept(func(p *blobProbe) {
			p.answers(p.raw("DELETE", deleted(p), ""), 409, "PermanentDeleteIsOff")
			equal(p, "deleted snapshots", p.shown("deleted,snapshots"), "b@- b")
		})},
		{"permanent deletion", DeletesPermanently, func(p *blobProbe) {
			defer p.keep(true)()
			path := deleted(p)
			r := p.answers(p.raw("DELETE", path, ""), 202, "")
			equal(p, "permanent", r.header.Get("x-ms-delete-type-permanent"), "true")
			equal(p, "deleted snapshots", p.shown("deleted,snapshots"), "b")
			p.answers(p.raw("DELETE", path, ""), 404, "BlobNotFound")
			active := "/b?deletetype=permanent&snapshot=" + p.snapshot("b")
			p.answers(p.raw("DELETE", active, ""), 409, "BlobSnapshotNotSoftDeleted")
			equal(p, "a blob itself", p.raw("DELETE", "/b?deletetype=permanent", "").status, 409)
			p.answers(p.raw("DELETE", "/b?deletetype=none", ""), 400, "InvalidQueryParameterValue")
			equal(p, "blobs", p.shown("deleted,snapshots"), "b@ b")
		}},
		{"pages of a list with deleted blobs", KeepsDeletedBlobs, kept(func(p *blobProbe) {
			for _, name := range []string{"a", "d/1", "d/2", "e"} {
				p.put(name, "x")
				p.put(name, "y")
			}
			p.answers(p.raw("DELETE", "/a", ""), 202, "")
			p.answers(p.raw("DELETE", "/d/1", ""), 202, "")
			p.answers(p.raw("DELETE", "/d/2", ""), 202, "")
			l := p.list("&include=deleted&delimiter=/")
			equal(p, "blobs", l.shown()+" "+strings.Join(l.Prefixes, " "), "a- e d/")
			equal(p, "prefixes without deleted blobs", len(p.list("&delimiter=/").Prefixes), 0)
			equal(p, "one a page", p.shownByOne("deleted,snapshots"), "a@- a- d/1@- d/1- d/2@- d/2- e@- e")
		})},
	}
}
