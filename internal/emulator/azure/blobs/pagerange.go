package blobs

import (
	"strconv"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// pageSpan is a run of pages with content, or of pages that were cleared since another snapshot.
type pageSpan struct {
	span
	cleared bool
}

// getPageRanges is Get Page Ranges, for a page blob, or a snapshot or a version of one: all ranges, or the differences
// from an earlier snapshot. https://learn.microsoft.com/rest/api/storageservices/get-page-ranges
func getPageRanges(c *call) *azure.Problem {
	l, p := parsePageListing(c.Query)
	if p != nil {
		return p
	}
	t := &c.target
	if p := c.read(t); p != nil {
		return p
	}
	defer c.done(t)
	if t.rec.kind != pageBlob {
		return invalidBlobType()
	}
	within, _, p := readRange(c.HTTP.Header, t.rec.size)
	if p != nil {
		if t.rec.size != 0 {
			return p
		}
		within = span{}
	}
	within.start -= within.start % pageSize
	within.end += (pageSize - within.end%pageSize) % pageSize
	own, err := c.shelf.extents(t.rec.body, within)
	if err != nil {
		return c.failed(err)
	}
	spans := pagesOf(own, within)
	if l.previous != "" {
		if spans, p = diffSnapshot(c, own, l.previous, within, t.rec.size); p != nil {
			return p
		}
	}
	c.answer.etag(t.rec.etag)
	c.answer.number("X-Ms-Blob-Content-Length", t.rec.size)
	return answerPages(c, spans, l)
}

// pageListing holds the parameters of Get Page Ranges besides the range.
type pageListing struct {
	previous string // the snapshot to compare with; empty: none
	after    int64  // where this page of the list begins
	size     int
}

func parsePageListing(q azure.Query) (pageListing, *azure.Problem) {
	l := pageListing{size: 10_000}
	if v, ok := q.Lookup("prevsnapshot"); ok {
		t, valid := parseSnapshot(v)
		if !valid {
			return l, azure.InvalidQuery("prevsnapshot", v, "Invalid snapshot.")
		}
		l.previous = t.snapshot()
	}
	if v, ok := q.Lookup("maxresults"); ok {
		n, valid := digits(v)
		if !valid || n < 1 {
			return l, azure.QueryOutOfRange("maxresults", v, 1, 10_000)
		}
		l.size = int(min(n, 10_000))
	}
	from, p := decodeMarker(q.Get("marker"), 1)
	if p != nil {
		return l, p
	}
	if from != nil {
		n, ok := digits(from[0])
		if !ok {
			return l, outOfRange("")
		}
		l.after = n
	}
	return l, nil
}

// diffSnapshot compares with an earlier snapshot. Problems: PreviousSnapshotNotFound,
// PreviousSnapshotCannotBeNewer.
func diffSnapshot(c *call, own []extent, previous string, within span, size int64) ([]pageSpan, *azure.Problem) {
	if version, _ := c.version(); version != baseMark && previous > version {
		return nil, azure.NewProblem(400, "PreviousSnapshotCannotBeNewer",
			"The prevsnapshot query parameter value cannot be newer than snapshot query parameter value.")
	}
	earlier := target{key: c.shelf.space.Key(nil, blobRows, c.id, c.blob, previous)}
	if p := c.load(&earlier, previous); p != nil {
		return nil, p
	}
	defer c.done(&earlier)
	if !earlier.exists {
		return nil, azure.NewProblem(409, "PreviousSnapshotNotFound", "The previous snapshot is not found.")
	}
	theirs, err := c.shelf.extents(earlier.rec.body, span{within.start, min(within.end, size)})
	if err != nil {
		return nil, c.failed(err)
	}
	return diffPages(theirs, own, within), nil
}

// pagesOf lists the runs of pages that extents cover.
func pagesOf(extents []extent, within span) []pageSpan {
	var spans []pageSpan
	for _, x := range extents {
		spans = addPages(spans, pageSpan{span{max(x.start, within.start), min(x.end, within.end)}, false})
	}
	return spans
}

// addPages appends a run, joined to the last one if they touch.
func addPages(spans []pageSpan, s pageSpan) []pageSpan {
	if s.start >= s.end {
		return spans
	}
	if n := len(spans); n > 0 && spans[n-1].end == s.start && spans[n-1].cleared == s.cleared {
		spans[n-1].end = s.end
		return spans
	}
	return append(spans, s)
}

// diffPages lists the runs of pages whose content differs from before, or that were cleared. Pages are equal when they
// are the same bytes of the same chunk: a write creates new chunks, even for equal content.
func diffPages(before, now []extent, within span) []pageSpan {
	var spans []pageSpan
	at := within.start
	for at < within.end {
		for len(before) > 0 && before[0].end <= at {
			before = before[1:]
		}
		for len(now) > 0 && now[0].end <= at {
			now = now[1:]
		}
		end := within.end
		old, end := coverAt(before, at, end)
		own, end := coverAt(now, at, end)
		switch {
		case own == nil && old != nil:
			spans = addPages(spans, pageSpan{span{at, end}, true})
		case own != nil && (old == nil || old.chunk != own.chunk || old.offset-old.start != own.offset-own.start):
			spans = addPages(spans, pageSpan{span{at, end}, false})
		}
		at = end
	}
	return spans
}

// coverAt returns the extent that covers a position, or nil, and the position up to which that holds.
func coverAt(extents []extent, at, end int64) (*extent, int64) {
	if len(extents) == 0 {
		return nil, end
	}
	if extents[0].start > at {
		return nil, min(end, extents[0].start)
	}
	return &extents[0], min(end, extents[0].end)
}

func answerPages(c *call, spans []pageSpan, l pageListing) *azure.Problem {
	x := newXML()
	x.open("PageList")
	written, next := 0, ""
	for _, s := range spans {
		if s.end <= l.after {
			continue
		}
		if written == l.size {
			next = encodeMarker(strconv.FormatInt(s.start, 10))
			break
		}
		written++
		name := "PageRange"
		if s.cleared {
			name = "ClearRange"
		}
		x.open(name)
		x.number("Start", max(s.start, l.after))
		x.number("End", s.end-1)
		x.close(name)
	}
	x.optional("NextMarker", next)
	x.close("PageList")
	return c.answer.xml(x)
}
