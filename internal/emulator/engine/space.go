package engine

import (
	"bytes"
	"errors"
)

// Space is a range of the keys: those with its prefix. Its keys are tuples of byte strings, encoded so that
//
//   - keys compare as their tuples do, part by part, byte by byte;
//   - the keys that extend a tuple are exactly those of its Range.
//
// Within a part 0x00 is written as 0x00 0xFF, and every part ends with 0x00 0x01.
type Space struct {
	prefix string
	name   string
}

const (
	escape     = 0x00
	escapedNul = 0xFF
	endOfPart  = 0x01
)

// Name returns a name of the space in letters, digits and hyphens, for use as a file name. Another epoch of the same
// account has another name. Files of the data are under Engine.FilesDir in a directory of this name, which is removed
// with the epoch.
func (s Space) Name() string { return s.name }

// Key appends the key of a tuple to dst and returns it.
func (s Space) Key(dst []byte, parts ...string) []byte {
	dst = append(dst, s.prefix...)
	for _, part := range parts {
		dst = AppendPart(dst, part)
	}
	return dst
}

// AppendPart appends another part to a key that Space.Key started.
func AppendPart[T string | []byte](dst []byte, part T) []byte {
	start := 0
	for i := range len(part) {
		if part[i] == escape {
			dst = append(append(dst, part[start:i]...), escape, escapedNul)
			start = i + 1
		}
	}
	return append(append(dst, part[start:]...), escape, endOfPart)
}

// Range returns the bounds, lower inclusive and upper exclusive, of the keys that extend the tuple: the tuple itself
// and every longer one that begins with its parts. Without parts it is the whole space.
func (s Space) Range(parts ...string) (lower, upper []byte) {
	lower = s.Key(nil, parts...)
	return lower, End(nil, lower)
}

// End appends to dst the end of the range that starts with the key of a tuple: the least greater key that does not
// extend it.
func End(dst, key []byte) []byte {
	// The last byte is endOfPart or, for a space, what newSpace put there: never 0xFF.
	dst = append(dst, key...)
	dst[len(dst)-1]++
	return dst
}

// Trim returns what follows the space's prefix in a key, for NextPart, and whether the key belongs to this space.
func (s Space) Trim(key []byte) (rest []byte, ok bool) {
	if len(key) < len(s.prefix) || string(key[:len(s.prefix)]) != s.prefix {
		return nil, false
	}
	return key[len(s.prefix):], true
}

var errKey = errors.New("engine: malformed key")

// NextPart decodes the first part of the remainder that Trim or NextPart returned, appends it to dst, and returns what
// follows. The error says that key was not made by Space.Key.
func NextPart(dst, key []byte) (part, rest []byte, err error) {
	for {
		i := bytes.IndexByte(key, escape)
		if i < 0 || i+1 == len(key) {
			return dst, nil, errKey
		}
		dst = append(dst, key[:i]...)
		mark := key[i+1]
		key = key[i+2:]
		switch mark {
		case endOfPart:
			return dst, key, nil
		case escapedNul:
			dst = append(dst, escape)
		default:
			return dst, nil, errKey
		}
	}
}

// Parts decodes a key of this space. The error says that it is invalid.
func (s Space) Parts(key []byte) ([]string, error) {
	rest, ok := s.Trim(key)
	if !ok {
		return nil, errKey
	}
	var parts []string
	for len(rest) > 0 {
		part, after, err := NextPart(nil, rest)
		if err != nil {
			return nil, err
		}
		parts, rest = append(parts, string(part)), after
	}
	return parts, nil
}
