package conformance

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
)

func etag(text string) azcore.ETag { return azcore.ETag(text) }

// sdkCode checks an SDK's error.
func (p *tableProbe) sdkCode(err error, status int, code string) {
	var re *azcore.ResponseError
	if !errors.As(err, &re) || re.StatusCode != status || re.ErrorCode != code {
		p.failf("error %v, want %d %q", err, status, code)
	}
}

func tableTransactions() []tableCase {
	return []tableCase{
		{"a transaction of every kind", func(p *tableProbe) {
			for _, row := range []string{"replaced", "merged", "deleted"} {
				p.has("p", row, `"A":1`)
			}
			p.made(p.batch(p.inserts("p", "new"), p.puts("p", "replaced", `"B":2`),
				p.changes("MERGE", "p", "merged", `"B":2`, "If-Match: *\r\n"),
				p.changes("DELETE", "p", "deleted", "", "If-Match: *\r\n"),
				p.changes("MERGE", "p", "upserted", `"B":2`, "")), 5)
			p.is("rows", p.rows(""), "merged new replaced upserted")
			p.is("A of what was replaced", p.get("p", "replaced")["A"], nil)
			p.is("A of what was merged", p.get("p", "merged")["A"], 1)
		}},
		{"a hundred operations", func(p *tableProbe) {
			var operations []tableOperation
			for i := range 100 {
				operations = append(operations, p.puts("p", fmt.Sprint(i), ""))
			}
			p.made(p.batch(operations...), 100)
		}},
		{"a hundred and one operations", func(p *tableProbe) {
			var operations []tableOperation
			for i := range 101 {
				operations = append(operations, p.puts("p", fmt.Sprint(i), ""))
			}
			if r := p.batch(operations...); !strings.Contains(r.body, `"code":"InvalidInput"`) {
				p.failf("answer %d %.300s", r.status, r.body)
			}
			p.is("rows", p.rows(""), "")
		}},
		{"an insert of what is there undoes the transaction", func(p *tableProbe) {
			p.has("p", "here", "")
			p.refused(p.batch(p.inserts("p", "1"), p.puts("p", "2", ""), p.inserts("p", "here")), "EntityAlreadyExists", 2, "here")
		}},
		{"an update of what is missing undoes the transaction", func(p *tableProbe) {
			p.refused(p.batch(p.inserts("p", "1"), p.changes("MERGE", "p", "missing", "", "If-Match: *\r\n")), "ResourceNotFound", 1, "")
		}},
		{"an old ETag undoes the transaction", func(p *tableProbe) {
			p.has("p", "here", "")
			p.refused(p.batch(p.changes("PUT", "p", "new", "", ""), p.changes("PUT", "p", "here", "", "If-Match: "+oldTag+"\r\n")), "UpdateConditionNotSatisfied", 1, "here")
		}},
		{"a deletion is undone too", func(p *tableProbe) {
			p.has("p", "here", "")
			p.refused(p.batch(p.changes("DELETE", "p", "here", "", "If-Match: *\r\n"), p.changes("DELETE", "p", "missing", "", "If-Match: *\r\n")), "ResourceNotFound", 1, "here")
		}},
		{"several partitions in one transaction", func(p *tableProbe) {
			p.refused(p.batch(p.inserts("p", "1"), p.inserts("q", "2")), "CommandsInBatchActOnDifferentPartitions", 1, "")
		}},
		{"a row twice in one transaction", func(p *tableProbe) {
			p.refused(p.batch(p.puts("p", "1", ""), p.puts("p", "2", ""), p.puts("p", "1", "")), "InvalidDuplicateRow", 2, "")
		}},
		{"a query among changes", func(p *tableProbe) {
			p.has("p", "here", "")
			r := p.batch(p.puts("p", "1", ""), tableOperation{"GET", p.entity("p", "here"), "", ""})
			if !strings.Contains(r.body, `"code":"InvalidInput"`) {
				p.failf("answer %d %.300s", r.status, r.body)
			}
			p.is("rows", p.rows(""), "here")
		}},
		{"a query alone in a batch", func(p *tableProbe) {
			p.has("p", "here", `"A":1`)
			r := p.raw("POST", "$batch", "--batch_1\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nGET "+p.base.String()+"/"+p.entity("p", "here")+
				" HTTP/1.1\r\nAccept: application/json;odata=nometadata\r\n\r\n\r\n--batch_1--\r\n", "Content-Type: multipart/mixed; boundary=batch_1")
			p.answers(r, 202)
			if !strings.Contains(r.body, "HTTP/1.1 200 OK") || !strings.Contains(r.body, `"A":1`) {
				p.failf("answer %s", r.body)
			}
		}},
		{"no such table in a transaction", func(p *tableProbe) {
			r := p.answers(p.batch(tableOperation{"POST", "NoSuchTable", `{"PartitionKey":"p","RowKey":"r"}`, ""}), 202)
			if !strings.Contains(r.body, "HTTP/1.1 404") || !strings.Contains(r.body, `"code":"TableNotFound"`) {
				p.failf("answer %s", r.body)
			}
		}},
		{"a batch that is cut off", func(p *tableProbe) {
			p.refuses(p.raw("POST", "$batch", "--batch_1\r\nContent-Type: multipart/mixed; boundary=changeset_1\r\n\r\n--changeset_1\r\n", "Content-Type: multipart/mixed; boundary=batch_1"), 400, "InvalidInput")
		}},
		{"a batch over 4 MiB", func(p *tableProbe) {
			var operations []tableOperation
			for i := range 40 {
				operations = append(operations, p.puts("p", fmt.Sprint(i), `"A":"`+strings.Repeat("x", 30<<10)+`","B":"`+strings.Repeat("x", 30<<10)+`","C":"`+strings.Repeat("x", 30<<10)+`","D":"`+strings.Repeat("x", 30<<10)+`"`))
			}
			p.answers(p.batch(operations...), 413)
			p.is("rows", p.rows(""), "")
		}},
	}
}

