package dynamodb

import (
	"fmt"
	"strings"
)

// query begins a query of the partition p.
const query = `{"TableName":"$T","ExpressionAttributeValues":{":p":{"S":"p"}},"KeyConditionExpression":"pk = :p"`

// rows writes the items that queries find.
func (p *probe) rows() {
	for i := range 6 {
		p.put("p", fmt.Sprint("s", i), fmt.Sprintf(`,"gpk":{"S":"g"},"gsk":{"N":"%d"},"lsk":{"S":"l%d"},
			"shown":{"S":"x"},
			"n":{"N":"%d"}`, (i-3)*10, 9-i, i))
	}
	p.put("q", "s0", `,"gpk":{"S":"h"}`) // in one index, since it lacks gsk
}

// finds checks the sort keys of what a query or a scan gives.
func (p *probe) finds(operation, body, keys string) {
	var answer struct {
		Items []map[string]map[string]any
		Count int
	}
	unmarshal(p, p.ok(operation, body), &answer)
	var found []string
	for _, item := range answer.Items {
		found = append(found, fmt.Sprint(item["sk"]["S"]))
	}
	counted := answer.Count == len(found) || operation == "ExecuteStatement"
	if got := strings.Join(found, " "); got != keys || !counted {
		p.Fatalf("%s finds %q (%d), want %q", operation, got, answer.Count, keys)
	}
}

// queries are the cases of Query.
func queries() []entry {
	with := func(condition, values string) string {
		return `{"TableName":"$T","KeyConditionExpression":"` + condition + `","ExpressionAttributeValues":{` + values +
			`}`
	}
	list := []struct{ name, body, keys string }{
		{"a partition", query + `}`, "s0 s1 s2 s3 s4 s5"},
		{"backwards", query + `,"ScanIndexForward":false}`, "s5 s4 s3 s2 s1 s0"},
		{"between", with("pk = :p AND sk BETWEEN :a AND :b", `":p":{"S":"p"},":a":{"S":"s1"},":b":{"S":"s3"}`) + `}`,
			"s1 s2 s3"},
		{"begins_with", with("pk = :p AND begins_with(sk, :a)", `":p":{"S":"p"},":a":{"S":"s5"}`) + `}`, "s5"},
		{"above", with("sk > :a AND pk = :p", `":p":{"S":"p"},":a":{"S":"s3"}`) + `}`, "s4 s5"},
		{"at most", with("pk = :p AND sk <= :a", `":p":{"S":"p"},":a":{"S":"s1"}`) + `}`, "s0 s1"},
		{"a global index, by number", with("gpk = :g AND gsk < :n",
			`":g":{"S":"g"},":n":{"N":"0"}`) + `,"IndexName":"all"}`,
			"s0 s1 s2"},
		{"a local index", query + `,"IndexName":"near"}`, "s5 s4 s3 s2 s1 s0"},
		{"a sparse index", with("gpk = :g", `":g":{"S":"h"}`) + `,"IndexName":"all"}`, ""},
		{"an index of one key", with("gpk = :g", `":g":{"S":"h"}`) + `,"IndexName":"some"}`, "s0"},
		{"a filter", with("pk = :p", `":p":{"S":"p"},":n":{"N":"3"}`) + `,"FilterExpression":"n >= :n"}`, "s3 s4 s5"},
		{"legacy conditions", `{"TableName":"$T","KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":
			[{"S":"p"}]},"sk":{"ComparisonOperator":"GT","AttributeValueList":[{"S":"s3"}]}}}`, "s4 s5"},
	}
	var made []entry
	for _, c := range list {
		made = append(made, entry{"query: " + c.name, nil, func(p *probe) {
			p.rows()
			p.finds("Query", c.body, c.keys)
		}})
	}
	return append(made, entry{"query: what an index projects", nil, func(p *probe) {
		p.rows()
		p.answers("Query", with("gpk = :g", `":g":{"S":"g"}`)+`,"IndexName":"some","Limit":1}`,
			`{"Items":[{"shown":{"S":"x"},"n":null,"pk":{"S":"p"}}]}`)
	}}, entry{"query: all attributes by a local index", nil, func(p *probe) {
		p.rows()
		p.answers("Query", query+`,"IndexName":"near","Limit":1,"Select":"ALL_ATTRIBUTES"}`,
			`{"Items":[{"n":{"N":"5"}}]}`)
	}}, entry{"query: an item moves in an index", nil, func(p *probe) {
		p.rows()
		p.put("p", "s0", `,"gpk":{"S":"moved"},"gsk":{"N":"1"}`)
		p.finds("Query", with("gpk = :g AND gsk < :n", `":g":{"S":"g"},":n":{"N":"0"}`)+`,"IndexName":"all"}`, "s1 s2")
		p.finds("Query", with("gpk = :g", `":g":{"S":"moved"}`)+`,"IndexName":"all"}`, "s0")
	}})
}

