package azure

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

const servicePath = "/acct/?restype=service&comp=properties"

func setProperties(t *testing.T, f *Front, body string) *http.Response {
	t.Helper()
	r := httptest.NewRequest("PUT", servicePath, strings.NewReader(body))
	return respond(f, r)
}

func getProperties(t *testing.T, f *Front) string {
	t.Helper()
	a := respond(f, newRequest("GET", servicePath, nil))
	body, err := io.ReadAll(a.Body)
	if err != nil || a.StatusCode != 200 {
		t.Fatalf("get: %d, %v", a.StatusCode, err)
	}
	return string(body)
}

func rules(n int) string {
	rule := "<CorsRule><AllowedOrigins>http://a.example,http://b.example</AllowedOrigins>" +
		"<AllowedMethods>GET,PUT</AllowedMethods><MaxAgeInSeconds>60</MaxAgeInSeconds>" +
		"<ExposedHeaders>x-ms-*</ExposedHeaders><AllowedHeaders>x-ms-meta-*,content-type</AllowedHeaders></CorsRule>"
	return "<Cors>" + strings.Repeat(rule, n) + "</Cors>"
}

func document(inside string) string {
	return `<?xml version="1.0" encoding="utf-8"?><StorageServiceProperties>` + inside + `</StorageServiceProperties>`
}

// retentionOf is a policy that keeps what was logged for some days.
func retentionOf(days string) string {
	return "<RetentionPolicy><Enabled>true</Enabled>" + days + "</RetentionPolicy>"
}

func loggingFor(days string) string {
	return document("<Logging><Version>1.0</Version>" + retentionOf(days) + "</Logging>")
}

func TestServiceProperties(t *testing.T) {
	f, _ := newTestFront(t, Options{Service: Blob, NoAuth: true})
	metrics := "<HourMetrics><Version>1.0</Version><Enabled>true</Enabled><IncludeAPIs>true</IncludeAPIs>" +
		"<RetentionPolicy><Enabled>true</Enabled><Days>7</Days>"
	if got := getProperties(t, f); !strings.Contains(got, metrics) {
		t.Errorf("of a new account: %s", got)
	}
	if a := setProperties(t, f,
		document(rules(1)+"<DefaultServiceVersion>2019-02-02</DefaultServiceVersion>")); a.StatusCode != 202 {
		t.Fatalf("set: %d", a.StatusCode)
	}
	if a := setProperties(t, f, document("<MinuteMetrics><Version>1.0</Version><Enabled>false</Enabled>"+
		retentionOf("<Days>365</Days>")+"</MinuteMetrics>")); a.StatusCode != 202 {
		t.Fatalf("set: %d", a.StatusCode)
	}
	got := getProperties(t, f)
	for _, want := range []string{"http://b.example", "<DefaultServiceVersion>2019-02-02", "<Days>365</Days>",
		"<Days>7</Days>"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in %s", want, got)
		}
	}
	if a := setProperties(t, f, document("<Cors/>")); a.StatusCode != 202 ||
		strings.Contains(getProperties(t, f), "CorsRule") {
		t.Errorf("rules exist after an empty element: %d", a.StatusCode)
	}
}

func TestRefusedProperties(t *testing.T) {
	for name, c := range map[string]struct{ body, code string }{
		"six rules":       {document(rules(6)), "InvalidXmlDocument"},
		"366 days":        {loggingFor("<Days>366</Days>"), "InvalidXmlDocument"},
		"no day":          {loggingFor("<Days>0</Days>"), "InvalidXmlDocument"},
		"days missing":    {loggingFor(""), "InvalidXmlDocument"},
		"method":          {document(strings.Replace(rules(1), "GET", "FETCH", 1)), "InvalidXmlNodeValue"},
		"no XML":          {"{}", "InvalidXmlDocument"},
		"empty":           {"", "InvalidXmlDocument"},
		"two documents":   {document("") + "<a/>", "InvalidXmlDocument"},
		"another element": {"<Other/>", "InvalidXmlDocument"},
		"blobs only": {document("<DefaultServiceVersion>2019-02-02</DefaultServiceVersion>"),
			"InvalidXmlDocument"},
	} {
		f, got := newTestFront(t, Options{Service: Table, NoAuth: true})
		before := getProperties(t, f)
		wantProblem(t, setProperties(t, f, c.body), got, 400, c.code)
		if getProperties(t, f) != before {
			t.Errorf("%s: the properties have changed", name)
		}
	}
}

func TestStatistics(t *testing.T) {
	f, got := newTestFront(t, Options{Service: Table, NoAuth: true})
	a := respond(f, newRequest("GET", "/acct-secondary/?restype=service&comp=stats", nil))
	body, err := io.ReadAll(a.Body)
	if a.StatusCode != 200 || err != nil || !strings.Contains(string(body),
		"<Status>live</Status><LastSyncTime>Wed, 04 Mar 2026 05:06:07 GMT</LastSyncTime>") {
		t.Errorf("%d %s", a.StatusCode, body)
	}
	wantProblem(t, respond(f, newRequest("GET", "/acct/?restype=service&comp=stats", nil)), got, 400,
		"InvalidQueryParameterValue")
	wantProblem(t, respond(f, newRequest("DELETE", servicePath, nil)), got, 405, "UnsupportedHttpVerb")
}

