package dynamodb

import "strings"

// simple is a table with one key.
const simple = `{"TableName":"$T-simple","BillingMode":"PAY_PER_REQUEST",
	"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],
	"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}]}`

// tables are the cases of creating, describing, listing and deleting.
func tables() []entry {
	return []entry{
		{"a table is described", nil, func(p *probe) {
			p.answers("DescribeTable", `{"TableName":"$T"}`, `{"Table":{"TableName":"$T","TableStatus":"ACTIVE",
				"ItemCount":0,"TableSizeBytes":0,"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},
				{"AttributeName":"sk","KeyType":"RANGE"}],"BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"},
				"LocalSecondaryIndexes":[{"IndexName":"near","Projection":{"ProjectionType":"KEYS_ONLY"}}]}}`)
		}},
		{"a table that exists", nil, func(p *probe) {
			p.refuses("CreateTable", theTable, "ResourceInUseException", "")
		}},
		{"a table's name that exists", NamesExistingTables, func(p *probe) {
			p.refuses("CreateTable", theTable, "ResourceInUseException", "Table already exists: $T")
		}},
		{"a provisioned table", nil, func(p *probe) {
			p.create(strings.ReplaceAll(simple, `"BillingMode":"PAY_PER_REQUEST"`,
				`"ProvisionedThroughput":{"ReadCapacityUnits":3,"WriteCapacityUnits":2}`))
			p.answers("DescribeTable", `{"TableName":"$T-simple"}`, `{"Table":{"ProvisionedThroughput":
				{"ReadCapacityUnits":3,"WriteCapacityUnits":2,"NumberOfDecreasesToday":0}}}`)
		}},
		{"tables are listed in pages", nil, func(p *probe) {
			p.create(simple)
			p.answers("ListTables", `{"ExclusiveStartTableName":"$T","Limit":1}`,
				`{"TableNames":["$T-simple"]}`)
		}},
		{"a deleted table is gone", nil, func(p *probe) {
			p.create(simple)
			p.ok("DeleteTable", `{"TableName":"$T-simple"}`)
			p.gone("" + p.table + "-simple")
			p.create(simple)
			p.answers("GetItem", `{"TableName":"$T-simple","Key":{"id":{"S":"a"}}}`, `{"Item":null}`)
		}},
		{"describing a table that is missing", NamesMissingTables, func(p *probe) {
			p.refuses("DescribeTable", `{"TableName":"$T-none"}`, "ResourceNotFoundException",
				"Requested resource not found: Table: $T-none not found")
		}},
		{"deleting a table that is missing", NamesMissingTables, func(p *probe) {
			p.refuses("DeleteTable", `{"TableName":"$T-none"}`, "ResourceNotFoundException",
				"Requested resource not found: Table: $T-none not found")
		}},
		{"a table is protected from deletion", ProtectsTables, func(p *probe) {
			p.create(strings.Replace(simple, `{`, `{"DeletionProtectionEnabled":true,`, 1))
			p.refuses("DeleteTable", `{"TableName":"$T-simple"}`, "ValidationException",
				"Resource cannot be deleted as it is currently protected against deletion. Disable deletion "+
					"protection first.")
		}},
		{"a key that is not defined", nil, func(p *probe) {
			p.refuses("CreateTable", strings.Replace(simple, `"AttributeName":"id","KeyType"`,
				`"AttributeName":"other","KeyType"`, 1), "ValidationException", "")
		}},
		{"a definition without a key", nil, func(p *probe) {
			p.refuses("CreateTable", strings.Replace(simple, `"AttributeDefinitions":[`,
				`"AttributeDefinitions":[{"AttributeName":"more","AttributeType":"S"},`, 1), "ValidationException", "")
		}},
		{"a table's name is too short", nil, func(p *probe) {
			p.refuses("CreateTable", strings.Replace(simple, "$T-simple", "ab", 1), "ValidationException", "")
		}},
	}
}

// changes are the cases of UpdateTable and of what hangs on a table.
func changes() []entry {
	return []entry{
		{"an index is added, with what the table has", AddsOnDemandIndexes, func(p *probe) {
			p.create(simple)
			p.ok("PutItem", `{"TableName":"$T-simple","Item":{"id":{"S":"1"},"kind":{"S":"k"}}}`)
			p.ok("PutItem", `{"TableName":"$T-simple","Item":{"id":{"S":"2"}}}`)
			p.ok("UpdateTable", `{"TableName":"$T-simple","AttributeDefinitions":[{"AttributeName":"id",
				"AttributeType":"S"},
				{"AttributeName":"kind","AttributeType":"S"}],
				"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"kinds",
				"KeySchema":[{"AttributeName":"kind","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}}]}`)
			p.active(p.table + "-simple")
			p.answers("Scan", `{"TableName":"$T-simple","IndexName":"kinds"}`, `{"Count":1,"Items":[{"id":{"S":"1"}}]}`)
		}},
		{"an index is removed", RemovesIndexes, func(p *probe) {
			p.ok("UpdateTable", `{"TableName":"$T","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"all"}}]}`)
			p.active(p.table)
			p.refuses("Query", `{"TableName":"$T","IndexName":"all","KeyConditionExpression":"gpk = :g",
				"ExpressionAttributeValues":{":g":{"S":"g"}}}`, "ValidationException",
				"The table does not have the specified index: all")
		}},
		{"tags", KeepsTags, func(p *probe) {
			var arn struct{ Table struct{ TableArn string } }
			unmarshal(p, p.ok("DescribeTable", `{"TableName":"$T"}`), &arn)
			at := `{"ResourceArn":"` + arn.Table.TableArn + `"`
			p.ok("TagResource", at+`,"Tags":[{"Key":"stage","Value":"test"},{"Key":"team","Value":"a"}]}`)
			p.ok("UntagResource", at+`,"TagKeys":["team"]}`)
			p.answers("ListTagsOfResource", at+`}`, `{"Tags":[{"Key":"stage","Value":"test"}]}`)
		}},
		{"limits of the account", DescribesLimits, func(p *probe) {
			p.answers("DescribeLimits", `{}`, `{}`)
		}},
		{"an operation that does not exist", nil, func(p *probe) {
			p.refuses("Fly", `{}`, "UnknownOperationException", "")
		}},
		{"a body that is not JSON", RefusesMalformedJSON, func(p *probe) {
			p.refuses("GetItem", `{"TableName":`, "SerializationException", "")
		}},
		{"a member of another type", RefusesMalformedJSON, func(p *probe) {
			p.refuses("GetItem", `{"TableName":{}}`, "SerializationException", "")
		}},
	}
}
