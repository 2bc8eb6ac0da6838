package blobs

import (
	"strconv"
	"unicode/utf8"
)

// xmlWriter writes an answer's document into memory: a page of a list is bounded, and encoding/xml makes a list several
// times as expensive.
type xmlWriter struct{ b []byte }

// newXML starts a document, with a byte order mark like Azure.
func newXML() *xmlWriter {
	return &xmlWriter{append(make([]byte, 0, 4<<10), "\ufeff<?xml version=\"1.0\" encoding=\"utf-8\"?>"...)}
}

func (x *xmlWriter) open(name string) { x.b = append(append(append(x.b, '<'), name...), '>') }

func (x *xmlWriter) close(name string) { x.b = append(append(append(x.b, "</"...), name...), '>') }

// empty writes an element without content.
func (x *xmlWriter) empty(name string) { x.b = append(append(append(x.b, '<'), name...), " />"...) }

// element writes an element with text.
func (x *xmlWriter) element(name, text string) {
	x.open(name)
	x.text(text)
	x.close(name)
}

func (x *xmlWriter) number(name string, n int64) {
	x.open(name)
	x.b = strconv.AppendInt(x.b, n, 10)
	x.close(name)
}

// optional writes an element unless its text is empty.
func (x *xmlWriter) optional(name, text string) {
	if text != "" {
		x.element(name, text)
	}
}

// text writes character data, escaped. Characters that XML cannot represent become U+FFFD; name writes names that
// contain such characters.
func (x *xmlWriter) text(s string) {
	start := 0
	for i := 0; i < len(s); {
		var escaped string
		width := 1
		switch c := s[i]; {
		case c == '&':
			escaped = "&amp;"
		case c == '<':
			escaped = "&lt;"
		case c == '>':
			escaped = "&gt;"
		case c == '"':
			escaped = "&quot;"
		case c == '\r':
			escaped = "&#xD;"
		case c >= ' ' && c < utf8.RuneSelf || c == '\t' || c == '\n':
			i++
			continue
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			if sayable(r, n) {
				i += n
				continue
			}
			escaped, width = "\ufffd", n
		}
		x.b = append(append(x.b, s[start:i]...), escaped...)
		i += width
		start = i
	}
	x.b = append(x.b, s[start:]...)
}

// sayable reports whether XML allows a decoded character.
func sayable(r rune, width int) bool {
	return r >= ' ' && (r != utf8.RuneError || width > 1) && r != 0xFFFE && r != 0xFFFF ||
		r == '\t' || r == '\n' || r == '\r'
}

// attribute writes an attribute of an element whose start tag is being written by hand.
func (x *xmlWriter) attribute(name, value string) {
	x.b = append(append(append(x.b, ' '), name...), `="`...)
	x.text(value)
	x.b = append(x.b, '"')
}

func (x *xmlWriter) block(id string, size int64) {
	x.open("Block")
	x.element("Name", id)
	x.number("Size", size)
	x.close("Block")
}

// metadata writes metadata, if any; names are identifiers, so they can be elements.
func (x *xmlWriter) metadata(list []pair) {
	if len(list) == 0 {
		x.empty("Metadata")
		return
	}
	x.open("Metadata")
	for _, m := range list {
		x.element(m.name, m.value)
	}
	x.close("Metadata")
}

func (x *xmlWriter) tags(list []pair) {
	x.open("Tags")
	x.open("TagSet")
	for _, t := range list {
		x.open("Tag")
		x.element("Key", t.name)
		x.element("Value", t.value)
		x.close("Tag")
	}
	x.close("TagSet")
	x.close("Tags")
}
