package expression

import (
	"strconv"

	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

// tokenKind is the kind of a token.
type tokenKind uint8

const (
	end    tokenKind = iota
	word             // an attribute name, a keyword or a function
	name             // #placeholder
	param            // :placeholder
	digits           // an index
	symbol           // an operator or punctuation
	other            // what no expression has
)

// token is a part of an expression: text[from:to].
type token struct {
	kind     tokenKind
	from, to int
}

// lex splits an expression into tokens, the last of which is end.
func lex(text string) []token {
	tokens := make([]token, 0, len(text)/4+2)
	for i := 0; i < len(text); {
		c, from := text[i], i
		i++
		kind := other
		switch {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			continue
		case letter(c):
			kind, i = word, skip(text, i, part)
		case digit(c):
			kind, i = digits, skip(text, i, digit)
		case c == '#' || c == ':':
			if i = skip(text, i, part); i > from+1 {
				kind = param
				if c == '#' {
					kind = name
				}
			}
		case i < len(text) && (c == '<' && (text[i] == '=' || text[i] == '>') || c == '>' && text[i] == '='):
			kind = symbol
			i++
		case c == '<' || c == '>' || c == '=' || c == '(' || c == ')' || c == '[' || c == ']' || c == ',' || c == '.' ||
			c == '+' || c == '-':
			kind = symbol
		default:
			for i < len(text) && text[i]&0xC0 == 0x80 { // the rest of a character of several bytes
				i++
			}
		}
		tokens = append(tokens, token{kind, from, i})
	}
	return append(tokens, token{end, len(text), len(text)})
}

func skip(text string, i int, in func(byte) bool) int {
	for i < len(text) && in(text[i]) {
		i++
	}
	return i
}

func letter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
func digit(c byte) bool  { return '0' <= c && c <= '9' }
func part(c byte) bool   { return letter(c) || digit(c) || c == '_' }

// parser reads the tokens of an expression and builds nodes. The first syntax error ends it.
type parser struct {
	text      string
	tokens    []token
	pos       int
	err       value.Problem
	parens    bool // an expression has redundant parentheses
	operators int
}

func newParser(text string) *parser { return &parser{text: text, tokens: lex(text)} }

func (p *parser) token() token { return p.tokens[p.pos] }

func (p *parser) lexeme() string {
	t := p.tokens[p.pos]
	return p.text[t.from:t.to]
}

// next skips a token, but not the end.
func (p *parser) next() {
	if p.tokens[p.pos].kind != end {
		p.pos++
	}
}

// is says whether the next token is this symbol.
func (p *parser) is(s string) bool { return p.token().kind == symbol && p.lexeme() == s }

// keyword says whether the next token is this keyword, given in capitals, in whatever case.
func (p *parser) keyword(s string) bool {
	return p.token().kind == word && equalFold(p.lexeme(), s)
}

func equalFold(s, capitals string) bool {
	if len(s) != len(capitals) {
		return false
	}
	for i := range len(s) {
		if s[i]&^0x20 != capitals[i] {
			return false
		}
	}
	return true
}

// take skips the symbol, or fails.
func (p *parser) take(s string) {
	if !p.is(s) {
		p.fail()
		return
	}
	p.next()
}

// fail reports the next token as a syntax error, unless there is one already, and ends the parser.
func (p *parser) fail() {
	if p.err != "" {
		return
	}
	at, text := p.pos, "<EOF>"
	if p.tokens[at].kind != end {
		text = p.lexeme()
	}
	from := p.tokens[max(at-1, 0)].from
	to := p.tokens[min(at+1, len(p.tokens)-1)]
	if to.kind == end {
		to = p.tokens[max(min(at, len(p.tokens)-2), 0)]
	}
	p.err = value.Problem("Syntax error; token: \"" + text + "\", near: \"" + p.text[from:max(from, to.to)] + "\"")
	p.pos = len(p.tokens) - 1
}

// operator skips an operator and counts it. DynamoDB stops at the first that is too many, and so never counts further.
func (p *parser) operator() {
	p.next()
	if p.operators++; p.operators > maxOperators && p.err == "" {
		const message = "The expression contains too many operators; operator count: "
		p.err = value.Problem(message + strconv.Itoa(p.operators))
		p.pos = len(p.tokens) - 1
	}
}