func TestCORS(t *testing.T) {
	f, got := newTestFront(t, Options{Service: Blob, NoAuth: true})
	preflight := func(origin, method, headers string) *http.Response {
		return respond(f, newRequest("OPTIONS", "/acct/box/a", map[string]string{"Origin": origin,
			"Access-Control-Request-Method": method, "Access-Control-Request-Headers": headers}))
	}
	wantProblem(t, preflight("http://a.example", "GET", ""), got, 403, "CorsPreflightFailure")
	if a := setProperties(t, f, document(rules(1))); a.StatusCode != 202 {
		t.Fatalf("set: %d", a.StatusCode)
	}
	a := preflight("http://b.example", "PUT", "X-Ms-Meta-Color, Content-Type")
	if a.StatusCode != 200 || a.Header.Get("Access-Control-Allow-Origin") != "http://b.example" ||
		a.Header.Get("Access-Control-Allow-Methods") != "PUT" ||
		a.Header.Get("Access-Control-Max-Age") != "60" || a.Header.Get("Access-Control-Allow-Headers") == "" {
		t.Errorf("%d %v", a.StatusCode, a.Header)
	}
	for _, c := range [][3]string{{"http://c.example", "PUT", ""}, {"http://a.example", "DELETE", ""},
		{"http://a.example", "PUT", "x-other"}} {
		wantProblem(t, preflight(c[0], c[1], c[2]), got, 403, "CorsPreflightFailure")
	}
	wantProblem(t, preflight("http://a.example", "", ""), got, 400, "MissingRequiredHeader")

	a = respond(f, newRequest("GET", "/acct/box/a", map[string]string{"Origin": "http://a.example"}))
	if a.StatusCode != 200 || a.Header.Get("Access-Control-Allow-Origin") != "http://a.example" ||
		a.Header.Get("Access-Control-Expose-Headers") != "x-ms-*" {
		t.Errorf("%d %v", a.StatusCode, a.Header)
	}
	a = respond(f, newRequest("GET", "/acct/box/a", map[string]string{"Origin": "http://c.example"}))
	if a.StatusCode != 200 || a.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("%d %v", a.StatusCode, a.Header)
	}
}

func TestIdentifiers(t *testing.T) {
	list := []SignedIdentifier{{ID: "a&b", Start: "2026-01-01T00:00:00.0000000Z",
		Expiry: "2030-01-01T00:00:00.0000000Z", Permission: "raud"}, {ID: "bare"}}
	encoded, err := EncodeIdentifiers(list)
	if err != nil {
		t.Fatal(err)
	}
	parsed, p := ParseIdentifiers(encoded)
	if p != nil || len(parsed) != 2 || parsed[0] != list[0] || parsed[1] != list[1] {
		t.Errorf("%+v, %v from %s", parsed, p, encoded)
	}
	if parsed, p = ParseIdentifiers(nil); len(parsed) != 0 || p != nil {
		t.Errorf("of nothing: %v, %v", parsed, p)
	}
	one := func(inside string) string {
		return "<SignedIdentifiers><SignedIdentifier>" + inside + "</SignedIdentifier></SignedIdentifiers>"
	}
	for _, c := range []struct{ body, code string }{
		{"<SignedIdentifiers>" + strings.Repeat("<SignedIdentifier><Id>x</Id></SignedIdentifier>", 6) +
			"</SignedIdentifiers>", "InvalidXmlDocument"},
		{"<SignedIdentifiers>" + strings.Repeat("<SignedIdentifier><Id>x</Id></SignedIdentifier>", 2) +
			"</SignedIdentifiers>", "InvalidXmlDocument"},
		{one("<Id>" + strings.Repeat("ü", 65) + "</Id>"), "InvalidXmlDocument"},
		{one("<Id/>"), "InvalidXmlDocument"},
		{one("<Id>x</Id><AccessPolicy><Expiry>soon</Expiry></AccessPolicy>"), "InvalidXmlDocument"},
		{"<Other/>", "InvalidXmlDocument"},
		{"<", "InvalidXmlDocument"},
	} {
		if _, p := ParseIdentifiers([]byte(c.body)); p == nil || p.Code != c.code {
			t.Errorf("%s: %v, want %s", c.body, p, c.code)
		}
	}
}

func TestSASTimes(t *testing.T) {
	for text, want := range map[string]time.Time{
		"2026-03-04":                   time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC),
		"2026-03-04T05:06Z":            time.Date(2026, 3, 4, 5, 6, 0, 0, time.UTC),
		"2026-03-04T05:06:07Z":         testNow,
		"2026-03-04T05:06:07.0000000Z": testNow,
		"2026-03-04T07:06:07+02:00":    testNow,
		"":                             {},
	} {
		if got, err := parseSASTime(text); err != nil || !got.Equal(want) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	if _, err := parseSASTime("tomorrow"); err == nil {
		t.Error("tomorrow is taken for a time")
	}
}
