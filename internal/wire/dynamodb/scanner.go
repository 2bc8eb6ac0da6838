package dynamodb

import (
	"encoding/json"
	"strconv"
)

const (
	// maxText is the longest name or text that is kept: names in answers have at most 255 characters.
	maxText = 4 << 10
	// maxDepth is far more than an answer has: an attribute may be nested 32 levels deep, each of them two of JSON.
	maxDepth = 256
	// maxSeen is the depth of the deepest value that is asked for.
	maxSeen = 4
)

// scanner is a Writer that observes one JSON object, in memory that does not grow with it. It validates nothing: input
// that is not JSON is not complete.
type scanner struct {
	// sees is called with the path of a value (names, and indexes in lists) as it begins or, if it is a string or
	// another scalar, with its text as it ends. It reports whether the values inside are wanted.
	sees func(path []string, value string) (inside bool)

	stack   []byte // open braces and brackets
	path    []string
	index   []int // of the element, by level
	skipped int   // nothing deeper than this level is wanted; 0: everything is
	keyDue  bool  // the next string is a member's name
	mode    byte  // what is being read: '"' a string, '\\' in it after a backslash, '0' a scalar, 0 neither
	text    []byte
	long    bool
	broken  bool
	closed  bool
}

func newScanner(sees func([]string, string) bool) *scanner {
	return &scanner{sees: sees, path: make([]string, maxSeen+1), index: make([]int, maxDepth+1)}
}

// complete reports whether a whole document has passed.
func (s *scanner) complete() bool { return s.closed && !s.broken }

func (s *scanner) Write(p []byte) (int, error) {
	for _, c := range p {
		if s.broken || s.closed {
			break
		}
		s.next(c)
	}
	return len(p), nil
}

func (s *scanner) next(c byte) {
	switch s.mode {
	case '\\':
		s.keep(c)
		s.mode = '"'
		return
	case '"':
		switch c {
		case '\\':
			s.keep(c)
			s.mode = '\\'
		case '"':
			s.endString()
		default:
			s.keep(c)
		}
		return
	case '0':
		if c != ',' && c != '}' && c != ']' && c > ' ' {
			s.keep(c)
			return
		}
		s.mode = 0
		s.scalar(string(s.text))
	}
	s.between(c)
}

func (s *scanner) between(c byte) {
	switch c {
	case ' ', '\t', '\r', '\n', ':':
	case ',':
		s.index[len(s.stack)]++
		s.keyDue = s.top() == '{'
	case '{', '[':
		s.open(c)
	case '}', ']':
		s.close(c)
	default:
		s.text, s.long, s.mode = s.text[:0], false, '"'
		if c != '"' {
			s.mode = '0'
			s.keep(c)
		}
	}
}

func (s *scanner) top() byte {
	if len(s.stack) == 0 {
		return 0
	}
	return s.stack[len(s.stack)-1]
}

// wanted reports whether what is directly at this level is wanted.
func (s *scanner) wanted() bool {
	return len(s.stack) > 0 && len(s.stack) <= maxSeen && (s.skipped == 0 || len(s.stack) <= s.skipped)
}

// here returns the path of the value that begins, or has just ended.
func (s *scanner) here() []string {
	level := len(s.stack)
	if s.top() == '[' {
		s.path[level-1] = strconv.Itoa(s.index[level])
	}
	return s.path[:level]
}

func (s *scanner) open(c byte) {
	if len(s.stack) == maxDepth || len(s.stack) == 0 && c != '{' {
		s.broken = true
		return
	}
	if s.wanted() && !s.sees(s.here(), "") {
		s.skipped = len(s.stack)
	}
	s.stack = append(s.stack, c)
	s.index[len(s.stack)] = 0
	s.keyDue = c == '{'
}

func (s *scanner) close(c byte) {
	if s.top() != c-2 { // in ASCII, each opening character is two below its closing one
		s.broken = true
		return
	}
	s.stack = s.stack[:len(s.stack)-1]
	s.keyDue = false
	if len(s.stack) <= s.skipped {
		s.skipped = 0
	}
	s.closed = len(s.stack) == 0
}

func (s *scanner) keep(c byte) {
	switch {
	case !s.wanted():
	case len(s.text) == maxText:
		s.long = true
	default:
		s.text = append(s.text, c)
	}
}

func (s *scanner) endString() {
	s.mode = 0
	if !s.wanted() {
		s.keyDue = false
		return
	}
	text := ""
	if json.Unmarshal(append(append([]byte{'"'}, s.text...), '"'), &text) != nil || s.long {
		text = string(s.text)
	}
	if s.keyDue {
		s.keyDue = false
		s.path[len(s.stack)-1] = text
		return
	}
	s.scalar(text)
}

func (s *scanner) scalar(text string) {
	if s.wanted() {
		s.sees(s.here(), text)
	}
}
