package azure

import (
	"fmt"
	"strings"
)

// tableTransactions are entity group transactions, made as a whole or not at all.
func tableTransactions() []tableCase {
	return []tableCase{
		{"a transaction of every kind", nil, func(p *tableProbe) {
			for _, row := range []string{"replaced", "merged", "deleted"} {
				p.has("p", row, `"A":1`)
			}
			p.made(p.batch(p.inserts("p", "new"), p.puts("replaced", `"B":2`),
				p.changes("MERGE", "merged", `"B":2`, "If-Match: *\r\n"),
				p.changes("DELETE", "deleted", "", "If-Match: *\r\n"),
				p.changes("MERGE", "upserted", `"B":2`, "")), 5)
			p.is("rows", p.rows(""), "merged new replaced upserted")
			p.is("A of what was replaced", p.get("p", "replaced")["A"], nil)
			p.is("A of what was merged", p.get("p", "merged")["A"], 1)
		}},
		{"a hundred operations", nil, func(p *tableProbe) {
			var operations []tableOperation
			for i := range 100 {
				operations = append(operations, p.puts(fmt.Sprint(i), ""))
			}
			p.made(p.batch(operations...), 100)
		}},
		{"a hundred and one operations", nil, func(p *tableProbe) {
			var operations []tableOperation
			for i := range 101 {
				operations = append(operations, p.puts(fmt.Sprint(i), ""))
			}
			if r := p.batch(operations...); !strings.Contains(r.body, `"code":"InvalidInput"`) {
				p.Fatalf("answer %d %.300s", r.status, r.body)
			}
			p.is("rows", p.rows(""), "")
		}},
		{"an insert of an existing entity undoes the transaction", nil, func(p *tableProbe) {
			p.has("p", "here", "")
			p.refused(p.batch(p.inserts("p", "1"), p.puts("2", ""), p.inserts("p", "here")), "EntityAlreadyExists",
				2, "here")
		}},
		{"an update of what is missing undoes the transaction", nil, func(p *tableProbe) {
			p.refused(p.batch(p.inserts("p", "1"), p.changes("MERGE", "missing", "", "If-Match: *\r\n")),
				"ResourceNotFound", 1, "")
		}},
		{"an old ETag undoes the transaction", nil, func(p *tableProbe) {
			p.has("p", "here", "")
			p.refused(p.batch(p.changes("PUT", "new", "", ""), p.changes("PUT", "here", "", "If-Match: "+
				oldTag+"\r\n")), "UpdateConditionNotSatisfied", 1, "here")
		}},
		{"a deletion is undone too", nil, func(p *tableProbe) {
			p.has("p", "here", "")
			p.refused(p.batch(p.changes("DELETE", "here", "", "If-Match: *\r\n"),
				p.changes("DELETE", "missing", "", "If-Match: *\r\n")), "ResourceNotFound", 1, "here")
		}},
		{"several partitions in one transaction", KeepsTransactionsInPartitions, func(p *tableProbe) {
			p.refused(p.batch(p.inserts("p", "1"), p.inserts("q", "2")), "CommandsInBatchActOnDifferentPartitions", 1,
				"")
		}},
		{"a row twice in one transaction", nil, func(p *tableProbe) {
			p.refused(p.batch(p.puts("1", ""), p.puts("2", ""), p.puts("1", "")), "InvalidDuplicateRow",
				2, "")
		}},
	}
}

// tableBatches are batches that are not change sets, or cannot be read.
func tableBatches() []tableCase {
	return []tableCase{
		{"a query among changes", RefusesMalformedBatches, func(p *tableProbe) {
			p.has("p", "here", "")
			r := p.batch(p.puts("1", ""), tableOperation{"GET", p.entity("p", "here"), "", ""})
			if !strings.Contains(r.body, `"code":"InvalidInput"`) {
				p.Fatalf("answer %d %.300s", r.status, r.body)
			}
			p.is("rows", p.rows(""), "here")
		}},
		{"a query alone in a batch", nil, func(p *tableProbe) {
			p.has("p", "here", `"A":1`)
			r := p.raw("POST", "$batch",
				"--batch_1\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nGET "+
					p.base+"/"+p.entity("p", "here")+
					" HTTP/1.1\r\nAccept: application/json;odata=nometadata\r\n\r\n\r\n--batch_1--\r\n",
				"Content-Type: multipart/mixed; boundary=batch_1")
			p.answers(r, 202)
			if !strings.Contains(r.body, "HTTP/1.1 200 OK") || !strings.Contains(r.body, `"A":1`) {
				p.Fatalf("answer %s", r.body)
			}
		}},
		{"no such table in a transaction", nil, func(p *tableProbe) {
			r := p.answers(p.batch(tableOperation{"POST", "NoSuchTable", `{"PartitionKey":"p","RowKey":"r"}`, ""}), 202)
			if !strings.Contains(r.body, "HTTP/1.1 404") || !strings.Contains(r.body, `"code":"TableNotFound"`) {
				p.Fatalf("answer %s", r.body)
			}
		}},
		{"a batch that is cut off", RefusesMalformedBatches, func(p *tableProbe) {
			p.refuses(p.raw("POST", "$batch",
				"--batch_1\r\nContent-Type: multipart/mixed; boundary=changeset_1\r\n\r\n--changeset_1\r\n",
				"Content-Type: multipart/mixed; boundary=batch_1"), 400, "InvalidInput")
		}},
		{"a batch over 4 MiB", nil, func(p *tableProbe) {
			var operations []tableOperation
			for i := range 40 {
				operations = append(operations,
					p.puts(fmt.Sprint(i), `"A":"`+strings.Repeat("x", 30<<10)+`","B":"`+strings.Repeat("x",
						30<<10)+`","C":"`+strings.Repeat("x", 30<<10)+`","D":"`+strings.Repeat("x", 30<<10)+`"`))
			}
			p.answers(p.batch(operations...), 413)
			p.is("rows", p.rows(""), "")
		}},
	}
}
