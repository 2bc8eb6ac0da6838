package partiql

import (
	"strings"

	"github.com/storespec/storespec/internal/emulator/dynamodb/expression"
	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

// manipulation parses the SET and REMOVE clauses of an UPDATE, of which there may be several.
func (p *parser) manipulation() *expression.Update {
	var assignments []expression.Assignment
	for p.err == "" {
		verb := expression.Set
		if p.take("remove") {
			verb = expression.Remove
		} else if !p.take("set") {
			break
		}
		for p.err == "" {
			assignments = append(assignments, p.assignment(verb))
			if !p.take(",") {
				break
			}
		}
	}
	if len(assignments) == 0 {
		p.fail(noManipulation)
	}
	if p.err != "" {
		return nil
	}
	u, err := expression.NewUpdate(assignments...)
	if err != nil {
		p.fail(value.Problem(err.Error()))
	}
	return u
}

func (p *parser) assignment(verb expression.Verb) expression.Assignment {
	a := expression.Assignment{Verb: verb}
	if !p.token().name() {
		p.fail(noSimplePath)
		return a
	}
	if a.Path = p.path(); verb == expression.Remove {
		return a
	}
	p.want("=", leftover)
	t := p.token()
	if p.callNext() && p.setFunction(&a, t) {
		return a
	}
	a.Operand = p.sum()
	return a
}

// setFunction parses set_add and set_delete, which are ADD and DELETE, if one of them is next.
func (p *parser) setFunction(a *expression.Assignment, t token) bool {
	name := strings.ToUpper(t.text)
	switch name {
	case "SET_ADD":
		a.Verb = expression.Add
	case "SET_DELETE":
		a.Verb = expression.Delete
	default:
		return false
	}
	p.next()
	first := p.tokens[p.pos+1]
	args := p.arguments(p.operand)
	if p.err != "" {
		return true
	}
	if len(args) != 2 {
		p.fail(value.Problem(name + " must have exactly two arguments" + t.at()))
		return true
	}
	path, ok := args[0].Path()
	if !ok || path.String() != a.Path.String() {
		p.fail(value.Problem("The first argument to " + name + " must equal the assignment value" + t.at()))
		return true
	}
	if v, ok := args[1].Value(); !ok || !v.Kind.Set() {
		p.fail(value.Problem("The second argument to " + name + " must be a value with type SET" + first.at()))
	}
	a.Operand = args[1]
	return true
}

// sum parses the value of a SET: an operand, or two with + or - between them.
func (p *parser) sum() expression.Term {
	t := p.addend()
	for _, operator := range []string{"+", "-"} {
		if p.err == "" && p.take(operator) {
			return expression.OperatorTerm(operator, t, p.addend())
		}
	}
	return t
}

// addend parses a literal, a path, or one of the functions of updates.
func (p *parser) addend() expression.Term {
	t := p.token()
	if !p.callNext() {
		return p.simple()
	}
	name := strings.ToLower(t.text)
	if name != "list_append" && name != "if_not_exists" {
		p.fail(value.Problem("Unrecognized function: " + name + t.at()))
		return expression.Term{}
	}
	p.next()
	return expression.CallTerm(name, p.arguments(p.addend)...)
}

// simple parses an operand that is a literal or a path, or a sum in parentheses.
func (p *parser) simple() expression.Term {
	if !p.token().is("(") {
		t := p.operand()
		if p.err == "" && t.Condition() {
			p.fail(unexpectedTerm)
		}
		return t
	}
	p.next()
	t := p.nested(p.sum)
	p.want(")", unexpectedTerm)
	return t
}
