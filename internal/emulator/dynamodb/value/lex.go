package value

import (
	"encoding/json"
	"strings"
)

// peek skips white space and returns the next byte, or 0 at the end.
func (r *Reader) peek() byte {
	for r.pos < len(r.text) {
		switch c := r.text[r.pos]; c {
		case ' ', '\t', '\r', '\n':
			r.pos++
		case 0:
			return 1 // no JSON begins with it
		default:
			return c
		}
	}
	return 0
}

// take skips white space and then the byte, if it is next.
func (r *Reader) take(c byte) bool {
	if r.peek() != c {
		return false
	}
	r.pos++
	return true
}

// null skips null, if it is next.
func (r *Reader) null() bool {
	if r.peek() != 'n' || !strings.HasPrefix(r.text[r.pos:], "null") {
		return false
	}
	r.pos += len("null")
	return true
}

func (r *Reader) word(w string) error {
	if !strings.HasPrefix(r.text[r.pos:], w) {
		return malformed
	}
	r.pos += len(w)
	return nil
}

// quoted reads the string that peek has seen the quote of. A string without escapes is a part of the body.
func (r *Reader) quoted() (string, error) {
	start := r.pos + 1
	for i := start; i < len(r.text); i++ {
		switch c := r.text[i]; {
		case c == '"':
			r.pos = i + 1
			return r.text[start:i], nil
		case c == '\\':
			return r.escaped(i)
		case c < ' ':
			return "", malformed
		}
	}
	return "", malformed
}

// escaped reads the rest of a string with an escape at i.
func (r *Reader) escaped(i int) (string, error) {
	start := r.pos
	for ; i < len(r.text); i++ {
		switch c := r.text[i]; {
		case c == '\\':
			i++
		case c == '"':
			r.pos = i + 1
			var s string
			if json.Unmarshal([]byte(r.text[start:r.pos]), &s) != nil {
				return "", malformed
			}
			return s, nil
		case c < ' ':
			return "", malformed
		}
	}
	return "", malformed
}

// number returns the number that is next as it is written.
func (r *Reader) number() (string, error) {
	start := r.pos
	for r.pos < len(r.text) && strings.IndexByte("+-.0123456789eE", r.text[r.pos]) >= 0 {
		r.pos++
	}
	token := r.text[start:r.pos]
	if !json.Valid([]byte(token)) {
		return "", malformed
	}
	return token, nil
}

// Skip reads any value and drops it, however deep it is.
func (r *Reader) Skip() error {
	r.peek()
	start, depth := r.pos, 0
	for {
		switch c := r.peek(); c {
		case '{', '[':
			r.pos++
			depth++
		case '}', ']':
			r.pos++
			depth--
		case '"':
			if _, err := r.quoted(); err != nil {
				return err
			}
		case ',', ':':
			if depth == 0 {
				return malformed
			}
			r.pos++
			continue
		case 't':
			if err := r.word("true"); err != nil {
				return err
			}
		case 'f':
			if err := r.word("false"); err != nil {
				return err
			}
		case 'n':
			if err := r.word("null"); err != nil {
				return err
			}
		default:
			if _, err := r.number(); err != nil {
				return err
			}
		}
		if depth <= 0 {
			break
		}
	}
	if !json.Valid([]byte(r.text[start:r.pos])) {
		return malformed
	}
	return nil
}
