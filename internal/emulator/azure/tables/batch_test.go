package tables

import (
	"fmt"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/emulator/engine"
)

func insertText(table, partition, row string) operationText {
	return operationText{"POST", table, `{"PartitionKey":"` + partition + `","RowKey":"` + row + `"}`, ""}
}

// transactionTest is a change set, the statuses of its answer and, where it is refused, the code and the start of the
// message.
type transactionTest struct {
	name       string
	operations []operationText
	statuses   string
	failure    string
}

// batchPath is the address of an entity of the table that transactions change.
func batchPath(row string) string { return entityPath("Batch", "p", row) }

// hundredPuts are as many operations as a change set may have.
func hundredPuts() []operationText {
	hundred := make([]operationText, 100)
	for i := range hundred {
		hundred[i] = operationText{"PUT", batchPath(fmt.Sprint("h", i)), "{}", ""}
	}
	return hundred
}

func madeTransactions() []transactionTest {
	return []transactionTest{
		{"every kind", []operationText{
			insertText("Batch", "p", "new"),
			{"PUT", batchPath("replaced"), `{"B":1}`, ""},
			{"MERGE", batchPath("merged"), `{"B":1}`, "If-Match: *\r\n"},
			{"DELETE", batchPath("deleted"), "", "If-Match: *\r\n"},
			{"MERGE", batchPath("upserted"), `{"B":1}`, ""},
		}, "201 204 204 204 204", ""},
		{"an insert without echo",
			[]operationText{{"POST", "Batch", `{"PartitionKey":"p","RowKey":"quiet"}`,
				"Prefer: return-no-content\r\n"}}, "204", ""},
		{"a hundred", hundredPuts(), strings.TrimSpace(strings.Repeat("204 ", 100)), ""},
	}
}

func refusedTransactions() []transactionTest {
	const old = "If-Match: W/\"datetime'2020-01-01T00%3A00%3A00Z'\"\r\n"
	return []transactionTest{
		{"a hundred and one", append(hundredPuts(), insertText("Batch", "p", "x")), "400",
			"InvalidInput 99:The batch request operation exceeds"},
		{"the third exists",
			[]operationText{insertText("Batch", "p", "x"), {"PUT", batchPath("replaced"), `{"C":1}`, ""},
				insertText("Batch", "p", "merged")}, "409",
			"EntityAlreadyExists 2:The specified entity already exists."},
		{"the first exists", []operationText{insertText("Batch", "p", "merged"), insertText("Batch", "p", "x")},
			"409", "EntityAlreadyExists 0:"},
		{"one is missing", []operationText{insertText("Batch", "p", "x"),
			{"MERGE", batchPath("missing"), `{}`, "If-Match: *\r\n"}}, "404", "ResourceNotFound 1:"},
		{"one has changed", []operationText{{"DELETE", batchPath("replaced"), "", "If-Match: *\r\n"},
			{"PUT", batchPath("merged"), `{}`, old}}, "412", "UpdateConditionNotSatisfied 1:"},
		{"two partitions", []operationText{insertText("Batch", "p", "x"), insertText("Batch", "q", "x")}, "400",
			"CommandsInBatchActOnDifferentPartitions 1:"},
		{"two tables", []operationText{insertText("Batch", "p", "x"), insertText("Other", "p", "x")}, "400",
			"CommandsInBatchActOnDifferentPartitions 1:"},
		{"a row twice", []operationText{insertText("Batch", "p", "x"), insertText("Batch", "p", "y"),
			{"PUT", batchPath("x"), "{}", ""}}, "400", "InvalidDuplicateRow 2:"},
		{"a query among changes", []operationText{insertText("Batch", "p", "x"), {"GET", batchPath("merged"), "", ""}},
			"400", "InvalidInput 1:"},
		{"an invalid entity", []operationText{insertText("Batch", "p", "x"), {"PUT", batchPath("y"), `{"A":[]}`, ""}},
			"400",
			"InvalidInput 1:"},
		{"a deletion without condition", []operationText{{"DELETE", batchPath("merged"), "", ""}}, "400",
			"MissingRequiredHeader 0:"},
		{"no such table", []operationText{insertText("Missing", "p", "x")}, "404", "TableNotFound 0:"},
		{"a table operation", []operationText{{"POST", "Tables", `{"TableName":"Sneaky"}`, ""}}, "400",
			"InvalidInput 0:"},
		{"an invalid key", []operationText{{"PUT", "Batch(PartitionKey='p',RowKey='a%2Fb')", `{}`, ""}}, "400",
			"OutOfRangeInput 0:"},
		{"nothing", nil, "400", "InvalidInput 0:"},
	}
}

