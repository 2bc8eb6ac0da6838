package dynamodb

import (
	"strings"

	"github.com/storespec/storespec/internal/emulator/conformance"
)

// limits are the cases of what is too large, too deep or empty.
func limits() []entry {
	put := func(pk, sk, attributes string) string {
		return `{"TableName":"$T","Item":{"pk":{"S":"` + pk + `"},"sk":{"S":"` + sk + `"}` + attributes + `}}`
	}
	list := []struct {
		name, operation, body, message string
		needs                          *conformance.Capability
	}{
		{"an item over 400 KB", "PutItem", put("p", "s", `,"x":{"S":"`+strings.Repeat("x", 400<<10)+`"}`),
			"Item size has exceeded the maximum allowed size", nil},
		{"a partition key over 2048 bytes", "PutItem", put(strings.Repeat("k", 2049), "s", ""),
			"One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 " +
				"bytes",
			NamesKeySizes},
		{"a sort key over 1024 bytes", "PutItem", put("p", strings.Repeat("k", 1025), ""),
			"One or more parameter values were invalid: Aggregated size of all range keys has exceeded the " +
				"size limit of 1024 bytes", NamesKeySizes},
		{"an empty set", "PutItem", put("p", "s", `,"x":{"SS":[]}`),
			"One or more parameter values were invalid: An string set  may not be empty", nil},
		{"a set with a value twice", "PutItem", put("p", "s", `,"x":{"SS":["a","a"]}`),
			"One or more parameter values were invalid: Input collection [", nil},
		{"a key that is missing", "PutItem", `{"TableName":"$T","Item":{"pk":{"S":"p"}}}`,
			"One or more parameter values were invalid: Missing the key sk in the item", NamesKeysOfItems},
		{"a key of another type", "PutItem", `{"TableName":"$T","Item":{"pk":{"N":"1"},"sk":{"S":"s"}}}`,
			"One or more parameter values were invalid: Type mismatch for key pk expected: S actual: N",
			NamesKeysOfItems},
		{"a key with more members", "GetItem", `{"TableName":"$T","Key":{"pk":{"S":"p"},"sk":{"S":"s"},"x":{"S":"x"}}}`,
			"The provided key element does not match the schema", NamesKeysOfItems},
		{"a value of two types", "PutItem", put("p", "s", `,"x":{"S":"a","N":"1"}`),
			"Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported " +
				"datatypes",
			nil},
		{"a value of no type", "PutItem", put("p", "s", `,"x":{}`),
			"Supplied AttributeValue is empty, must contain exactly one of the supported datatypes", nil},
		{"null that is false", "PutItem", put("p", "s", `,"x":{"NULL":false}`),
			"One or more parameter values were invalid: Null attribute value types must have the value of true", nil},
	}
	var made []entry
	for _, c := range list {
		made = append(made, entry{"refused: " + c.name, c.needs, func(p *probe) {
			p.refuses(c.operation, c.body, "ValidationException", c.message)
			p.finds("Scan", `{"TableName":"$T"}`, "")
		}})
	}
	return append(made, entry{"32 levels are taken, 33 are not", LimitsDepth, func(p *probe) {
		deep := func(n int) string {
			return put("p", "s", `,"x":`+strings.Repeat(`{"L":[`, n)+`{"S":"x"}`+strings.Repeat(`]}`, n))
		}
		p.ok("PutItem", deep(31))
		p.refuses("PutItem", deep(33), "ValidationException", "")
	}}, entry{"refused: an empty key", NamesEmptyKeys, func(p *probe) {
		p.refuses("PutItem", put("", "s", ""), "ValidationException",
			"One or more parameter values are not valid. The "+
				"AttributeValue for a key attribute cannot contain an empty string value. Key: pk")
	}})
}

