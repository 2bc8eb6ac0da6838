package partiql

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// tokenKind is the kind of a token.
type tokenKind uint8

const (
	end    tokenKind = iota
	word             // a keyword, a name or a function
	quoted           // "a name"
	text             // 'a string'
	number
	symbol
)

// token is a token with its place in the statement: for messages, in characters, from 1.
type token struct {
	kind         tokenKind
	text         string // without quotes
	raw          string // as written
	line, column int
	glued        bool // nothing separates it from the token before
}

// is says whether the token is this symbol, or this keyword, given in lower case, in whatever case.
func (t token) is(s string) bool {
	return t.kind == symbol && t.text == s || t.kind == word && strings.EqualFold(t.text, s)
}

// at returns the place as messages write it.
func (t token) at() string {
	return " at " + strconv.Itoa(t.line) + ":" + strconv.Itoa(t.column) + ":" +
		strconv.Itoa(utf8.RuneCountInString(t.raw))
}

// lexer splits a statement into tokens.
type lexer struct {
	text         string
	pos          int
	line, column int
	tokens       []token
}

// lex returns the tokens of a statement, the last of which is end, and whether all of it is tokens.
func lex(statement string) ([]token, bool) {
	l := &lexer{text: statement, line: 1, column: 1}
	if !utf8.ValidString(statement) {
		return nil, false
	}
	for {
		before := l.pos
		if !l.space() {
			return nil, false
		}
		glued := l.pos == before
		if l.pos == len(l.text) {
			return append(l.tokens, token{kind: end, line: l.line, column: l.column}), true
		}
		if !l.token(glued) {
			return nil, false
		}
	}
}

// space skips white space and comments. It fails at a comment without an end.
func (l *lexer) space() bool {
	for l.pos < len(l.text) {
		rest := l.text[l.pos:]
		switch {
		case strings.IndexByte(" \t\r\n\f\v", rest[0]) >= 0:
			l.skip(1)
		case strings.HasPrefix(rest, "--"):
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			l.skip(n)
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest[2:], "*/")
			if n < 0 {
				return false
			}
			l.skip(n + 4)
		default:
			return true
		}
	}
	return true
}

// skip moves over bytes and counts lines and characters.
func (l *lexer) skip(n int) {
	for _, c := range l.text[l.pos : l.pos+n] {
		l.column++
		if c == '\n' {
			l.line, l.column = l.line+1, 1
		}
	}
	l.pos += n
}

func (l *lexer) token(glued bool) bool {
	rest, c := l.text[l.pos:], l.text[l.pos]
	t := token{kind: symbol, line: l.line, column: l.column, glued: glued}
	n := 0
	switch {
	case c == '\'' || c == '"':
		t.kind = text
		if c == '"' {
			t.kind = quoted
		}
		if n = closing(rest, c); n == 0 {
			return false
		}
		t.text = strings.ReplaceAll(rest[1:n-1], string([]byte{c, c}), string(rune(c)))
	case letter(c):
		for n = 1; n < len(rest) && (letter(rest[n]) || digit(rest[n])); n++ {
		}
		t.kind, t.text = word, rest[:n]
	case digit(c) || c == '.' && len(rest) > 1 && digit(rest[1]) && !l.afterName(glued):
		n = numberLength(rest)
		t.kind, t.text = number, rest[:n]
		if !readable(t.text) {
			return false
		}
	default:
		if n = symbolLength(rest); n == 0 {
			return false
		}
		t.text = rest[:n]
	}
	t.raw = rest[:n]
	l.skip(n)
	l.tokens = append(l.tokens, t)
	return true
}

// afterName says whether the token before can begin a path, so that a point goes on with it.
func (l *lexer) afterName(glued bool) bool {
	if len(l.tokens) == 0 || !glued {
		return false
	}
	last := l.tokens[len(l.tokens)-1]
	return last.kind == word || last.kind == quoted || last.is("]")
}

func letter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c == '$' }
func digit(c byte) bool  { return '0' <= c && c <= '9' }

// closing returns the length of the quoted text at the beginning of s, or 0 if it has no end. Two quotes stand for one.
func closing(s string, quote byte) int {
	for i := 1; i < len(s); i++ {
		if s[i] != quote {
			continue
		}
		if i+1 == len(s) || s[i+1] != quote {
			return i + 1
		}
		i++
	}
	return 0
}

// numberLength returns the length of the number at the beginning of s.
func numberLength(s string) int {
	n := 0
	for n < len(s) && digit(s[n]) {
		n++
	}
	if n < len(s) && s[n] == '.' {
		for n++; n < len(s) && digit(s[n]); {
			n++
		}
	}
	if n == len(s) || s[n] != 'e' && s[n] != 'E' {
		return n
	}
	i := n + 1
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	if i == len(s) || !digit(s[i]) {
		return n
	}
	for i < len(s) && digit(s[i]) {
		i++
	}
	return i
}

// readable says whether DynamoDB can read a number at all: its exponent, and its exponent less the digits after the
// point, must fit 32 bits.
func readable(s string) bool {
	mantissa, exponent, ok := strings.Cut(strings.ToLower(s), "e")
	if !ok {
		return true
	}
	n, err := strconv.ParseInt(exponent, 10, 64)
	_, fraction, _ := strings.Cut(mantissa, ".")
	scale := int64(len(fraction)) - n
	return err == nil && n <= math.MaxInt32 && n >= math.MinInt32 && scale <= math.MaxInt32 && scale >= math.MinInt32
}

func symbolLength(s string) int {
	for _, two := range []string{"<<", ">>", "<=", ">=", "<>", "!=", "||"} {
		if strings.HasPrefix(s, two) {
			return 2
		}
	}
	if strings.IndexByte("()[]{}<>=,.:;?*+-/%", s[0]) >= 0 {
		return 1
	}
	return 0
}
