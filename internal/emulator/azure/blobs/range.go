package blobs

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// span is a range of bytes: from start up to, not including, end.
type span struct{ start, end int64 }

func (s span) length() int64 { return s.end - s.start }

// openEnd marks a range without an end.
const openEnd = int64(1<<63 - 1)

// parseRange reads "bytes=a-b" or "bytes=a-". Ranges of other forms ("bytes=-n", several, other units)
// are not ranges to Azure: ok is false and the whole resource is meant.
// https://learn.microsoft.com/rest/api/storageservices/specifying-the-range-header-for-blob-service-operations
func parseRange(value string) (s span, ok bool) {
	rest, found := strings.CutPrefix(value, "bytes=")
	if !found {
		return span{}, false
	}
	from, to, found := strings.Cut(rest, "-")
	if !found {
		return span{}, false
	}
	start, valid := digits(from)
	if !valid {
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

// digits is a number without a sign.
func digits(s string) (int64, bool) {
	if s == "" || s[0] < '0' || s[0] > '9' {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}

// rangeHeader is x-ms-range, or else Range.
func rangeHeader(h http.Header) string {
	if v := first(h, "X-Ms-Range"); v != "" {
		return v
	}
	return first(h, "Range")
}

// readRange is the range a read asks for within a resource's size; partial is false when it asks for
// all. Problem: InvalidRange when the range starts at or after the end.
func readRange(h http.Header, size int64) (s span, partial bool, p *azure.Problem) {
	value := rangeHeader(h)
	if value == "" {
		return span{0, size}, false, nil
	}
	s, ok := parseRange(value)
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

// pageSize is what page blobs are made of.
const pageSize = 512

// pageRange is the range of a write to a page blob: required and aligned.
// Problems: MissingRequiredHeader, InvalidPageRange, InvalidHeaderValue.
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
	b := make([]byte, 0, 48)
	b = append(b, "bytes "...)
	b = strconv.AppendInt(b, s.start, 10)
	b = append(b, '-')
	b = strconv.AppendInt(b, s.end-1, 10)
	b = append(b, '/')
	return string(strconv.AppendInt(b, size, 10))
}
