package dynamodb

import (
	"strconv"

	"github.com/storespec/storespec/internal/emulator/conformance"
)

// expressions are conditions that hold or do not, and updates with their results.
func expressions() []entry {
	conditions := []struct {
		condition string
		holds     bool
	}{
		{"attribute_exists(a) AND NOT attribute_exists(z)", true}, {"attribute_type(a, :type)", true},
		{"begins_with(a, :b)", true}, {"contains(a, :b)", true}, {"contains(tags, :b)", true},
		{"size(a) = :three", true},
		{"n BETWEEN :one AND :three", true}, {"n IN (:one, :two)", true}, {"n IN (:one, :three)", false},
		{"n < :two OR (n > :one AND a = :abc)", true}, {"a < n", false}, {"NOT a = n", true}, {"z <> :one", true},
		{"z = :one", false}, {"m.x = l[0]", true}, {"size(l) > :one", true}, {"a <> :b and not n = :one", true},
	}
	var list []entry
	for _, c := range conditions {
		list = append(list, entry{"condition " + c.condition, nil, func(p *probe) {
			p.condition(c.condition, c.holds)
		}})
	}
	updates := []struct{ expression, want string }{
		{"SET n = n + :one, a = if_not_exists(z, :b)", `{"n":{"N":"3"},"a":{"S":"a"}}`},
		{"SET n = :one - n", `{"n":{"N":"-1"}}`}, {"SET l = list_append(l, :list)",
			`{"l":{"L":[{"S":"x"},{"S":"y"},{"S":"z"}]}}`},
		{"SET l[9] = :b, m.y = :b",
			`{"l":{"L":[{"S":"x"},{"S":"y"},{"S":"a"}]},"m":{"M":{"x":{"S":"x"},"y":{"S":"a"}}}}`},
		{"REMOVE l[0], m.x", `{"l":{"L":[{"S":"y"}]},"m":{"M":{"x":null}}}`}, {"ADD n :two, fresh :one",
			`{"n":{"N":"4"},"fresh":{"N":"1"}}`},
		{"ADD tags :tags", `{"tags":{"SS":["a","b","c"]}}`}, {"DELETE tags :gone", `{"tags":{"SS":["b"]}}`},
		{"SET a = n, n = :one", `{"a":{"N":"2"},"n":{"N":"1"}}`},
	}
	for _, u := range updates {
		list = append(list, entry{"update " + u.expression, nil, func(p *probe) { p.update(u.expression, u.want) }})
	}
	return list
}

const (
	theItem = `,"a":{"S":"abc"},"n":{"N":"2"},"tags":{"SS":["a","b"]},` +
		`"l":{"L":[{"S":"x"},{"S":"y"}]},"m":{"M":{"x":{"S":"x"}}}`
)

// every value that an expression of expressions may use; a request may hold only those that it does use.
func values(expression string) string {
	all := []struct{ name, value string }{{":type", `{"S":"S"}`}, {":three", `{"N":"3"}`}, {":two", `{"N":"2"}`},
		{":one", `{"N":"1"}`}, {":abc", `{"S":"abc"}`}, {":list", `{"L":[{"S":"z"}]}`}, {":tags", `{"SS":["b","c"]}`},
		{":gone", `{"SS":["a","z"]}`}, {":b", `{"S":"a"}`}}
	text := ""
	for _, v := range all {
		if uses(expression, v.name) {
			text += `,` + strconv.Quote(v.name) + `:` + v.value
		}
	}
	if text == "" {
		return ""
	}
	return `,"ExpressionAttributeValues":{` + text[1:] + `}`
}

// uses is whether a name is in an expression, and not as the beginning of a longer one.
func uses(expression, name string) bool {
	for i := 0; i+len(name) <= len(expression); i++ {
		after := i + len(name)
		letter := after < len(expression) && expression[after] >= 'a' && expression[after] <= 'z'
		if expression[i:after] == name && !letter {
			return true
		}
	}
	return false
}

func (p *probe) condition(condition string, holds bool) {
	p.put("p", "s", theItem)
	request := theKey + `,"ConditionExpression":` + strconv.Quote(condition) + values(condition) + `}`
	if !holds {
		p.refuses("DeleteItem", request, "ConditionalCheckFailedException", "The conditional request failed")
		p.has("s", `{"Item":{"pk":{"S":"p"}}}`)
		return
	}
	p.ok("DeleteItem", request)
	p.has("s", `{"Item":null}`)
}

func (p *probe) update(expression, want string) {
	p.put("p", "s", theItem)
	p.ok("UpdateItem", theKey+`,"UpdateExpression":`+strconv.Quote(expression)+values(expression)+`}`)
	p.has("s", `{"Item":`+want+`}`)
}