// numbers are the cases of DynamoDB's decimal numbers.
func numbers() []entry {
	taken := []struct{ given, kept string }{
		{"1.50", "1.5"}, {"-0", "0"}, {"1e2", "100"}, {"007", "7"}, {".5", "0.5"},
		{"12345678901234567890123456789012345678", "12345678901234567890123456789012345678"},
		{"1e-130", "0." + strings.Repeat("0", 129) + "1"}, {"9e125", "9" + strings.Repeat("0", 125)},
	}
	refused := []struct {
		given, message string
		needs          *conformance.Capability
	}{
		{"abc", "The parameter cannot be converted to a numeric value: abc", NamesNumbers},
		{"", "The parameter cannot be converted to a numeric value", NamesNumbers},
		{"123456789012345678901234567890123456789", "Attempting to store more than 38 significant digits in a Number",
			NamesNumbers},
		{"1e126", "Number overflow. Attempting to store a number with magnitude larger than supported range", nil},
		{"1e-131", "Number underflow. Attempting to store a number with magnitude smaller than supported range", nil},
	}
	var made []entry
	for _, n := range taken {
		made = append(made, entry{"the number " + n.given, nil, func(p *probe) {
			p.put("p", "s", `,"n":{"N":"`+n.given+`"}`)
			p.has("s", `{"Item":{"n":{"N":"`+n.kept+`"}}}`)
		}})
	}
	for _, n := range refused {
		made = append(made, entry{"refused: the number " + n.given, n.needs, func(p *probe) {
			p.refuses("PutItem", `{"TableName":"$T","Item":{"pk":{"S":"p"},"sk":{"S":"s"},"n":{"N":"`+n.given+`"}}}`,
				"ValidationException", n.message)
		}})
	}
	return append(made, entry{"a number is exact to its last digit", nil, func(p *probe) {
		p.put("p", "s", `,"n":{"N":"99999999999999999999999999999999999998"}`)
		p.ok("UpdateItem", theKey+`,"UpdateExpression":"SET n = n + :n","ExpressionAttributeValues":{":n":{"N":"1"}}}`)
		p.has("s", `{"Item":{"n":{"N":"99999999999999999999999999999999999999"}}}`)
	}})
}

// messages are the words of the framework that checks requests before DynamoDB sees them.
func messages() []entry {
	list := []struct {
		name, operation, body, message string
		needs                          *conformance.Capability
	}{
		{"no table", "GetItem", `{"Key":{"pk":{"S":"p"}}}`,
			"1 validation error detected: Value null at 'tableName' failed to " +
				"satisfy constraint: Member must not be null", NamesConstraints},
		{"two members", "PutItem", `{}`,
			"2 validation errors detected: Value null at 'tableName' failed to satisfy constraint: " +
				"Member must not be null; Value null at 'item' failed to satisfy constraint: Member must not be null",
			NamesConstraints},
		{"a word of an enumeration", "PutItem",
			`{"TableName":"$T","Item":{"pk":{"S":"p"},"sk":{"S":"s"}},"ReturnValues":"ALL"}`,
			"1 validation error detected: Value 'ALL' at 'returnValues' failed to satisfy constraint: Member must " +
				"satisfy " +
				"enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]", NamesConstraints},
		{"a limit of 0", "Scan", `{"TableName":"$T","Limit":0}`,
			"1 validation error detected: Value '0' at 'limit' failed to satisfy " +
				"constraint: Member must have value greater than or equal to 1", NamesConstraints},
		{"a pattern", "GetItem", `{"TableName":"a b c","Key":{"pk":{"S":"p"}}}`,
			"1 validation error detected: Value 'a b c' at " +
				"'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: " +
				"[a-zA-Z0-9_.-]+",
			NamesConstraints},
	}
	var made []entry
	for _, c := range list {
		made = append(made, entry{"validation: " + c.name, c.needs, func(p *probe) {
			p.refuses(c.operation, c.body, "ValidationException", c.message)
		}})
	}
	return append(made, entry{"a write counts what is wrong", CountsProblems, func(p *probe) {
		p.refuses("DeleteItem", theKey+`,"ConditionExpression":""}`, "ValidationException",
			envelope+"Invalid ConditionExpression: The expression can not be empty;")
	}}, entry{"validation: a table that is missing", NamesMissingTables, func(p *probe) {
		p.refuses("PutItem", `{"TableName":"$T-none","Item":{"pk":{"S":"p"}}}`, "ResourceNotFoundException",
			"Requested resource not found")
	}})
}
