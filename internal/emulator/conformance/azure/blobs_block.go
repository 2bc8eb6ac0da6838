package azure

import (
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
)

func (p *blobProbe) stage(b *blockblob.Client, name, data string) {
	p.works(b.StageBlock(p.Context(), id(name), seekable(data), nil))
}

func (p *blobProbe) commit(b *blockblob.Client, names ...string) {
	var ids []string
	for _, n := range names {
		ids = append(ids, id(n))
	}
	p.works(b.CommitBlockList(p.Context(), ids, nil))
}

// blobCommits are block blobs made of staged blocks.
func blobCommits() []blobCase {
	return []blobCase{
		{"staged blocks make a blob when they are committed", nil, func(p *blobProbe) {
			b := p.container.NewBlockBlobClient("b")
			p.stage(b, "1", "one")
			p.fails(404, "BlobNotFound")(b.DownloadStream(p.Context(), nil))
			p.stage(b, "2", "two")
			p.commit(b, "2", "1")
			p.holds(b, "twoone")
		}},
		{"an uncommitted blob is not listed", nil, func(p *blobProbe) {
			p.stage(p.container.NewBlockBlobClient("b"), "1", "one")
			equal(p, "names", p.list("").names(), "")
			l := p.list("&include=uncommittedblobs")
			equal(p, "names with uncommitted ones", l.names(), "b")
			equal(p, "length", l.Blobs[0].Length, 0)
		}},
		{"a commit names a subset of the committed blocks", nil, func(p *blobProbe) {
			b := p.container.NewBlockBlobClient("b")
			for _, n := range []string{"1", "2", "3"} {
				p.stage(b, n, n)
			}
			p.commit(b, "1", "2", "3")
			p.commit(b, "3", "1")
			p.holds(b, "31")
		}},
		{"an empty block list makes an empty blob", nil, func(p *blobProbe) {
			b := p.container.NewBlockBlobClient("b")
			p.commit(b)
			p.holds(b, "")
		}},
		{"a missing block", nil, func(p *blobProbe) {
			b := p.container.NewBlockBlobClient("b")
			p.fails(400, "InvalidBlockList")(b.CommitBlockList(p.Context(), []string{id("1")}, nil))
		}},
		{"committed, uncommitted, latest", nil, func(p *blobProbe) {
			b := p.container.NewBlockBlobClient("b")
			p.stage(b, "1", "old")
			p.commit(b, "1")
			p.stage(b, "1", "new")
			list := func(kind string) string {
				return "<BlockList><" + kind + ">" + id("1") + "</" + kind +
					"></BlockList>"
			}
			p.answers(p.raw("PUT", "/b?comp=blocklist", list("Committed")), 201, "")
			p.holds(b, "old")
			p.answers(p.raw("PUT", "/b?comp=blocklist", list("Uncommitted")), 400, "InvalidBlockList")
			p.stage(b, "1", "new")
			p.answers(p.raw("PUT", "/b?comp=blocklist", list("Latest")), 201, "")
			p.holds(b, "new")
		}},
	}
}

// blobBlocks are blocks before they are committed, and invalid blocks.
func blobBlocks() []blobCase {
	return []blobCase{
		{"the list of blocks", nil, func(p *blobProbe) {
			b := p.container.NewBlockBlobClient("b")
			p.stage(b, "1", "one")
			p.commit(b, "1")
			p.stage(b, "2", "three")
			all := result(b.GetBlockList(p.Context(), blockblob.BlockListTypeAll, nil))(p)
			equal(p, "committed", len(all.CommittedBlocks), 1)
			equal(p, "uncommitted", len(all.UncommittedBlocks), 1)
			value(p, "name", all.UncommittedBlocks[0].Name, id("2"))
			value(p, "size", all.UncommittedBlocks[0].Size, 5)
			committed := result(b.GetBlockList(p.Context(), blockblob.BlockListTypeCommitted, nil))(p)
			equal(p, "uncommitted in the list of committed", len(committed.UncommittedBlocks), 0)
			p.fails(404, "BlobNotFound")(
				p.container.NewBlockBlobClient("none").GetBlockList(p.Context(), blockblob.BlockListTypeAll, nil))
		}},
		{"putting a blob drops its uncommitted blocks", PutDropsBlocks, func(p *blobProbe) {
			b := p.container.NewBlockBlobClient("b")
			p.stage(b, "1", "one")
			p.put("b", "x")
			all := result(b.GetBlockList(p.Context(), blockblob.BlockListTypeAll, nil))(p)
			equal(p, "uncommitted", len(all.UncommittedBlocks), 0)
		}},
		refusing("a block id that is not base64", nil, "InvalidQueryParameterValue",
			"PUT", "/b?comp=block&blockid=***", "x"),
		{"block ids of one blob have one length", nil, func(p *blobProbe) {
			p.answers(p.raw("PUT", "/b?comp=block&blockid=AAAA", "x"), 201, "")
			p.answers(p.raw("PUT", "/b?comp=block&blockid=AAAAAAAA", "x"), 400, "InvalidBlobOrBlock")
		}},
		refusing("an empty block is refused", RefusesEmptyBlocks, "InvalidHeaderValue",
			"PUT", "/b?comp=block&blockid=AAAA", ""),
		{"a block list that is not XML", NamesMalformedXML, func(p *blobProbe) {
			p.answers(p.raw("PUT", "/b?comp=blocklist", "<BlockList><Latest>"), 400, "InvalidXmlDocument")
			p.answers(p.raw("PUT", "/b?comp=blocklist", "nonsense"), 400, "InvalidXmlDocument")
		}},
	}
}
