package azure

import (
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/pageblob"

	"github.com/storespec/storespec/internal/emulator/conformance"
)

// What Azure does with blobs when the account is set to keep their versions.
var (
	WritesMakeVersions = documented("each write answers x-ms-version-id, and keeps what it replaces",
		recorded+"TestDeleteSpecificBlobVersion")
	ReadsVersions = documented("versionid reads a version", recorded+"TestBlockBlobSetTierOnVersions")
	ListsVersions = documented("include=versions lists them among the snapshots, by time",
		recorded+"TestContainerListBlobsIncludeMultipleImpl")
	ChangesMakeNoVersions = documented("properties, a tier, tags and a lease make no version", deletesByOperation)
	PartsMakeNoVersions   = documented("Append Block and Put Page make no version",
		azureDocs+"versioning-overview#versioning-on-write-operations")
	SetsVersions = documented("versionid sets the tier and the tags of a version, and not those of the blob",
		recorded+"TestBlockBlobSetTierOnVersions")
	VersionsAreImmutable = documented("400: content and metadata of a version never change",
		azureDocs+"versioning-overview")
	SnapshotsMakeVersions = documented("a snapshot makes a version too", recorded+"TestUndeleteAppendBlobVersion")
	DeletesToVersions     = documented("deleting a blob makes it a previous version",
		recorded+"TestContainerListBlobsIncludeTypeDeletedWithVersion")
	DeletesVersions      = documented("versionid deletes a version", recorded+"TestDeleteSpecificBlobVersion")
	KeepsCurrentVersions = documented("403 OperationNotAllowedOnRootBlob for the current one",
		recordedJS+"@azure/storage-blob, delete a version")
	SoftDeletesVersions = documented("deleted versions are kept, and undeleted together",
		recorded+"TestUndeleteBlockBlobVersion")
	KeepsVersionsOnly = documented("what is overwritten or deleted becomes a version, and no deleted snapshot",
		azureDocs+"versioning-overview#blob-versioning-and-soft-delete")
	DeletesVersionsPermanently = documented("deletetype=permanent deletes a soft-deleted version", rest+"delete-blob")
	KeepsTypeOfVersions        = documented("a blob with versions of another type is not overwritten",
		azureDocs+"versioning-overview")
)

// BlobVersions are the cases of an account that keeps the versions of blobs.
func BlobVersions() conformance.Suite[Account] {
	return suite(beginBlobs, blobVersions(), blobVersionCopies(), blobVersionsInPlace(), blobVersionReads(),
		blobVersionLists(), blobVersionDeletes(), blobVersionSoftDeletes(), blobVersionKeys())
}

// version is the version that an answer names.
func (r reply) version() string { return r.header.Get("x-ms-version-id") }

// putVersion writes a blob, and returns the id of the version.
func (p *blobProbe) putVersion(name, content string) string {
	id := p.answers(p.raw("PUT", "/"+name, content, aBlockBlob), 201, "").version()
	if id == "" {
		p.Fatalf("no x-ms-version-id")
	}
	return id
}

// reads checks the content of a version.
func (p *blobProbe) reads(name, version, want string) {
	equal(p, "content", p.answers(p.raw("GET", "/"+name+"?versionid="+version, ""), 200, "").body, want)
}

// blobVersions are the writes that make versions.
func blobVersions() []blobCase {
	return []blobCase{
		{"each write makes a version", WritesMakeVersions, func(p *blobProbe) {
			var ids []string
			for _, content := range []string{"one", "two"} {
				ids = append(ids, p.putVersion("b", content))
			}
			p.answers(p.raw("PUT", "/b?comp=block&blockid=MDE=", "three"), 201, "")
			r := p.answers(p.raw("PUT", "/b?comp=blocklist", "<BlockList><Latest>MDE=</Latest></BlockList>"), 201, "")
			ids = append(ids, r.version())
			p.putVersion("src", "four")
			r = p.answers(p.raw("PUT", "/b", "", "x-ms-copy-source: "+p.container.URL()+"/src?"+p.sas), 202, "")
			ids = append(ids, r.version())
			equal(p, "versions", p.shown("versions"), "bv bv bv b* src*")
			for i, content := range []string{"one", "two", "three", "four"} {
				p.reads("b", ids[i], content)
				equal(p, "version in the list", p.list("&include=versions").Blobs[i].VersionID, ids[i])
			}
		}},
		{"metadata makes a version", WritesMakeVersions, func(p *blobProbe) {
			first := p.putVersion("b", "x")
			r := p.answers(p.raw("PUT", "/b?comp=metadata", "", "x-ms-meta-color: red"), 200, "")
			if r.version() == "" || r.version() == first {
				p.Fatalf("version %q after %q", r.version(), first)
			}
			equal(p, "versions", p.shown("versions"), "bv b*")
			old := p.answers(p.raw("HEAD", "/b?versionid="+first, ""), 200, "")
			equal(p, "metadata of the previous version", old.header.Get("x-ms-meta-color"), "")
			p.reads("b", first, "x")
			p.reads("b", r.version(), "x")
		}},
		{"a snapshot makes a version", SnapshotsMakeVersions, func(p *blobProbe) {
			first := p.putVersion("b", "x")
			r := p.answers(p.raw("PUT", "/b?comp=snapshot", ""), 201, "")
			if snapshot := r.header.Get("x-ms-snapshot"); first >= snapshot || snapshot >= r.version() {
				p.Fatalf("not in order: %q, snapshot %q, %q", first, snapshot, r.version())
			}
			equal(p, "current version", p.raw("HEAD", "/b", "").version(), r.version())
			equal(p, "versions", p.shown("snapshots,versions"), "bv b@ b*")
			equal(p, "snapshots", p.shown("snapshots"), "b@ b*")
			for _, id := range []string{first, r.version()} {
				p.reads("b", id, "x")
			}
		}},
	}
}

