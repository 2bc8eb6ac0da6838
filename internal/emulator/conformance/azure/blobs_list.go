package azure

import (
	"fmt"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/service"
)

// blobLists are lists in order, by page and by hierarchy.
func blobLists() []blobCase {
	return []blobCase{
		{"a flat list in order", nil, func(p *blobProbe) {
			for _, n := range []string{"b", "a/2", "a", "a/1", "ä", "c d"} {
				p.put(n, "x")
			}
			equal(p, "names", p.list("").names(), "a a/1 a/2 b c d ä")
			equal(p, "names with prefix", p.list("&prefix=a/").names(), "a/1 a/2")
			equal(p, "container", p.list("").ContainerName, p.name)
		}},
		{"pages", nil, func(p *blobProbe) {
			for i := range 7 {
				p.put(fmt.Sprintf("b%d", i), "x")
			}
			var got []string
			pager := p.container.NewListBlobsFlatPager(&container.ListBlobsFlatOptions{MaxResults: to.Ptr(int32(3))})
			pages := 0
			for pager.More() {
				page := result(pager.NextPage(p.Context()))(p)
				pages++
				for _, item := range page.Segment.BlobItems {
					got = append(got, *item.Name)
				}
			}
			equal(p, "pages", pages, 3)
			equal(p, "names", strings.Join(got, " "), "b0 b1 b2 b3 b4 b5 b6")
		}},
		{"a list by hierarchy", nil, func(p *blobProbe) {
			for _, n := range []string{"a", "d/1", "d/2", "e/f/1", "z"} {
				p.put(n, "x")
			}
			l := p.list("&delimiter=/")
			equal(p, "names", l.names(), "a z")
			equal(p, "prefixes", strings.Join(l.Prefixes, " "), "d/ e/")
			l = p.list("&delimiter=/&prefix=e/")
			equal(p, "prefixes", strings.Join(l.Prefixes, " "), "e/f/")
			// One entry a page: prefixes count as entries, and come once.
			var all []string
			for marker := ""; ; {
				l := p.list("&delimiter=/&maxresults=1&marker=" + marker)
				all = append(append(all, l.Prefixes...), l.names())
				if marker = l.Next; marker == "" {
					break
				}
			}
			equal(p, "entries", strings.Join(strings.Fields(strings.Join(all, " ")), " "), "a d/ e/ z")
		}},
		{"list containers", nil, func(p *blobProbe) {
			p.works(p.container.SetMetadata(p.Context(),
				&container.SetMetadataOptions{Metadata: map[string]*string{"a": to.Ptr("1")}}))
			pager := p.service.NewListContainersPager(&service.ListContainersOptions{Prefix: &p.name,
				Include: service.ListContainersInclude{Metadata: true}})
			page := result(pager.NextPage(p.Context()))(p)
			value(p, "name", page.ContainerItems[0].Name, p.name)
			value(p, "metadata", page.ContainerItems[0].Metadata["a"], "1")
		}},
	}
}

// blobListOptions are what a list may be asked for.
func blobListOptions() []blobCase {
	return []blobCase{
		{"an invalid marker is refused", RefusesForeignMarkers, func(p *blobProbe) {
			p.answers(p.raw("GET", "?restype=container&comp=list&marker=garbage", ""), 400, "OutOfRangeInput")
			p.answers(p.rawService("GET", "/?comp=list&marker=garbage", ""), 400, "OutOfRangeInput")
		}},
		{"maxresults", NamesMaxResultsOutOfRange, func(p *blobProbe) {
			p.answers(p.raw("GET", "?restype=container&comp=list&maxresults=0", ""), 400,
				"OutOfRangeQueryParameterValue")
			p.answers(p.raw("GET", "?restype=container&comp=list&maxresults=6000", ""), 200, "")
		}},
		refusing("maxresults that is not a number", NamesBadQueryParameters, "InvalidQueryParameterValue",
			"GET", "?restype=container&comp=list&maxresults=x", ""),
		refusing("an unknown include is refused", NamesBadQueryParameters, "InvalidQueryParameterValue",
			"GET", "?restype=container&comp=list&include=nonsense", ""),
		{"snapshots come before their blob", ListsSnapshotsFirst, func(p *blobProbe) {
			b := p.put("b", "x")
			first := result(b.CreateSnapshot(p.Context(), nil))(p)
			p.works(b.CreateSnapshot(p.Context(), nil))
			p.put("c", "x")
			l := p.list("&include=snapshots")
			equal(p, "names", l.names(), "b b b c")
			equal(p, "first", l.Blobs[0].Snapshot, *first.Snapshot)
			equal(p, "last of b", l.Blobs[2].Snapshot, "")
		}},
		{"metadata and tags in a list", nil, func(p *blobProbe) {
			b := p.put("b", "x")
			p.works(b.SetMetadata(p.Context(), map[string]*string{"key": to.Ptr("a & b")}, nil))
			p.works(b.SetTags(p.Context(), map[string]string{"t": "v"}, nil))
			pager := p.container.NewListBlobsFlatPager(&container.ListBlobsFlatOptions{
				Include: container.ListBlobsInclude{Metadata: true, Tags: true},
			})
			page := result(pager.NextPage(p.Context()))(p)
			item := page.Segment.BlobItems[0]
			value(p, "metadata", item.Metadata["key"], "a & b")
			value(p, "tag count", item.Properties.TagCount, 1)
			value(p, "tag", item.BlobTags.BlobTagSet[0].Value, "v")
		}},
		{"a name that XML has to escape", nil, func(p *blobProbe) {
			p.put("<a>&'\"", "x")
			equal(p, "names", p.list("").names(), "<a>&'\"")
		}},
	}
}

// blobListBounds are lists that begin and end at a name.
func blobListBounds() []blobCase {
	return []blobCase{
		{"a list from one name to another", ListsFromTo, func(p *blobProbe) {
			for _, n := range []string{"a", "b/1", "b/2", "c", "d"} {
				p.put(n, "x")
			}
			equal(p, "from", p.list("&startFrom=b/2").names(), "b/2 c d")
			equal(p, "to", p.list("&endBefore=c").names(), "a b/1 b/2")
			equal(p, "from and to", p.list("&startFrom=b&endBefore=b/2").names(), "b/1")
			l := p.list("&startFrom=b/2&delimiter=/")
			equal(p, "by hierarchy", strings.Join(l.Prefixes, " ")+" "+l.names(), "b/ c d")
			page := p.list("&startFrom=b/1&endBefore=d&maxresults=2")
			equal(p, "first page", page.names(), "b/1 b/2")
			equal(p, "second page", p.list("&startFrom=b/1&endBefore=d&maxresults=2&marker="+page.Next).names(), "c")
		}},
	}
}
