package expression

import "github.com/storespec/storespec/internal/emulator/dynamodb/value"

// convert adds what the legacy parameters say, in the form of expressions.
func (in *Input) convert(parsed *Parsed) value.Problem {
	or := in.ConditionalOperator != nil && *in.ConditionalOperator == "OR"
	if in.AttributesToGet != nil {
		paths := make([]Path, len(in.AttributesToGet))
		for i, name := range in.AttributesToGet {
			paths[i] = Path{Name(name)}
		}
		parsed.Projection = NewProjection(paths...)
	}
	if in.AttributeUpdates != nil {
		parsed.Update = in.AttributeUpdates.update()
	}
	if len(in.Expected) > 0 {
		terms := make([]*node, len(in.Expected))
		for i := range in.Expected {
			terms[i] = in.Expected[i].node()
		}
		parsed.Condition = combine(terms, or)
	}
	for _, filter := range []Conditions{in.QueryFilter, in.ScanFilter} {
		if len(filter) > 0 {
			terms := make([]*node, len(filter))
			for i, c := range filter {
				terms[i] = comparison(c.Name, c.Operator, c.Values)
			}
			parsed.Filter = combine(terms, or)
		}
	}
	if in.KeyConditions != nil && in.Key == nil {
		return in.convertKey(parsed)
	}
	return ""
}

// convertKey checks and converts KeyConditions.
func (in *Input) convertKey(parsed *Parsed) value.Problem {
	if problem := in.KeyConditions.check(false); problem != "" {
		return problem
	}
	if n := len(in.KeyConditions); n != 1 && n != 2 {
		return "Conditions can be of length 1 or 2 only"
	}
	parsed.Key = &KeyCondition{legacy: true}
	for _, c := range in.KeyConditions {
		operator, ok := legacyKeyOperators[c.Operator]
		if !ok {
			operator = notIndexable
		}
		parsed.Key.terms = append(parsed.Key.terms, keyTerm{c.Name, operator, c.Values})
	}
	return ""
}

var legacyKeyOperators = map[string]Operator{
	"EQ": Equal, "LT": Less, "LE": LessEqual, "GT": Greater, "GE": GreaterEqual, "BETWEEN": Between,
	"BEGINS_WITH": BeginsWith,
}

// combine returns the conjunction or disjunction of conditions.
func combine(terms []*node, or bool) *Condition {
	operator := opAnd
	if or {
		operator = opOr
	}
	root := terms[0]
	for _, term := range terms[1:] {
		root = &node{op: operator, args: []*node{root, term}}
	}
	return &Condition{root}
}

func (e *Expectation) node() *node {
	switch {
	case e.Operator != nil:
		return comparison(e.Name, *e.Operator, e.operands())
	case e.Exists != nil && !*e.Exists:
		return comparison(e.Name, "NULL", nil)
	}
	return comparison(e.Name, "EQ", e.operands())
}

var legacyOps = map[string]op{
	"EQ": opEqual, "NE": opUnequal, "LT": opLess, "LE": opLessEqual, "GT": opGreater, "GE": opGreaterEqual,
	"IN": opIn, "BETWEEN": opBetween,
}

var legacyFunctions = map[string]string{
	"CONTAINS": "contains", "NOT_CONTAINS": "contains", "BEGINS_WITH": "begins_with", "NULL": "attribute_not_exists",
	"NOT_NULL": "attribute_exists",
}

// comparison returns the condition of a ComparisonOperator.
func comparison(name, operator string, values []value.Value) *node {
	n := &node{op: legacyOps[operator], args: []*node{{op: opPath, path: Path{Name(name)}}}}
	for _, v := range values {
		n.args = append(n.args, &node{op: opValue, val: v})
	}
	if function, ok := legacyFunctions[operator]; ok {
		n.op, n.name = opFunction, function
	}
	if operator == "NOT_CONTAINS" {
		return &node{op: opNot, args: []*node{n}}
	}
	return n
}

// update returns the updates in the form of an UpdateExpression.
func (u Updates) update() *Update {
	out := &Update{legacy: true}
	for i := range u {
		a := action{Action: Action{Path: Path{Name(u[i].Name)}}}
		switch {
		case u[i].Action == nil || *u[i].Action == "PUT":
			a.Verb = Set
		case *u[i].Action == "ADD":
			a.Verb = Add
		case u[i].Value != nil:
			a.Verb = Delete
		default:
			a.Verb = Remove
		}
		if u[i].Value != nil {
			a.operand = &node{op: opValue, val: *u[i].Value}
			a.Kind = u[i].Value.Kind
		}
		out.actions = append(out.actions, a)
	}
	return out
}