// blobVersionCopies are copies of versions, and the types of what replaces them.
func blobVersionCopies() []blobCase {
	return []blobCase{
		{"a version is copied over the current one", WritesMakeVersions, func(p *blobProbe) {
			first := p.putVersion("c", "one")
			second := p.putVersion("c", "two")
			source := p.container.URL() + "/c?versionid=" + first + "&" + p.sas
			r := p.answers(p.raw("PUT", "/c", "", "x-ms-copy-source: "+source), 202, "")
			p.reads("c", r.version(), "one")
			p.reads("c", second, "two")
			equal(p, "versions", p.shown("versions"), "cv cv c*")
		}},
		{"a version has a type", KeepsTypeOfVersions, func(p *blobProbe) {
			first := p.putVersion("b", "x")
			equal(p, "while there is a blob", p.raw("PUT", "/b", "", "x-ms-blob-type: AppendBlob").status, 409)
			p.answers(p.raw("DELETE", "/b", ""), 202, "")
			equal(p, "while there is a version", p.raw("PUT", "/b", "", "x-ms-blob-type: AppendBlob").status, 409)
			p.answers(p.ask("DELETE", p.name+"/b?versionid="+first, ""), 202, "")
			p.answers(p.raw("PUT", "/b", "", "x-ms-blob-type: AppendBlob"), 201, "")
		}},
	}
}

// blobVersionsInPlace are the writes that make no version.
func blobVersionsInPlace() []blobCase {
	return []blobCase{
		{"what changes a blob in place makes no version", ChangesMakeNoVersions, func(p *blobProbe) {
			id := p.putVersion("b", "x")
			b := p.container.NewBlockBlobClient("b")
			p.works(b.SetHTTPHeaders(p.Context(), blob.HTTPHeaders{BlobContentType: to.Ptr("text/x")}, nil))
			p.works(b.SetTier(p.Context(), blob.AccessTierCool, nil))
			p.works(b.SetTags(p.Context(), map[string]string{"a": "1"}, nil))
			r := p.raw("PUT", "/b?comp=lease", "", "x-ms-lease-action: acquire", "x-ms-lease-duration: -1")
			p.answers(r, 201, "")
			equal(p, "version", p.raw("HEAD", "/b", "").version(), id)
			equal(p, "versions", p.shown("versions"), "b*")
		}},
		{"appended blocks and pages make no version", PartsMakeNoVersions, func(p *blobProbe) {
			r := p.answers(p.raw("PUT", "/l", "", "x-ms-blob-type: AppendBlob"), 201, "")
			added := p.answers(p.raw("PUT", "/l?comp=appendblock", "x"), 201, "")
			equal(p, "version of what was appended", added.version(), "")
			equal(p, "version", p.raw("HEAD", "/l", "").version(), r.version())
			pages := p.container.NewPageBlobClient("p")
			p.works(pages.Create(p.Context(), 512, nil))
			p.works(pages.UploadPages(p.Context(), seekable(strings.Repeat("x", 512)), blob.HTTPRange{Count: 512},
				&pageblob.UploadPagesOptions{}))
			equal(p, "versions", p.shown("versions"), "l* p*")
		}},
	}
}

