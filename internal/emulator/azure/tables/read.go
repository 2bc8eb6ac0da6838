package tables

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// jsonKind is the JSON type of a property's value in the request.
type jsonKind byte

const (
	jsonAbsent jsonKind = iota // only its annotation has been read
	jsonNull
	jsonString
	jsonNumber
	jsonTrue
	jsonFalse
)

// written is a property as sent in a request.
type written struct {
	name []byte
	kind jsonKind
	text []byte // of a string, without escapes; of a number, as sent
	typ  edmType
}

// reader parses entities in requests. It is reused for the next one, with its memory.
type reader struct {
	src   []byte
	pos   int
	props []written
	arena []byte // strings that had escapes
}

const (
	typeSuffix  = "@odata.type"
	odataPrefix = "odata."

	// maxMembers bounds the work on a request that will be rejected: 252 properties and three system properties, each
	// possibly with an annotation first.
	maxMembers = 2 * (maxProperties + 3)
)

// parse parses a JSON object of scalars. Type annotations may come before or after their property: Go and Python sort
// them behind it. Problems: InvalidInput, DuplicatePropertiesSpecified, TooManyProperties.
// https://learn.microsoft.com/rest/api/storageservices/payload-format-for-table-service-operations
func (r *reader) parse(body []byte) *azure.Problem {
	r.src, r.pos, r.props, r.arena = bytes.TrimPrefix(body, []byte("\ufeff")), 0, r.props[:0], r.arena[:0]
	if !utf8.Valid(body) || !r.take('{') {
		return invalidInput()
	}
	for closed := r.take('}'); !closed; {
		if p := r.member(); p != nil {
			return p
		}
		if closed = r.take('}'); !closed && !r.take(',') {
			return invalidInput()
		}
	}
	if r.space(); r.pos != len(r.src) {
		return invalidInput()
	}
	return nil
}

func (r *reader) space() {
	for r.pos < len(r.src) {
		switch r.src[r.pos] {
		case ' ', '\t', '\r', '\n':
			r.pos++
		default:
			return
		}
	}
}

// take skips a character, if it is next.
func (r *reader) take(c byte) bool {
	r.space()
	if r.pos < len(r.src) && r.src[r.pos] == c {
		r.pos++
		return true
	}
	return false
}

func (r *reader) member() *azure.Problem {
	r.space()
	name, ok := r.string()
	if !ok || !r.take(':') {
		return invalidInput()
	}
	kind, text, ok := r.scalar()
	if !ok {
		return invalidInput()
	}
	if at := bytes.IndexByte(name, '@'); at >= 0 {
		if string(name[at:]) != typeSuffix {
			return nil // an annotation that the service ignores
		}
		typ, known := edmTypeOf(text)
		if kind != jsonString || !known {
			return invalidInput()
		}
		p, problem := r.property(name[:at])
		if problem == nil {
			p.typ = typ
		}
		return problem
	}
	if bytes.HasPrefix(name, []byte(odataPrefix)) {
		return nil
	}
	p, problem := r.property(name)
	if problem != nil {
		return problem
	}
	if p.kind != jsonAbsent {
		return duplicateProperty()
	}
	p.kind, p.text = kind, text
	return nil
}

// property returns a property that was read before, or adds one.
func (r *reader) property(name []byte) (*written, *azure.Problem) {
	for i := len(r.props) - 1; i >= 0; i-- { // an annotation is next to its property
		if bytes.Equal(r.props[i].name, name) {
			return &r.props[i], nil
		}
	}
	if len(r.props) >= maxMembers {
		return nil, tooManyProperties()
	}
	r.props = append(r.props, written{name: name})
	return &r.props[len(r.props)-1], nil
}

