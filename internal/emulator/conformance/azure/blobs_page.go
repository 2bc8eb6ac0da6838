package azure

import (
	"fmt"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/pageblob"
)

// pages makes n pages of a letter.
func pages(letter string, n int) string { return strings.Repeat(letter, n*pageblob.PageBytes) }

// pageAt is a range in pages.
func pageAt(first, n int64) blob.HTTPRange {
	return blob.HTTPRange{Offset: first * pageblob.PageBytes, Count: n * pageblob.PageBytes}
}

func (p *blobProbe) pageBlob(size int64) *pageblob.Client {
	b := p.container.NewPageBlobClient("b")
	p.works(b.Create(p.Context(), size*pageblob.PageBytes, nil))
	return b
}

func (p *blobProbe) write(b *pageblob.Client, first int64, letter string, n int) {
	p.works(b.UploadPages(p.Context(), seekable(pages(letter, n)), pageAt(first, int64(n)), nil))
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

// blobPages are writes to page blobs.
func blobPages() []blobCase {
	return []blobCase{
		{"page blobs", nil, func(p *blobProbe) {
			b := p.pageBlob(8)
			p.write(b, 1, "a", 2)
			p.write(b, 2, "b", 3)
			want := pages("\x00", 1) + pages("a", 1) + pages("b", 3) + pages("\x00", 3)
			if p.content(b.BlobClient()) != want {
				p.Fatalf("the content differs")
			}
			p.works(b.ClearPages(p.Context(), pageAt(3, 1), nil))
			page := result(b.NewGetPageRangesPager(nil).NextPage(p.Context()))(p)
			equal(p, "ranges", p.ranges(page.PageRange), "1 2 4")
		}},
		{"a page blob's range is aligned", NamesBadPageRanges, func(p *blobProbe) {
			b := p.pageBlob(2)
			p.fails(416, "InvalidPageRange")(b.UploadPages(p.Context(), seekable(pages("a", 1)), pageAt(2, 1), nil))
			p.fails(400, "InvalidHeaderValue")(p.container.NewPageBlobClient("c").Create(p.Context(), 1, nil))
		}},
		{"the difference to a snapshot", ComparesPages, func(p *blobProbe) {
			b := p.pageBlob(8)
			p.write(b, 0, "a", 4)
			snap := result(b.CreateSnapshot(p.Context(), nil))(p)
			p.write(b, 1, "b", 1)
			p.write(b, 6, "c", 1)
			p.works(b.ClearPages(p.Context(), pageAt(3, 1), nil))
			since := &pageblob.GetPageRangesDiffOptions{PrevSnapshot: snap.Snapshot}
			page := result(b.NewGetPageRangesDiffPager(since).NextPage(p.Context()))(p)
			equal(p, "ranges", p.ranges(page.PageRange), "1 6")
			equal(p, "cleared", len(page.ClearRange), 1)
			value(p, "cleared from", page.ClearRange[0].Start, 3*pageblob.PageBytes)
		}},
	}
}

// blobPageProperties are the size and the sequence number of a page blob.
func blobPageProperties() []blobCase {
	return []blobCase{
		{"resize a page blob", nil, func(p *blobProbe) {
			b := p.pageBlob(4)
			p.write(b, 0, "a", 4)
			p.works(b.Resize(p.Context(), pageblob.PageBytes, nil))
			equal(p, "content", p.content(b.BlobClient()), pages("a", 1))
			p.works(b.Resize(p.Context(), 2*pageblob.PageBytes, nil))
			equal(p, "content", p.content(b.BlobClient()), pages("a", 1)+pages("\x00", 1))
		}},
		{"sequence numbers", nil, func(p *blobProbe) {
			b := p.pageBlob(1)
			res := result(b.UpdateSequenceNumber(p.Context(),
				&pageblob.UpdateSequenceNumberOptions{ActionType: to.Ptr(pageblob.SequenceNumberActionTypeUpdate),
					SequenceNumber: to.Ptr(int64(5))}))(p)
			value(p, "number", res.BlobSequenceNumber, 5)
			increment := pageblob.SequenceNumberActionTypeIncrement
			res = result(b.UpdateSequenceNumber(p.Context(),
				&pageblob.UpdateSequenceNumberOptions{ActionType: &increment}))(p)
			value(p, "number", res.BlobSequenceNumber, 6)
			below := &pageblob.SequenceNumberAccessConditions{IfSequenceNumberLessThan: to.Ptr(int64(6))}
			p.fails(412, "SequenceNumberConditionNotMet")(
				b.UploadPages(p.Context(), seekable(pages("a", 1)), pageAt(0, 1),
					&pageblob.UploadPagesOptions{SequenceNumberAccessConditions: below}))
		}},
	}
}
