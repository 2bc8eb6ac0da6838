package dynamodb

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/emulator/dynamodb/expression"
	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
	"github.com/storespec/storespec/internal/wire"
)

// placeholders define the placeholders in a request's expressions.
type placeholders struct {
	ExpressionAttributeNames  map[string]string
	ExpressionAttributeValues item
}

// expand writes an expression for people: with what placeholders stand for. Undefined ones stay.
func (p *placeholders) expand(text string) string {
	return strings.TrimSpace(expression.Expand(text, func(placeholder string) string {
		if name, ok := p.ExpressionAttributeNames[placeholder]; ok {
			return name
		}
		if value, ok := p.ExpressionAttributeValues[placeholder]; ok {
			return shown(value)
		}
		return placeholder
	}))
}

// test is one condition on an attribute of a key.
type test struct {
	attribute string
	operator  string // those of expression.Test
	from, to  string
}

// keyCondition reads a KeyConditionExpression; ok is false for one that it cannot read.
func (p *placeholders) keyCondition(text string) (tests []test, ok bool) {
	found, ok := expression.KeyTests(text, p.ExpressionAttributeNames)
	for _, one := range found {
		tests = append(tests, testOf(one, func(v value.Value) string {
			if text, ok := scalar(p.ExpressionAttributeValues[v.Text]); ok {
				return text
			}
			return v.Text
		}))
	}
	return tests, ok
}

// testOf returns a test with the texts of its operands.
func testOf(one expression.Test, text func(value.Value) string) test {
	t := test{attribute: one.Attribute, operator: one.Operator, from: text(one.Operands[0])}
	if one.Operator == "between" {
		t.to = text(one.Operands[1])
	}
	return t
}

// legacyCondition is a condition of the parameters that expressions have replaced (Developer Guide, "Legacy conditional
// parameters"): of KeyConditions, QueryFilter and ScanFilter, and of Expected.
type legacyCondition struct {
	ComparisonOperator string
	AttributeValueList []attribute
	Value              attribute
	Exists             *bool
}

// legacyOperators are the operators of KeyConditions.
var legacyOperators = map[string]string{"EQ": "=", "LT": "<", "LE": "<=", "GT": ">", "GE": ">=",
	"BETWEEN": "between", "BEGINS_WITH": "begins_with"}

// legacyKey reads KeyConditions.
func legacyKey(conditions map[string]legacyCondition) (tests []test, ok bool) {
	for name, c := range conditions {
		one := test{attribute: name, operator: legacyOperators[c.ComparisonOperator]}
		if one.operator == "" || len(c.AttributeValueList) == 0 {
			return nil, false
		}
		one.from, _ = scalar(c.AttributeValueList[0])
		if len(c.AttributeValueList) > 1 {
			one.to, _ = scalar(c.AttributeValueList[1])
		}
		tests = append(tests, one)
	}
	return tests, len(tests) > 0
}

// legacyText writes legacy conditions for people, in the order of their attributes.
func legacyText(conditions map[string]legacyCondition, joined string) string {
	var list []string
	for name, c := range conditions {
		values := c.AttributeValueList
		if len(values) == 0 && len(c.Value) > 0 {
			values = []attribute{c.Value}
		}
		text := name + " " + c.ComparisonOperator
		if c.ComparisonOperator == "" {
			text = name + " EQ"
			if c.Exists != nil && !*c.Exists {
				text = name + " NULL"
			}
		}
		for _, value := range values {
			text += " " + shown(value)
		}
		list = append(list, text)
	}
	slices.Sort(list)
	if joined == "" {
		joined = "AND"
	}
	return strings.Join(list, " "+joined+" ")
}

// selects writes into a call what tests on the attributes of a key select: one key, or a range of a partition. An
// unknown schema is guessed. It returns the tests on the key; none: they name no partition.
func selects(call *wire.Call, tests []test, schema []string) (used []test) {
	partition, sort := "", ""
	switch {
	case len(schema) > 1:
		partition, sort = schema[0], schema[1]
	case len(schema) == 1:
		partition = schema[0]
	case len(tests) == 1:
		partition = tests[0].attribute
	case tests[0].operator != "=":
		partition, sort = tests[1].attribute, tests[0].attribute
	case tests[1].operator != "=":
		partition, sort = tests[0].attribute, tests[1].attribute
	default:
		partition, sort = guess(tests[0].attribute, tests[1].attribute)
	}
	at := slices.IndexFunc(tests, func(t test) bool { return t.attribute == partition && t.operator == "=" })
	if at < 0 {
		return nil
	}
	call.Key, used = []string{tests[at].from}, []test{tests[at]}
	if len(schema) == 1 {
		call.Parts = keyParts[:1]
	}
	at = slices.IndexFunc(tests, func(t test) bool { return t.attribute == sort && sort != "" })
	if at < 0 {
		return used
	}
	if one := tests[at]; one.operator == "=" {
		call.Key = append(call.Key, one.from)
	} else {
		call.Range = &wire.Range{Operator: one.operator, From: one.from, To: one.to}
	}
	return append(used, tests[at])
}

// used returns the placeholders that expressions contain.
func used(expressions ...string) map[string]bool {
	all := map[string]bool{}
	for _, text := range expressions {
		expression.Expand(text, func(placeholder string) string {
			all[placeholder] = true
			return placeholder
		})
	}
	return all
}

// pruned returns an object of placeholders without those that are not used; nil if none is left, since DynamoDB refuses
// an empty one.
func pruned(raw json.RawMessage, uses map[string]bool) object {
	all, err := parseObject(raw)
	if err != nil {
		return nil
	}
	left := slices.DeleteFunc(all, func(m member) bool { return !uses[m.name] })
	if len(left) == 0 {
		return nil
	}
	return left
}
