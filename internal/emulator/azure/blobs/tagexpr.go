package blobs

import (
	"errors"
	"fmt"
	"strings"
)

// tagExpression is a search over tags or a condition on them: alternatives of clauses that all must
// hold. Nil means none was given.
// https://learn.microsoft.com/azure/storage/blobs/storage-manage-find-blobs
type tagExpression [][]tagClause

// tagClause compares one tag with a value, both as strings.
type tagClause struct {
	name, operator, value string
}

// containerTag is the name under which a search names a container.
const containerTag = "@container"

// maxClauses bounds an expression; Azure's limit is ten tags on a blob, so more can hardly match.
const maxClauses = 64

var errTagExpression = errors.New("tag expression")

// parseTagExpression reads clauses of a name, an operator (= > >= < <= <>) and a value in single quotes,
// joined by AND and OR; AND binds tighter. Names are plain or in double quotes.
func parseTagExpression(s string) (tagExpression, error) {
	l := tagLexer{rest: s}
	expression := tagExpression{nil}
	for n := 0; ; n++ {
		if n == maxClauses {
			return nil, fmt.Errorf("%w: more than %d clauses", errTagExpression, maxClauses)
		}
		clause, err := l.clause()
		if err != nil {
			return nil, err
		}
		last := len(expression) - 1
		expression[last] = append(expression[last], clause)
		switch word := l.word(); {
		case word == "" && l.done():
			return expression, nil
		case strings.EqualFold(word, "AND"):
		case strings.EqualFold(word, "OR"):
			expression = append(expression, nil)
		default:
			return nil, fmt.Errorf("%w: AND or OR expected", errTagExpression)
		}
	}
}

// holds reports whether sorted tags satisfy the expression. A tag that is not there satisfies
// nothing, except <>.
func (e tagExpression) holds(tags []pair) bool {
	for _, clauses := range e {
		all := true
		for _, c := range clauses {
			value, found := find(tags, c.name)
			if !c.holds(value, found) {
				all = false
				break
			}
		}
		if all {
			return true
		}
	}
	return false
}

func (c tagClause) holds(value string, found bool) bool {
	if !found {
		return c.operator == "<>"
	}
	switch c.operator {
	case "=":
		return value == c.value
	case "<>":
		return value != c.value
	case ">":
		return value > c.value
	case ">=":
		return value >= c.value
	case "<":
		return value < c.value
	default:
		return value <= c.value
	}
}

// searchable reports whether a search may use the expression: only AND, no <>, and the container by = only.
func (e tagExpression) searchable() bool {
	if len(e) != 1 {
		return false
	}
	for _, c := range e[0] {
		if c.operator == "<>" || c.name == containerTag && c.operator != "=" {
			return false
		}
	}
	return true
}

// names reports whether the expression speaks of a tag; a search answers with just those.
func (e tagExpression) names(name string) bool {
	for _, clauses := range e {
		for _, c := range clauses {
			if c.name == name {
				return true
			}
		}
	}
	return false
}

type tagLexer struct{ rest string }

func (l *tagLexer) skip() { l.rest = strings.TrimLeft(l.rest, " \t") }

func (l *tagLexer) done() bool {
	l.skip()
	return l.rest == ""
}

// word takes letters, digits, '_', '@' and what else may stand in an unquoted name.
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

// quoted takes a string in the given quotes; a doubled quote stands for one.
func (l *tagLexer) quoted(quote byte) (string, bool) {
	l.skip()
	if l.rest == "" || l.rest[0] != quote {
		return "", false
	}
	var b strings.Builder
	for i := 1; i < len(l.rest); i++ {
		if l.rest[i] != quote {
			b.WriteByte(l.rest[i])
			continue
		}
		if i+1 < len(l.rest) && l.rest[i+1] == quote {
			b.WriteByte(quote)
			i++
			continue
		}
		l.rest = l.rest[i+1:]
		return b.String(), true
	}
	return "", false
}

func (l *tagLexer) clause() (tagClause, error) {
	var c tagClause
	var ok bool
	if c.name, ok = l.quoted('"'); !ok {
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
	if c.value, ok = l.quoted('\''); !ok || !validTagText(c.value, 256) {
		return c, fmt.Errorf("%w: a value in single quotes expected for %s", errTagExpression, c.name)
	}
	return c, nil
}

// validTagText checks the characters and the length of a tag's name or value.
// https://learn.microsoft.com/rest/api/storageservices/set-blob-tags#remarks
func validTagText(s string, longest int) bool {
	if len(s) > longest {
		return false
	}
	for i := range len(s) {
		if !isTagByte(s[i]) {
			return false
		}
	}
	return true
}

func isTagByte(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || strings.IndexByte(" +-./:=_", c) >= 0
}