// blobVersionReads are reads and small writes of a version.
func blobVersionReads() []blobCase {
	return []blobCase{
		{"what answers show of versions", ReadsVersions, func(p *blobProbe) {
			first := p.putVersion("b", "one")
			second := p.putVersion("b", "two")
			for query, want := range map[string][3]string{"": {second, "true", "available"},
				"?versionid=" + second: {second, "true", ""}, "?versionid=" + first: {first, "", ""}} {
				for _, method := range []string{"HEAD", "GET"} {
					r := p.answers(p.raw(method, "/b"+query, ""), 200, "")
					equal(p, "version", r.version(), want[0])
					equal(p, "current", r.header.Get("x-ms-is-current-version"), want[1])
					equal(p, "lease", r.header.Get("x-ms-lease-state"), want[2])
				}
			}
			p.answers(p.raw("GET", "/b?versionid=2020-01-01T00:00:00.0000000Z", ""), 404, "BlobNotFound")
			p.answers(p.raw("GET", "/b?versionid=yesterday", ""), 400, "InvalidQueryParameterValue")
		}},
		{"the tier and the tags of a version", SetsVersions, func(p *blobProbe) {
			first := p.putVersion("b", "one")
			p.putVersion("b", "two")
			at := "/b?versionid=" + first
			const tags = "<Tags><TagSet><Tag><Key>a</Key><Value>1</Value></Tag></TagSet></Tags>"
			p.answers(p.raw("PUT", at+"&comp=tags", tags), 204, "")
			p.answers(p.raw("PUT", at+"&comp=tier", "", "x-ms-access-tier: Archive"), 200, "")
			r := p.answers(p.raw("HEAD", at, ""), 200, "")
			equal(p, "tier", r.header.Get("x-ms-access-tier"), "Archive")
			equal(p, "tags", r.header.Get("x-ms-tag-count"), "1")
			r = p.answers(p.raw("HEAD", "/b", ""), 200, "")
			equal(p, "tier of the blob", r.header.Get("x-ms-access-tier"), "Hot")
			equal(p, "tags of the blob", r.header.Get("x-ms-tag-count"), "")
			p.answers(p.raw("PUT", at+"&comp=tier", "", "x-ms-access-tier: Cool"), 409, "BlobOperationNotSupported")
		}},
		{"a version cannot be written", VersionsAreImmutable, func(p *blobProbe) {
			first := p.putVersion("b", "one")
			p.putVersion("b", "two")
			p.answers(p.raw("PUT", "/b?comp=metadata&versionid="+first, "", "x-ms-meta-a: 1"), 400,
				"InvalidQueryParameterValue")
			p.reads("b", first, "one")
		}},
		{"a version keeps its ETag", WritesMakeVersions, func(p *blobProbe) {
			first := p.putVersion("b", "one")
			etag := p.raw("HEAD", "/b", "").header.Get("Etag")
			p.putVersion("b", "two")
			equal(p, "ETag", p.raw("HEAD", "/b?versionid="+first, "").header.Get("Etag"), etag)
			p.answers(p.raw("GET", "/b?versionid="+first, "", "If-None-Match: "+etag), 304, "ConditionNotMet")
		}},
	}
}

// blobVersionLists are lists of versions.
func blobVersionLists() []blobCase {
	return []blobCase{
		{"versions in lists", ListsVersions, func(p *blobProbe) {
			p.putVersion("d/a", "x")
			p.putVersion("d/a", "y")
			p.putVersion("d/b", "x")
			equal(p, "not asked for", p.shown("metadata"), "d/a* d/b*")
			equal(p, "with a delimiter", p.list("&include=versions&delimiter=/&prefix=d/").shown(), "d/av d/a* d/b*")
			equal(p, "one a page", p.shownByOne("versions"), "d/av d/a* d/b*")
			l := p.list("&include=versions")
			equal(p, "lease of a previous version", l.Blobs[0].LeaseState, "")
			equal(p, "lease of the current one", l.Blobs[1].LeaseState, "available")
		}},
		{"blobs that have versions only", DeletesToVersions, func(p *blobProbe) {
			id := p.putVersion("a", "x")
			p.putVersion("b", "x")
			p.putVersion("c", "x")
			p.answers(p.raw("DELETE", "/a", ""), 202, "")
			p.answers(p.raw("DELETE", "/c", ""), 202, "")
			l := p.list("&include=deletedwithversions")
			equal(p, "blobs", l.shown(), "a*! b* c*!")
			equal(p, "length", l.Blobs[0].Length, 0)
			if l.Blobs[0].VersionID <= id {
				p.Fatalf("version %q of a blob that was deleted after %q", l.Blobs[0].VersionID, id)
			}
			equal(p, "with versions", p.shown("versions,deletedwithversions"), "av a*! b* cv c*!")
			l = p.list("&include=deletedwithversions&maxresults=2")
			equal(p, "a page", l.shown(), "a*! b*")
			equal(p, "the next", p.list("&include=deletedwithversions&marker="+l.Next).shown(), "c*!")
			p.putVersion("a", "y")
			equal(p, "after a new blob", p.shown("deletedwithversions"), "a* b* c*!")
		}},
	}
}