func TestTransaction(t *testing.T) {
	e := openEmulator(t, engine.Options{})
	e.createTable("Batch")
	e.createTable("Other")
	for _, tt := range append(madeTransactions(), refusedTransactions()...) {
		t.Run(tt.name, func(t *testing.T) {
			for _, row := range []string{"replaced", "merged", "deleted"} {
				e.put("Batch", "p", row, `"A":1`)
			}
			before := e.must(200, "GET", "Batch", "").body
			a := e.batch(tt.operations...)
			if a.status != 202 || a.statuses() != tt.statuses {
				t.Fatalf("%d, parts %q, want %q in %s", a.status, a.statuses(), tt.statuses, a.body)
			}
			code, message, _ := strings.Cut(tt.failure, " ")
			if !strings.Contains(a.body, `"code":"`+code) || !strings.Contains(a.body, `"value":"`+message) {
				if tt.failure != "" {
					t.Errorf("want %s in %s", tt.failure, a.body)
				}
			}
			after := e.must(200, "GET", "Batch", "").body
			if tt.failure != "" && after != before {
				t.Errorf("a failed transaction changed\n%s\nto\n%s", before, after)
			}
			if tt.failure == "" && after == before {
				t.Error("nothing changed")
			}
		})
	}
	merged := e.must(200, "GET", batchPath("upserted"), "").object(t)
	if merged["B"] == nil {
		t.Errorf("merged in a transaction: %v", merged)
	}
}

func TestTransactionAnswers(t *testing.T) {
	e := openEmulator(t, engine.Options{})
	e.createTable("Answers")
	a := e.batch(insertText("Answers", "p", "1"), operationText{"PUT", entityPath("Answers", "p", "2"), "{}", ""})
	for _, want := range []string{"Content-ID: 0\r\n", "Content-ID: 1\r\n", `"RowKey":"1"`,
		"HTTP/1.1 204 No Content\r\n", "\r\nEtag: W/\"datetime'"} {
		if !strings.Contains(a.body, want) {
			t.Errorf("the answer lacks %q: %s", want, a.body)
		}
	}
	one, two := e.must(200, "GET", entityPath("Answers", "p", "1"), "").header.Get("ETag"),
		e.must(200, "GET", entityPath("Answers", "p", "2"), "").header.Get("ETag")
	if one == two || !strings.Contains(a.body, two) {
		t.Errorf("ETags %s and %s of one transaction in %s", one, two, a.body)
	}
}

func TestBatchQuery(t *testing.T) {
	e := openEmulator(t, engine.Options{})
	e.createTable("BatchQuery")
	e.put("BatchQuery", "p", "r", `"A":1`)
	body := func(path string) string {
		return "--b\r\nContent-Type: application/http\r\n\r\nGET http://127.0.0.1:10002/devstoreaccount1/" + path +
			" HTTP/1.1\r\nAccept: application/json;odata=nometadata\r\n\r\n\r\n--b--\r\n"
	}
	for _, tt := range []struct{ path, status, want string }{
		{"BatchQuery(PartitionKey='p',RowKey='r')", "200", `"A":1}`},
		{"BatchQuery()?$filter=A%20eq%201", "200", `{"value":[{"PartitionKey":"p"`},
		{"BatchQuery(PartitionKey='p',RowKey='x')", "404", `"value":"0:The specified resource does not exist.`},
		{"Tables", "400", `"code":"InvalidInput"`},
	} {
		a := e.do("POST", "$batch", body(tt.path), "Content-Type: multipart/mixed; boundary=b")
		if a.status != 202 || a.statuses() != tt.status || !strings.Contains(a.body, tt.want) {
			t.Errorf("%s: %d %s, want %s with %s", tt.path, a.status, a.body, tt.status, tt.want)
		}
	}
}

