package blobs

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/odata"
)

// tagExpression is a search over tags or a condition on them: alternatives of clauses that must all hold. Nil means
// none was given. https://learn.microsoft.com/azure/storage/blobs/storage-manage-find-blobs
type tagExpression [][]tagClause

// tagClause compares one tag with a value, both as strings.
type tagClause struct {
	name, operator, value string
}

// containerTag is the name that stands for the container in a search.
const containerTag = "@container"

// maxClauses bounds an expression; a blob has at most ten tags in Azure, so a longer one could hardly match.
const maxClauses = 64

var errTagExpression = errors.New("tag expression")

// parseTagExpression parses clauses of a name, an operator (= > >= < <= <>) and a value in single quotes, joined by AND
// and OR; AND binds tighter. Names are plain or in double quotes.
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

// holds reports whether sorted tags satisfy the expression. A missing tag satisfies nothing, except <>.
func (e tagExpression) holds(tags []pair) bool {
	fails := func(c tagClause) bool {
		value, found := find(tags, c.name)
		return !c.holds(value, found)
	}
	return slices.ContainsFunc(e, func(clauses []tagClause) bool { return !slices.ContainsFunc(clauses, fails) })
}

func (c tagClause) holds(value string, found bool) bool {
	if !found {
		return c.operator == "<>"
	}
	order := "<=>"[strings.Compare(value, c.value)+1]
	return strings.IndexByte(c.operator, order) >= 0 // an operator is spelled with the orders it accepts
}

// searchable reports whether a search may use the expression: only AND, no <>, and only = for the container.
func (e tagExpression) searchable() bool {
	return len(e) == 1 && !slices.ContainsFunc(e[0], func(c tagClause) bool {
		return c.operator == "<>" || c.name == containerTag && c.operator != "="
	})
}

// names reports whether the expression refers to a tag; a search returns only those.
func (e tagExpression) names(name string) bool {
	return slices.ContainsFunc(slices.Concat(e...), func(c tagClause) bool { return c.name == name })
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
