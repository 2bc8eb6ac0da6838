package expression

import "github.com/storespec/storespec/internal/emulator/dynamodb/value"

// op is what a node does.
type op uint8

const (
	opPath op = iota
	opValue
	opFunction
	opAnd
	opOr
	opNot
	opEqual
	opUnequal
	opLess
	opLessEqual
	opGreater
	opGreaterEqual
	opBetween
	opIn
	opPlus
	opMinus
)

var opNames = [...]string{
	opAnd: "AND", opOr: "OR", opNot: "NOT", opEqual: "=", opUnequal: "<>", opLess: "<", opLessEqual: "<=",
	opGreater: ">", opGreaterEqual: ">=", opBetween: "BETWEEN", opIn: "IN", opPlus: "+", opMinus: "-",
}

// node is a node of an expression's tree.
type node struct {
	op   op
	name string // of a function, or the placeholder of a value
	path Path
	val  value.Value
	args []*node
	// grouped says that the node is in parentheses.
	grouped bool
}

// condition says whether the node is a condition by its form, and not an operand.
func (n *node) condition() bool { return n.op >= opAnd && n.op <= opIn || n.op == opFunction }

// kind returns the type of the node's value if it does not depend on the item, else Invalid.
func (n *node) kind() value.Kind {
	switch n.op {
	case opValue:
		return n.val.Kind
	case opPlus, opMinus:
		return value.N
	case opFunction:
		switch n.name {
		case "size":
			return value.N
		case "list_append":
			return value.L
		case "if_not_exists":
			if len(n.args) == 2 {
				return n.args[1].kind()
			}
		case "attribute_type", "begins_with", "contains", "attribute_exists", "attribute_not_exists":
			return value.BOOL
		}
	}
	return value.Invalid
}

// label returns what messages call the node's operator or function.
func (n *node) label() string {
	if n.op == opFunction {
		return n.name
	}
	return opNames[n.op]
}

// walk calls visit for the nodes below n, then for n, from left to right: in the order in which they end in the text.
func (n *node) walk(visit func(*node)) {
	for _, arg := range n.args {
		arg.walk(visit)
	}
	visit(n)
}
