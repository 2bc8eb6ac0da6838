package expression

import (
	"slices"

	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

// Term is a condition or an operand that is built by a program, for languages other than that of expressions.
type Term struct{ n *node }

// PathTerm returns the operand that a path leads to.
func PathTerm(path Path) Term { return Term{&node{op: opPath, path: path}} }

// ValueTerm returns an operand.
func ValueTerm(v value.Value) Term { return Term{&node{op: opValue, val: v}} }

// CallTerm returns a function of conditions, or if_not_exists or list_append.
func CallTerm(name string, args ...Term) Term {
	return Term{&node{op: opFunction, name: name, args: nodes(args)}}
}

// OperatorTerm returns the condition or sum with an operator in its usual form: =, <>, <, <=, >, >=, BETWEEN, IN, AND,
// OR, NOT, + or -.
func OperatorTerm(operator string, args ...Term) Term {
	return Term{&node{op: op(slices.Index(opNames[:], operator)), args: nodes(args)}}
}

func nodes(terms []Term) []*node {
	out := make([]*node, len(terms))
	for i, t := range terms {
		out[i] = t.n
	}
	return out
}

// Path returns the path of a PathTerm.
func (t Term) Path() (Path, bool) {
	if t.n == nil || t.n.op != opPath {
		return nil, false
	}
	return t.n.path, true
}

// Value returns the value of a ValueTerm.
func (t Term) Value() (value.Value, bool) {
	if t.n == nil || t.n.op != opValue {
		return value.Value{}, false
	}
	return t.n.val, true
}

// Condition says whether the term is one by its form.
func (t Term) Condition() bool { return t.n != nil && t.n.condition() }

// NewCondition checks the operands of a built condition and returns it.
func NewCondition(t Term) (*Condition, error) {
	return &Condition{t.n}, (*scope)(nil).checkLeaves(t.n).Err()
}

// Assignment is an action of a built update: the operand of a SET, or the value of an ADD or DELETE.
type Assignment struct {
	Verb    Verb
	Path    Path
	Operand Term
}

// NewUpdate checks the paths and operands of a built update and returns it.
func NewUpdate(assignments ...Assignment) (*Update, error) {
	u := &Update{}
	for _, a := range assignments {
		u.actions = append(u.actions, action{Action{Verb: a.Verb, Path: a.Path}, a.Operand.n})
	}
	return u, checkBuilt(u).Err()
}
