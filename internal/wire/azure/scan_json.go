package azure

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

const (
	// maxJSONText is the longest text that is kept, as written. A key holds at most 1 KiB, and six times that when
	// written as \uXXXX.
	maxJSONText = 8 << 10
	// maxJSONDepth is far more than an entity needs, which is flat. Deeper documents are not read.
	maxJSONDepth = 64
	// maxJSONPath is the maximum depth of a wanted member: odata.error/message/value.
	maxJSONPath = 3
)

// jsonScanner is a Writer that observes one JSON document. It keeps the texts of the wanted members and counts the
// elements of the top-level array "value", in memory that does not grow with the document. It does not validate: input
// that is not JSON yields no texts and is not complete.
type jsonScanner struct {
	want  []string // paths of members, such as "PartitionKey" or "odata.error/code"
	found []string // in the order of want
	count int      // elements of the array "value"

	mode   jsonMode
	broken bool
	closed bool                // the document has ended
	stack  []byte              // open braces and brackets
	arrays int                 // how many of stack are brackets
	path   [maxJSONPath]string // the member being read, by level, while no array is open
	keyDue bool                // the next string is a member's name
	isKey  bool                // the string being read is such a name
	target int                 // index into want of the string being read, or -1
	keep   bool                // the string being read is copied to text
	text   []byte
}

type jsonMode int

const (
	jsonBetween jsonMode = iota
	jsonString
	jsonEscape // after a backslash in a string
	jsonScalar // in a number, true, false or null
)

func newJSONScanner(want ...string) *jsonScanner {
	return &jsonScanner{want: want, found: make([]string, len(want))}
}

// complete reports whether a whole document has passed, so that count can be trusted.
func (s *jsonScanner) complete() bool { return s.closed && !s.broken }

func (s *jsonScanner) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 && !s.broken && !s.closed {
		switch s.mode {
		case jsonString:
			p = s.inString(p)
		case jsonEscape:
			s.keepText(p[:1])
			s.mode = jsonString
			p = p[1:]
		case jsonScalar:
			if strings.IndexByte(",]}{[\" \t\r\n", p[0]) >= 0 {
				s.mode = jsonBetween // p[0] is not part of the scalar
			} else {
				p = p[1:]
			}
		default:
			s.between(p[0])
			p = p[1:]
		}
	}
	return n, nil
}

func (s *jsonScanner) between(c byte) {
	switch c {
	case ' ', '\t', '\r', '\n', ':':
	case ',':
		s.keyDue = s.top() == '{'
	case '{', '[':
		s.value()
		s.open(c)
	case '}', ']':
		s.close(c)
	case '"':
		s.openString()
	default:
		s.value()
		s.mode = jsonScalar
	}
}

func (s *jsonScanner) top() byte {
	if len(s.stack) == 0 {
		return 0
	}
	return s.stack[len(s.stack)-1]
}

// value handles the beginning of a value: an element, if it is in the array "value".
func (s *jsonScanner) value() {
	if len(s.stack) == 2 && s.stack[1] == '[' && s.path[0] == "value" {
		s.count++
	}
}

func (s *jsonScanner) open(c byte) {
	if len(s.stack) == maxJSONDepth {
		s.broken = true
		return
	}
	if c == '[' {
		s.arrays++
	} else {
		s.keyDue = true
		if len(s.stack) < maxJSONPath && s.arrays == 0 {
			s.path[len(s.stack)] = ""
		}
	}
	s.stack = append(s.stack, c)
}

func (s *jsonScanner) close(c byte) {
	if s.top() != c-2 { // in ASCII, each opening character is two below its closing one
		s.broken = true
		return
	}
	if c == ']' {
		s.arrays--
	}
	s.keyDue = false
	s.stack = s.stack[:len(s.stack)-1]
	s.closed = len(s.stack) == 0
}

func (s *jsonScanner) openString() {
	s.mode, s.text, s.target = jsonString, s.text[:0], -1
	s.isKey = s.keyDue && s.top() == '{'
	s.keyDue = false
	named := s.arrays == 0 && len(s.stack) >= 1 && len(s.stack) <= maxJSONPath
	if s.isKey {
		s.keep = named
		return
	}
	s.value()
	if named {
		s.target = s.wanted()
	}
	s.keep = s.target >= 0
}

// wanted returns the index in want of the member being read, or -1.
func (s *jsonScanner) wanted() int {
	path := s.path[0]
	if len(s.stack) > 1 {
		path = strings.Join(s.path[:len(s.stack)], "/")
	}
	return slices.Index(s.want, path)
}

func (s *jsonScanner) inString(p []byte) []byte {
	i := bytes.IndexAny(p, `"\`)
	if i < 0 {
		s.keepText(p)
		return nil
	}
	s.keepText(p[:i])
	if p[i] == '\\' {
		s.keepText(p[i : i+1])
		s.mode = jsonEscape
	} else {
		s.closeString()
	}
	return p[i+1:]
}

func (s *jsonScanner) keepText(p []byte) {
	if !s.keep {
		return
	}
	if len(s.text)+len(p) > maxJSONText {
		s.keep, s.target, s.text = false, -1, s.text[:0] // no wanted name is this long
		return
	}
	s.text = append(s.text, p...)
}

func (s *jsonScanner) closeString() {
	s.mode = jsonBetween
	switch {
	case s.isKey && s.arrays == 0 && len(s.stack) <= maxJSONPath:
		s.path[len(s.stack)-1] = s.decoded()
	case s.target >= 0:
		s.found[s.target] = s.decoded()
	}
}

func (s *jsonScanner) decoded() string {
	if bytes.IndexByte(s.text, '\\') < 0 {
		return string(s.text)
	}
	var text string
	if json.Unmarshal(slices.Concat([]byte{'"'}, s.text, []byte{'"'}), &text) != nil {
		return ""
	}
	return text
}
