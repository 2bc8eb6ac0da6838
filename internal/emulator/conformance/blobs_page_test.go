package conformance

import (
	"fmt"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/pageblob"
)

// blockETag is a well-formed ETag that no blob has.
const blockETag azcore.ETag = `"0x8D00000000000AA"`

// pages makes n pages of a letter.
func pages(letter string, n int) string { return strings.Repeat(letter, n*pageblob.PageBytes) }

// pageAt is a range in pages.
func pageAt(first, n int64) blob.HTTPRange {
	return blob.HTTPRange{Offset: first * pageblob.PageBytes, Count: n * pageblob.PageBytes}
}

func (p *blobProbe) pageBlob(size int64) *pageblob.Client {
	b := p.container.NewPageBlobClient("b")
	_, err := b.Create(p.ctx, size*pageblob.PageBytes, nil)
	p.ok(err)
	return b
}

func (p *blobProbe) write(b *pageblob.Client, first int64, letter string, n int) {
	_, err := b.UploadPages(p.ctx, seekable(pages(letter, n)), pageAt(first, int64(n)), nil)
	p.ok(err)
}

// ranges lists the pages of ranges, which may be cut anywhere.
func (p *blobProbe) ranges(list []*pageblob.PageRange) string {
	var out []string
	for _, r := range list {
		for page := *r.Start / pageblob.PageBytes; page <= *r.End/pageblob.PageBytes; page++ {
			out = append(out, fmt.Sprint(page))
		}
	}
	return strings.Join(out, " ")
}

func blobPages() []blobCase {
	return []blobCase{
		{"page blobs", func(p *blobProbe) {
			b := p.pageBlob(8)
			p.write(b, 1, "a", 2)
			p.write(b, 2, "b", 3)
			want := pages("\x00", 1) + pages("a", 1) + pages("b", 3) + pages("\x00", 3)
			if p.content(b.BlobClient()) != want {
				p.failf("the content differs")
			}
			_, err := b.ClearPages(p.ctx, pageAt(3, 1), nil)
			p.ok(err)
			page, err := b.NewGetPageRangesPager(nil).NextPage(p.ctx)
			p.ok(err)
			equal(p, "ranges", p.ranges(page.PageRange), "1 2 4")
		}},
		{"a page blob's range is aligned", func(p *blobProbe) {
			b := p.pageBlob(2)
			_, err := b.UploadPages(p.ctx, seekable(pages("a", 1)), pageAt(2, 1), nil)
			p.code(err, 416, "InvalidPageRange")
			_, err = p.container.NewPageBlobClient("c").Create(p.ctx, 1, nil)
			p.code(err, 400, "InvalidHeaderValue")
		}},
		{"the difference to a snapshot", func(p *blobProbe) {
			b := p.pageBlob(8)
			p.write(b, 0, "a", 4)
			snap, err := b.CreateSnapshot(p.ctx, nil)
			p.ok(err)
			p.write(b, 1, "b", 1)
			p.write(b, 6, "c", 1)
			_, err = b.ClearPages(p.ctx, pageAt(3, 1), nil)
			p.ok(err)
			page, err := b.NewGetPageRangesDiffPager(&pageblob.GetPageRangesDiffOptions{PrevSnapshot: snap.Snapshot}).NextPage(p.ctx)
			p.ok(err)
			equal(p, "ranges", p.ranges(page.PageRange), "1 6")
			equal(p, "cleared", len(page.ClearRange), 1)
			value(p, "cleared from", page.ClearRange[0].Start, 3*pageblob.PageBytes)
		}},
		{"resize a page blob", func(p *blobProbe) {
			b := p.pageBlob(4)
			p.write(b, 0, "a", 4)
			_, err := b.Resize(p.ctx, pageblob.PageBytes, nil)
			p.ok(err)
			equal(p, "content", p.content(b.BlobClient()), pages("a", 1))
			_, err = b.Resize(p.ctx, 2*pageblob.PageBytes, nil)
			p.ok(err)
			equal(p, "content", p.content(b.BlobClient()), pages("a", 1)+pages("\x00", 1))
		}},
		{"sequence numbers", func(p *blobProbe) {
			b := p.pageBlob(1)
			res, err := b.UpdateSequenceNumber(p.ctx, &pageblob.UpdateSequenceNumberOptions{ActionType: to.Ptr(pageblob.SequenceNumberActionTypeUpdate), SequenceNumber: to.Ptr(int64(5))})
			p.ok(err)
			value(p, "number", res.BlobSequenceNumber, 5)
			res, err = b.UpdateSequenceNumber(p.ctx, &pageblob.UpdateSequenceNumberOptions{ActionType: to.Ptr(pageblob.SequenceNumberActionTypeIncrement)})
			p.ok(err)
			value(p, "number", res.BlobSequenceNumber, 6)
			_, err = b.UploadPages(p.ctx, seekable(pages("a", 1)), pageAt(0, 1), &pageblob.UploadPagesOptions{SequenceNumberAccessConditions: &pageblob.SequenceNumberAccessConditions{IfSequenceNumberLessThan: to.Ptr(int64(6))}})
			p.code(err, 412, "SequenceNumberConditionNotMet")
		}},
	}
}
