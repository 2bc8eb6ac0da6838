package expression

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strconv"

	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

// conditionFunctions are the functions of conditions and how many operands they take.
var conditionFunctions = map[string]int{
	"attribute_exists": 1, "attribute_not_exists": 1, "attribute_type": 2, "begins_with": 2, "contains": 2, "size": 1,
}

// parseCondition parses and checks a condition or filter.
func (s *scope) parseCondition(text string) (*Condition, value.Problem) {
	if problem := limits(text, true); problem != "" {
		return nil, problem
	}
	p := newParser(text)
	n := p.condition()
	if p.err != "" {
		return nil, p.err
	}
	if p.parens {
		return nil, "The expression has redundant parentheses;"
	}
	return &Condition{n}, s.check(n)
}

// check returns the problem of a condition that DynamoDB reports: an unknown function, a function where none can
// stand, a reserved word, or else the first problem of the first comparison or function that has one.
func (s *scope) check(n *node) value.Problem {
	var function, misused, word value.Problem
	n.walk(func(n *node) {
		if n.op == opFunction {
			first(&function, checkName(n.name, conditionFunctions, updateFunctions, "a condition"))
		}
		for _, arg := range n.args {
			if arg.op == opFunction && (arg.name == "size") == logical(n.op) {
				first(&misused, misuse(arg))
			}
		}
		if n.op == opPath {
			first(&word, reservedIn(n.path))
		}
	})
	if n.op == opFunction && n.name == "size" {
		first(&misused, misuse(n))
	}
	if problem := cmp.Or(function, misused, word); problem != "" {
		return problem
	}
	return s.checkLeaves(n)
}

// checkName checks that a function is one of those that exist in this place.
func checkName(name string, here, elsewhere map[string]int, place string) value.Problem {
	if _, ok := here[name]; ok {
		return ""
	}
	if _, ok := elsewhere[name]; ok {
		return value.Problem("The function is not allowed in " + place + " expression; function: " + name)
	}
	return value.Problem("Invalid function name; function: " + name)
}

func logical(o op) bool { return o == opAnd || o == opOr || o == opNot }

func misuse(n *node) value.Problem {
	const message = "The function is not allowed to be used this way in an expression; function: "
	return value.Problem(message + n.name)
}

func reservedIn(path Path) value.Problem {
	for _, step := range path {
		if step.Index < 0 && reserved(step.Name) {
			return value.Problem("Attribute name is a reserved keyword; reserved keyword: " + step.Name)
		}
	}
	return ""
}

// checkLeaves checks the comparisons and functions from left to right. Without a scope, there are no placeholders.
func (s *scope) checkLeaves(n *node) value.Problem {
	if logical(n.op) {
		for _, arg := range n.args {
			if problem := s.checkLeaves(arg); problem != "" {
				return problem
			}
		}
		return ""
	}
	if s != nil {
		if problem := s.resolve(n); problem != "" {
			return problem
		}
	}
	var count, distinct, types value.Problem
	n.walk(func(n *node) {
		if n.op < opFunction {
			return
		}
		first(&count, checkCount(n))
		if count == "" {
			first(&distinct, checkDistinct(n))
			first(&types, checkTypes(n))
		}
	})
	return cmp.Or(count, distinct, types)
}

func checkCount(n *node) value.Problem {
	if n.op == opFunction && len(n.args) != conditionFunctions[n.name] {
		return badCount(n)
	}
	if n.op == opIn && len(n.args)-1 > maxInList {
		const message = "The IN operator is provided with too many operands; number of operands: "
		return value.Problem(message + strconv.Itoa(len(n.args)-1))
	}
	return ""
}

func checkDistinct(n *node) value.Problem {
	if len(n.args) != 2 || n.args[0].op != opPath || n.args[1].op != opPath || n.op == opIn ||
		!slices.Equal(n.args[0].path, n.args[1].path) {
		return ""
	}
	const message = "The first operand must be distinct from the remaining operands for this operator or function; " +
		"operator: "
	return value.Problem(message + n.label() + ", first operand: " + n.args[0].path.String())
}

func checkTypes(n *node) value.Problem {
	switch n.op {
	case opLess, opLessEqual, opGreater, opGreaterEqual:
		return only(n, value.S, value.N, value.B)
	case opBetween:
		if problem := only(n, value.S, value.N, value.B); problem != "" {
			return problem
		}
		return checkBounds(n)
	case opFunction:
		return checkArguments(n)
	}
	return ""
}

// only returns the problem of the first operand whose type is known and not among the kinds.
func only(n *node, kinds ...value.Kind) value.Problem {
	for _, arg := range n.args {
		if kind := arg.kind(); kind != value.Invalid && !slices.Contains(kinds, kind) {
			return badType(n, kind)
		}
	}
	return ""
}

func checkArguments(n *node) value.Problem {
	switch n.name {
	case "attribute_exists", "attribute_not_exists":
		if n.args[0].op != opPath {
			return value.Problem(noPath + n.name)
		}
	case "begins_with":
		return only(n, value.S, value.B)
	case "size":
		if kind := n.args[0].kind(); kind == value.N || kind == value.BOOL || kind == value.NULL {
			return badType(n, kind)
		}
	case "attribute_type":
		kind := n.args[1].kind()
		switch {
		case kind == value.Invalid:
			return value.Problem(operandType + n.name + ", operand type: {NS,SS,L,BS,N,M,B,BOOL,NULL,S}")
		case kind != value.S:
			return badType(n, kind)
		case value.KindOf(n.args[1].val.Text) == value.Invalid:
			return value.Problem("Invalid attribute type name found; type: " + n.args[1].val.Text +
				", valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}")
		}
	}
	return ""
}

// checkBounds checks the bounds of BETWEEN if both are values.
func checkBounds(n *node) value.Problem {
	low, high := n.args[1], n.args[2]
	if low.op != opValue || high.op != opValue {
		return ""
	}
	operands := "; lower bound operand: AttributeValue: " + shown(low.val) +
		", upper bound operand: AttributeValue: " + shown(high.val)
	if low.val.Kind != high.val.Kind {
		return value.Problem("The BETWEEN operator requires same data type for lower and upper bounds" + operands)
	}
	if order, _ := value.Compare(low.val, high.val); order > 0 {
		const message = "The BETWEEN operator requires upper bound to be greater than or equal to lower bound"
		return value.Problem(message + operands)
	}
	return ""
}

// shown returns a value as DynamoDB's messages write it, such as {S:a}.
func shown(v value.Value) string {
	text := v.Text
	if v.Kind == value.B {
		text = base64.StdEncoding.EncodeToString([]byte(text))
	}
	return "{" + v.Kind.String() + ":" + text + "}"
}
