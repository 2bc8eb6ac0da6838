package blobs

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// span is a range of bytes: from start up to but not including end.
type span struct{ start, end int64 }

func (s span) length() int64 { return s.end - s.start }

// openEnd marks a range without an end.
const openEnd = int64(1<<63 - 1)

// parseRange parses "bytes=a-b" or "bytes=a-". Azure ignores ranges of other forms ("bytes=-n", several, other units):
// ok is false, and the whole resource is meant.
// https://learn.microsoft.com/rest/api/storageservices/specifying-the-range-header-for-blob-service-operations
func parseRange(value string) (s span, ok bool) {
	rest, inBytes := strings.CutPrefix(value, "bytes=")
	from, to, cut := strings.Cut(rest, "-")
	start, valid := digits(from)
	if !inBytes || !cut || !valid {
		return span{}, false
	}
	if to == "" {
		return span{start, openEnd}, true
	}
	last, valid := digits(to)
	if !valid || last < start || last == openEnd {
		return span{}, false
	}
	return span{start, last + 1}, true
}

// digits parses a number without a sign.
func digits(s string) (int64, bool) {
	if s == "" || s[0] < '0' || s[0] > '9' {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}

// rangeHeader returns x-ms-range, or else Range.
func rangeHeader(h http.Header) string { return cmp.Or(first(h, "X-Ms-Range"), first(h, "Range")) }

// readRange returns the range requested by a read, within a resource's size; partial is false when it requests
// everything. Problem: InvalidRange when the range starts at or after the end.
func readRange(h http.Header, size int64) (s span, partial bool, p *azure.Problem) {
	s, ok := parseRange(rangeHeader(h))
	if !ok {
		return span{0, size}, false, nil
	}
	if s.start >= size {
		problem := invalidRange()
		problem.Header = http.Header{"Content-Range": {"bytes */" + strconv.FormatInt(size, 10)}}
		return span{}, false, problem
	}
	s.end = min(s.end, size)
	return s, true, nil
}

// pageSize is the size of a page of a page blob.
const pageSize = 512

// pageRange returns the range of a write to a page blob: required and aligned. Problems: MissingRequiredHeader,
// InvalidPageRange, InvalidHeaderValue.
func pageRange(h http.Header) (span, *azure.Problem) {
	value := rangeHeader(h)
	if value == "" {
		return span{}, azure.MissingHeader("x-ms-range")
	}
	s, ok := parseRange(value)
	if !ok {
		return span{}, azure.InvalidHeaderValue("x-ms-range", value)
	}
	if s.end == openEnd || s.start%pageSize != 0 || s.end%pageSize != 0 {
		return span{}, invalidPageRange()
	}
	return s, nil
}

func (s span) contentRange(size int64) string {
	return fmt.Sprintf("bytes %d-%d/%d", s.start, s.end-1, size)
}
