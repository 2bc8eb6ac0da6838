package blobs

import (
	"bytes"
	"crypto/md5"
	"encoding/base64"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"strconv"
	"strings"

	"github.com/minio/crc64nvme"

	"github.com/storespec/storespec/internal/emulator/azure"
	"github.com/storespec/storespec/internal/emulator/engine"
)

// maxRangeSum is the maximum length of a range whose digest may be requested.
const maxRangeSum = 4 << 20

// getBlob is Get Blob.
// https://learn.microsoft.com/rest/api/storageservices/get-blob
func getBlob(c *call, t *target) *azure.Problem {
	if t.rec.archived(c.now) {
		return blobArchived()
	}
	if t.rec.body == "" {
		return sendBlob(c, &t.rec, inlineSource(t.rec.inline))
	}
	// The row and its extents must be from the same moment, and stay until they are sent.
	src, p := openSource(c, t)
	if p != nil {
		return p
	}
	defer src.close()
	if t.rec.body == "" { // replaced by a small one in between
		return sendBlob(c, &t.rec, inlineSource(t.rec.inline))
	}
	return sendBlob(c, &t.rec, src.write)
}

// sendBlob answers with the blob or the requested range, using a function that writes a range.
func sendBlob(c *call, rec *record, write func(io.Writer, span) error) *azure.Problem {
	s, partial, p := readRange(c.HTTP.Header, rec.size)
	if p != nil {
		return p
	}
	sums, p := rangeSums(c.HTTP.Header, s, partial)
	if p != nil {
		return p
	}
	isStructured, p := structured(c.HTTP.Header)
	if p != nil {
		return p
	}
	describe(c, rec)
	c.answer.tier(rec, c.now)
	status := http.StatusOK
	if partial {
		status = http.StatusPartialContent
		c.answer.h["Content-Range"] = []string{s.contentRange(rec.size)}
	}
	bodyHeaders(c, rec, s)
	if sums != (digests{}) {
		var b bytes.Buffer
		if err := write(&b, s); err != nil {
			return c.failed(err)
		}
		c.answer.sums(sums, &body{md5: md5.Sum(b.Bytes()), crc: crc64nvme.Checksum(b.Bytes())})
		write = func(w io.Writer, part span) error {
			_, err := w.Write(b.Bytes()[part.start-s.start : part.end-s.start])
			return err
		}
	}
	if isStructured {
		if p := c.answer.structured(s.length()); p != nil {
			return p
		}
		write = wrap(write)
	}
	c.answer.w.WriteHeader(status)
	if err := write(c.answer.w, s); err != nil {
		// The status is already sent: only a broken connection can still indicate that the body is incomplete.
		c.s.log("blob service: send a body: %v", err)
		panic(http.ErrAbortHandler)
	}
	return nil
}

// bodyHeaders writes the headers about the returned range, and those that a signature overrides.
func bodyHeaders(c *call, rec *record, s span) {
	if rec.headers.md5 != "" {
		name := "Content-Md5"
		if c.answer.h["Content-Range"] != nil {
			name = "X-Ms-Blob-Content-Md5"
		}
		c.answer.h[name] = []string{base64.StdEncoding.EncodeToString([]byte(rec.headers.md5))}
	}
	if c.SAS != nil {
		maps.Copy(c.answer.h, c.SAS.Headers)
	}
	c.answer.number("Content-Length", s.length())
}

// rangeSums returns which digest of the range is requested. Problems: InvalidHeaderValue, OutOfRangeInput.
func rangeSums(h http.Header, s span, partial bool) (digests, *azure.Problem) {
	var sums digests
	for _, sum := range [...]struct {
		header string
		wanted *bool
	}{{"X-Ms-Range-Get-Content-Md5", &sums.md5}, {"X-Ms-Range-Get-Content-Crc64", &sums.crc}} {
		text := first(h, sum.header)
		if *sum.wanted = strings.EqualFold(text, "true"); *sum.wanted && !partial {
			return sums, azure.InvalidHeaderValue(strings.ToLower(sum.header), text)
		}
	}
	switch {
	case sums.md5 && sums.crc:
		return sums, azure.InvalidHeaderValue("x-ms-range-get-content-crc64", "true")
	case sums != (digests{}) && s.length() > maxRangeSum:
		return sums, outOfRange("")
	}
	return sums, nil
}

// describe writes the headers that Get Blob and Get Blob Properties share.
func describe(c *call, rec *record) {
	h := c.answer.h
	values := [...]string{rec.etag.quoted(), rec.etag.http(), rec.created.http(), rec.headers.contentType,
		rec.kind.String()}
	for i, name := range [...]string{"Etag", "Last-Modified", "X-Ms-Creation-Time", "Content-Type", "X-Ms-Blob-Type"} {
		if values[i] != "" {
			h[name] = values[i : i+1 : i+1]
		}
	}
	h["Accept-Ranges"] = c.s.bytes
	h["X-Ms-Server-Encrypted"] = c.s.yes
	c.answer.key(rec.key)
	if version, _ := c.version(); version == baseMark { // only the blob shows its lease
		rec.lease.headers(h, c.now)
	}
	c.answer.version(rec.version)
	if rec.version != 0 && c.target.current {
		h["X-Ms-Is-Current-Version"] = c.s.yes
	}
	setMetadata(h, rec.metadata)
	for _, one := range [...]struct{ name, value string }{
		{"Content-Encoding", rec.headers.encoding}, {"Content-Language", rec.headers.language},
		{"Content-Disposition", rec.headers.disposition}, {"Cache-Control", rec.headers.cacheControl},
	} {
		if one.value != "" {
			h[one.name] = []string{one.value}
		}
	}
	if len(rec.tags) > 0 {
		h["X-Ms-Tag-Count"] = []string{strconv.Itoa(len(rec.tags))}
	}
	switch rec.kind {
	case pageBlob:
		h["X-Ms-Blob-Sequence-Number"] = []string{strconv.FormatInt(rec.sequence, 10)}
	case appendBlob:
		h["X-Ms-Blob-Committed-Block-Count"] = []string{strconv.FormatInt(rec.blocks, 10)}
		if rec.sealed {
			h["X-Ms-Blob-Sealed"] = c.s.yes
		}
	}
	rec.copy.headers(h)
}

