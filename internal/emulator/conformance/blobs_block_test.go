package conformance

import (
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/appendblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
)

func (p *blobProbe) stage(b *blockblob.Client, name, data string) {
	_, err := b.StageBlock(p.ctx, id(name), seekable(data), nil)
	p.ok(err)
}

func (p *blobProbe) commit(b *blockblob.Client, names ...string) {
	var ids []string
	for _, n := range names {
		ids = append(ids, id(n))
	}
	_, err := b.CommitBlockList(p.ctx, ids, nil)
	p.ok(err)
}

func blobBlocks() []blobCase {
	return []blobCase{
		{"staged blocks make a blob when they are committed", func(p *blobProbe) {
			b := p.container.NewBlockBlobClient("b")
			p.stage(b, "1", "one")
			_, err := b.DownloadStream(p.ctx, nil)
			p.code(err, 404, "BlobNotFound")
			p.stage(b, "2", "two")
			p.commit(b, "2", "1")
			p.holds(b, "twoone")
		}},
		{"an uncommitted blob is not listed", func(p *blobProbe) {
			p.stage(p.container.NewBlockBlobClient("b"), "1", "one")
			equal(p, "names", p.list("").names(), "")
			l := p.list("&include=uncommittedblobs")
			equal(p, "names with uncommitted ones", l.names(), "b")
			equal(p, "length", l.Blobs[0].Length, 0)
		}},
		{"a commit names a subset of the committed blocks", func(p *blobProbe) {
			b := p.container.NewBlockBlobClient("b")
			for _, n := range []string{"1", "2", "3"} {
				p.stage(b, n, n)
			}
			p.commit(b, "1", "2", "3")
			p.commit(b, "3", "1")
			p.holds(b, "31")
		}},
		{"an empty block list makes an empty blob", func(p *blobProbe) {
			b := p.container.NewBlockBlobClient("b")
			p.commit(b)
			p.holds(b, "")
		}},
		{"a block that is not there", func(p *blobProbe) {
			b := p.container.NewBlockBlobClient("b")
			_, err := b.CommitBlockList(p.ctx, []string{id("1")}, nil)
			p.code(err, 400, "InvalidBlockList")
		}},
		{"committed, uncommitted, latest", func(p *blobProbe) {
			b := p.container.NewBlockBlobClient("b")
			p.stage(b, "1", "old")
			p.commit(b, "1")
			p.stage(b, "1", "new")
			list := func(kind string) string { return "<BlockList><" + kind + ">" + id("1") + "</" + kind + "></BlockList>" }
			p.answers(p.raw("PUT", "/b?comp=blocklist", list("Committed")), 201, "")
			p.holds(b, "old")
			p.answers(p.raw("PUT", "/b?comp=blocklist", list("Uncommitted")), 400, "InvalidBlockList")
			p.stage(b, "1", "new")
			p.answers(p.raw("PUT", "/b?comp=blocklist", list("Latest")), 201, "")
			p.holds(b, "new")
		}},
		{"the list of blocks", func(p *blobProbe) {
			b := p.container.NewBlockBlobClient("b")
			p.stage(b, "1", "one")
			p.commit(b, "1")
			p.stage(b, "2", "three")
			all, err := b.GetBlockList(p.ctx, blockblob.BlockListTypeAll, nil)
			p.ok(err)
			equal(p, "committed", len(all.CommittedBlocks), 1)
			equal(p, "uncommitted", len(all.UncommittedBlocks), 1)
			value(p, "name", all.UncommittedBlocks[0].Name, id("2"))
			value(p, "size", all.UncommittedBlocks[0].Size, 5)
			committed, err := b.GetBlockList(p.ctx, blockblob.BlockListTypeCommitted, nil)
			p.ok(err)
			equal(p, "uncommitted in the list of committed", len(committed.UncommittedBlocks), 0)
			_, err = p.container.NewBlockBlobClient("none").GetBlockList(p.ctx, blockblob.BlockListTypeAll, nil)
			p.code(err, 404, "BlobNotFound")
		}},
		{"putting a blob drops its uncommitted blocks", func(p *blobProbe) {
			b := p.container.NewBlockBlobClient("b")
			p.stage(b, "1", "one")
			p.put("b", "x")
			all, err := b.GetBlockList(p.ctx, blockblob.BlockListTypeAll, nil)
			p.ok(err)
			equal(p, "uncommitted", len(all.UncommittedBlocks), 0)
		}},
		{"a block id that is no base64", func(p *blobProbe) {
			p.answers(p.raw("PUT", "/b?comp=block&blockid=***", "x"), 400, "InvalidQueryParameterValue")
		}},
		{"block ids of one blob have one length", func(p *blobProbe) {
			p.answers(p.raw("PUT", "/b?comp=block&blockid=AAAA", "x"), 201, "")
			p.answers(p.raw("PUT", "/b?comp=block&blockid=AAAAAAAA", "x"), 400, "InvalidBlobOrBlock")
		}},
		{"an empty block is refused", func(p *blobProbe) {
			p.answers(p.raw("PUT", "/b?comp=block&blockid=AAAA", ""), 400, "InvalidHeaderValue")
		}},
		{"a block list that is no XML", func(p *blobProbe) {
			p.answers(p.raw("PUT", "/b?comp=blocklist", "<BlockList><Latest>"), 400, "InvalidXmlDocument")
			p.answers(p.raw("PUT", "/b?comp=blocklist", "nonsense"), 400, "InvalidXmlDocument")
		}},
		{"append blobs", func(p *blobProbe) {
			b := p.container.NewAppendBlobClient("b")
			_, err := b.AppendBlock(p.ctx, seekable("x"), nil)
			p.code(err, 404, "BlobNotFound")
			_, err = b.Create(p.ctx, nil)
			p.ok(err)
			one, err := b.AppendBlock(p.ctx, seekable("one"), nil)
			p.ok(err)
			value(p, "offset", one.BlobAppendOffset, "0")
			two, err := b.AppendBlock(p.ctx, seekable("two"), nil)
			p.ok(err)
			value(p, "offset", two.BlobAppendOffset, "3")
			value(p, "blocks", two.BlobCommittedBlockCount, 2)
			equal(p, "content", p.content(b.BlobClient()), "onetwo")
			_, err = b.AppendBlock(p.ctx, seekable("x"), &appendblob.AppendBlockOptions{AppendPositionAccessConditions: &appendblob.AppendPositionAccessConditions{AppendPosition: to.Ptr(int64(3))}})
			p.code(err, 412, "AppendPositionConditionNotMet")
			_, err = b.AppendBlock(p.ctx, seekable("x"), &appendblob.AppendBlockOptions{AppendPositionAccessConditions: &appendblob.AppendPositionAccessConditions{MaxSize: to.Ptr(int64(6))}})
			p.code(err, 412, "MaxBlobSizeConditionNotMet")
			_, err = b.AppendBlock(p.ctx, seekable(""), nil)
			p.code(err, 400, "InvalidHeaderValue")
		}},
		{"a sealed append blob", func(p *blobProbe) {
			b := p.container.NewAppendBlobClient("b")
			_, err := b.Create(p.ctx, nil)
			p.ok(err)
			_, err = b.Seal(p.ctx, nil)
			p.ok(err)
			_, err = b.AppendBlock(p.ctx, seekable("x"), nil)
			p.code(err, 409, "BlobIsSealed")
			props, err := b.GetProperties(p.ctx, nil)
			p.ok(err)
			value(p, "sealed", props.IsSealed, true)
		}},
		{"the type of a blob", func(p *blobProbe) {
			p.put("b", "x")
			_, err := p.container.NewAppendBlobClient("b").AppendBlock(p.ctx, seekable("x"), nil)
			p.code(err, 409, "InvalidBlobType")
			_, err = p.container.NewPageBlobClient("b").UploadPages(p.ctx, seekable(strings.Repeat("x", 512)), blob.HTTPRange{Count: 512}, nil)
			p.code(err, 409, "InvalidBlobType")
		}},
	}
}
