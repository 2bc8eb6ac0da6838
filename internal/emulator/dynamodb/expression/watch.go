package expression

import (
	"strings"

	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

// What a program needs that watches requests and does not answer them. It is lenient: a reserved word or a placeholder
// that is undefined or unused is the service's business.

// Test is a condition on one top-level attribute.
type Test struct {
	Attribute string
	Operator  string // =, <, <=, >, >=, between, begins_with, in
	Operands  []value.Value
}

var operatorNames = [...]string{Equal: "=", Less: "<", LessEqual: "<=", Greater: ">", GreaterEqual: ">=",
	Between: "between", BeginsWith: "begins_with"}

// Expand returns an expression in which each placeholder is replaced.
func Expand(text string, replace func(placeholder string) string) string {
	if !strings.ContainsAny(text, "#:") {
		return text
	}
	var out strings.Builder
	written := 0
	for _, t := range lex(text) {
		if t.kind == name || t.kind == param {
			out.WriteString(text[written:t.from])
			out.WriteString(replace(text[t.from:t.to]))
			written = t.to
		}
	}
	out.WriteString(text[written:])
	return out.String()
}

// KeyTests returns what a KeyConditionExpression asks for. The operands are the placeholders of the values, as texts.
// ok is false for what is not a key condition.
func KeyTests(text string, names map[string]string) (tests []Test, ok bool) {
	p := newParser(text)
	n := p.condition()
	if p.err != "" {
		return nil, false
	}
	n.walk(func(n *node) {
		n.val = value.String(n.name)
		for i, step := range n.path {
			if attribute, ok := names[step.Name]; ok {
				n.path[i].Name = attribute
			}
		}
	})
	k := &KeyCondition{}
	if k.add(n) != "" {
		return nil, false
	}
	for _, term := range k.terms {
		if len(term.values) == 0 || term.operator == Between && len(term.values) < 2 {
			return nil, false
		}
		tests = append(tests, Test{term.name, operatorNames[term.operator], term.values})
	}
	return tests, true
}

// Tests returns the conditions that must all hold: tests, and the text of all others.
func (c *Condition) Tests() (tests []Test, others []string) {
	if c == nil {
		return nil, nil
	}
	for _, n := range c.root.conjuncts() {
		terms, attribute := n.keyTerms()
		if len(terms) == 0 {
			others = append(others, n.String())
			continue
		}
		test := Test{attribute, operatorNames[terms[0].operator], terms[0].values}
		if n.op == opIn {
			test.Operator, test.Operands = "in", nil
			for _, term := range terms {
				test.Operands = append(test.Operands, term.values[0])
			}
		}
		tests = append(tests, test)
	}
	return tests, others
}

// String returns a condition or an operand for people.
func (n *node) String() string {
	texts := make([]string, len(n.args))
	for i, arg := range n.args {
		texts[i] = arg.String()
	}
	switch n.op {
	case opPath:
		names := make([]string, len(n.path))
		for i, step := range n.path {
			names[i] = strings.Trim(Path{step}.String(), "[]")
		}
		return strings.Join(names, ".")
	case opValue:
		return Text(n.val)
	case opFunction:
		return n.name + "(" + strings.Join(texts, ", ") + ")"
	case opNot:
		return "NOT " + texts[0]
	case opBetween, opIn:
		return texts[0] + " " + n.label() + " " + strings.Join(texts[1:], ", ")
	}
	return strings.Join(texts, " "+n.label()+" ")
}

// Text returns a value for people: of a string, a number or a Boolean its text, else its JSON.
func Text(v value.Value) string {
	switch v.Kind {
	case value.S, value.N:
		return v.Text
	case value.B, value.BOOL:
		raw := string(v.AppendJSON(nil))
		return strings.Trim(raw[strings.IndexByte(raw, ':')+1:len(raw)-1], `"`)
	}
	return string(v.AppendJSON(nil))
}
