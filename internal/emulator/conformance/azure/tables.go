package azure

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"

	"github.com/storespec/storespec/internal/emulator/azureauth"
	"github.com/storespec/storespec/internal/emulator/conformance"
)

type tableCase = probing[*tableProbe]

// tableProbe is what a case works with.
type tableProbe struct {
	probe
	base    string // the address of the service, with the account
	service *aztables.ServiceClient
	table   *aztables.Client
}

// Tables are the cases of the table service. Each gets an empty table of its own.
func Tables() conformance.Suite[Account] {
	return suite(beginTables, tableEntities(), tableConditions(), tableAnswers(), tableTypes(), tableSizes(),
		tableNames(), tableFilters(), tablePages(), tableTokens(), tableTransactions(), tableBatches(),
		tableCatalogue(), tableLists(), tablePolicies(), tableProperties(), tableRequests())
}

// beginTables makes the official client and the table, and finds the address for raw requests.
func beginTables(t *conformance.T, account Account) *tableProbe {
	p := &tableProbe{probe: probe{t, account, fmt.Sprintf("Case%d", t.Number)}}
	client := result(aztables.NewServiceClientFromConnectionString(account.Connection,
		&aztables.ClientOptions{ClientOptions: p.options()}))(p)
	for part := range strings.SplitSeq(account.Connection, ";") {
		if endpoint, ok := strings.CutPrefix(part, "TableEndpoint="); ok {
			p.base = strings.TrimSuffix(endpoint, "/")
		}
	}
	if p.base == "" {
		p.Fatalf("the connection string has no TableEndpoint")
	}
	p.service, p.table = client, client.NewClient(p.name)
	p.works(p.table.CreateTable(p.Context(), nil))
	return p
}

// TableReference are the cases of what the REST reference of the table service has.
func TableReference() (*Reference, conformance.Suite[Account], error) {
	r, err := LoadReference("tables")
	if err != nil {
		return nil, nil, err
	}
	return r, referenceSuite(r, beginTables), nil
}

func (p *tableProbe) ask(method, path, body string, headers ...string) reply {
	path, query, asked := strings.Cut(path, "?")
	if asked {
		path += "?" + strings.NewReplacer(" ", "%20", "'", "%27").Replace(query)
	}
	return p.raw(method, path, strings.ReplaceAll(body, "{account}", p.account.Name), headers...)
}

func (p *tableProbe) another(suffix string) (asker, string) {
	other := *p
	other.name += suffix
	p.answers(p.raw("POST", "Tables", `{"TableName":"`+other.name+`"}`), 201)
	return &other, other.name
}

// raw sends a request for what stands after the account, signed. Headers are "Name: value".
func (p *tableProbe) raw(method, path, body string, headers ...string) reply {
	usual := []string{"x-ms-version: 2019-02-02", "x-ms-date: " + time.Now().UTC().Format(http.TimeFormat),
		"Accept: application/json;odata=minimalmetadata"}
	if body != "" {
		usual = append(usual, "Content-Type: application/json")
	}
	r := p.request(method, p.base+"/"+path, body, append(usual, headers...)...)
	key := result(base64.StdEncoding.DecodeString(p.account.Key))(p)
	r.Header.Set("Authorization", azureauth.Authorization(azureauth.SharedKeyLite, azureauth.Table, p.account.Name,
		key, r, r.URL.EscapedPath(), r.URL.RawQuery))
	return p.send(r)
}

// answers checks a status.
func (p *tableProbe) answers(r reply, status int) reply {
	if r.status != status {
		p.Fatalf("answer %d, want %d\n%.500s", r.status, status, r.body)
	}
	return r
}

// refuses checks a status and an error code.
func (p *tableProbe) refuses(r reply, status int, code string) {
	if r.status != status || !strings.Contains(r.body, `"code":"`+code+`"`) {
		p.Fatalf("answer %d, want %d %q\n%.500s", r.status, status, code, r.body)
	}
}

// entity is the address of an entity of the case's table.
func (p *tableProbe) entity(partition, row string) string {
	quote := func(key string) string { return "'" + url.PathEscape(strings.ReplaceAll(key, "'", "''")) + "'" }
	return p.name + "(PartitionKey=" + quote(partition) + ",RowKey=" + quote(row) + ")"
}

