package actions

import (
	"bytes"
	"errors"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth is how deeply arrays and objects may be nested, the record itself being the first level.
const maxDepth = 64

// The reasons for rejecting a record, quoting no part of it.
var (
	errSyntax    = errors.New("the text is not one JSON value")
	errUTF8      = errors.New("the text is not UTF-8")
	errSurrogate = errors.New("a text holds half of a surrogate pair")
	errTwice     = errors.New("two fields of one object have one name")
	errDepth     = errors.New("the values are nested too deeply")
	errNumber    = errors.New("a number cannot be represented exactly as a double")
)

// strict parses JSON in one pass, more strictly than RFC 8259 requires: anything that two parsers could interpret
// differently is rejected. out receives the same values, with times normalized (times.go), without white space, and
// with what member drops or replaces.
type strict struct {
	in    []byte
	at    int
	out   []byte
	depth int
	// member sees each field of the outermost object before it is written, spelled "name":value; text is its value if
	// that is a text, otherwise empty. It returns what to write in its place.
	member func(name string, field []byte, text string) []byte
}

// readStrict reads one JSON value and nothing after it.
func readStrict(in []byte, member func(string, []byte, string) []byte) ([]byte, error) {
	s := &strict{in: in, out: make([]byte, 0, len(in)), member: member}
	s.space()
	if _, err := s.value(); err != nil {
		return nil, err
	}
	if s.space(); s.at < len(s.in) {
		return nil, errSyntax
	}
	return s.out, nil
}

func (s *strict) space() {
	for s.at < len(s.in) {
		switch s.in[s.at] {
		case ' ', '\t', '\n', '\r':
			s.at++
		default:
			return
		}
	}
}

// peek returns the next byte; 0 at the end, which no JSON text contains outside a string.
func (s *strict) peek() byte {
	if s.at < len(s.in) {
		return s.in[s.at]
	}
	return 0
}

// take consumes and copies a byte, if it is next.
func (s *strict) take(c byte) bool {
	if s.peek() != c {
		return false
	}
	s.at++
	s.out = append(s.out, c)
	return true
}

// value reads any value. text is the content of a string.
func (s *strict) value() (text string, err error) {
	switch c := s.peek(); {
	case c == '{':
		return "", s.nested(s.object)
	case c == '[':
		return "", s.nested(s.array)
	case c == '"':
		from := len(s.out)
		if text, err = s.text(); err != nil {
			return "", err
		}
		if instant, ok := inUTC(text); ok {
			s.out = append(append(append(s.out[:from], '"'), instant...), '"')
		}
		return text, nil
	case c == '-' || '0' <= c && c <= '9':
		return "", s.number()
	}
	for _, literal := range []string{"true", "false", "null"} {
		if bytes.HasPrefix(s.in[s.at:], []byte(literal)) {
			s.at += len(literal)
			s.out = append(s.out, literal...)
			return "", nil
		}
	}
	return "", errSyntax
}

func (s *strict) nested(read func() error) error {
	if s.depth++; s.depth > maxDepth {
		return errDepth
	}
	err := read()
	s.depth--
	return err
}

func (s *strict) array() error {
	s.take('[')
	if s.space(); s.take(']') {
		return nil
	}
	for {
		s.space()
		if _, err := s.value(); err != nil {
			return err
		}
		if s.space(); s.take(']') {
			return nil
		}
		if !s.take(',') {
			return errSyntax
		}
	}
}

func (s *strict) object() error {
	s.take('{')
	if s.space(); s.take('}') {
		return nil
	}
	names := map[string]struct{}{}
	first := true // no field of this object has been written yet
	for {
		from := len(s.out)
		if !first {
			s.out = append(s.out, ',')
		}
		begins := len(s.out)
		if err := s.field(names, begins); err != nil {
			return err
		}
		if first = first && len(s.out) == begins; len(s.out) == begins {
			s.out = s.out[:from]
		}
		s.space()
		switch s.peek() {
		case '}':
			s.take('}')
			return nil
		case ',':
			s.at++
		default:
			return errSyntax
		}
	}
}

// field reads a name and its value and writes them starting at begins.
func (s *strict) field(names map[string]struct{}, begins int) error {
	if s.space(); s.peek() != '"' {
		return errSyntax
	}
	name, err := s.text()
	if err != nil {
		return err
	}
	if _, twice := names[name]; twice {
		return errTwice
	}
	names[name] = struct{}{}
	if s.space(); !s.take(':') {
		return errSyntax
	}
	s.space()
	text, err := s.value()
	if err != nil || s.depth > 1 {
		return err
	}
	s.out = append(s.out[:begins], s.member(name, s.out[begins:], text)...)
	return nil
}

// text reads a string, copies it as spelled, and returns its content.
func (s *strict) text() (string, error) {
	from := s.at
	s.at++
	var said []byte // nil until there is an escape; from then on the decoded content
	for {
		if s.at >= len(s.in) || s.in[s.at] < 0x20 {
			return "", errSyntax
		}
		switch s.in[s.at] {
		case '"':
			spelled := s.in[from+1 : s.at]
			s.at++
			s.out = append(s.out, s.in[from:s.at]...)
			if said == nil {
				said = spelled
			}
			return string(said), nil
		case '\\':
			if said == nil {
				said = append([]byte{}, s.in[from+1:s.at]...)
			}
			r, err := s.escape()
			if err != nil {
				return "", err
			}
			said = utf8.AppendRune(said, r)
		default:
			r, size := utf8.DecodeRune(s.in[s.at:])
			if r == utf8.RuneError && size == 1 {
				return "", errUTF8
			}
			if said != nil {
				said = append(said, s.in[s.at:s.at+size]...)
			}
			s.at += size
		}
	}
}

// escape reads an escape sequence after its backslash.
func (s *strict) escape() (rune, error) {
	s.at++
	c := s.peek()
	s.at++
	switch c {
	case '"', '\\', '/':
		return rune(c), nil
	case 'b':
		return '\b', nil
	case 'f':
		return '\f', nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	case 'u':
		high, err := s.unit()
		if !utf16.IsSurrogate(high) {
			return high, err
		}
		if !bytes.HasPrefix(s.in[s.at:], []byte(`\u`)) {
			return 0, errSurrogate
		}
		s.at += len(`\u`)
		low, err := s.unit()
		if err != nil {
			return 0, err
		}
		if r := utf16.DecodeRune(high, low); r != utf8.RuneError {
			return r, nil
		}
		return 0, errSurrogate
	}
	return 0, errSyntax
}

// unit reads four hex digits. At the end of the input there may be fewer, of a text that has no end then.
func (s *strict) unit() (rune, error) {
	digits := s.in[s.at:min(s.at+4, len(s.in))]
	unit, err := strconv.ParseUint(string(digits), 16, 16)
	if err != nil {
		return 0, errSyntax
	}
	s.at += len(digits)
	return rune(unit), nil
}
