package expression

import (
	"slices"
	"strconv"

	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

// KeyCondition is a parsed KeyConditionExpression, or KeyConditions, before the table's schema is known.
type KeyCondition struct {
	terms  []keyTerm
	legacy bool
}

// keyTerm is the condition on one attribute.
type keyTerm struct {
	name     string
	operator Operator
	values   []value.Value
}

// Operator is the operator of a condition on a sort key.
type Operator uint8

// The operators; Any means that the sort key has no condition.
const (
	Any Operator = iota
	Equal
	Less
	LessEqual
	Greater
	GreaterEqual
	Between
	BeginsWith
	notIndexable // of KeyConditions: an operator that no index can answer
)

var keyOperators = map[op]Operator{
	opEqual: Equal, opLess: Less, opLessEqual: LessEqual, opGreater: Greater, opGreaterEqual: GreaterEqual,
	opBetween: Between, opFunction: BeginsWith,
}

// mirrored are the operators with their operands exchanged.
var mirrored = map[Operator]Operator{
	Equal: Equal, Less: Greater, LessEqual: GreaterEqual, Greater: Less, GreaterEqual: LessEqual,
}

// add adds the conditions of a node, which may be a conjunction.
func (k *KeyCondition) add(n *node) value.Problem {
	if n.op == opAnd {
		if problem := k.add(n.args[0]); problem != "" {
			return problem
		}
		return k.add(n.args[1])
	}
	if problem := checkKeyOperator(n); problem != "" {
		return problem
	}
	at, problem := keyAttribute(n)
	if problem != "" {
		return problem
	}
	term := keyTerm{name: n.args[at].path[0].Name, operator: keyOperators[n.op]}
	for _, arg := range n.args {
		if arg.op == opValue {
			term.values = append(term.values, arg.val)
		}
	}
	if at > 0 {
		term.operator = mirrored[term.operator]
	}
	if slices.ContainsFunc(k.terms, func(before keyTerm) bool { return before.name == term.name }) {
		return "Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key"
	}
	k.terms = append(k.terms, term)
	return ""
}

// checkKeyOperator checks that a condition has an operator that keys can have, and the key in its place.
func checkKeyOperator(n *node) value.Problem {
	const operator = "Invalid operator used in KeyConditionExpression: "
	switch n.op {
	case opOr, opNot, opIn, opUnequal:
		return value.Problem(operator + n.label())
	case opFunction:
		if n.name != "begins_with" {
			return value.Problem(operator + n.name)
		}
	}
	for _, arg := range n.args {
		if arg.op == opFunction {
			return "KeyConditionExpressions cannot contain nested operations"
		}
	}
	if (n.op == opBetween || n.op == opFunction) && n.args[0].op != opPath {
		return value.Problem("Invalid condition in KeyConditionExpression: " + n.label() +
			" operator must have the key attribute as its first operand")
	}
	return ""
}

// keyAttribute returns which operand of a condition is its attribute.
func keyAttribute(n *node) (int, value.Problem) {
	const condition = "Invalid condition in KeyConditionExpression: "
	at := -1
	for i, arg := range n.args {
		if arg.op != opPath {
			continue
		}
		if at >= 0 {
			return 0, condition + "Multiple attribute names used in one condition"
		}
		if len(arg.path) > 1 {
			return 0, "KeyConditionExpressions cannot have conditions on nested attributes"
		}
		at = i
	}
	if at < 0 {
		return 0, condition + "No key attribute specified"
	}
	return at, ""
}

// Schema is the key schema of a table or of an index.
type Schema struct {
	Partition, Sort         string // Sort is "" if there is no sort key
	PartitionKind, SortKind value.Kind
}

// Resolve checks the condition against the schema and returns the range of keys it means.
func (k *KeyCondition) Resolve(schema Schema) (KeyRange, error) {
	r, problem := k.resolve(schema)
	return r, problem.Err()
}

func (k *KeyCondition) resolve(schema Schema) (r KeyRange, problem value.Problem) {
	keys := 1
	if schema.Sort != "" {
		keys = 2
	}
	if len(k.terms) > keys {
		if k.legacy {
			return r, "Query key condition not supported"
		}
		return r, value.Problem("The number of query conditions (" + strconv.Itoa(len(k.terms)) +
			") exceeds the number of key attributes defined in the schema (" + strconv.Itoa(keys) + ")")
	}
	partition, problem := k.term(schema.Partition, schema.PartitionKind, true)
	if problem != "" {
		return r, problem
	}
	r.Partition = partition.values[0]
	if len(k.terms) == 1 {
		return r, ""
	}
	sort, problem := k.term(schema.Sort, schema.SortKind, false)
	if problem != "" {
		return r, problem
	}
	r.Sort, r.Low = sort.operator, sort.values[0]
	if r.Sort == Between {
		r.High = sort.values[1]
	}
	return r, ""
}

// term returns the condition on a key attribute.
func (k *KeyCondition) term(name string, kind value.Kind, partition bool) (keyTerm, value.Problem) {
	for _, term := range k.terms {
		if term.name == name {
			return term, term.check(kind, partition)
		}
	}
	return keyTerm{}, value.Problem("Query condition missed key schema element: " + name)
}

func (t *keyTerm) check(kind value.Kind, partition bool) value.Problem {
	if t.operator == notIndexable {
		return "Attempted conditional constraint is not an indexable operation"
	}
	for _, v := range t.values {
		if v.Kind != kind {
			return invalid + "Condition parameter type does not match schema type"
		}
	}
	if partition && t.operator != Equal {
		return "Query key condition not supported"
	}
	for _, v := range t.values {
		if v.Text == "" {
			return EmptyKey(t.name, kind)
		}
	}
	return ""
}

// EmptyKey is the problem of a key attribute that is an empty string or binary.
func EmptyKey(name string, kind value.Kind) value.Problem {
	what := "string"
	if kind == value.B {
		what = "binary"
	}
	return value.Problem("One or more parameter values are not valid. The AttributeValue for a key attribute " +
		"cannot contain an empty " + what + " value. Key: " + name)
}