// insert adds an entity; members are those of its JSON besides the keys.
func (p *tableProbe) insert(partition, row, members string) reply {
	if members != "" {
		members = "," + members
	}
	keys := result(json.Marshal([]string{partition, row}))(p)
	pair := strings.SplitN(strings.Trim(string(keys), "[]"), ",", 2)
	return p.raw("POST", p.name, `{"PartitionKey":`+pair[0]+`,"RowKey":`+pair[1]+members+`}`,
		"Prefer: return-no-content")
}

// has inserts an entity that must be taken.
func (p *tableProbe) has(partition, row, members string) reply {
	return p.answers(p.insert(partition, row, members), 204)
}

// get reads an entity as JSON.
func (p *tableProbe) get(partition, row string) map[string]any {
	return p.object(p.answers(p.raw("GET", p.entity(partition, row), ""), 200))
}

func (p *tableProbe) object(r reply) map[string]any {
	var o map[string]any
	p.OK(json.Unmarshal([]byte(r.body), &o))
	return o
}

// rows queries and gives the row keys, joined.
func (p *tableProbe) rows(filter string) string {
	r := p.answers(p.raw("GET", p.name+"()?$filter="+url.QueryEscape(filter), ""), 200)
	return p.rowKeys(r)
}

func (p *tableProbe) rowKeys(r reply) string {
	var page struct{ Value []map[string]any }
	p.OK(json.Unmarshal([]byte(r.body), &page))
	var keys []string
	for _, row := range page.Value {
		keys = append(keys, fmt.Sprint(row["RowKey"]))
	}
	return strings.Join(keys, " ")
}

// is checks a value as it is printed.
func (p *tableProbe) is(what string, got, want any) {
	if fmt.Sprint(got) != fmt.Sprint(want) {
		p.Fatalf("%s is %v, want %v", what, got, want)
	}
}

// tableOperation is one request of a change set.
type tableOperation struct{ method, path, body, headers string }

// batch sends a change set.
func (p *tableProbe) batch(operations ...tableOperation) reply {
	var b strings.Builder
	b.WriteString("--batch_1\r\nContent-Type: multipart/mixed; boundary=changeset_1\r\n\r\n")
	for _, o := range operations {
		fmt.Fprintf(&b, "--changeset_1\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n"+
			"%s %s/%s HTTP/1.1\r\nAccept: application/json;odata=minimalmetadata\r\nContent-Type: "+
			"application/json\r\nPrefer: return-no-content\r\n%s\r\n%s\r\n",
			o.method, p.base, o.path, o.headers, o.body)
	}
	b.WriteString("--changeset_1--\r\n--batch_1--\r\n")
	return p.raw("POST", "$batch", b.String(), "Content-Type: multipart/mixed; boundary=batch_1")
}

// inserts is an insert of a change set.
func (p *tableProbe) inserts(partition, row string) tableOperation {
	return tableOperation{"POST", p.name, `{"PartitionKey":"` + partition + `","RowKey":"` + row + `"}`, ""}
}

// changes is a change of one entity of the partition p in a change set. The body has the keys too, as SDKs send it.
func (p *tableProbe) changes(method, row, members, headers string) tableOperation {
	o := tableOperation{method, p.entity("p", row), "", headers}
	if method != "DELETE" {
		o.body = `{"PartitionKey":"p","RowKey":"` + row + `"`
		if members != "" {
			o.body += "," + members
		}
		o.body += "}"
	}
	return o
}

// puts is an insert-or-replace of such an entity.
func (p *tableProbe) puts(row, members string) tableOperation {
	return p.changes("PUT", row, members, "")
}

// made checks that every part of a change set succeeded.
func (p *tableProbe) made(r reply, parts int) {
	p.answers(r, 202)
	if n := strings.Count(r.body, "HTTP/1.1 204"); n != parts {
		p.Fatalf("%d of %d parts succeeded\n%.800s", n, parts, r.body)
	}
}

// refused checks that a change set failed, with which code at which index, and changed nothing.
func (p *tableProbe) refused(r reply, code string, index int, before string) {
	p.answers(r, 202)
	if strings.Count(r.body, "HTTP/1.1 ") != 1 || !strings.Contains(r.body, `"code":"`+code+`"`) ||
		!strings.Contains(r.body, fmt.Sprintf(`"value":"%d:`, index)) {
		p.Fatalf("want %s at %d\n%.800s", code, index, r.body)
	}
	p.is("the table after a refused transaction", p.rows(""), before)
}
