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
		{"create an existing table", nil, func(p *tableProbe) {
			p.fails(409, "TableAlreadyExists")(p.table.CreateTable(p.Context(), nil))
			p.fails(409, "TableAlreadyExists")(
				p.service.NewClient(strings.ToUpper(p.name)).CreateTable(p.Context(), nil))
		}},
		{"delete a missing table", nil, func(p *tableProbe) {
			p.fails(404, "ResourceNotFound")(p.service.NewClient("NoSuchTable").Delete(p.Context(), nil))
		}},
		{"a table made again is empty", nil, func(p *tableProbe) {
			p.has("p", "r", "")
			p.works(p.table.Delete(p.Context(), nil))
			p.refuses(p.raw("GET", p.name, ""), 404, "TableNotFound")
			p.works(p.table.CreateTable(p.Context(), nil))
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
				p.works(p.service.CreateTable(p.Context(), fmt.Sprintf("%sPage%d", p.name, i), nil))
			}
			var names []string
			filter := "TableName ge '" + p.name + "Page' and TableName lt '" + p.name + "Pagf'"
			for pager := p.service.NewListTablesPager(&aztables.ListTablesOptions{Top: to.Ptr(int32(2)),
				Filter: &filter}); pager.More(); {
				page := result(pager.NextPage(p.Context()))(p)
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

// loggingFor is the element Logging with a retention policy.
func loggingFor(policy string) string {
	return "<Logging><Version>1.0</Version><Delete>true</Delete><Read>true</Read><Write>true</Write>" +
		"<RetentionPolicy>" + policy + "</RetentionPolicy></Logging>"
}

// refusesXML checks that a body is refused as Azure refuses all that is wrong in one.
func (p *tableProbe) refusesXML(r reply) {
	if code := r.header.Get("x-ms-error-code"); r.status != 400 || code != "InvalidXmlDocument" {
		p.Fatalf("answer %d %q, want 400 InvalidXmlDocument\n%.500s", r.status, code, r.body)
	}
}

// tablePolicies are the access policies of a table.
func tablePolicies() []tableCase {
	return []tableCase{
		{"access policies of a table", nil, func(p *tableProbe) {
			at := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
			p.works(p.table.SetAccessPolicy(p.Context(),
				&aztables.SetAccessPolicyOptions{TableACL: []*aztables.SignedIdentifier{{
					ID: to.Ptr("reader"), AccessPolicy: &aztables.AccessPolicy{Permission: to.Ptr("r"),
						Start: to.Ptr(at.AddDate(-1, 0, 0)), Expiry: &at},
				}}}))
			got := result(p.table.GetAccessPolicy(p.Context(), nil))(p)
			if len(got.SignedIdentifiers) != 1 || *got.SignedIdentifiers[0].ID != "reader" ||
				*got.SignedIdentifiers[0].AccessPolicy.Permission != "r" {
				p.Fatalf("policies %v", got.SignedIdentifiers)
			}
		}},
		{"a permission that tables lack", ChecksPermissions, func(p *tableProbe) {
			p.refusesXML(p.raw("PUT", p.name+"?comp=acl", "<SignedIdentifiers><SignedIdentifier><Id>a</Id>"+
				"<AccessPolicy><Permission>rw</Permission></AccessPolicy></SignedIdentifier></SignedIdentifiers>",
				"Content-Type: application/xml", "Accept: application/xml"))
		}},
		{"an access policy whose expiry is not a time", ChecksPolicyTimes, func(p *tableProbe) {
			p.refusesXML(p.raw("PUT", p.name+"?comp=acl", "<SignedIdentifiers><SignedIdentifier><Id>a</Id>"+
				"<AccessPolicy><Expiry>soon</Expiry></AccessPolicy></SignedIdentifier></SignedIdentifiers>",
				"Content-Type: application/xml", "Accept: application/xml"))
		}},
		{"more than five access policies", ChecksPolicies, func(p *tableProbe) {
			body := "<SignedIdentifiers>"
			for i := range 6 {
				body += fmt.Sprintf("<SignedIdentifier><Id>%d</Id></SignedIdentifier>", i)
			}
			p.refusesXML(p.raw("PUT", p.name+"?comp=acl", body+"</SignedIdentifiers>", "Content-Type: application/xml",
				"Accept: application/xml"))
		}},
	}
}

// tableProperties are the properties of the service.
func tableProperties() []tableCase {
	return []tableCase{
		{"service properties", nil, func(p *tableProbe) {
			p.works(p.service.SetProperties(p.Context(), aztables.ServiceProperties{Logging: &aztables.Logging{
				Version: to.Ptr("1.0"), Read: to.Ptr(true), Write: to.Ptr(true), Delete: to.Ptr(true),
				RetentionPolicy: &aztables.RetentionPolicy{Enabled: to.Ptr(true), Days: to.Ptr(int32(5))},
			}}, nil))
			got := result(p.service.GetProperties(p.Context(), nil))(p)
			p.is("days", *got.Logging.RetentionPolicy.Days, 5)
		}},
		{"more than five CORS rules", LimitsServiceProperties, func(p *tableProbe) {
			rule := "<CorsRule><AllowedOrigins>*</AllowedOrigins><AllowedMethods>GET</AllowedMethods>" +
				"<MaxAgeInSeconds>1</MaxAgeInSeconds><ExposedHeaders>*</ExposedHeaders>" +
				"<AllowedHeaders>*</AllowedHeaders></CorsRule>"
			p.answers(p.setProperties("<Cors>"+strings.Repeat(rule, 6)+"</Cors>"), 400)
		}},
		{"more than 365 days of retention", LimitsServiceProperties, func(p *tableProbe) {
			p.refusesXML(p.setProperties(loggingFor("<Enabled>true</Enabled><Days>366</Days>")))
		}},
		{"a retention policy that does not say whether it is enabled", ChecksServiceProperties, func(p *tableProbe) {
			p.refusesXML(p.setProperties(loggingFor("<Days>7</Days>")))
		}},
		// cross-origin-resource-sharing--cors--support-for-the-azure-storage-services
		{"an answer varies by its origin", nil, func(p *tableProbe) {
			p.answers(p.setProperties("<Cors><CorsRule><AllowedOrigins>http://page.example</AllowedOrigins>"+
				"<AllowedMethods>GET,PUT</AllowedMethods><MaxAgeInSeconds>1</MaxAgeInSeconds><ExposedHeaders>*"+
				"</ExposedHeaders><AllowedHeaders>*</AllowedHeaders></CorsRule></Cors>"), 202)
			for _, origin := range []string{"http://page.example", "http://other.example"} {
				r := p.answers(p.raw("GET", p.name, "", "Origin: "+origin), 200)
				p.is("Vary for "+origin, r.header.Get("Vary"), "Origin")
			}
			p.answers(p.setProperties("<Cors/>"), 202)
			r := p.answers(p.raw("GET", p.name, "", "Origin: http://other.example"), 200)
			p.is("Vary without rules", r.header.Get("Vary"), "")
		}},
	}
}

// tableRequests are what all requests have in common.
func tableRequests() []tableCase {
	return []tableCase{
		{"a trailing slash", nil, func(p *tableProbe) {
			p.has("p", "r", "")
			for _, path := range []string{p.name + "()/", p.name + "/", "Tables/", "Tables('" + p.name + "')/",
				p.entity("p", "r") + "/"} {
				p.answers(p.raw("GET", path, ""), 200)
			}
		}},
		{"a form of another site", RefusesForms, func(p *tableProbe) {
			for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "!Content-Type"} {
				if kind[0] != '!' {
					kind = "Content-Type: " + kind
				}
				p.refuses(p.raw("POST", p.name, `{"PartitionKey":"p","RowKey":"r"}`, kind), 415,
					"AtomFormatNotSupported")
			}
			p.is("rows", p.rows(""), "")
		}},
		{"a request without credentials is asked for a token", ChallengesAnonymous, func(p *tableProbe) {
			r := p.send(p.request("GET", p.base+"/Tables", "", "x-ms-version: 2020-12-06", "Accept: application/json"))
			p.refuses(r, 401, "InvalidAuthenticationInfo")
			challenge := r.header.Get("WWW-Authenticate")
			if !strings.HasPrefix(challenge, "Bearer authorization_uri=https://login.microsoftonline.com/") ||
				!strings.HasSuffix(challenge, "/oauth2/authorize resource_id=https://storage.azure.com") {
				p.Fatalf("challenge %q", challenge)
			}
		}},
		{"a request without credentials, in a version without challenges", NamesAnonymous, func(p *tableProbe) {
			r := p.send(p.request("GET", p.base+"/Tables", "", "x-ms-version: 2019-07-07", "Accept: application/json"))
			p.refuses(r, 403, "AuthenticationFailed")
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