// blobVersionDeletes are deletions of blobs and of versions.
func blobVersionDeletes() []blobCase {
	return []blobCase{
		{"deleting a blob makes it a version", DeletesToVersions, func(p *blobProbe) {
			id := p.putVersion("b", "x")
			r := p.answers(p.raw("DELETE", "/b", ""), 202, "")
			equal(p, "permanent", r.header.Get("x-ms-delete-type-permanent"), "false")
			p.answers(p.raw("GET", "/b", ""), 404, "BlobNotFound")
			p.reads("b", id, "x")
			equal(p, "blobs", p.shown("deleted,snapshots"), "")
			equal(p, "versions", p.shown("versions"), "bv")
			p.answers(p.raw("PUT", "/b?comp=undelete", ""), 200, "") // restores versions, and not the blob
			equal(p, "versions", p.shown("versions"), "bv")
		}},
		{"deleting a version", DeletesVersions, func(p *blobProbe) {
			first := p.putVersion("b", "one")
			second := p.putVersion("b", "two")
			r := p.answers(p.ask("DELETE", p.name+"/b?versionid="+first, ""), 202, "")
			equal(p, "permanent", r.header.Get("x-ms-delete-type-permanent"), "true")
			p.answers(p.raw("GET", "/b?versionid="+first, ""), 404, "BlobNotFound")
			p.reads("b", second, "two")
			equal(p, "versions", p.shown("versions,deleted"), "b*")
			p.answers(p.raw("DELETE", "/b?versionid="+second, ""), 403, "AuthorizationPermissionMismatch")
		}},
		{"deleting the current version", KeepsCurrentVersions, func(p *blobProbe) {
			id := p.putVersion("b", "x")
			p.answers(p.ask("DELETE", p.name+"/b?versionid="+id, ""), 403, "OperationNotAllowedOnRootBlob")
			p.reads("b", id, "x")
		}},
		{"snapshots of a blob with versions", DeletesToVersions, func(p *blobProbe) {
			id := p.putVersion("b", "x")
			p.snapshot("b")
			p.answers(p.raw("DELETE", "/b", ""), 409, "SnapshotsPresent")
			p.answers(p.raw("DELETE", "/b", "", "x-ms-delete-snapshots: include"), 202, "")
			equal(p, "versions", p.shown("versions,snapshots"), "bv bv")
			p.reads("b", id, "x")
		}},
	}
}

// blobVersionSoftDeletes are versions while the account also keeps what is deleted.
func blobVersionSoftDeletes() []blobCase {
	return []blobCase{
		{"deleted versions are kept", SoftDeletesVersions, kept(func(p *blobProbe) {
			var ids []string
			for _, content := range []string{"one", "two", "three"} {
				ids = append(ids, p.putVersion("b", content))
			}
			for _, id := range ids[:2] {
				r := p.answers(p.ask("DELETE", p.name+"/b?versionid="+id, ""), 202, "")
				equal(p, "permanent", r.header.Get("x-ms-delete-type-permanent"), "false")
			}
			equal(p, "versions", p.shown("versions"), "b*")
			equal(p, "deleted versions", p.shown("versions,deleted"), "bv- bv- b*")
			p.answers(p.raw("GET", "/b?versionid="+ids[0], ""), 404, "BlobNotFound")
			p.undelete("b")
			equal(p, "versions", p.shown("versions,deleted"), "bv bv b*")
			p.reads("b", ids[0], "one")
		})},
		{"with versions nothing else is kept", KeepsVersionsOnly, kept(func(p *blobProbe) {
			p.putVersion("b", "one")
			p.putVersion("b", "two")
			p.answers(p.raw("DELETE", "/b", ""), 202, "")
			equal(p, "all", p.shown("versions,deleted,snapshots"), "bv bv")
			p.undelete("b")
			equal(p, "all", p.shown("versions,deleted,snapshots"), "bv bv")
		})},
		{"deleting a version for good", DeletesVersionsPermanently, func(p *blobProbe) {
			defer p.keep(true)()
			id := p.putVersion("b", "one")
			p.putVersion("b", "two")
			at := p.name + "/b?versionid=" + id
			p.answers(p.ask("DELETE", at+"&deletetype=permanent", ""), 409, "BlobSnapshotNotSoftDeleted")
			p.answers(p.ask("DELETE", at, ""), 202, "")
			p.answers(p.ask("DELETE", at+"&deletetype=permanent", ""), 202, "")
			equal(p, "all", p.shown("versions,deleted"), "b*")
		}},
	}
}
