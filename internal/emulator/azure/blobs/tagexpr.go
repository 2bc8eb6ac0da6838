package blobs

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/emulator/odata"
)

// tagExpression is a condition on tags: a clause, or several expressions of which all or any must hold. Nil means that
// none was given. https://learn.microsoft.com/azure/storage/blobs/storage-manage-find-blobs
type tagExpression struct {
	clause  tagClause // without parts
	parts   []*tagExpression
	any     bool // one of the parts is enough
	grouped bool // it was in parentheses
}

// tagClause compares one tag with a value, both as strings.
type tagClause struct {
	name, operator, value string
}

// tagSearch is a search over tags: clauses that must all hold.
type tagSearch []tagClause

// containerTag is the name that stands for the container in a search.
const containerTag = "@container"

// maxDepth bounds the parentheses within each other.
const maxDepth = 100

var errTagExpression = errors.New("tag expression")

// parseTagExpression parses clauses of a name, an operator (= > >= < <= <>) and a value in single quotes, joined by AND
// and OR; AND binds tighter, and parentheses group. Names are plain or in double quotes.
func parseTagExpression(s string) (*tagExpression, error) {
	l := tagLexer{rest: s}
	e, err := l.alternatives(0)
	if err == nil && !l.done() {
		err = fmt.Errorf("%w: AND or OR expected", errTagExpression)
	}
	return e, err
}

// alternatives parses expressions joined by OR.
func (l *tagLexer) alternatives(depth int) (*tagExpression, error) {
	return l.joined("OR", func() (*tagExpression, error) {
		return l.joined("AND", func() (*tagExpression, error) { return l.operand(depth) })
	})
}

// joined parses one or more operands, with a word between them.
func (l *tagLexer) joined(word string, operand func() (*tagExpression, error)) (*tagExpression, error) {
	e := &tagExpression{any: word == "OR"}
	for {
		part, err := operand()
		if err != nil {
			return nil, err
		}
		e.parts = append(e.parts, part)
		if !l.cutWord(word) {
			break
		}
	}
	if len(e.parts) == 1 {
		return e.parts[0], nil
	}
	return e, nil
}

// operand parses a clause, or an expression in parentheses.
func (l *tagLexer) operand(depth int) (*tagExpression, error) {
	if !l.cut("(") {
		clause, err := l.clause()
		return &tagExpression{clause: clause}, err
	}
	if depth == maxDepth {
		return nil, fmt.Errorf("%w: more than %d parentheses", errTagExpression, maxDepth)
	}
	e, err := l.alternatives(depth + 1)
	if err != nil {
		return nil, err
	}
	if !l.cut(")") {
		return nil, fmt.Errorf("%w: a closing parenthesis expected", errTagExpression)
	}
	e.grouped = true
	return e, nil
}

// holds reports whether sorted tags satisfy the expression. A missing tag satisfies nothing, except <>.
func (e *tagExpression) holds(tags []pair) bool {
	if len(e.parts) == 0 {
		return e.clause.holds(tags)
	}
	return slices.ContainsFunc(e.parts, func(part *tagExpression) bool { return part.holds(tags) == e.any }) == e.any
}

func (c tagClause) holds(tags []pair) bool {
	value, found := find(tags, c.name)
	if !found {
		return c.operator == "<>"
	}
	order := "<=>"[strings.Compare(value, c.value)+1]
	return strings.IndexByte(c.operator, order) >= 0 // an operator is spelled with the orders it accepts
}

// search returns the expression as a search; ok is false if a search may not use it: it has only AND, no parentheses
// and no <>, only = for the container, and at most one bound on each side of a tag.
func (e *tagExpression) search() (search tagSearch, ok bool) {
	parts := e.parts
	if len(parts) == 0 {
		parts = []*tagExpression{e}
	}
	bounded := map[[2]string]bool{}
	for _, part := range parts {
		if e.any || part.grouped || len(part.parts) > 0 {
			return nil, false
		}
		c := part.clause
		side := [2]string{c.name, c.operator[:1]}
		if c.operator == "<>" || c.operator != "=" && (c.name == containerTag || bounded[side]) {
			return nil, false
		}
		bounded[side] = true
		search = append(search, c)
	}
	return search, !e.grouped
}

func (s tagSearch) holds(tags []pair) bool {
	return !slices.ContainsFunc(s, func(c tagClause) bool { return !c.holds(tags) })
}

// names reports whether the search refers to a tag; it returns only those.
func (s tagSearch) names(name string) bool {
	return slices.ContainsFunc(s, func(c tagClause) bool { return c.name == name })
}

type tagLexer struct{ rest string }

func (l *tagLexer) skip() { l.rest = strings.TrimLeft(l.rest, " \t") }

func (l *tagLexer) done() bool {
	l.skip()
	return l.rest == ""
}

// word consumes letters, digits, '_', '@' and the other characters of an unquoted name.
func (l *tagLexer) word() string {
	l.skip()
	n := 0
	for n < len(l.rest) && (isTagByte(l.rest[n]) && !strings.ContainsRune(" =", rune(l.rest[n])) || l.rest[n] == '@') {
		n++
	}
	word := l.rest[:n]
	l.rest = l.rest[n:]
	return word
}

// cut consumes a text, if it comes next.
func (l *tagLexer) cut(text string) bool {
	l.skip()
	rest, found := strings.CutPrefix(l.rest, text)
	l.rest = rest
	return found
}

// cutWord consumes a word in any case, if it comes next.
func (l *tagLexer) cutWord(want string) bool {
	before := l.rest
	if strings.EqualFold(l.word(), want) {
		return true
	}
	l.rest = before
	return false
}

// quoted consumes a string in the given quotes; a doubled quote stands for one.
func (l *tagLexer) quoted(quote string) (string, bool) {
	l.skip()
	text, rest, ok := odata.CutQuoted(l.rest, quote)
	if ok {
		l.rest = rest
	}
	return text, ok
}

func (l *tagLexer) clause() (tagClause, error) {
	var c tagClause
	var ok bool
	if c.name, ok = l.quoted(`"`); !ok {
		c.name = l.word()
	}
	if c.name == "" || c.name != containerTag && !validTagText(c.name, 128) {
		return c, fmt.Errorf("%w: the name of a tag expected", errTagExpression)
	}
	l.skip()
	for _, operator := range []string{"<>", ">=", "<=", "=", ">", "<"} {
		if rest, found := strings.CutPrefix(l.rest, operator); found {
			c.operator, l.rest = operator, rest
			break
		}
	}
	if c.operator == "" {
		return c, fmt.Errorf("%w: an operator expected after %s", errTagExpression, c.name)
	}
	if c.value, ok = l.quoted("'"); !ok || !validTagText(c.value, 256) {
		return c, fmt.Errorf("%w: a value in single quotes expected for %s", errTagExpression, c.name)
	}
	return c, nil
}

// validTagText checks the characters and the length of a tag's name or value.
// https://learn.microsoft.com/rest/api/storageservices/set-blob-tags#remarks
func validTagText(s string, longest int) bool {
	return len(s) <= longest && !slices.ContainsFunc([]byte(s), func(c byte) bool { return !isTagByte(c) })
}

func isTagByte(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || strings.IndexByte(" +-./:=_", c) >= 0
}
