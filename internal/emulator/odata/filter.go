package odata

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Filter is a parsed $filter. Its zero value is the absent filter, which matches every entity.
type Filter struct {
	Root Expr // nil: no filter
}

// String returns the filter in a normal form that ParseFilter reads back to an equal filter: properties on the left, no
// unnecessary parentheses, one spelling per literal.
func (f Filter) String() string {
	if f.Root == nil {
		return ""
	}
	return f.Root.String()
}

// Expr is a boolean expression: And, Or, Not, Comparison, Property or Constant.
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

func (e And) String() string { return joined(e, " and ") }

func (e Or) String() string { return joined(e, " or ") }

// joined joins terms; an Or among them, which only an And can have, is in parentheses.
func joined(list []Expr, operator string) string {
	terms := make([]string, len(list))
	for i, term := range list {
		terms[i] = term.String()
		if _, ok := term.(Or); ok {
			terms[i] = "(" + terms[i] + ")"
		}
	}
	return strings.Join(terms, operator)
}

func (e Not) String() string {
	switch e.Operand.(type) {
	case Not, Property:
		return "not " + e.Operand.String()
	}
	return "not (" + e.Operand.String() + ")"
}

func (e Property) String() string { return string(e) }

func (e Constant) String() string { return strconv.FormatBool(bool(e)) }

func (e Comparison) String() string {
	return e.Property + " " + string(e.Operator) + " " + e.Value.String()
}

// GUID is a GUID in its usual form, in lower case: 8-4-4-4-12 hexadecimal digits.
type GUID string

// Literal is a constant in a filter. Value is a string, bool, int32, int64, float64, time.Time (UTC, in steps of 100
// ns), GUID or []byte, by the types of the Table service's data model.
type Literal struct {
	Value any
}

// String returns the constant as written in a filter.
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
			s += ".0" // otherwise it would be read back as an integer
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