func tableService() []tableCase {
	return []tableCase{
		{"create a table that is there", func(p *tableProbe) {
			_, err := p.table.CreateTable(p.ctx, nil)
			p.sdkCode(err, 409, "TableAlreadyExists")
			_, err = p.service.NewClient(strings.ToUpper(p.name)).CreateTable(p.ctx, nil)
			p.sdkCode(err, 409, "TableAlreadyExists")
		}},
		{"delete a table that is missing", func(p *tableProbe) {
			_, err := p.service.NewClient("NoSuchTable").Delete(p.ctx, nil)
			p.sdkCode(err, 404, "ResourceNotFound")
		}},
		{"a table made again is empty", func(p *tableProbe) {
			p.has("p", "r", "")
			_, err := p.table.Delete(p.ctx, nil)
			p.ok(err)
			p.refuses(p.raw("GET", p.name, ""), 404, "TableNotFound")
			_, err = p.table.CreateTable(p.ctx, nil)
			p.ok(err)
			p.is("rows", p.rows(""), "")
		}},
		{"names of tables", func(p *tableProbe) {
			for name, code := range map[string]string{"ab": "OutOfRangeInput", strings.Repeat("a", 64): "OutOfRangeInput", "1ab": "InvalidResourceName", "a-b": "InvalidResourceName"} {
				p.refuses(p.raw("POST", "Tables", `{"TableName":"`+name+`"}`), 400, code)
			}
		}},
		{"a table's name in another case", func(p *tableProbe) {
			p.has("p", "r", "")
			p.answers(p.raw("GET", strings.ToLower(p.entity("", ""))[:len(p.name)]+p.entity("p", "r")[len(p.name):], ""), 200)
		}},
		{"list tables with a filter", func(p *tableProbe) {
			r := p.answers(p.raw("GET", "Tables?$filter="+url.QueryEscape("TableName eq '"+p.name+"'"), ""), 200)
			if strings.Count(r.body, `"TableName"`) != 1 || !strings.Contains(r.body, `"TableName":"`+p.name+`"`) {
				p.failf("tables %s", r.body)
			}
			r = p.answers(p.raw("GET", "Tables?$filter="+url.QueryEscape("TableName ge '"+p.name+"' and TableName lt '"+p.name+"a'"), ""), 200)
			if !strings.Contains(r.body, `"TableName":"`+p.name+`"`) {
				p.failf("tables %s", r.body)
			}
		}},
		{"list no tables", func(p *tableProbe) {
			r := p.answers(p.raw("GET", "Tables?$top=0", ""), 200)
			p.is("tables", strings.Count(r.body, `"TableName"`), 0)
		}},
		{"list tables in pages", func(p *tableProbe) {
			for i := range 3 {
				_, err := p.service.CreateTable(p.ctx, fmt.Sprintf("%sPage%d", p.name, i), nil)
				p.ok(err)
			}
			var names []string
			filter := "TableName ge '" + p.name + "Page' and TableName lt '" + p.name + "Pagf'"
			for pager := p.service.NewListTablesPager(&aztables.ListTablesOptions{Top: to.Ptr(int32(2)), Filter: &filter}); pager.More(); {
				page, err := pager.NextPage(p.ctx)
				p.ok(err)
				for _, table := range page.Tables {
					names = append(names, *table.Name)
				}
			}
			p.is("tables", strings.Join(names, " "), fmt.Sprintf("%[1]sPage0 %[1]sPage1 %[1]sPage2", p.name))
		}},
		{"access policies of a table", func(p *tableProbe) {
			at := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
			_, err := p.table.SetAccessPolicy(p.ctx, &aztables.SetAccessPolicyOptions{TableACL: []*aztables.SignedIdentifier{{
				ID: to.Ptr("reader"), AccessPolicy: &aztables.AccessPolicy{Permission: to.Ptr("r"), Start: to.Ptr(at.AddDate(-1, 0, 0)), Expiry: &at},
			}}})
			p.ok(err)
			got, err := p.table.GetAccessPolicy(p.ctx, nil)
			p.ok(err)
			if len(got.SignedIdentifiers) != 1 || *got.SignedIdentifiers[0].ID != "reader" || *got.SignedIdentifiers[0].AccessPolicy.Permission != "r" {
				p.failf("policies %v", got.SignedIdentifiers)
			}
		}},
		{"more than five access policies", func(p *tableProbe) {
			body := "<SignedIdentifiers>"
			for i := range 6 {
				body += fmt.Sprintf("<SignedIdentifier><Id>%d</Id></SignedIdentifier>", i)
			}
			p.answers(p.raw("PUT", p.name+"?comp=acl", body+"</SignedIdentifiers>", "Content-Type: application/xml"), 400)
		}},
		{"service properties", func(p *tableProbe) {
			_, err := p.service.SetProperties(p.ctx, aztables.ServiceProperties{Logging: &aztables.Logging{
				Version: to.Ptr("1.0"), Read: to.Ptr(true), Write: to.Ptr(true), Delete: to.Ptr(true), RetentionPolicy: &aztables.RetentionPolicy{Enabled: to.Ptr(true), Days: to.Ptr(int32(5))},
			}}, nil)
			p.ok(err)
			got, err := p.service.GetProperties(p.ctx, nil)
			p.ok(err)
			p.is("days", *got.Logging.RetentionPolicy.Days, 5)
		}},
		{"more than five CORS rules", func(p *tableProbe) {
			rule := "<CorsRule><AllowedOrigins>*</AllowedOrigins><AllowedMethods>GET</AllowedMethods><MaxAgeInSeconds>1</MaxAgeInSeconds><ExposedHeaders>*</ExposedHeaders><AllowedHeaders>*</AllowedHeaders></CorsRule>"
			p.answers(p.raw("PUT", "?restype=service&comp=properties", "<StorageServiceProperties><Cors>"+strings.Repeat(rule, 6)+"</Cors></StorageServiceProperties>", "Content-Type: application/xml"), 400)
		}},
		{"more than 365 days of retention", func(p *tableProbe) {
			p.answers(p.raw("PUT", "?restype=service&comp=properties", "<StorageServiceProperties><Logging><Version>1.0</Version><Delete>true</Delete><Read>true</Read><Write>true</Write>"+
				"<RetentionPolicy><Enabled>true</Enabled><Days>366</Days></RetentionPolicy></Logging></StorageServiceProperties>", "Content-Type: application/xml"), 400)
		}},
		{"a client request id comes back", func(p *tableProbe) {
			r := p.raw("GET", p.name, "", "x-ms-client-request-id: my-id")
			p.is("x-ms-client-request-id", r.header.Get("x-ms-client-request-id"), "my-id")
			if r.header.Get("x-ms-request-id") == "" || r.header.Get("x-ms-version") == "" {
				p.failf("headers %v", r.header)
			}
		}},
	}
}
