package azure

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
)

// tableCatalogue are tables, made and deleted, and their names.
func tableCatalogue() []tableCase {
	return []tableCase{
		{"create a table that is there", nil, func(p *tableProbe) {
			_, err := p.table.CreateTable(p.Context(), nil)
			p.code(err, 409, "TableAlreadyExists")
			_, err = p.service.NewClient(strings.ToUpper(p.name)).CreateTable(p.Context(), nil)
			p.code(err, 409, "TableAlreadyExists")
		}},
		{"delete a table that is missing", nil, func(p *tableProbe) {
			_, err := p.service.NewClient("NoSuchTable").Delete(p.Context(), nil)
			p.code(err, 404, "ResourceNotFound")
		}},
		{"a table made again is empty", nil, func(p *tableProbe) {
			p.has("p", "r", "")
			_, err := p.table.Delete(p.Context(), nil)
			p.OK(err)
			p.refuses(p.raw("GET", p.name, ""), 404, "TableNotFound")
			_, err = p.table.CreateTable(p.Context(), nil)
			p.OK(err)
			p.is("rows", p.rows(""), "")
		}},
		{"names of tables", NamesBadTableNames, func(p *tableProbe) {
			for name, code := range map[string]string{"ab": "OutOfRangeInput", strings.Repeat("a",
				64): "OutOfRangeInput", "1ab": "InvalidResourceName", "a-b": "InvalidResourceName"} {
				p.refuses(p.raw("POST", "Tables", `{"TableName":"`+name+`"}`), 400, code)
			}
		}},
		{"a table's name in another case", IgnoresCaseOfTables, func(p *tableProbe) {
			p.has("p", "r", "")
			p.answers(p.raw("GET", strings.ToLower(p.entity("", ""))[:len(p.name)]+p.entity("p", "r")[len(p.name):],
				""), 200)
		}},
	}
}

// tableLists are lists of tables.
func tableLists() []tableCase {
	return []tableCase{
		{"list tables with a filter", nil, func(p *tableProbe) {
			r := p.answers(p.raw("GET", "Tables?$filter="+url.QueryEscape("TableName eq '"+p.name+"'"), ""), 200)
			if strings.Count(r.body, `"TableName"`) != 1 || !strings.Contains(r.body, `"TableName":"`+p.name+`"`) {
				p.Fatalf("tables %s", r.body)
			}
			r = p.answers(p.raw("GET", "Tables?$filter="+
				url.QueryEscape("TableName ge '"+p.name+"' and TableName lt '"+p.name+"a'"), ""), 200)
			if !strings.Contains(r.body, `"TableName":"`+p.name+`"`) {
				p.Fatalf("tables %s", r.body)
			}
		}},
		{"list no tables", ListsNoTables, func(p *tableProbe) {
			r := p.answers(p.raw("GET", "Tables?$top=0", ""), 200)
			p.is("tables", strings.Count(r.body, `"TableName"`), 0)
		}},
		{"list tables in pages", nil, func(p *tableProbe) {
			for i := range 3 {
				_, err := p.service.CreateTable(p.Context(), fmt.Sprintf("%sPage%d", p.name, i), nil)
				p.OK(err)
			}
			var names []string
			filter := "TableName ge '" + p.name + "Page' and TableName lt '" + p.name + "Pagf'"
			for pager := p.service.NewListTablesPager(&aztables.ListTablesOptions{Top: to.Ptr(int32(2)),
				Filter: &filter}); pager.More(); {
				page, err := pager.NextPage(p.Context())
				p.OK(err)
				for _, table := range page.Tables {
					names = append(names, *table.Name)
				}
			}
			p.is("tables", strings.Join(names, " "), fmt.Sprintf("%[1]sPage0 %[1]sPage1 %[1]sPage2", p.name))
		}},
	}
}

// setProperties sends properties of the service as XML.
func (p *tableProbe) setProperties(members string) reply {
	return p.raw("PUT", "?restype=service&comp=properties",
		"<StorageServiceProperties>"+members+"</StorageServiceProperties>", "Content-Type: application/xml")
}

// tableService are the properties of the service and of a table.
func tableService() []tableCase {
	return []tableCase{
		{"access policies of a table", nil, func(p *tableProbe) {
			at := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
			_, err := p.table.SetAccessPolicy(p.Context(),
				&aztables.SetAccessPolicyOptions{TableACL: []*aztables.SignedIdentifier{{
					ID: to.Ptr("reader"), AccessPolicy: &aztables.AccessPolicy{Permission: to.Ptr("r"),
						Start: to.Ptr(at.AddDate(-1, 0, 0)), Expiry: &at},
				}}})
			p.OK(err)
			got, err := p.table.GetAccessPolicy(p.Context(), nil)
			p.OK(err)
			if len(got.SignedIdentifiers) != 1 || *got.SignedIdentifiers[0].ID != "reader" ||
				*got.SignedIdentifiers[0].AccessPolicy.Permission != "r" {
				p.Fatalf("policies %v", got.SignedIdentifiers)
			}
		}},
		{"more than five access policies", nil, func(p *tableProbe) {
			body := "<SignedIdentifiers>"
			for i := range 6 {
				body += fmt.Sprintf("<SignedIdentifier><Id>%d</Id></SignedIdentifier>", i)
			}
			p.answers(p.raw("PUT", p.name+"?comp=acl", body+"</SignedIdentifiers>", "Content-Type: application/xml"),
				400)
		}},
		{"service properties", nil, func(p *tableProbe) {
			_, err := p.service.SetProperties(p.Context(), aztables.ServiceProperties{Logging: &aztables.Logging{
				Version: to.Ptr("1.0"), Read: to.Ptr(true), Write: to.Ptr(true), Delete: to.Ptr(true),
				RetentionPolicy: &aztables.RetentionPolicy{Enabled: to.Ptr(true), Days: to.Ptr(int32(5))},
			}}, nil)
			p.OK(err)
			got, err := p.service.GetProperties(p.Context(), nil)
			p.OK(err)
			p.is("days", *got.Logging.RetentionPolicy.Days, 5)
		}},
		{"more than five CORS rules", LimitsServiceProperties, func(p *tableProbe) {
			rule := "<CorsRule><AllowedOrigins>*</AllowedOrigins><AllowedMethods>GET</AllowedMethods>" +
				"<MaxAgeInSeconds>1</MaxAgeInSeconds><ExposedHeaders>*</ExposedHeaders>" +
				"<AllowedHeaders>*</AllowedHeaders></CorsRule>"
			p.answers(p.setProperties("<Cors>"+strings.Repeat(rule, 6)+"</Cors>"), 400)
		}},
		{"more than 365 days of retention", LimitsServiceProperties, func(p *tableProbe) {
			logging := "<Logging><Version>1.0</Version><Delete>true</Delete><Read>true</Read><Write>true</Write>" +
				"<RetentionPolicy><Enabled>true</Enabled><Days>366</Days></RetentionPolicy></Logging>"
			p.answers(p.setProperties(logging), 400)
		}},
		{"a client request id comes back", nil, func(p *tableProbe) {
			r := p.raw("GET", p.name, "", "x-ms-client-request-id: my-id")
			p.is("x-ms-client-request-id", r.header.Get("x-ms-client-request-id"), "my-id")
			if r.header.Get("x-ms-request-id") == "" || r.header.Get("x-ms-version") == "" {
				p.Fatalf("headers %v", r.header)
			}
		}},
	}
}
