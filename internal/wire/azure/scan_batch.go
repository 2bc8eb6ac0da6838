package azure

import (
	"bytes"
	"io"
	"mime"
	"net/http"
	"strings"
)

const (
	// maxBatchLine is the longest header line that is read whole: an address with two keys of 512 characters, each of
	// three bytes written as %XX.
	maxBatchLine = 16 << 10
	// maxBatchHeaders limits the headers kept of one operation.
	maxBatchHeaders = 64
	// maxBoundary is the longest boundary in RFC 2046 with its four dashes, and room for white space.
	maxBoundary = 128
)

// batchPart is the head of one operation in a batch, or of that operation's answer.
type batchPart struct {
	first  string      // request line or status line; empty if it was too long
	header http.Header // headers of the part, such as Content-ID, and of the operation
}

// batchScanner is a Writer that observes a multipart/mixed body of application/http parts, with nested change sets, as
// in "Performing entity group transactions" and "Blob Batch". It reads line by line, holds at most one line, and passes
// on the bodies of the parts.
type batchScanner struct {
	// begin is called with each part's head and returns the sink for its body, or nil.
	begin func(batchPart) io.Writer

	boundaries []string // the batch's, then the change set's
	state      batchState
	part       batchPart
	line       []byte
	overlong   bool
	passing    bool // the line belongs to a body and has been passed on so far
	body       io.Writer
}

type batchState int

const (
	batchBetween batchState = iota // before the first delimiter, and after the last
	batchMIME                      // in the headers of a part
	batchFirst                     // before the request line or status line
	batchHead                      // in the headers of the operation
	batchBody
)

// newBatchScanner reads the boundary from a Content-Type. It returns nil if the header has no boundary.
func newBatchScanner(contentType string, begin func(batchPart) io.Writer) *batchScanner {
	boundary := boundaryOf(contentType)
	if boundary == "" {
		return nil
	}
	return &batchScanner{begin: begin, boundaries: []string{boundary}}
}

func boundaryOf(contentType string) string {
	media, params, err := mime.ParseMediaType(contentType)
	if err != nil || !strings.HasPrefix(media, "multipart/") {
		return ""
	}
	return params["boundary"]
}

func (s *batchScanner) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			s.piece(p, false)
			break
		}
		s.piece(p[:i+1], true)
		p = p[i+1:]
	}
	return n, nil
}

// piece takes the next bytes of the current line.
func (s *batchScanner) piece(p []byte, ended bool) {
	if s.passing {
		s.pass(p)
		s.passing = !ended
		return
	}
	limit := maxBatchLine
	if s.state == batchBody {
		limit = maxBoundary
	}
	if len(s.line)+len(p) > limit {
		s.overlong = true
		if s.state != batchBody {
			p = p[:limit-len(s.line)]
		}
	}
	s.line = append(s.line, p...)
	if s.state == batchBody && (s.overlong || !bytes.HasPrefix(s.line, []byte("--")) && (ended || len(s.line) > 1)) {
		s.pass(s.line) // it cannot be a delimiter
		s.line, s.overlong, s.passing = s.line[:0], false, !ended
		return
	}
	if ended {
		s.endLine(strings.TrimRight(string(s.line), " \t\r\n"))
		s.line, s.overlong = s.line[:0], false
	}
}

func (s *batchScanner) pass(p []byte) {
	if s.body != nil {
		_, _ = s.body.Write(p) // scanners never fail
	}
}

func (s *batchScanner) endLine(line string) {
	if s.delimiter(line) {
		return
	}
	switch s.state {
	case batchMIME:
		if line != "" {
			s.keepHeader(line)
		} else if inner := boundaryOf(s.part.header.Get("Content-Type")); inner != "" && len(s.boundaries) == 1 {
			s.boundaries = append(s.boundaries, inner)
			s.state = batchBetween
		} else {
			s.state = batchFirst
		}
	case batchFirst:
		if line == "" {
			return
		}
		if !s.overlong {
			s.part.first = line
		}
		s.state = batchHead
	case batchHead:
		if line != "" {
			s.keepHeader(line)
		} else {
			s.endHead()
		}
	case batchBody:
		s.pass(s.line)
	}
}

func (s *batchScanner) keepHeader(line string) {
	name, value, ok := strings.Cut(line, ":")
	if ok && !s.overlong && len(s.part.header) < maxBatchHeaders {
		s.part.header.Set(strings.TrimSpace(name), strings.TrimSpace(value))
	}
}

func (s *batchScanner) endHead() {
	s.body = s.begin(s.part)
	s.state = batchBody
}

// delimiter acts on a line that separates or ends parts, of this level or of the one around it.
func (s *batchScanner) delimiter(line string) bool {
	rest, ok := strings.CutPrefix(line, "--")
	if !ok {
		return false
	}
	for i := len(s.boundaries) - 1; i >= 0; i-- {
		end, ok := strings.CutPrefix(rest, s.boundaries[i])
		if !ok || end != "" && end != "--" {
			continue
		}
		if s.state == batchHead {
			s.endHead() // an operation without the blank line after its headers
		}
		s.boundaries = s.boundaries[:i+1]
		s.body, s.part = nil, batchPart{header: http.Header{}}
		s.state = batchMIME
		if end == "--" {
			s.state = batchBetween
			if i > 0 {
				s.boundaries = s.boundaries[:i]
			}
		}
		return true
	}
	return false
}
