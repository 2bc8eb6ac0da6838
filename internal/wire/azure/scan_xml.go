package azure

import (
	"bytes"
	"strings"
)

// maxXMLName is longer than any element name that is counted.
const maxXMLName = 64

// xmlCounter is a Writer that observes one XML document and counts the elements with a name at a depth (the root has
// depth 1), in constant memory. Depth matters: a blob's metadata may have any name, including Blob. It does not
// validate.
type xmlCounter struct {
	name  string
	level int
	count int

	mode    xmlMode
	depth   int
	seen    bool // an element was opened
	tag     []byte
	closing bool // the tag began with a slash
	slash   bool // the tag's last character was a slash
	quote   byte // the closing quote, while in an attribute's value
	until   string
	tail    []byte // the last characters, as many as until has
}

type xmlMode int

const (
	xmlText    xmlMode = iota
	xmlOpen            // after <
	xmlName            // in the name of a tag
	xmlRest            // after the name
	xmlDeclare         // after <!, before its kind is known
	xmlSkip            // in a comment, section, declaration or instruction, until its end
)

// complete reports whether the root element was closed, so that count can be trusted.
func (s *xmlCounter) complete() bool { return s.seen && s.depth == 0 && s.mode == xmlText }

func (s *xmlCounter) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		if s.mode == xmlText {
			i := bytes.IndexByte(p, '<')
			if i < 0 {
				break
			}
			s.mode, s.tag, s.closing, s.slash, s.quote = xmlOpen, s.tag[:0], false, false, 0
			p = p[i+1:]
			continue
		}
		s.step(p[0])
		p = p[1:]
	}
	return n, nil
}

func (s *xmlCounter) step(c byte) {
	switch s.mode {
	case xmlOpen:
		switch c {
		case '/':
			s.closing, s.mode = true, xmlName
		case '?':
			s.skip("?>")
		case '!':
			s.mode = xmlDeclare
		default:
			s.mode = xmlName
			s.step(c)
		}
	case xmlName:
		if strings.IndexByte(" \t\r\n/>", c) >= 0 {
			s.mode = xmlRest
			s.step(c)
		} else if len(s.tag) < maxXMLName {
			s.tag = append(s.tag, c)
		}
	case xmlRest:
		s.rest(c)
	case xmlDeclare:
		s.declare(c)
	case xmlSkip:
		if len(s.tail) == len(s.until) {
			s.tail = append(s.tail[:0], s.tail[1:]...)
		}
		s.tail = append(s.tail, c)
		if string(s.tail) == s.until {
			s.mode = xmlText
		}
	}
}

func (s *xmlCounter) rest(c byte) {
	switch {
	case s.quote != 0:
		if c == s.quote {
			s.quote = 0
		}
	case c == '"' || c == '\'':
		s.quote = c
	case c == '>':
		s.mode = xmlText
		s.element()
		return
	}
	s.slash = c == '/' // in an attribute value, a quote follows before the end
}

// element counts a tag that has been closed.
func (s *xmlCounter) element() {
	if s.closing {
		s.depth--
		return
	}
	s.seen = true
	s.depth++
	if s.depth == s.level && string(s.tag) == s.name {
		s.count++
	}
	if s.slash {
		s.depth--
	}
}

// declare determines what begins with <!: a comment, a CDATA section, or a declaration.
func (s *xmlCounter) declare(c byte) {
	const section = "[CDATA["
	s.tag = append(s.tag, c)
	switch text := string(s.tag); {
	case text == "--":
		s.skip("-->")
	case text == section:
		s.skip("]]>")
	case text == "-" || strings.HasPrefix(section, text):
	case c == '>':
		s.mode = xmlText
	default:
		s.skip(">")
	}
}

func (s *xmlCounter) skip(until string) {
	s.mode, s.until, s.tail = xmlSkip, until, s.tail[:0]
}