func TestMalformedBatches(t *testing.T) {
	e := openEmulator(t, engine.Options{})
	e.createTable("Malformed")
	good := batchBody(insertText("Malformed", "p", "r"))
	for _, tt := range []struct{ name, body, contentType string }{
		{"no content type", good, ""},
		{"another content type", good, "application/json"},
		{"no boundary", good, "multipart/mixed"},
		{"another boundary", good, "multipart/mixed; boundary=x"},
		{"empty", "", "multipart/mixed; boundary=batch_1"},
		{"cut off", good[:len(good)/2], "multipart/mixed; boundary=batch_1"},
		{"no last boundary", strings.Replace(good, "--batch_1--", "", 1), "multipart/mixed; boundary=batch_1"},
		{"no last inner boundary", strings.Replace(good, "--changeset_1--", "", 1),
			"multipart/mixed; boundary=batch_1"},
		{"no inner boundary", strings.Replace(good, "; boundary=changeset_1", "", 1),
			"multipart/mixed; boundary=batch_1"},
		{"no request line", strings.Replace(good, "POST ", "", 1), "multipart/mixed; boundary=batch_1"},
		{"another protocol", strings.Replace(good, "HTTP/1.1", "SIP/2.0", 1), "multipart/mixed; boundary=batch_1"},
		{"a header without colon", strings.Replace(good, "Content-ID: 0", "Content-ID", 1),
			"multipart/mixed; boundary=batch_1"},
		{"a part that is not a request", strings.Replace(good, "application/http", "text/plain", 1),
			"multipart/mixed; boundary=batch_1"},
		{"two change sets", strings.Replace(good, "--batch_1--", strings.TrimSuffix(good, "--batch_1--\r\n")+
			"--batch_1--", 1), "multipart/mixed; boundary=batch_1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var headers []string
			if tt.contentType != "" {
				headers = []string{"Content-Type: " + tt.contentType}
			}
			e.do("POST", "$batch", tt.body, headers...).failsWith(t, 400, "InvalidInput")
		})
	}
	e.do("POST", "$batch", strings.Repeat("x", 4<<20+1), "Content-Type: multipart/mixed; boundary=b").failsWith(t, 413,
		"RequestBodyTooLarge")
	if rows := e.rows("Malformed", ""); len(rows) != 0 {
		t.Errorf("malformed batches left %v", rows)
	}
	for name, body := range map[string]string{
		"lines that end with LF":        strings.ReplaceAll(good, "\r\n", "\n"),
		"a preamble":                    "text\r\n" + good,
		"a quoted boundary with spaces": strings.ReplaceAll(good, "boundary=changeset_1", `boundary="changeset_1"`),
		"a path instead of an address":  strings.Replace(good, "http://127.0.0.1:10002", "", 1),
	} {
		if a := e.do("POST", "$batch", body, "Content-Type: multipart/mixed; boundary=batch_1"); a.statuses() != "201" {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
		e.must(204, "DELETE", entityPath("Malformed", "p", "r"), "", "If-Match: *")
	}
}

func FuzzBatch(f *testing.F) {
	e := openEmulator(f, engine.Options{})
	e.createTable("Fuzz")
	f.Add("multipart/mixed; boundary=batch_1", batchBody(insertText("Fuzz", "p", "r"),
		operationText{"PUT", entityPath("Fuzz", "p", "s"), `{"A":1}`, "If-Match: *\r\n"}))
	f.Add("multipart/mixed; boundary=b",
		"--b\r\nContent-Type: application/http\r\n\r\nGET /devstoreaccount1/Fuzz HTTP/1.1\r\n\r\n\r\n--b--\r\n")
	f.Fuzz(func(t *testing.T, contentType, body string) {
		if strings.ContainsAny(contentType, "\r\n") {
			return
		}
		a := e.within(t).do("POST", "$batch", body, "Content-Type: "+contentType)
		if a.status != 202 && a.status != 400 || strings.Contains(a.body, "HTTP/1.1 5") {
			t.Fatalf("%d %s", a.status, a.body)
		}
	})
}
