package mapping

import (
	"bytes"
	"encoding/json"
)

// node is a JSON value as it was written: scalars and names keep their text, members their order, and a name that
// appears twice is kept twice.
type node struct {
	kind    byte   // '{', '[' or 0 for a scalar
	text    []byte // of a scalar
	members []member
	items   []*node
}

// member is a member of an object. raw is its name as it was written, with quotes; nil for one that was made here.
type member struct {
	name  string
	raw   []byte
	value *node
}

// parse reads one JSON value; ok is false for anything else.
func parse(text []byte) (n *node, ok bool) {
	if !json.Valid(text) {
		return nil, false
	}
	p := parser{text}
	return p.value(), true
}

// parser reads valid JSON.
type parser struct{ rest []byte }

func (p *parser) skip() { p.rest = bytes.TrimLeft(p.rest, " \t\r\n") }

// next takes a character if it is the next one.
func (p *parser) next(c byte) bool {
	p.skip()
	if p.rest[0] != c {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

func (p *parser) value() *node {
	switch {
	case p.next('{'):
		n := &node{kind: '{'}
		for !p.next('}') {
			p.next(',')
			p.skip()
			raw := p.scalar()
			var name string
			_ = json.Unmarshal(raw, &name) // it is valid
			p.next(':')
			n.members = append(n.members, member{name, raw, p.value()})
		}
		return n
	case p.next('['):
		n := &node{kind: '['}
		for !p.next(']') {
			p.next(',')
			n.items = append(n.items, p.value())
		}
		return n
	}
	return &node{text: p.scalar()}
}

// scalar takes a text, a number or a word.
func (p *parser) scalar() []byte {
	end := 0
	if p.rest[0] == '"' {
		for end = 1; p.rest[end] != '"'; end++ {
			if p.rest[end] == '\\' {
				end++
			}
		}
		end++
	} else if end = bytes.IndexAny(p.rest, ",]} \t\r\n"); end < 0 {
		end = len(p.rest)
	}
	taken := p.rest[:end]
	p.rest = p.rest[end:]
	return taken
}

// bytes returns the value as JSON.
func (n *node) bytes() []byte {
	var b bytes.Buffer
	n.write(&b)
	return b.Bytes()
}

func (n *node) write(b *bytes.Buffer) {
	switch n.kind {
	case '{':
		b.WriteByte('{')
		for i, m := range n.members {
			if i > 0 {
				b.WriteByte(',')
			}
			if m.raw == nil {
				m.raw = quoted(m.name)
			}
			b.Write(m.raw)
			b.WriteByte(':')
			m.value.write(b)
		}
		b.WriteByte('}')
	case '[':
		b.WriteByte('[')
		for i, item := range n.items {
			if i > 0 {
				b.WriteByte(',')
			}
			item.write(b)
		}
		b.WriteByte(']')
	default:
		b.Write(n.text)
	}
}

// quoted returns a text as JSON.
func quoted(text string) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // a text can always be written
	return bytes.TrimRight(b.Bytes(), "\n")
}

// scalarText returns a text without its quotes, or a number as it was written; ok is false for anything else.
func (n *node) scalarText() (text string, ok bool) {
	if n.kind != 0 || len(n.text) == 0 {
		return "", false
	}
	if c := n.text[0]; c == '-' || '0' <= c && c <= '9' {
		return string(n.text), true
	}
	return text, n.text[0] == '"' && json.Unmarshal(n.text, &text) == nil
}

// scalar returns a text, a json.Number or a bool; ok is false for anything else.
func (n *node) scalar() (value any, ok bool) {
	switch text, is := n.scalarText(); {
	case is && n.text[0] == '"':
		return text, true
	case is:
		return json.Number(text), true
	case n.kind == 0 && (string(n.text) == "true" || string(n.text) == "false"):
		return string(n.text) == "true", true
	}
	return nil, false
}

// index returns where the last member of a name stands; -1 if there is none.
func (n *node) index(name string) int {
	for i := len(n.members) - 1; i >= 0; i-- {
		if n.members[i].name == name {
			return i
		}
	}
	return -1
}