// headers writes the headers about the copy that created the blob.
func (k *copyState) headers(h http.Header) {
	k.each(func(header, _, value string) { h[header] = []string{value} })
}

// each calls do with each property of a copy, with its names in headers and in lists.
func (k *copyState) each(do func(header, element, value string)) {
	if k.id == "" {
		return
	}
	do("X-Ms-Copy-Id", "CopyId", k.id)
	do("X-Ms-Copy-Source", "CopySource", k.source)
	do("X-Ms-Copy-Status", "CopyStatus", k.status)
	do("X-Ms-Copy-Progress", "CopyProgress", fmt.Sprintf("%d/%d", k.copied, k.total))
	if k.finished != 0 {
		do("X-Ms-Copy-Completion-Time", "CopyCompletionTime", k.finished.http())
	}
	if k.description != "" {
		do("X-Ms-Copy-Status-Description", "CopyStatusDescription", k.description)
	}
}

// inlineSource writes ranges of a body that is stored in its row.
func inlineSource(data []byte) func(io.Writer, span) error {
	return func(w io.Writer, s span) error {
		// A blob of zeros, such as a new page blob, has no data at all.
		if s.start < int64(len(data)) {
			part := data[s.start:min(s.end, int64(len(data)))]
			if _, err := w.Write(part); err != nil {
				return err
			}
			s.start += int64(len(part))
		}
		return writeZeros(w, s.length())
	}
}

// source is a body of extents, kept available until it is closed: rows by an iterator over a snapshot, files by pins.
type source struct {
	c       *call
	extents []extent
	rows    *engine.Iter
}

// openSource reads the row again together with its extents. Problems: BlobNotFound, and those of conditions, when the
// blob was changed in between.
func openSource(c *call, t *target) (*source, *azure.Problem) {
	sh := c.shelf
	sh.mu.Lock()
	defer sh.mu.Unlock()
	c.done(t)
	if p := c.load(t, t.asked); p != nil {
		return nil, p
	}
	if !t.exists {
		return nil, blobNotFound()
	}
	if p := c.mayRead(&t.rec); p != nil { // it may be another version now
		return nil, p
	}
	extents, err := sh.extents(t.rec.body, span{0, openEnd})
	if err != nil {
		return nil, c.failed(err)
	}
	rows, err := sh.engine.Iter(sh.space.Range(chunkRows))
	if err != nil {
		return nil, c.failed(err)
	}
	sh.pin(extents)
	return &source{c, extents, rows}, nil
}

func (s *source) close() {
	s.c.shelf.unpin(s.extents)
	if err := s.rows.Close(); err != nil {
		s.c.s.log("blob service: read a body: %v", err)
	}
}

// write writes a range of the body; bytes outside all extents are zero.
func (s *source) write(w io.Writer, want span) error {
	at := want.start
	for i := range s.extents {
		x := &s.extents[i]
		if x.end <= at {
			continue
		}
		if x.start >= want.end {
			break
		}
		if err := writeZeros(w, x.start-at); err != nil {
			return err
		}
		at = max(at, x.start)
		end := min(x.end, want.end)
		if err := s.writeChunk(w, x.chunk, x.offset+at-x.start, end-at); err != nil {
			return err
		}
		at = end
	}
	return writeZeros(w, want.end-at)
}

func (s *source) writeChunk(w io.Writer, chunk string, offset, length int64) error {
	sh := s.c.shelf
	if isFile(chunk) {
		return s.writeFile(w, chunk, offset, length)
	}
	key := sh.space.Key(nil, chunkRows, chunk)
	if !s.rows.SeekGE(key) || !bytes.Equal(s.rows.Key(), key) {
		return io.ErrUnexpectedEOF
	}
	data, err := s.rows.Value()
	if err != nil {
		return err
	}
	if int64(len(data)) < offset+length {
		return io.ErrUnexpectedEOF
	}
	_, err = w.Write(data[offset : offset+length])
	return err
}

func (s *source) writeFile(w io.Writer, chunk string, offset, length int64) error {
	path, err := s.c.shelf.path(chunk)
	if err != nil {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // only read
	buffer := s.c.s.copies.get()
	defer s.c.s.copies.Put(buffer)
	n, err := io.CopyBuffer(onlyWriter{w}, io.NewSectionReader(f, offset, length), *buffer)
	if err == nil && n < length {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// writeZeros writes n zeros; none for a negative n.
func writeZeros(w io.Writer, n int64) error {
	if n <= 0 {
		return nil
	}
	zeros := make([]byte, min(n, 64<<10))
	for n > 0 {
		part := zeros[:min(n, int64(len(zeros)))]
		if _, err := w.Write(part); err != nil {
			return err
		}
		n -= int64(len(part))
	}
	return nil
}
