package dynamodb

import (
	"fmt"
	"strings"
)

// batches are the cases of BatchGetItem and BatchWriteItem.
func batches() []entry { return append(batchesOfWrites(), batchesOfReads()...) }

// many returns the first n members of a batch.
func many(n int, format string) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf(format, i))
	}
	return strings.Join(list, ",")
}

func batchesOfWrites() []entry {
	const put = `{"PutRequest":{"Item":{"pk":{"S":"p"},"sk":{"S":"s%02d"}}}}`
	return []entry{
		{"a batch of 25 writes", nil, func(p *probe) {
			p.answers("BatchWriteItem", `{"RequestItems":{"$T":[`+many(25, put)+`]}}`, `{"UnprocessedItems":{}}`)
			p.answers("Scan", `{"TableName":"$T","Select":"COUNT"}`, `{"Count":25}`)
		}},
		{"a batch of 26 writes", nil, func(p *probe) {
			p.refuses("BatchWriteItem", `{"RequestItems":{"$T":[`+many(26, put)+`]}}`, "ValidationException", "")
		}},
		{"a key twice in a batch of writes", nil, func(p *probe) {
			p.refuses("BatchWriteItem", `{"RequestItems":{"$T":[`+many(1, put)+`,`+many(1, put)+`]}}`,
				"ValidationException",
				"Provided list of item keys contains duplicates")
		}},
		{"a batch puts and deletes", nil, func(p *probe) {
			p.put("p", "s00", "")
			p.ok("BatchWriteItem", `{"RequestItems":{"$T":[{"DeleteRequest":{"Key":{"pk":{"S":"p"},"sk":{"S":"s00"}}}},
				{"PutRequest":{"Item":{"pk":{"S":"p"},"sk":{"S":"s01"}}}}]}}`)
			p.finds("Scan", `{"TableName":"$T"}`, "s01")
		}},
		{"nothing of a batch is written when a table is missing", nil, func(p *probe) {
			p.refuses("BatchWriteItem", `{"RequestItems":{"$T":[`+many(1, put)+`],"$T-none":[`+many(1, put)+`]}}`,
				"ResourceNotFoundException", "")
			p.finds("Scan", `{"TableName":"$T"}`, "")
		}},
		{"a batch of no writes", nil, func(p *probe) {
			p.refuses("BatchWriteItem", `{"RequestItems":{}}`, "ValidationException", "")
		}},
	}
}

func batchesOfReads() []entry {
	const get = `{"pk":{"S":"p"},"sk":{"S":"s%02d"}}`
	return []entry{
		{"a batch of reads", nil, func(p *probe) {
			p.put("p", "s01", `,"a":{"S":"x"}`)
			p.answers("BatchGetItem", `{"RequestItems":{"$T":{"Keys":[`+many(3, get)+`],"ProjectionExpression":"a"}}}`,
				`{"Responses":{"$T":[{"a":{"S":"x"},"pk":null}]},"UnprocessedKeys":{}}`)
		}},
		{"a batch of 101 reads", nil, func(p *probe) {
			p.refuses("BatchGetItem", `{"RequestItems":{"$T":{"Keys":[`+many(101, get)+`]}}}`,
				"ValidationException", "")
		}},
		{"a key twice in a batch of reads", nil, func(p *probe) {
			p.refuses("BatchGetItem", `{"RequestItems":{"$T":{"Keys":[`+many(1, get)+`,`+many(1, get)+`]}}}`,
				"ValidationException", "Provided list of item keys contains duplicates")
		}},
		{"a batch of reads leaves what does not fit in 16 MB", FillsBatches, func(p *probe) {
			for i := range 45 {
				p.put("p", fmt.Sprintf("s%02d", i), `,"x":{"S":"`+strings.Repeat("x", 390<<10)+`"}`)
			}
			var answer struct {
				Responses       map[string][]any
				UnprocessedKeys map[string]struct{ Keys []any }
			}
			unmarshal(p, p.ok("BatchGetItem", `{"RequestItems":{"$T":{"Keys":[`+many(45, get)+`]}}}`), &answer)
			got, left := len(answer.Responses[p.table]), len(answer.UnprocessedKeys[p.table].Keys)
			if got+left != 45 || left == 0 || got < 40 {
				p.Fatalf("%d items, %d left", got, left)
			}
		}},
		{"a batch of no reads", nil, func(p *probe) {
			p.refuses("BatchGetItem", `{"RequestItems":{}}`, "ValidationException", "")
		}},
	}
}
