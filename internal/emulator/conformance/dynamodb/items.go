package dynamodb

import (
	"encoding/json"
	"strings"
)

func unmarshal(p *probe, text string, into any) { p.OK(json.Unmarshal([]byte(text), into)) }

// theKey addresses the item p/s; the request goes on with a comma.
const theKey = `{"TableName":"$T","Key":{"pk":{"S":"p"},"sk":{"S":"s"}}`

// items are the cases of put, get and delete.
func items() []entry {
	return []entry{
		{"every type comes back", nil, func(p *probe) {
			every := `,"s":{"S":"text"},"n":{"N":"-1.5"},"b":{"B":"AP8="},"yes":{"BOOL":true},"none":{"NULL":true},
				"l":{"L":[{"S":"x"},{"M":{"y":{"N":"1"}}}]},"m":{"M":{"deep":{"L":[]}}}`
			p.put("p", "s", every)
			p.has("s", `{"Item":{`+every[1:]+`}}`)
		}},
		{"sets come back", nil, func(p *probe) {
			p.put("p", "s", `,"ss":{"SS":["a"]},"ns":{"NS":["1"]},"bs":{"BS":["AA=="]}`)
			p.has("s", `{"Item":{"ss":{"SS":["a"]},"ns":{"NS":["1"]},"bs":{"BS":["AA=="]}}}`)
		}},
		{"an empty string and an empty binary", TakesEmptyValues, func(p *probe) {
			p.put("p", "s", `,"s":{"S":""},"b":{"B":""}`)
			p.has("s", `{"Item":{"s":{"S":""},"b":{"B":""}}}`)
		}},
		{"a put replaces the whole item", nil, func(p *probe) {
			p.put("p", "s", `,"a":{"S":"1"}`)
			p.put("p", "s", `,"b":{"S":"2"}`)
			p.has("s", `{"Item":{"a":null,"b":{"S":"2"}}}`)
		}},
		{"an item that is missing", nil, func(p *probe) { p.has("s", `{"Item":null}`) }},
		{"deleting what is missing", nil, func(p *probe) {
			p.answers("DeleteItem", theKey+`}`, `{"Attributes":null}`)
		}},
		{"a projection of nested attributes", nil, func(p *probe) {
			p.put("p", "s", `,"m":{"M":{"a":{"S":"1"},"b":{"S":"2"}}},"l":{"L":[{"S":"x"},{"S":"y"}]}`)
			p.answers("GetItem", theKey+`,"ProjectionExpression":"#m.a, l[1]","ExpressionAttributeNames":{"#m":"m"}}`,
				`{"Item":{"pk":null,"m":{"M":{"a":{"S":"1"},"b":null}},"l":{"L":[{"S":"y"}]}}}`)
		}},
		{"an update of what is missing creates it", nil, func(p *probe) {
			p.answers("UpdateItem", theKey+`,"UpdateExpression":"ADD n :n","ExpressionAttributeValues":{":n":{"N":"2"}},
				"ReturnValues":"ALL_NEW"}`, `{"Attributes":{"pk":{"S":"p"},"n":{"N":"2"}}}`)
		}},
		{"legacy updates", nil, func(p *probe) {
			p.put("p", "s", `,"a":{"N":"1"},"b":{"S":"x"}`)
			p.ok("UpdateItem", theKey+`,"AttributeUpdates":{"a":{"Action":"ADD","Value":{"N":"2"}},
				"b":{"Action":"DELETE"},"c":{"Action":"PUT","Value":{"S":"y"}}}}`)
			p.has("s", `{"Item":{"a":{"N":"3"},"b":null,"c":{"S":"y"}}}`)
		}},
		{"legacy expectations", nil, func(p *probe) {
			p.put("p", "s", `,"a":{"N":"1"}`)
			p.refuses("DeleteItem", theKey+`,"Expected":{"a":{"Value":{"N":"2"}}}}`, "ConditionalCheckFailedException",
				"The conditional request failed")
			p.ok("DeleteItem", theKey+`,"Expected":{"a":{"ComparisonOperator":"GE","AttributeValueList":[{"N":"1"}]}}}`)
		}},
	}
}

// returned are the cases of ReturnValues and of its relatives.
func returned() []entry {
	const update = theKey + `,"UpdateExpression":"SET a = :v",` +
		`"ExpressionAttributeValues":{":v":{"S":"new"}},"ReturnValues":`
	values := []struct{ name, want string }{
		{"ALL_OLD", `{"Attributes":{"pk":{"S":"p"},"a":{"S":"old"},"b":{"S":"b"}}}`},
		{"UPDATED_OLD", `{"Attributes":{"pk":null,"a":{"S":"old"},"b":null}}`},
		{"ALL_NEW", `{"Attributes":{"pk":{"S":"p"},"a":{"S":"new"},"b":{"S":"b"}}}`},
		{"UPDATED_NEW", `{"Attributes":{"pk":null,"a":{"S":"new"},"b":null}}`},
		{"NONE", `{"Attributes":null}`},
	}
	var list []entry
	for _, v := range values {
		list = append(list, entry{"an update returns " + v.name, nil, func(p *probe) {
			p.put("p", "s", `,"a":{"S":"old"},"b":{"S":"b"}`)
			p.answers("UpdateItem", update+`"`+v.name+`"}`, v.want)
		}})
	}
	const item = `{"TableName":"$T","Item":{"pk":{"S":"p"},"sk":{"S":"s"}},"ReturnValues":`
	return append(list,
		entry{"a put returns ALL_OLD", nil, func(p *probe) {
			p.put("p", "s", `,"a":{"S":"old"}`)
			p.answers("PutItem", item+`"ALL_OLD"}`, `{"Attributes":{"a":{"S":"old"}}}`)
		}},
		entry{"a put returns ALL_NEW", NamesReturnValues, func(p *probe) {
			p.refuses("PutItem", item+`"ALL_NEW"}`, "ValidationException", "ReturnValues can only be ALL_OLD or NONE")
		}},
		entry{"a deletion returns ALL_OLD", nil, func(p *probe) {
			p.put("p", "s", `,"a":{"S":"old"}`)
			p.answers("DeleteItem", theKey+`,"ReturnValues":"ALL_OLD"}`, `{"Attributes":{"a":{"S":"old"}}}`)
		}},
		entry{"the size of an item collection", CountsCollections, func(p *probe) {
			p.answers("PutItem", item+`"NONE","ReturnItemCollectionMetrics":"SIZE"}`, `{"ItemCollectionMetrics":
				{"ItemCollectionKey":{"pk":{"S":"p"}},"SizeEstimateRangeGB":[0,1]}}`)
		}},
		entry{"the item of a condition that failed", ReturnsFailedItems, func(p *probe) {
			p.put("p", "s", `,"a":{"S":"old"}`)
			r := p.refuses("PutItem", strings.Replace(item, `"ReturnValues":`,
				`"ConditionExpression":"attribute_not_exists(pk)","ReturnValuesOnConditionCheckFailure":"ALL_OLD"}`, 1),
				"ConditionalCheckFailedException", "The conditional request failed")
			p.same("PutItem", r.body, `{"Item":{"a":{"S":"old"}}}`)
		}},
	)
}
