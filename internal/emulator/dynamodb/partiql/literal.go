package partiql

import (
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

// literalNext says whether the next token begins a literal or is a parameter.
func (p *parser) literalNext() bool {
	t := p.token()
	switch t.kind {
	case text, number:
		return true
	case symbol:
		switch t.text {
		case "?", "[", "{", "<<":
			return true
		case "-", "+":
			return p.tokens[p.pos+1].kind == number
		}
	}
	return t.is("true") || t.is("false") || t.is("null")
}

// literal parses a value: a literal or a parameter. The path says where it is in the value that it is a part of, from
// "root" on; it is part of messages about numbers and nesting.
func (p *parser) literal(path string, level int) value.Value {
	if level > maxLiteralLevels {
		p.fail(value.Problem("Nesting Levels have exceeded supported limits under " + path))
		return value.Null()
	}
	switch t := p.next(); {
	case t.kind == text:
		return value.String(t.text)
	case t.kind == number:
		return p.number(t.text, path)
	case t.is("-"), t.is("+"):
		if p.token().kind == number {
			return p.number(t.text+p.next().text, path)
		}
	case t.is("?"):
		return p.parameter()
	case t.is("true"), t.is("false"):
		return value.Bool(t.is("true"))
	case t.is("null"):
		return value.Null()
	case t.is("["):
		return p.list(path, level)
	case t.is("{"):
		return value.Map(p.item(path, level))
	case t.is("<<"):
		return p.set()
	case t.kind == word && !t.keyword() && p.token().is("("):
		p.fail(value.Problem("Unsupported data type: " + strings.ToLower(t.text) + " under key " + path + t.at()))
	case t.keyword():
		p.fail(unexpectedWord)
	}
	p.fail(unexpectedTerm)
	return value.Null()
}

func (p *parser) number(text, path string) value.Value {
	v, err := value.Numeric(text)
	if err != nil {
		p.fail(value.Problem(err.Error() + " under " + path))
	}
	return v
}

func (p *parser) list(path string, level int) value.Value {
	list := []value.Value{}
	p.sequence("]", func() {
		list = append(list, p.literal(path+"["+strconv.Itoa(len(list))+"]", level+1))
	})
	return value.List(list...)
}

// item parses the entries of a map, after its brace. Each is the root of a value if the path is empty.
func (p *parser) item(path string, level int) value.Item {
	out := value.Item{}
	p.sequence("}", func() {
		t := p.next()
		if t.kind != text && t.kind != quoted || !p.take(":") {
			p.fail(unexpectedTerm)
			return
		}
		if t.text == "" {
			p.fail("Empty attribute name")
		}
		at := "root"
		if path != "" {
			at = path + "." + t.text
		}
		out = append(out, value.Attribute{Name: t.text, Value: p.literal(at, level+1)})
	})
	return value.Sort(out)
}

// set parses the elements of a set, after its <<. They are all strings or all numbers; binary sets are parameters.
func (p *parser) set() value.Value {
	var elements []value.Value
	p.sequence(">>", func() { elements = append(elements, p.literal("root", 2)) })
	if p.err != "" {
		return value.Null()
	}
	if len(elements) == 0 {
		p.fail(emptyBag)
		return value.Null()
	}
	out := value.Value{Kind: value.SS, List: elements}
	for kind := value.SS; kind <= value.BS; kind++ {
		if kind.Element() == elements[0].Kind {
			out.Kind = kind
		}
	}
	for _, e := range elements {
		if e.Kind != out.Kind.Element() {
			p.fail(unexpectedTerm)
			return value.Null()
		}
	}
	if err := value.CheckSet(out); err != nil {
		p.fail(value.Problem(err.Error()))
	}
	return out
}
