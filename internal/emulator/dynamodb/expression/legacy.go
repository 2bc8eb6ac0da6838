package expression

import (
	"slices"

	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

// Conditions are the legacy parameters KeyConditions, QueryFilter and ScanFilter.
type Conditions []LegacyCondition

// LegacyCondition is a condition on an attribute.
type LegacyCondition struct {
	Name     string
	Operator string // one of ComparisonOperators, or "": absent
	Values   []value.Value
}

// ComparisonOperators are the values of ComparisonOperator, in the order of DynamoDB's messages.
var ComparisonOperators = []string{
	"IN", "NULL", "BETWEEN", "LT", "NOT_CONTAINS", "EQ", "GT", "NOT_NULL", "NE", "LE", "BEGINS_WITH", "GE", "CONTAINS",
}

// Expectations are the legacy parameter Expected.
type Expectations []Expectation

// Expectation is what Expected says about an attribute. What it does not say is nil.
type Expectation struct {
	Name     string
	Operator *string
	Values   []value.Value // AttributeValueList
	Value    *value.Value
	Exists   *bool
}

// Updates are the legacy parameter AttributeUpdates.
type Updates []LegacyUpdate

// LegacyUpdate is an update of an attribute.
type LegacyUpdate struct {
	Name   string
	Action *string // PUT, ADD, DELETE; nil: PUT
	Value  *value.Value
}

// legacyOperator says what a ComparisonOperator means: how many values it takes (least and most) and of which types
// (API Reference, "Condition").
type legacyOperator struct {
	least, most int
	kinds       []value.Kind // nil: all
}

var (
	scalars         = []value.Kind{value.S, value.N, value.B}
	legacyOperators = map[string]legacyOperator{
		"EQ": {1, 1, nil}, "NE": {1, 1, nil},
		"LE": {1, 1, scalars}, "LT": {1, 1, scalars}, "GE": {1, 1, scalars}, "GT": {1, 1, scalars},
		"CONTAINS": {1, 1, scalars}, "NOT_CONTAINS": {1, 1, scalars},
		"BEGINS_WITH": {1, 1, []value.Kind{value.S, value.B}},
		"IN":          {1, 1 << 30, scalars}, "BETWEEN": {2, 2, scalars},
		"NULL": {0, 0, nil}, "NOT_NULL": {0, 0, nil},
	}
)

// CheckLegacy checks the legacy parameters other than KeyConditions.
func (in *Input) CheckLegacy() error { return in.problem(in.checkLegacy()) }

func (in *Input) checkLegacy() value.Problem {
	seen := make(map[string]bool, len(in.AttributesToGet))
	for _, name := range in.AttributesToGet {
		if seen[name] {
			return value.Problem(invalid + "Duplicate value in attribute name: " + name)
		}
		seen[name] = true
	}
	for _, conditions := range []Conditions{in.QueryFilter, in.ScanFilter} {
		if problem := conditions.check(in.Operation.older()); problem != "" {
			return problem
		}
	}
	var problem value.Problem
	for i := 0; problem == "" && i < len(in.AttributeUpdates); i++ {
		problem = in.AttributeUpdates[i].check()
	}
	for i := 0; problem == "" && i < len(in.Expected); i++ {
		problem = in.Expected[i].check()
	}
	return problem
}

func (c Conditions) check(older bool) value.Problem {
	for i := range c {
		for j := range c[i].Values {
			if problem := problemOf(&c[i].Values[j], older); problem != "" {
				return problem
			}
		}
		if problem := checkOperator(c[i].Operator, c[i].Values); problem != "" {
			return problem
		}
	}
	return ""
}

func problemOf(v *value.Value, older bool) value.Problem {
	err := v.Problem()
	if older {
		err = v.OlderProblem()
	}
	if err == nil {
		return ""
	}
	return value.Problem(err.Error())
}

// checkOperator checks the values of a comparison: how many they are, and their types.
func checkOperator(operator string, values []value.Value) value.Problem {
	rule := legacyOperators[operator]
	if len(values) < rule.least || len(values) > rule.most {
		return value.Problem(invalid + "Invalid number of argument(s) for the " + operator + " ComparisonOperator")
	}
	for i := range values {
		if values[i].Kind != values[0].Kind {
			return invalid + "AttributeValues inside AttributeValueList must be of same type"
		}
	}
	for i := range values {
		if rule.kinds != nil && !slices.Contains(rule.kinds, values[i].Kind) {
			return value.Problem(invalid + "ComparisonOperator " + operator + " is not valid for " +
				values[i].Kind.String() + " AttributeValue type")
		}
	}
	if operator == "BETWEEN" {
		if order, _ := value.Compare(values[0], values[1]); order > 0 {
			return "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound"
		}
	}
	return ""
}

func (u *LegacyUpdate) check() value.Problem {
	verb := "PUT"
	if u.Action != nil {
		verb = *u.Action
	}
	if u.Value == nil {
		if verb != "DELETE" {
			return invalid + "Only DELETE action is allowed when no attribute value is specified"
		}
		return ""
	}
	if problem := problemOf(u.Value, false); problem != "" {
		return problem
	}
	kind := u.Value.Kind
	switch {
	case verb == "DELETE" && !kind.Set():
		return value.Problem(invalid + "DELETE action with value is not supported for the type " + kind.String())
	case verb == "ADD" && !kind.Set() && kind != value.N && kind != value.L:
		return value.Problem(invalid + "ADD action is not supported for the type " + kind.String())
	}
	return ""
}

func (e *Expectation) check() value.Problem {
	for i := range e.Values {
		if problem := problemOf(&e.Values[i], false); problem != "" {
			return problem
		}
	}
	if e.Value != nil {
		if problem := problemOf(e.Value, false); problem != "" {
			return problem
		}
	}
	attribute := " for Attribute: " + e.Name
	switch {
	case e.Values != nil && e.Value != nil:
		return value.Problem(invalid + "Value and AttributeValueList cannot be used together" + attribute)
	case e.Operator == nil && e.Values != nil:
		return value.Problem(invalid + "AttributeValueList can only be used with a ComparisonOperator" + attribute)
	case e.Operator == nil:
		return e.checkExists(attribute)
	case e.Exists != nil:
		return value.Problem(invalid + "Exists and ComparisonOperator cannot be used together" + attribute)
	}
	operator := *e.Operator
	if operator != "NULL" && operator != "NOT_NULL" && e.Values == nil && e.Value == nil {
		const message = invalid + "Value or AttributeValueList must be used with ComparisonOperator: "
		return value.Problem(message + operator + attribute)
	}
	return checkOperator(operator, e.operands())
}

func (e *Expectation) checkExists(attribute string) value.Problem {
	switch {
	case e.Exists == nil && e.Value == nil:
		return value.Problem(invalid + "Value must be provided when Exists is null" + attribute)
	case e.Exists != nil && *e.Exists && e.Value == nil:
		return value.Problem(invalid + "Value must be provided when Exists is true" + attribute)
	case e.Exists != nil && !*e.Exists && e.Value != nil:
		return value.Problem(invalid + "Value cannot be used when Exists is false" + attribute)
	}
	return ""
}

func (e *Expectation) operands() []value.Value {
	if e.Value != nil {
		return []value.Value{*e.Value}
	}
	return e.Values
}
