package dynamodb

import (
	"fmt"
	"strings"
)

// The operations of a transaction on the item p/KEY.
func key(sk string) string {
	return `"TableName":"$T","Key":{"pk":{"S":"p"},"sk":{"S":"` + sk + `"}}`
}

func putting(sk, more string) string {
	return `{"Put":{"TableName":"$T","Item":{"pk":{"S":"p"},"sk":{"S":"` + sk + `"},"a":{"S":"new"}}` + more + `}}`
}

func transact(operations ...string) string {
	return `{"TransactItems":[` + strings.Join(operations, ",") + `]}`
}

// canceled begins the message of a cancellation with these codes.
func canceled(codes string) string {
	return "Transaction cancelled, please refer cancellation reasons for specific reasons [" + codes + "]"
}

const unless = `,"ConditionExpression":"attribute_not_exists(pk)"`

// transactions are those that succeed, and those that are refused as a whole.
func transactions() []entry {
	return []entry{
		{"a transaction of every kind", HasTransactions, func(p *probe) {
			p.put("p", "updated", `,"n":{"N":"1"}`)
			p.put("p", "deleted", "")
			p.put("p", "checked", "")
			p.ok("TransactWriteItems", transact(putting("put", unless), `{"Update":{`+key("updated")+
				`,"UpdateExpression":"ADD n :n","ExpressionAttributeValues":{":n":{"N":"2"}}}}`,
				`{"Delete":{`+key("deleted")+`}}`,
				`{"ConditionCheck":{`+key("checked")+`,"ConditionExpression":"attribute_exists(pk)"}}`))
			p.finds("Query", query+`}`, "checked put updated")
			p.has("updated", `{"Item":{"n":{"N":"3"}}}`)
		}},
		{"reads in a transaction", HasTransactions, func(p *probe) {
			p.put("p", "1", `,"a":{"S":"x"}`)
			p.answers("TransactGetItems", transact(`{"Get":{`+key("1")+`,"ProjectionExpression":"a"}}`,
				`{"Get":{`+key("2")+`}}`),
				`{"Responses":[{"Item":{"a":{"S":"x"},"pk":null}},{"Item":null}]}`)
		}},
		{"an item twice in a transaction", HasTransactions, func(p *probe) {
			p.refuses("TransactWriteItems", transact(putting("1", ""), `{"Delete":{`+key("1")+`}}`),
				"ValidationException",
				"Transaction request cannot include multiple operations on one item")
		}},
		{"101 operations in a transaction", TakesHundredOperations, func(p *probe) {
			var list []string
			for i := range 101 {
				list = append(list, putting(fmt.Sprint(i), ""))
			}
			p.refuses("TransactWriteItems", transact(list...), "ValidationException", "")
			p.ok("TransactWriteItems", transact(list[1:]...))
		}},
		{"a token repeats nothing", HasTransactions, func(p *probe) {
			again := `{"ClientRequestToken":"$T-1","TransactItems":[{"Update":{` + key("1") +
				`,"UpdateExpression":"ADD n :n","ExpressionAttributeValues":{":n":{"N":"1"}}}}]}`
			p.ok("TransactWriteItems", again)
			p.ok("TransactWriteItems", again)
			p.has("1", `{"Item":{"n":{"N":"1"}}}`)
		}},
		{"a token with another request", HasTransactions, func(p *probe) {
			begin := `{"ClientRequestToken":"$T-2","TransactItems":[`
			p.ok("TransactWriteItems", begin+putting("1", "")+`]}`)
			p.refuses("TransactWriteItems", begin+putting("2", "")+`]}`, "IdempotentParameterMismatchException", "")
			p.has("2", `{"Item":null}`)
		}},
		{"a table is missing in a transaction", HasTransactions, func(p *probe) {
			p.refuses("TransactWriteItems", transact(putting("1", ""), strings.Replace(putting("2", ""), "$T",
				"$T-none", 1)),
				"ResourceNotFoundException", "")
			p.has("1", `{"Item":null}`)
		}},
		{"an empty transaction", HasTransactions, func(p *probe) {
			p.refuses("TransactWriteItems", transact(), "ValidationException", "")
		}},
	}
}

// cancellations are transactions that are canceled, with their reasons.
func cancellations() []entry {
	cancels := func(p *probe, codes, reasons string, operations ...string) {
		r := p.refuses("TransactWriteItems", transact(operations...), "TransactionCanceledException", canceled(codes))
		p.same("TransactWriteItems", r.body, `{"CancellationReasons":`+reasons+`}`)
	}
	return []entry{
		{"canceled: a condition", HasTransactions, func(p *probe) {
			p.put("p", "2", "")
			cancels(p, "None, ConditionalCheckFailed, None", `[{"Code":"None"},{"Code":"ConditionalCheckFailed",
				"Message":"The conditional request failed","Item":null},{"Code":"None"}]`,
				putting("1", ""), putting("2", unless), putting("3", ""))
			p.finds("Query", query+`}`, "2")
		}},
		{"canceled: two conditions", HasTransactions, func(p *probe) {
			p.put("p", "1", "")
			p.put("p", "2", "")
			cancels(p, "ConditionalCheckFailed, ConditionalCheckFailed", `[{"Code":"ConditionalCheckFailed"},
				{"Code":"ConditionalCheckFailed"}]`, putting("1", unless), putting("2", unless))
		}},
		{"canceled: with the item", HasTransactions, func(p *probe) {
			p.put("p", "1", `,"a":{"S":"old"}`)
			cancels(p, "ConditionalCheckFailed", `[{"Code":"ConditionalCheckFailed","Item":{"a":{"S":"old"}}}]`,
				putting("1", unless+`,"ReturnValuesOnConditionCheckFailure":"ALL_OLD"`))
		}},
		{"canceled: a check of what is missing", HasTransactions, func(p *probe) {
			cancels(p, "None, ConditionalCheckFailed", `[{"Code":"None"},{"Code":"ConditionalCheckFailed"}]`,
				putting("1", ""), `{"ConditionCheck":{`+key("2")+`,"ConditionExpression":"attribute_exists(pk)"}}`)
			p.finds("Query", query+`}`, "")
		}},
		{"canceled: an update of a wrong type", CancelsForOperands, func(p *probe) {
			p.put("p", "2", `,"a":{"S":"x"}`)
			cancels(p, "None, ValidationError", `[{"Code":"None"},{"Code":"ValidationError","Message":
				"An operand in the update expression has an incorrect data type"}]`, putting("1", ""),
				`{"Update":{`+key("2")+
					`,"UpdateExpression":"SET a = a + :n","ExpressionAttributeValues":{":n":{"N":"1"}}}}`)
		}},
		{"canceled: a token may be used again", HasTransactions, func(p *probe) {
			p.put("p", "1", "")
			again := `{"ClientRequestToken":"$T-3","TransactItems":[` + putting("1", unless) + `]}`
			p.refuses("TransactWriteItems", again, "TransactionCanceledException", "")
			p.ok("DeleteItem", `{`+key("1")+`}`)
			p.ok("TransactWriteItems", again)
		}},
	}
}
