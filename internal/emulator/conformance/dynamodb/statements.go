package dynamodb

import "strconv"

func statement(text, parameters string) string {
	if parameters != "" {
		parameters = `,"Parameters":[` + parameters + `]`
	}
	return `{"Statement":` + strconv.Quote(text) + parameters + `}`
}

// statements are the cases of PartiQL.
func statements() []entry {
	const where = ` WHERE pk = 'p' AND sk = 's'`
	return []entry{
		{"PartiQL: insert and select", HasStatements, func(p *probe) {
			p.ok("ExecuteStatement", statement(`INSERT INTO "$T" VALUE {'pk':'p','sk':'s','n':1,'l':[true,null]}`, ""))
			p.answers("ExecuteStatement", statement(`SELECT n, l[0] FROM "$T" WHERE pk = ? AND sk = ?`,
				`{"S":"p"},{"S":"s"}`),
				`{"Items":[{"n":{"N":"1"},"pk":null}]}`)
		}},
		{"PartiQL: an insert of what exists", HasStatements, func(p *probe) {
			p.put("p", "s", "")
			p.refuses("ExecuteStatement", statement(`INSERT INTO "$T" VALUE {'pk':'p','sk':'s'}`, ""),
				"DuplicateItemException", "Duplicate primary key exists in table")
		}},
		{"PartiQL: update with what it returns", HasStatements, func(p *probe) {
			p.put("p", "s", `,"n":{"N":"1"}`)
			p.answers("ExecuteStatement", statement(`UPDATE "$T" SET n = n + 1 SET a = ?`+where+` RETURNING ALL NEW *`,
				`{"S":"x"}`), `{"Items":[{"n":{"N":"2"},"a":{"S":"x"}}]}`)
		}},
		{"PartiQL: update of what is missing", HasStatements, func(p *probe) {
			p.refuses("ExecuteStatement", statement(`UPDATE "$T" SET n = 1`+where, ""),
				"ConditionalCheckFailedException",
				"The conditional request failed")
		}},
		{"PartiQL: delete", HasStatements, func(p *probe) {
			p.put("p", "s", "")
			p.ok("ExecuteStatement", statement(`DELETE FROM "$T"`+where, ""))
			p.has("s", `{"Item":null}`)
		}},
		{"PartiQL: select by an index", HasStatements, func(p *probe) {
			p.rows()
			p.finds("ExecuteStatement", statement(`SELECT * FROM "$T"."all" WHERE gpk = 'g' AND gsk < 0`, ""),
				"s0 s1 s2")
		}},
		{"PartiQL: a batch says what failed", HasStatements, func(p *probe) {
			p.put("p", "s", "")
			p.answers("BatchExecuteStatement",
				`{"Statements":[{"Statement":"SELECT * FROM \"$T\" WHERE pk='p' AND sk='s'"},
				{"Statement":"INSERT INTO \"$T\" VALUE {'pk':'p','sk':'s'}"}]}`,
				`{"Responses":[{"Item":{"pk":{"S":"p"}}},{"Error":{"Code":"DuplicateItem"}}]}`)
		}},
		{"PartiQL: a transaction is canceled", HasStatements, func(p *probe) {
			p.put("p", "s", "")
			p.refuses("ExecuteTransaction", `{"TransactStatements":[
				{"Statement":"INSERT INTO \"$T\" VALUE {'pk':'p','sk':'new'}"},
				{"Statement":"INSERT INTO \"$T\" VALUE {'pk':'p','sk':'s'}"}]}`, "TransactionCanceledException",
				canceled("None, DuplicateItem"))
			p.has("new", `{"Item":null}`)
		}},
		{"PartiQL: a statement with a syntax error", HasStatements, func(p *probe) {
			p.refuses("ExecuteStatement", statement(`FETCH x`, ""), "ValidationException",
				"Statement wasn't well formed, can't be processed")
		}},
	}
}
