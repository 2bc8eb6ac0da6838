package odata

import "cmp"

// Filter is a parsed $filter. Its zero value is the absent filter, which matches every entity.
type Filter struct {
	Root Expr // nil: no filter
}

// Expr is a boolean expression: And, Or, Not, Comparison, Property or Constant.
type Expr interface{ isExpr() }

// And holds when all its terms do. It has at least two terms and none of them is an And: nested
// conjunctions are flattened, so the terms of a root And are the conjuncts of the filter.
type And []Expr

// Or holds when one of its terms does. It has at least two terms and none of them is an Or.
type Or []Expr

// Not holds when its operand does not.
type Not struct{ Operand Expr }

// Property is a boolean property on its own, which must be true.
type Property string

// Constant is a filter that matches everything or nothing. It is only found at the root: within a filter it is dropped,
// or decides for what it is joined with. Libraries that build filters start with one: "false or a eq 1".
type Constant bool

// Comparison compares a property with a constant. If the filter has the constant on the left, the comparison is turned
// around.
type Comparison struct {
	Property string
	Operator Operator
	Value    Literal
}

// Operator is a comparison operator as written in a filter.
type Operator string

// The comparison operators of the Table service ("Querying tables and entities").
const (
	Eq Operator = "eq"
	Ne Operator = "ne"
	Gt Operator = "gt"
	Ge Operator = "ge"
	Lt Operator = "lt"
	Le Operator = "le"
)

// turned returns the equivalent operator for exchanged operands.
func (o Operator) turned() Operator {
	return cmp.Or(map[Operator]Operator{Gt: Lt, Ge: Le, Lt: Gt, Le: Ge}[o], o)
}

func (And) isExpr()        {}
func (Or) isExpr()         {}
func (Not) isExpr()        {}
func (Property) isExpr()   {}
func (Constant) isExpr()   {}
func (Comparison) isExpr() {}

// GUID has the bytes of a GUID in the order in which they are written.
type GUID [16]byte

// Literal is a constant in a filter. Value is a string, bool, int32, int64, float64, time.Time (UTC, in steps of 100
// ns), GUID or []byte, by the types of the Table service's data model.
type Literal struct {
	Value any
}
