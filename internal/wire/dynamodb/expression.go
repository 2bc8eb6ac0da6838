package dynamodb

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/wire"
)

// placeholders are the names and values that stand for others in a request's expressions.
type placeholders struct {
	ExpressionAttributeNames  map[string]string
	ExpressionAttributeValues item
}

// isWord reports whether a character is part of a name, a placeholder or a number.
func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// tokens splits an expression into words, placeholders and operators.
func tokens(expression string) (list []string) {
	for i := 0; i < len(expression); {
		start := i
		switch c := expression[i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
			continue
		case isWord(c) || c == '#' || c == ':':
			for i++; i < len(expression) && isWord(expression[i]); i++ {
			}
		case strings.IndexByte("<>=", c) >= 0:
			for i++; i < len(expression) && strings.IndexByte("<>=", expression[i]) >= 0; i++ {
			}
		default:
			i++
		}
		list = append(list, expression[start:i])
	}
	return list
}

// expand writes an expression for people: with what placeholders stand for. Those of nothing stay.
func (p *placeholders) expand(expression string) string {
	if strings.IndexByte(expression, '#') < 0 && strings.IndexByte(expression, ':') < 0 {
		return strings.TrimSpace(expression)
	}
	var text strings.Builder
	for i := 0; i < len(expression); {
		start := i
		c := expression[i]
		i++
		if c == '#' || c == ':' {
			for i < len(expression) && isWord(expression[i]) {
				i++
			}
		}
		token := expression[start:i]
		name, isName := p.ExpressionAttributeNames[token]
		value, isValue := p.ExpressionAttributeValues[token]
		switch {
		case isName && c == '#':
			text.WriteString(name)
		case isValue && c == ':':
			text.WriteString(shown(value))
		default:
			text.WriteString(token)
		}
	}
	return strings.TrimSpace(text.String())
}

// test is one condition on an attribute of a key.
type test struct {
	attribute string
	operator  string // =, <, <=, >, >=, between, begins_with
	from, to  string
}

// keyCondition reads a KeyConditionExpression; ok is false for one that it cannot read.
func (p *placeholders) keyCondition(expression string) (tests []test, ok bool) {
	list := tokens(expression)
	// Parentheses group nothing that matters here: there is only "and".
	list = slices.DeleteFunc(list, func(t string) bool { return t == "(" || t == ")" || t == "," })
	for len(list) > 0 {
		var one test
		switch {
		case list[0] == "begins_with" && len(list) >= 3:
			one = test{p.name(list[1]), "begins_with", p.value(list[2]), ""}
			list = list[3:]
		case len(list) >= 5 && strings.EqualFold(list[1], "between"):
			one = test{p.name(list[0]), "between", p.value(list[2]), p.value(list[4])}
			list = list[5:]
		case len(list) >= 3 && slices.Contains([]string{"=", "<", "<=", ">", ">="}, list[1]):
			one = test{p.name(list[0]), list[1], p.value(list[2]), ""}
			if strings.HasPrefix(list[0], ":") { // the value may stand first
				one = test{p.name(list[2]), turned[list[1]], p.value(list[0]), ""}
			}
			list = list[3:]
		default:
			return nil, false
		}
		tests = append(tests, one)
		if len(list) > 0 {
			if !strings.EqualFold(list[0], "and") {
				return nil, false
			}
			list = list[1:]
		}
	}
	return tests, len(tests) > 0
}

// turned is operators with their operands exchanged.
var turned = map[string]string{"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

func (p *placeholders) name(token string) string {
	if name, ok := p.ExpressionAttributeNames[token]; ok {
		return name
	}
	return token
}

func (p *placeholders) value(token string) string {
	text, ok := scalar(p.ExpressionAttributeValues[token])
	if !ok {
		return token
	}
	return text
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

// selects writes into a call what tests on the attributes of a key select: one key, or a range of a partition. A schema
// that is not known is guessed. It returns the tests on the key; none: they name no partition.
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

// used reports which placeholders expressions contain.
func used(expressions ...string) (names, values map[string]bool) {
	names, values = map[string]bool{}, map[string]bool{}
	for _, expression := range expressions {
		for _, token := range tokens(expression) {
			switch token[0] {
			case '#':
				names[token] = true
			case ':':
				values[token] = true
			}
		}
	}
	return names, values
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
