package odata

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Filter is a parsed $filter. Its zero value is the absent filter, which every entity passes.
type Filter struct {
	Root Expr // nil: no filter
}

// String writes the filter in a normal form that ParseFilter reads back to an equal filter:
// properties on the left, no parentheses beyond those that are needed, one spelling per literal.
func (f Filter) String() string {
	if f.Root == nil {
		return ""
	}
	return f.Root.String()
}

// Expr is a boolean expression: And, Or, Not, Comparison or Property.
type Expr interface {
	String() string
	isExpr()
}

// And holds when all its terms do. It has at least two terms and none of them is an And: nested
// conjunctions are flattened, so the terms of a root And are the conjuncts of the filter.
type And []Expr

// Or holds when one of its terms does. It has at least two terms and none of them is an Or.
type Or []Expr

// Not holds when its operand does not.
type Not struct{ Operand Expr }

// Property stands alone for a boolean property that must be true.
type Property string

// Comparison compares a property with a constant. A filter that was written with the constant on
// the left is turned around.
type Comparison struct {
	Property string
	Operator Operator
	Value    Literal
}

// Operator is a comparison operator as it is written in a filter.
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

// turned gives the operator that says the same with its operands exchanged.
func (o Operator) turned() Operator {
	switch o {
	case Gt:
		return Lt
	case Ge:
		return Le
	case Lt:
		return Gt
	case Le:
		return Ge
	}
	return o
}

func (And) isExpr()        {}
func (Or) isExpr()         {}
func (Not) isExpr()        {}
func (Property) isExpr()   {}
func (Comparison) isExpr() {}

func (e And) String() string {
	terms := make([]string, len(e))
	for i, term := range e {
		terms[i] = term.String()
		if _, ok := term.(Or); ok {
			terms[i] = "(" + terms[i] + ")"
		}
	}
	return strings.Join(terms, " and ")
}

func (e Or) String() string {
	terms := make([]string, len(e))
	for i, term := range e {
		terms[i] = term.String()
	}
	return strings.Join(terms, " or ")
}

func (e Not) String() string {
	switch e.Operand.(type) {
	case Not, Property:
		return "not " + e.Operand.String()
	}
	return "not (" + e.Operand.String() + ")"
}

func (e Property) String() string { return string(e) }

func (e Comparison) String() string {
	return e.Property + " " + string(e.Operator) + " " + e.Value.String()
}

// GUID is a GUID in its usual form, in lower case: 8-4-4-4-12 hexadecimal digits.
type GUID string

// Literal is a constant of a filter. Value is a string, bool, int32, int64, float64, time.Time (UTC,
// in steps of 100 ns), GUID or []byte, by the types of the Table service's data model.
type Literal struct {
	Value any
}

// String writes the constant as it stands in a filter.
func (l Literal) String() string {
	switch v := l.Value.(type) {
	case string:
		return "'" + strings.ReplaceAll(v, "'", "''") + "'"
	case bool:
		return strconv.FormatBool(v)
	case int32:
		return strconv.FormatInt(int64(v), 10)
	case int64:
		return strconv.FormatInt(v, 10) + "L"
	case float64:
		s := strconv.FormatFloat(v, 'g', -1, 64)
		if !strings.ContainsAny(s, ".e") {
			s += ".0" // else it would be read back as an integer
		}
		return s
	case time.Time:
		return "datetime'" + v.UTC().Format("2006-01-02T15:04:05.9999999Z") + "'"
	case GUID:
		return "guid'" + string(v) + "'"
	case []byte:
		return "X'" + hex.EncodeToString(v) + "'"
	}
	return fmt.Sprintf("<%T>", l.Value)
}
