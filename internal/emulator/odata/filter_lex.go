package odata

import (
	"encoding/hex"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

type tokenKind int

const (
	tokenEnd tokenKind = iota
	tokenName
	tokenLiteral
	tokenCompare
	tokenAnd
	tokenOr
	tokenNot
	tokenOpen
	tokenClose
)

// token is one token of a filter.
type token struct {
	kind tokenKind
	pos  int    // byte offset of its first character
	text string // of a name or operator
	lit  Literal
}

// filterLexer splits a filter into tokens. Names and operators are case-sensitive, true and false are not.
type filterLexer struct {
	src string
	pos int
}

func (l *filterLexer) next() (token, error) {
	for l.pos < len(l.src) && strings.IndexByte(" \t\r\n", l.src[l.pos]) >= 0 {
		l.pos++
	}
	start := l.pos
	if start == len(l.src) {
		return token{kind: tokenEnd, pos: start}, nil
	}
	c := l.src[start]
	switch {
	case c == '(':
		l.pos++
		return token{kind: tokenOpen, pos: start}, nil
	case c == ')':
		l.pos++
		return token{kind: tokenClose, pos: start}, nil
	case c == '\'':
		text, err := l.quoted()
		return token{kind: tokenLiteral, pos: start, lit: Literal{text}}, err
	case c == '-' || c >= '0' && c <= '9':
		return l.number()
	}
	return l.word()
}

// quoted reads a quoted string from the opening quote.
func (l *filterLexer) quoted() (string, error) {
	text, rest, ok := CutQuoted(l.src[l.pos:], "'")
	if !ok {
		return "", &FilterError{Pos: l.pos, Want: "a closing quote"}
	}
	l.pos = len(l.src) - len(rest)
	return text, nil
}

// number reads an integer (64 bits wide if it has an L or needs them) or a double.
func (l *filterLexer) number() (token, error) {
	start := l.pos
	l.pos++
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		exponentSign := (c == '+' || c == '-') && (l.src[l.pos-1]|0x20) == 'e'
		if !exponentSign && c != '.' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			break
		}
		l.pos++
	}
	value, ok := parseNumber(l.src[start:l.pos])
	if !ok {
		return token{}, &FilterError{Pos: start, Want: "a number"}
	}
	return token{kind: tokenLiteral, pos: start, lit: Literal{value}}, nil
}

func parseNumber(text string) (any, bool) {
	digits := strings.TrimSuffix(strings.TrimSuffix(text, "L"), "l")
	if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
		if digits == text && n >= math.MinInt32 && n <= math.MaxInt32 {
			return int32(n), true
		}
		return n, true
	}
	if strings.Trim(text, "+-.0123456789eE") != "" {
		return nil, false // ParseFloat also accepts hexadecimal and names such as inf
	}
	f, err := strconv.ParseFloat(text, 64)
	// An integer beyond 64 bits is an error, not a double.
	return f, err == nil && strings.ContainsAny(text, ".eE")
}

// word reads a name, an operator, a boolean, or a constant with a type before its quote.
func (l *filterLexer) word() (token, error) {
	start := l.pos
	for l.pos < len(l.src) {
		r, size := utf8.DecodeRuneInString(l.src[l.pos:])
		if r == utf8.RuneError && size == 1 {
			break // not UTF-8
		}
		if r != '_' && !unicode.IsLetter(r) && (l.pos == start || !unicode.IsDigit(r) && !unicode.IsMark(r)) {
			break
		}
		l.pos += size
	}
	text := l.src[start:l.pos]
	if text == "" {
		return token{}, &FilterError{Pos: start, Want: "a name, a constant or a parenthesis"}
	}
	if l.pos < len(l.src) && l.src[l.pos] == '\'' {
		switch text {
		case "datetime", "guid", "X", "binary":
			return l.typed(start, text)
		}
	}
	t := token{kind: tokenName, pos: start, text: text}
	if yes := strings.EqualFold(text, "true"); yes || strings.EqualFold(text, "false") {
		t.kind, t.lit = tokenLiteral, Literal{yes}
		return t, nil
	}
	switch text {
	case "and":
		t.kind = tokenAnd
	case "or":
		t.kind = tokenOr
	case "not":
		t.kind = tokenNot
	case string(Eq), string(Ne), string(Gt), string(Ge), string(Lt), string(Le):
		t.kind = tokenCompare
	}
	return t, nil
}

func (l *filterLexer) typed(start int, prefix string) (token, error) {
	text, err := l.quoted()
	if err != nil {
		return token{}, err
	}
	t := token{kind: tokenLiteral, pos: start}
	ok := false
	switch prefix {
	case "datetime":
		var at time.Time
		at, ok = ParseDateTime(text)
		ok = ok && at.Year() >= 1 && at.Year() <= 9999 // its zone may have led out of the range
		t.lit.Value = at
	case "guid":
		t.lit.Value, ok = ParseGUID(text)
	default:
		t.lit.Value, err = hex.DecodeString(text)
		ok = err == nil
	}
	if !ok {
		return token{}, &FilterError{Pos: start, Want: "the text of a " + prefix + " constant"}
	}
	return t, nil
}

// ParseDateTime parses the formats of OData version 3, to 100 ns: seconds, their fraction, the zone and the time are
// optional, and the zone defaults to UTC.
func ParseDateTime(text string) (time.Time, bool) {
	for _, layout := range [...]string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00",
		"2006-01-02T15:04", time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC().Truncate(100 * time.Nanosecond), true
		}
	}
	return time.Time{}, false
}

// ParseGUID returns the bytes of a GUID in its usual form, in their written order.
func ParseGUID[T ~string | ~[]byte](text T) (g GUID, ok bool) {
	if len(text) != 36 || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' {
		return g, false
	}
	var digits [32]byte
	d := append(digits[:0], text[:8]...)
	d = append(append(d, text[9:13]...), text[14:18]...)
	d = append(append(d, text[19:23]...), text[24:]...)
	_, err := hex.Decode(g[:], d)
	return g, err == nil
}

// CutQuoted reads the string that text starts with, in which a doubled quote stands for one, and returns what follows.
// Keys in the addresses of entities use the same syntax.
func CutQuoted(text, quote string) (value, rest string, ok bool) {
	inside, ok := strings.CutPrefix(text, quote)
	rest = inside
	for ok {
		if _, rest, ok = strings.Cut(rest, quote); ok && !strings.HasPrefix(rest, quote) {
			inside = inside[:len(inside)-len(quote)-len(rest)]
			return strings.ReplaceAll(inside, quote+quote, quote), rest, true
		}
		rest = strings.TrimPrefix(rest, quote)
	}
	return "", "", false
}