func (r *reader) scalar() (jsonKind, []byte, bool) {
	r.space()
	if r.pos == len(r.src) {
		return 0, nil, false
	}
	switch c := r.src[r.pos]; {
	case c == '"':
		text, ok := r.string()
		return jsonString, text, ok
	case c == '-' || c >= '0' && c <= '9':
		text, ok := r.number()
		return jsonNumber, text, ok
	}
	for _, word := range [...]struct {
		text string
		kind jsonKind
	}{{"null", jsonNull}, {"true", jsonTrue}, {"false", jsonFalse}} {
		if bytes.HasPrefix(r.src[r.pos:], []byte(word.text)) {
			r.pos += len(word.text)
			return word.kind, nil, true
		}
	}
	return 0, nil, false // an object, an array, or invalid JSON
}

// number parses a JSON number.
func (r *reader) number() ([]byte, bool) {
	start := r.pos
	if r.src[r.pos] == '-' {
		r.pos++
	}
	zero := r.pos < len(r.src) && r.src[r.pos] == '0'
	if n := r.digits(); n == 0 || zero && n > 1 {
		return nil, false
	}
	if r.pos < len(r.src) && r.src[r.pos] == '.' {
		r.pos++
		if r.digits() == 0 {
			return nil, false
		}
	}
	if r.pos < len(r.src) && r.src[r.pos]|0x20 == 'e' {
		r.pos++
		if r.pos < len(r.src) && (r.src[r.pos] == '+' || r.src[r.pos] == '-') {
			r.pos++
		}
		if r.digits() == 0 {
			return nil, false
		}
	}
	return r.src[start:r.pos], true
}

func (r *reader) digits() (n int) {
	for r.pos < len(r.src) && r.src[r.pos] >= '0' && r.src[r.pos] <= '9' {
		r.pos++
		n++
	}
	return n
}

// string parses a string; without escapes the result is a slice of the request.
func (r *reader) string() ([]byte, bool) {
	if r.pos == len(r.src) || r.src[r.pos] != '"' {
		return nil, false
	}
	r.pos++
	for i := r.pos; i < len(r.src); i++ {
		switch c := r.src[i]; {
		case c == '"':
			text := r.src[r.pos:i]
			r.pos = i + 1
			return text, true
		case c == '\\':
			return r.escaped(i)
		case c < 0x20:
			return nil, false
		}
	}
	return nil, false
}

// escaped decodes the rest of a string whose first escape is at i into the arena. Earlier strings in the arena stay
// valid when it grows: it is only appended to.
func (r *reader) escaped(i int) ([]byte, bool) {
	start := len(r.arena)
	r.arena = append(r.arena, r.src[r.pos:i]...)
	for i < len(r.src) {
		c := r.src[i]
		i++
		switch {
		case c == '"':
			r.pos = i
			return r.arena[start:len(r.arena):len(r.arena)], true
		case c < 0x20 || c == '\\' && i == len(r.src):
			return nil, false
		case c != '\\':
			r.arena = append(r.arena, c)
			continue
		}
		c = r.src[i]
		i++
		if c == 'u' {
			var ok bool
			if i, ok = r.unicode(i); !ok {
				return nil, false
			}
			continue
		}
		at := strings.IndexByte(`"\/bfnrt`, c)
		if at < 0 {
			return nil, false
		}
		r.arena = append(r.arena, "\"\\/\b\f\n\r\t"[at])
	}
	return nil, false
}

// unicode parses what follows \u at i, and the second half of a surrogate pair. A half on its own becomes U+FFFD.
func (r *reader) unicode(i int) (next int, ok bool) {
	c, ok := hex4(r.src, i)
	if !ok {
		return i, false
	}
	i += 4
	if utf16.IsSurrogate(c) {
		second, ok := hex4(r.src, i+2)
		pair := rune(utf8.RuneError)
		if ok && r.src[i] == '\\' && r.src[i+1] == 'u' {
			pair = utf16.DecodeRune(c, second)
		}
		if c = pair; pair != utf8.RuneError {
			i += 6
		}
	}
	r.arena = utf8.AppendRune(r.arena, c)
	return i, true
}

func hex4(b []byte, i int) (r rune, ok bool) {
	if i+4 > len(b) {
		return 0, false
	}
	n, err := strconv.ParseUint(string(b[i:i+4]), 16, 16)
	return rune(n), err == nil
}