// mistake is an expression that is refused, with DynamoDB's words.
type mistake struct {
	name, operation, members, message string
	needs                             *conformance.Capability
}

// one is the end of a request whose expression uses the value :v.
const one = `,"ExpressionAttributeValues":{":v":{"S":"x"}}}`

func mistakes() []entry {
	var made []entry
	for _, m := range append(mistakenConditions(), mistakenPaths()...) {
		made = append(made, entry{"refused: " + m.name, m.needs, func(p *probe) {
			p.put("p", "s", theItem)
			p.refuses(m.operation, theKey+`,`+m.members, "ValidationException", m.message)
		}})
	}
	return made
}

func mistakenConditions() []mistake {
	return []mistake{
		{"a condition that ends early", "DeleteItem", `"ConditionExpression":"a ="}`,
			`Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "="`, NamesSyntaxErrors},
		{"a value that is not given", "DeleteItem", `"ConditionExpression":"a = :v"}`,
			"Invalid ConditionExpression: An expression attribute value used in expression is not defined; " +
				"attribute value: :v", nil},
		{"a name that is not given", "DeleteItem", `"ConditionExpression":"#a = :v"` + one,
			"Invalid ConditionExpression: An expression attribute name used in the document path is not defined; " +
				"attribute name: #a", nil},
		{"a value that is not used", "DeleteItem", `"ConditionExpression":"attribute_exists(a)"` + one,
			"Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}", nil},
		{"a value without an expression", "DeleteItem", one[1:],
			"ExpressionAttributeValues can only be specified when using expressions", nil},
		{"a reserved word", "DeleteItem", `"ConditionExpression":"status = :v"` + one,
			"Invalid ConditionExpression: Attribute name is a reserved keyword; reserved keyword: status", nil},
		{"an unknown function", "DeleteItem", `"ConditionExpression":"isnt(a)"}`,
			"Invalid ConditionExpression: Invalid function name; function: isnt", nil},
		{"a function with too few operands", "DeleteItem", `"ConditionExpression":"begins_with(a)"}`,
			"Invalid ConditionExpression: Incorrect number of operands for operator or function; operator or " +
				"function: begins_with, number of operands: 1", nil},
		{"an empty condition", "DeleteItem", `"ConditionExpression":""}`,
			"Invalid ConditionExpression: The expression can not be empty;", nil},
		{"redundant parentheses", "DeleteItem", `"ConditionExpression":"((a = :v))"` + one,
			"Invalid ConditionExpression: The expression has redundant parentheses;", nil},
		{"two kinds of parameters", "DeleteItem",
			`"ConditionExpression":"attribute_exists(a)","Expected":{"a":{"Exists":false}}}`,
			"Can not use both expression and non-expression parameters in the same request: Non-expression " +
				"parameters: {Expected} Expression parameters: {ConditionExpression}", nil},
	}
}

// mistakenPaths are updates and projections.
func mistakenPaths() []mistake {
	return []mistake{
		{"an update of the key", "UpdateItem", `"UpdateExpression":"SET sk = :v"` + one,
			"One or more parameter values were invalid: Cannot update attribute sk. This attribute is part of the key",
			NamesKeyUpdates},
		{"an update of a path twice", "UpdateItem", `"UpdateExpression":"SET a = :v, a = :v"` + one,
			"Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of " +
				"these paths; path one: [a], path two: [a]", nil},
		{"a section twice", "UpdateItem", `"UpdateExpression":"SET a = :v SET b = :v"` + one,
			`Invalid UpdateExpression: The "SET" section can only be used once in an update expression;`, nil},
		{"a sum with a string", "UpdateItem", `"UpdateExpression":"SET a = a + :v"` + one,
			"Invalid UpdateExpression: Incorrect operand type for operator or function; operator or " +
				"function: +, operand type: S", nil},
		{"an addition of a string", "UpdateItem", `"UpdateExpression":"ADD a :v"` + one,
			"Invalid UpdateExpression: Incorrect operand type for operator or function; operator: ADD, " +
				"operand type: STRING", nil},
		{"a path that does not lead anywhere", "UpdateItem", `"UpdateExpression":"SET z.y = :v"` + one,
			"The document path provided in the update expression is invalid for update", nil},
		{"an attribute that is missing", "UpdateItem", `"UpdateExpression":"SET a = zz"}`,
			"The provided expression refers to an attribute that does not exist in the item", nil},
		{"a projection of a path twice", "GetItem", `"ProjectionExpression":"a, a.b"}`,
			"Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one " +
				"of these paths; path one: [a], path two: [a, b]", nil},
	}
}