// pages are the cases of Limit and ExclusiveStartKey.
func pages() []entry {
	return []entry{
		{"a page has its limit, and says where it ends", nil, func(p *probe) {
			p.rows()
			p.answers("Query", query+`,"Limit":2}`, `{"Count":2,"LastEvaluatedKey":{"pk":{"S":"p"},"sk":{"S":"s1"}}}`)
			p.finds("Query", query+`,"Limit":2,"ExclusiveStartKey":{"pk":{"S":"p"},"sk":{"S":"s1"}}}`, "s2 s3")
			p.finds("Query",
				query+`,"ScanIndexForward":false,"ExclusiveStartKey":{"pk":{"S":"p"},"sk":{"S":"s2"}}}`, "s1 s0")
		}},
		{"the last page that is full has a key", nil, func(p *probe) {
			p.rows()
			p.answers("Query", query+`,"Limit":6}`, `{"Count":6,"LastEvaluatedKey":{"pk":{"S":"p"},"sk":{"S":"s5"}}}`)
		}},
		{"a limit counts before the filter", nil, func(p *probe) {
			p.rows()
			p.answers("Query", `{"TableName":"$T","ExpressionAttributeValues":{":p":{"S":"p"},":n":{"N":"1"}},
				"KeyConditionExpression":"pk = :p","FilterExpression":"n = :n","Limit":3}`,
				`{"Count":1,"ScannedCount":3}`)
		}},
		{"a count has no items", nil, func(p *probe) {
			p.rows()
			p.answers("Query", query+`,"Select":"COUNT"}`, `{"Count":6,"ScannedCount":6,"Items":null}`)
		}},
		{"a page of an index says the keys of both", nil, func(p *probe) {
			p.rows()
			p.answers("Query", `{"TableName":"$T","IndexName":"all","KeyConditionExpression":"gpk = :g","Limit":1,
				"ExpressionAttributeValues":{":g":{"S":"g"}}}`, `{"LastEvaluatedKey":{"pk":{"S":"p"},"sk":{"S":"s0"},
				"gpk":{"S":"g"},"gsk":{"N":"-30"}}}`)
		}},
		{"a page ends at 1 MiB", CountsStoredBytes, func(p *probe) {
			for i := range 4 {
				p.put("p", fmt.Sprint("s", i), `,"x":{"S":"`+strings.Repeat("x", 300<<10)+`"}`)
			}
			p.answers("Query", query+`,"ProjectionExpression":"sk"}`,
				`{"Count":4,"LastEvaluatedKey":{"sk":{"S":"s3"}}}`)
		}},
	}
}

// scans are the cases of Scan.
func scans() []entry {
	return []entry{
		{"segments have every item once", nil, func(p *probe) {
			for i := range 40 {
				p.put(fmt.Sprint("p", i), "s", "")
			}
			seen := map[string]bool{}
			for segment := range 4 {
				var answer struct {
					Items []struct{ Pk struct{ S string } }
				}
				unmarshal(p, p.ok("Scan", fmt.Sprintf(`{"TableName":"$T","Segment":%d,"TotalSegments":4}`, segment)),
					&answer)
				for _, item := range answer.Items {
					if seen[item.Pk.S] {
						p.Fatalf("%s twice", item.Pk.S)
					}
					seen[item.Pk.S] = true
				}
			}
			if len(seen) != 40 {
				p.Fatalf("%d items in four segments", len(seen))
			}
		}},
		{"a scan of an index", nil, func(p *probe) {
			p.rows()
			p.answers("Scan", `{"TableName":"$T","IndexName":"all"}`, `{"Count":6}`)
			p.answers("Scan", `{"TableName":"$T","IndexName":"some"}`, `{"Count":7}`)
		}},
		{"a scan with a legacy filter", nil, func(p *probe) {
			p.rows()
			p.answers("Scan", `{"TableName":"$T","ScanFilter":{"n":{"ComparisonOperator":"LT",
				"AttributeValueList":[{"N":"2"}]}}}`,
				`{"Count":2,"ScannedCount":7}`)
		}},
		{"a consistent read of a global index", RefusesConsistentIndexReads, func(p *probe) {
			p.refuses("Scan", `{"TableName":"$T","IndexName":"all","ConsistentRead":true}`, "ValidationException",
				"Consistent reads are not supported on global secondary indexes")
		}},
		{"a segment that does not exist", NamesSegments, func(p *probe) {
			p.refuses("Scan", `{"TableName":"$T","Segment":4,"TotalSegments":4}`, "ValidationException",
				"The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 4 is "+
					"not less "+
					"than TotalSegments: 4")
		}},
		{"a query without a condition", nil, func(p *probe) {
			p.refuses("Query", `{"TableName":"$T"}`, "ValidationException",
				"Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.")
		}},
		{"a query without the partition key", NamesMissingKeys, func(p *probe) {
			p.refuses("Query", `{"TableName":"$T","KeyConditionExpression":"sk = :s","ExpressionAttributeValues":
				{":s":{"S":"s"}}}`, "ValidationException", "Query condition missed key schema element: pk")
		}},
		{"a filter on a key", nil, func(p *probe) {
			p.refuses("Query", `{"TableName":"$T","KeyConditionExpression":"pk = :s","FilterExpression":"sk = :s",
				"ExpressionAttributeValues":{":s":{"S":"s"}}}`, "ValidationException",
				"Filter Expression can only contain non-primary key attributes: Primary key attribute: sk")
		}},
	}
}
