package expression

import (
	"testing"

	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

func text(s string) *string { return &s }

// legacy reads parameters from JSON.
func legacy(t *testing.T, in Input, json string) Input {
	t.Helper()
	r := value.NewReader([]byte(json))
	err := r.Object(func(name string) (err error) {
		switch name {
		case "KeyConditions":
			in.KeyConditions, err = ReadConditions(r)
		case "QueryFilter":
			in.QueryFilter, err = ReadConditions(r)
		case "ScanFilter":
			in.ScanFilter, err = ReadConditions(r)
		case "Expected":
			in.Expected, err = ReadExpected(r)
		case "AttributeUpdates":
			in.AttributeUpdates, err = ReadUpdates(r)
		case "AttributesToGet":
			in.AttributesToGet, err = r.Strings()
		case "ConditionalOperator":
			in.ConditionalOperator, err = pointer(r.String())
		case "Names":
			in.Names, err = r.StringMap()
		case "Values":
			in.Values, err = r.Item()
		}
		return err
	})
	if err != nil {
		t.Fatal(json, err)
	}
	return in
}

// refusal returns the first problem of a request.
func refusal(in Input) string {
	if err := in.CheckUse(); err != nil {
		return err.Error()
	}
	if err := in.CheckLegacy(); err != nil {
		return err.Error()
	}
	if _, err := in.Parse(); err != nil {
		return err.Error()
	}
	return ""
}

const (
	one       = "1 validation error detected: "
	mixed     = "Can not use both expression and non-expression parameters in the same request: "
	noNeed    = "can only be specified when using expressions"
	pair      = `{"AttributeValueList":[{"S":"a"}],"ComparisonOperator":"EQ"}`
	twice     = "Input collection contains duplicates"
	condition = "ConditionalOperator "
)

// request is a request's expressions, its other parameters as JSON, and the problem with them.
type request struct {
	in         Input
	json, want string
}

// uses are requests with parameters that do not fit together.
var uses = []request{
	{
		Input{Operation: UpdateItem, Update: text("SET a = :v"), Condition: text("a = :v")},
		`{"AttributeUpdates":{},"Expected":{},"ConditionalOperator":"AND"}`,
		one + mixed + "Non-expression parameters: {AttributeUpdates, Expected, ConditionalOperator} " +
			"Expression parameters: {UpdateExpression, ConditionExpression}",
	},
	{
		Input{Operation: Query, Key: text("p = :p"), Filter: text("a = :v"), Projection: text("b")},
		`{"KeyConditions":{},"QueryFilter":{"a":` + pair + `},"ConditionalOperator":"AND"}`,
		mixed + "Non-expression parameters: {QueryFilter, ConditionalOperator, KeyConditions} " +
			"Expression parameters: {ProjectionExpression, FilterExpression, KeyConditionExpression}",
	},
	{Input{Operation: Query, Projection: text("b")}, `{"KeyConditions":{"a":` + pair + `}}`, ""},
	{Input{Operation: PutItem}, `{"Names":{"#a":"a"}}`, one + "ExpressionAttributeNames " + noNeed},
	{Input{Operation: DeleteItem}, `{"Values":{":a":{"S":"a"}}}`, one + "ExpressionAttributeValues " + noNeed},
	{
		Input{Operation: Scan, Projection: text("a")}, `{"Values":{":a":{"S":"a"}}}`,
		"ExpressionAttributeValues " + noNeed + ": FilterExpression is null",
	},
	{Input{Operation: Scan}, `{"ConditionalOperator":"AND"}`, condition + "cannot be used without Filter or Expected"},
	{
		Input{Operation: Scan}, `{"ConditionalOperator":"AND","ScanFilter":{"a":` + pair + `}}`,
		condition + "can only be used when Filter or Expected has two or more elements",
	},
	{
		Input{Operation: Scan}, `{"ConditionalOperator":"XOR","ScanFilter":{"a":` + pair + `,"b":` + pair + `}}`,
		"Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]",
	},
	{
		Input{Operation: GetItem}, `{"AttributesToGet":["a","b","a"]}`,
		invalid + "Duplicate value in attribute name: a",
	},
	{Input{Operation: Query}, `{"KeyConditions":{}}`, "Conditions can be of length 1 or 2 only"},
}

// placeholders are requests with placeholders that are wrong.
var placeholders = []request{
	{
		Input{Operation: GetItem, Projection: text("a")}, `{"Names":{}}`,
		"ExpressionAttributeNames must not be empty",
	},
	{
		Input{Operation: GetItem, Projection: text("a")}, `{"Names":{"#a-b":"a"}}`,
		`ExpressionAttributeNames contains invalid key: Syntax error; key: "#a-b"`,
	},
	{
		Input{Operation: Scan, Filter: text("a = b")}, `{"Values":{}}`,
		"ExpressionAttributeValues must not be empty",
	},
	{
		Input{Operation: Scan, Filter: text("a = b")}, `{"Values":{"a":{"S":"a"}}}`,
		`ExpressionAttributeValues contains invalid key: Syntax error; key: "a"`,
	},
	{
		Input{Operation: Scan, Filter: text("a = :a")}, `{"Values":{":a":{}}}`,
		"ExpressionAttributeValues contains invalid value: Supplied AttributeValue is empty, " +
			"must contain exactly one of the supported datatypes for key :a",
	},
	{
		Input{Operation: Scan, Filter: text("a = :a")}, `{"Values":{":a":{"NS":["1","1"]}}}`,
		"ExpressionAttributeValues contains invalid value: " + twice + " for key :a",
	},
	{
		Input{Operation: Query, Filter: text("a = :a")}, `{"Values":{":a":{"NS":["1","1"]}}}`,
		"One or more parameter values were invalid: " + twice + ".",
	},
	{
		Input{Operation: GetItem, Projection: text("a, #b")}, `{"Names":{"#d":"d","#c":"c","#b":"b"}}`,
		"Value provided in ExpressionAttributeNames unused in expressions: keys: {#c, #d}",
	},
	{
		Input{Operation: UpdateItem, Update: text("SET a = :a")}, `{"Values":{":a":{"S":"a"},":b":{"S":"b"}}}`,
		one + "Value provided in ExpressionAttributeValues unused in expressions: keys: {:b}",
	},
}

func TestInputProblems(t *testing.T) {
	for _, requests := range [][]request{uses, placeholders} {
		for _, r := range requests {
			if got := refusal(legacy(t, r.in, r.json)); got != r.want {
				t.Errorf("%s:\n%s; want\n%s", r.json, got, r.want)
			}
		}
	}
}

func TestLegacyProblems(t *testing.T) {
	for _, c := range [][2]string{
		{`{"Exists":true}`, "Value must be provided when Exists is true for Attribute: a"},
		{`{}`, "Value must be provided when Exists is null for Attribute: a"},
		{`{"Exists":false,"Value":{"S":"x"}}`, "Value cannot be used when Exists is false for Attribute: a"},
		{
			`{"Value":{"S":"x"},"ComparisonOperator":"EQ","AttributeValueList":[{"S":"x"}]}`,
			"Value and AttributeValueList cannot be used together for Attribute: a",
		},
		{
			`{"ComparisonOperator":"EQ"}`,
			"Value or AttributeValueList must be used with ComparisonOperator: EQ for Attribute: a",
		},
		{`{"AttributeValueList":[]}`, "AttributeValueList can only be used with a ComparisonOperator for Attribute: a"},
		{
			`{"ComparisonOperator":"NULL","Exists":true}`,
			"Exists and ComparisonOperator cannot be used together for Attribute: a",
		},
		{
			`{"ComparisonOperator":"BETWEEN","AttributeValueList":[{"S":"x"}]}`,
			"Invalid number of argument(s) for the BETWEEN ComparisonOperator",
		},
		{
			`{"ComparisonOperator":"NULL","Value":{"S":"x"}}`,
			"Invalid number of argument(s) for the NULL ComparisonOperator",
		},
		{
			`{"ComparisonOperator":"IN","AttributeValueList":[{"S":"x"},{"N":"1"}]}`,
			"AttributeValues inside AttributeValueList must be of same type",
		},
		{
			`{"ComparisonOperator":"LT","Value":{"SS":["x"]}}`,
			"ComparisonOperator LT is not valid for SS AttributeValue type",
		},
	} {
		json, want := c[0], c[1]
		in := legacy(t, Input{Operation: PutItem}, `{"Expected":{"a":`+json+`}}`)
		if got := refusal(in); got != "1 validation error detected: "+invalid+want {
			t.Errorf("%s:\n%s; want\n%s", json, got, want)
		}
	}
	for _, c := range [][2]string{
		{`{"Action":"PUT"}`, "Only DELETE action is allowed when no attribute value is specified"},
		{`{"Action":"DELETE","Value":{"S":"x"}}`, "DELETE action with value is not supported for the type S"},
		{`{"Action":"ADD","Value":{"S":"x"}}`, "ADD action is not supported for the type S"},
	} {
		json, want := c[0], c[1]
		in := legacy(t, Input{Operation: UpdateItem}, `{"AttributeUpdates":{"a":`+json+`}}`)
		if got := refusal(in); got != "1 validation error detected: "+invalid+want {
			t.Errorf("%s:\n%s; want\n%s", json, got, want)
		}
	}
}

func TestLegacyConditions(t *testing.T) {
	it := item(t, `{"a":{"S":"abc"},"n":{"N":"5"},"s":{"SS":["x"]},"l":{"L":[]}}`)
	on := func(name, operator, values string) string {
		return `"` + name + `":{"ComparisonOperator":"` + operator + `","AttributeValueList":[` + values + `]}`
	}
	for json, want := range map[string]bool{
		on("a", "EQ", `{"S":"abc"}`): true, on("a", "NE", `{"S":"abc"}`): false,
		on("b", "NE", `{"S":"abc"}`): true,
		on("l", "EQ", `{"L":[]}`):    true, on("n", "LT", `{"N":"6"}`): true,
		on("n", "LE", `{"N":"4"}`): false,
		on("n", "GT", `{"N":"4"}`): true, on("n", "GE", `{"N":"5"}`): true,
		on("a", "NULL", ""):     false,
		on("a", "NOT_NULL", ""): true, on("a", "CONTAINS", `{"S":"b"}`): true,
		on("s", "CONTAINS", `{"S":"x"}`):     true,
		on("s", "NOT_CONTAINS", `{"S":"x"}`): false, on("a", "BEGINS_WITH", `{"S":"ab"}`): true,
		on("a", "IN", `{"S":"x"},{"S":"abc"}`): true, on("n", "BETWEEN", `{"N":"1"},{"N":"5"}`): true,
	} {
		in := legacy(t, Input{Operation: Scan}, `{"ScanFilter":{`+json+`}}`)
		parsed, err := in.Parse()
		if refused := refusal(in); refused != "" || err != nil || parsed.Filter.Match(it) != want {
			t.Errorf("%s: %s, %v", json, refused, err)
		}
	}
	in := legacy(t, Input{Operation: Scan}, `{"ConditionalOperator":"OR","ScanFilter":{`+
		on("a", "NULL", "")+`,`+on("n", "NOT_NULL", "")+`}}`)
	if parsed, err := in.Parse(); err != nil || !parsed.Filter.Match(it) {
		t.Errorf("OR: %v", err)
	}
	in = legacy(t, Input{Operation: PutItem}, `{"Expected":{"a":{"Value":{"S":"abc"}},"z":{"Exists":false}}}`)
	if parsed, err := in.Parse(); err != nil || !parsed.Condition.Match(it) {
		t.Errorf("Expected: %v", err)
	}
}

func TestLegacyUpdates(t *testing.T) {
	for _, c := range [][2]string{
		{`"a":{"Value":{"S":"y"}}`, `{"a":{"S":"y"},"l":{"L":[{"N":"1"}]},"n":{"N":"5"},"s":{"SS":["x"]}}`},
		{`"a":{"Action":"DELETE"},"n":{"Action":"DELETE"}`, `{"l":{"L":[{"N":"1"}]},"s":{"SS":["x"]}}`},
		{
			`"n":{"Action":"ADD","Value":{"N":"-7"}}`,
			`{"a":{"S":"x"},"l":{"L":[{"N":"1"}]},"n":{"N":"-2"},"s":{"SS":["x"]}}`,
		},
		{
			`"l":{"Action":"ADD","Value":{"L":[{"N":"2"}]}}`,
			`{"a":{"S":"x"},"l":{"L":[{"N":"1"},{"N":"2"}]},"n":{"N":"5"},"s":{"SS":["x"]}}`,
		},
		{`"s":{"Action":"DELETE","Value":{"SS":["x","y"]}}`, `{"a":{"S":"x"},"l":{"L":[{"N":"1"}]},"n":{"N":"5"}}`},
		{`"a":{"Action":"ADD","Value":{"N":"1"}}`, "Type mismatch for attribute to update"},
		{`"s":{"Action":"DELETE","Value":{"NS":["1"]}}`, "Type mismatch for attribute to update"},
	} {
		json, want := c[0], c[1]
		in := legacy(t, Input{Operation: UpdateItem}, `{"AttributeUpdates":{`+json+`}}`)
		parsed, err := in.Parse()
		if err != nil {
			t.Fatal(json, err)
		}
		got, err := parsed.Update.Apply(item(t, `{"a":{"S":"x"},"l":{"L":[{"N":"1"}]},"n":{"N":"5"},"s":{"SS":["x"]}}`))
		result := string(got.AppendJSON(nil))
		if err != nil {
			result = err.Error()
		}
		if result != want {
			t.Errorf("%s:\n%s; want\n%s", json, result, want)
		}
	}
}
