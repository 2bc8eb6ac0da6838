package expression

import (
	"slices"

	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

// Condition is a condition or filter. The nil Condition matches everything.
type Condition struct{ root *node }

// Match evaluates the condition; a nil item is one that does not exist.
func (c *Condition) Match(item value.Item) bool { return c == nil || c.root.match(item) }

// Heads returns the names of the top-level attributes that the condition reads, without repetition.
func (c *Condition) Heads() []string { return c.heads(1) }

// Nested returns those of the Heads which the condition reads only in part.
func (c *Condition) Nested() []string { return c.heads(2) }

func (c *Condition) heads(steps int) []string {
	if c == nil {
		return nil
	}
	var paths []Path
	c.root.walk(func(n *node) {
		if n.op == opPath {
			paths = append(paths, n.path)
		}
	})
	return heads(paths, steps)
}

// And returns a condition that matches what both match.
func (c *Condition) And(other *Condition) *Condition {
	switch {
	case c == nil:
		return other
	case other == nil:
		return c
	}
	return &Condition{&node{op: opAnd, args: []*node{c.root, other.root}}}
}

// match evaluates a condition. What cannot be compared does not match, except with <>.
func (n *node) match(item value.Item) bool {
	switch n.op {
	case opAnd:
		return n.args[0].match(item) && n.args[1].match(item)
	case opOr:
		return n.args[0].match(item) || n.args[1].match(item)
	case opNot:
		return !n.args[0].match(item)
	case opFunction:
		return n.call(item)
	}
	left, ok := n.args[0].operand(item)
	switch n.op {
	case opBetween:
		return n.ordered(left, ok, 1, item, atLeast) && n.ordered(left, ok, 2, item, atMost)
	case opEqual, opIn:
		return ok && slices.ContainsFunc(n.args[1:], func(arg *node) bool {
			right, ok := arg.operand(item)
			return ok && value.Equal(left, right)
		})
	case opUnequal:
		right, okRight := n.args[1].operand(item)
		return !ok || !okRight || !value.Equal(left, right)
	case opLess:
		return n.ordered(left, ok, 1, item, func(order int) bool { return order < 0 })
	case opLessEqual:
		return n.ordered(left, ok, 1, item, atMost)
	case opGreater:
		return n.ordered(left, ok, 1, item, func(order int) bool { return order > 0 })
	case opGreaterEqual:
		return n.ordered(left, ok, 1, item, atLeast)
	}
	return false
}

func atMost(order int) bool  { return order <= 0 }
func atLeast(order int) bool { return order >= 0 }

// ordered says whether the order of left and of another operand, if they have one, is as wanted.
func (n *node) ordered(left value.Value, ok bool, arg int, item value.Item, wanted func(int) bool) bool {
	if !ok {
		return false
	}
	right, ok := n.args[arg].operand(item)
	if !ok {
		return false
	}
	order, ok := value.Compare(left, right)
	return ok && wanted(order)
}

// call evaluates a function that is a condition.
func (n *node) call(item value.Item) bool {
	first, ok := n.args[0].operand(item)
	switch n.name {
	case "attribute_exists":
		return ok
	case "attribute_not_exists":
		return !ok
	}
	second, okSecond := n.args[1].operand(item)
	if !ok || !okSecond {
		return false
	}
	switch n.name {
	case "attribute_type":
		return first.Kind.String() == second.Text
	case "begins_with":
		return value.BeginsWith(first, second)
	case "contains":
		return value.Contains(first, second)
	}
	return false
}

// operand returns an operand's value, and whether it has one.
func (n *node) operand(item value.Item) (value.Value, bool) {
	switch n.op {
	case opPath:
		return n.path.Find(item)
	case opValue:
		return n.val, true
	case opFunction:
		if n.name != "size" {
			return value.Bool(n.call(item)), true // only PartiQL compares conditions
		}
		if v, ok := n.args[0].operand(item); ok {
			return sizeOf(v)
		}
		return value.Value{}, false
	}
	return value.Bool(n.match(item)), true
}

// sizeOf is the function size: bytes of a string or binary, elements of a set, list or map (Developer Guide, "Condition
// and filter expressions, operators, and functions"). Numbers, Booleans and null have no size.
func sizeOf(v value.Value) (value.Value, bool) {
	switch v.Kind {
	case value.S, value.B:
		return value.Int(int64(len(v.Text))), true
	case value.SS, value.NS, value.BS, value.L:
		return value.Int(int64(len(v.List))), true
	case value.M:
		return value.Int(int64(len(v.Map))), true
	}
	return value.Value{}, false
}
