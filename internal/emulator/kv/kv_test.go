package kv

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/emulator/engine"
)

const (
	testToken = "t0ken"
	restBase  = "/client/v4/accounts/acc/storage/kv/namespaces/ns/"
)

// client sends requests to a namespace "ns" of a fresh service.
type client struct {
	t       *testing.T
	handler http.Handler
	ns      *Namespace
}

func newClient(t *testing.T) *client {
	t.Helper()
	e, err := engine.Open(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	s := New(Options{Engine: e, Account: "acc", Token: testToken, Log: t.Logf})
	ns, err := s.Add("ns", "Tests")
	if err != nil {
		t.Fatal(err)
	}
	return &client{t, s.Handler("ns"), ns}
}

func (c *client) send(method, address, body string, header ...string) *httptest.ResponseRecorder {
	c.t.Helper()
	r := httptest.NewRequest(method, address, strings.NewReader(body))
	if strings.HasPrefix(address, restPrefix) {
		r.Header.Set("Authorization", "Bearer "+testToken)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	c.handler.ServeHTTP(w, r)
	return w
}

// want sends a request that must be answered so.
func (c *client) want(status int, method, address, body string, header ...string) *httptest.ResponseRecorder {
	c.t.Helper()
	w := c.send(method, address, body, header...)
	if w.Code != status {
		c.t.Fatalf("%s %.80s answered %d, not %d: %.300s", method, address, w.Code, status, w.Body)
	}
	return w
}

func bound(key string) string { return "/" + url.PathEscape(key) + "?urlencoded=true" }

func valueAt(key string) string { return restBase + "values/" + url.PathEscape(key) }

func TestBothDialectsSeeTheSameKeys(t *testing.T) {
	c := newClient(t)
	for _, key := range []string{"plain", "gc:conn:-100:1", "a/b", "a b%", "ünï", "client/v4/accounts", "bulk/get",
		"x\x00y"} {
		c.want(200, "PUT", bound(key), "by binding", headerMetadata, `{"n":1}`)
		if got := c.want(200, "GET", valueAt(key), "").Body.String(); got != "by binding" {
			t.Errorf("%q by REST: %q", key, got)
		}
		if got := c.want(200, "GET", restBase+"metadata/"+url.PathEscape(key), "").Body.String(); !strings.Contains(got,
			`"result":{"n":1}`) {
			t.Errorf("metadata of %q by REST: %s", key, got)
		}
		c.want(200, "PUT", valueAt(key), "by REST")
		w := c.want(200, "GET", bound(key), "")
		if w.Body.String() != "by REST" || w.Header().Get(headerMetadata) != "" {
			t.Errorf("%q by binding: %q with metadata %q", key, w.Body, w.Header().Get(headerMetadata))
		}
		c.want(200, "DELETE", bound(key), "")
		c.want(404, "GET", valueAt(key), "")
		c.want(200, "DELETE", valueAt(key), "")
	}
}

func TestMiniflaresForm(t *testing.T) {
	c := newClient(t)
	c.want(200, "PUT", "/", "value", headerAddress, "http://fake-host/a%2Fb?urlencoded=true&expiration_ttl=60",
		headerOwn+"CF-KV-Metadata", `{"n":1}`, "MF-Binding", "EVENTS")
	w := c.want(200, "GET", bound("a/b"), "")
	if w.Body.String() != "value" || w.Header().Get(headerMetadata) != `{"n":1}` ||
		w.Header().Get(headerExpiration) == "" {
		t.Errorf("got %q, metadata %q, expiration %q", w.Body, w.Header().Get(headerMetadata),
			w.Header().Get(headerExpiration))
	}
}

// limit is a request, and the status it has.
type limit struct {
	status                int
	method, address, body string
	header                []string
}

// many is one more element than a bulk write takes.
func many(element string) string {
	return "[" + strings.Repeat(element+",", maxBulkWrite) + element + "]"
}

func limits() map[string]limit {
	long, deep := strings.Repeat("k", maxKey), strings.Repeat("ü", maxKey/2+1)
	large, metadata := strings.Repeat("v", maxValue+1), `"`+strings.Repeat("m", maxMetadata-1)+`"`
	soon := fmt.Sprint(time.Now().Unix() + 30)
	return map[string]limit{
		"longest key":             {200, "PUT", bound(long), "", nil},
		"key too long":            {414, "PUT", bound(long + "k"), "", nil},
		"key too long in bytes":   {414, "PUT", valueAt(deep), "", nil},
		"dot":                     {400, "PUT", "/%2E?urlencoded=true", "", nil},
		"two dots":                {400, "PUT", valueAt("..") + "", "", nil},
		"value too large":         {413, "PUT", bound("k"), large, nil},
		"value too large by REST": {413, "PUT", valueAt("k"), large, nil},
		"metadata too large":      {413, "PUT", bound("k"), "", []string{headerMetadata, metadata}},
		"metadata not JSON":       {400, "PUT", bound("k"), "", []string{headerMetadata, "{"}},
		"TTL 59":                  {400, "PUT", bound("k") + "&expiration_ttl=59", "", nil},
		"TTL 59 by REST":          {400, "PUT", valueAt("k") + "?expiration_ttl=59", "", nil},
		"TTL 0":                   {400, "PUT", bound("k") + "&expiration_ttl=0", "", nil},
		"TTL no number":           {400, "PUT", bound("k") + "&expiration_ttl=1.5", "", nil},
		"expiration too soon":     {400, "PUT", bound("k") + "&expiration=" + soon, "", nil},
		"expiration past":         {400, "PUT", valueAt("k") + "?expiration=1", "", nil},
		"list of 0":               {400, "GET", "/?key_count_limit=0", "", nil},
		"list of 1001":            {400, "GET", "/?key_count_limit=1001", "", nil},
		"list of 9 by REST":       {400, "GET", restBase + "keys?limit=9", "", nil},
		"cursor made up":          {400, "GET", "/?cursor=abc", "", nil},
		"cursor made up by REST":  {400, "GET", restBase + "keys?cursor=AAAA", "", nil},
		"cache TTL 29":            {400, "GET", bound("k") + "&cache_ttl=29", "", nil},
		"bulk get of 101":         {400, "POST", "/bulk/get", keysJSON(101), nil},
		"bulk get of 0":           {400, "POST", "/bulk/get", `{"keys":[]}`, nil},
		"bulk get by REST of 101": {400, "POST", restBase + "bulk/get", keysJSON(101), nil},
		"bulk get of no type":     {400, "POST", "/bulk/get", `{"keys":["a"],"type":"x"}`, nil},
		"bulk put not JSON":       {400, "PUT", restBase + "bulk", `[{]`, nil},
		"bulk put of 10,001":      {400, "PUT", restBase + "bulk", many(`{"key":"a","value":""}`), nil},
		"bulk put, one invalid":   {400, "PUT", restBase + "bulk", `[{"key":"a","value":"v"},{"key":""}]`, nil},
		"bulk delete of 10,001":   {400, "DELETE", restBase + "bulk", many(`"a"`), nil},
		"wrong token":             {401, "GET", valueAt("k"), "", []string{"Authorization", "Bearer other"}},
		"no token":                {400, "GET", valueAt("k"), "", []string{"Authorization", ""}},
		"other account":           {403, "GET", strings.Replace(valueAt("k"), "acc/", "other/", 1), "", nil},
		"other namespace":         {404, "GET", strings.Replace(valueAt("k"), "ns/", "other/", 1), "", nil},
		"other route":             {404, "GET", restBase + "nothing", "", nil},
		"other method":            {405, "PATCH", bound("k"), "", nil},
	}
}

func TestLimits(t *testing.T) {
	for name, each := range limits() {
		t.Run(name, func(t *testing.T) {
			c := newClient(t)
			w := c.want(each.status, each.method, each.address, each.body, each.header...)
			if strings.HasPrefix(each.address, restPrefix) {
				var answer envelope
				err := json.Unmarshal(w.Body.Bytes(), &answer)
				if err != nil || answer.Success || len(answer.Errors) != 1 ||
					answer.Errors[0].Message == "" {
					t.Errorf("not an envelope with one error: %.200s", w.Body)
				}
			}
			if each.status != 200 {
				if found, _, err := c.ns.List("", "", 10); err != nil || len(found) > 0 {
					t.Errorf("%d keys were written (%v)", len(found), err)
				}
			}
		})
	}
}

func keysJSON(n int) string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprint(i)
	}
	text, _ := json.Marshal(map[string]any{"keys": keys})
	return string(text)
}

func TestExpiry(t *testing.T) {
	c := newClient(t)
	c.want(200, "PUT", bound("soon")+"&expiration_ttl=60", "v")
	c.want(200, "PUT", valueAt("later")+"?expiration="+fmt.Sprint(time.Now().Unix()+3600), "v")
	c.want(200, "PUT", bound("never"), "v")
	c.ns.Advance(59 * time.Second)
	c.want(200, "GET", bound("soon"), "")
	c.ns.Advance(2 * time.Second)
	c.want(404, "GET", bound("soon"), "")
	if keys := c.list("/"); fmt.Sprint(keys) != "[later never]" {
		t.Errorf("listed %v", keys)
	}
	c.want(200, "PUT", bound("soon"), "again")
	c.ns.Advance(2 * time.Hour)
	if keys := c.list("/"); fmt.Sprint(keys) != "[never soon]" {
		t.Errorf("listed %v", keys)
	}
}

// list returns the keys that a list by the binding's protocol has.
func (c *client) list(address string) (keys []string) {
	c.t.Helper()
	var answer struct {
		Keys []struct{ Name string }
	}
	if err := json.Unmarshal(c.want(200, "GET", address, "").Body.Bytes(), &answer); err != nil {
		c.t.Fatal(err)
	}
	for _, key := range answer.Keys {
		keys = append(keys, key.Name)
	}
	return keys
}

func TestListsInPages(t *testing.T) {
	c := newClient(t)
	for i := range 25 {
		c.want(200, "PUT", bound(fmt.Sprintf("p:%02d", i)), "v", headerMetadata, `{"i":1}`)
	}
	c.want(200, "PUT", bound("p"), "v")
	c.want(200, "PUT", bound("q"), "v")
	var all []string
	for cursor, pages := "", 1; ; pages++ {
		var answer struct {
			Result []struct {
				Name     string
				Metadata struct{ I int }
			}
			ResultInfo struct {
				Count  int
				Cursor string
			} `json:"result_info"`
		}
		w := c.want(200, "GET", restBase+"keys?limit=10&prefix=p%3A&cursor="+url.QueryEscape(cursor), "")
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
			t.Fatal(err)
		}
		for _, one := range answer.Result {
			all = append(all, one.Name)
			if one.Metadata.I != 1 {
				t.Errorf("%s has the metadata %v", one.Name, one.Metadata)
			}
		}
		if cursor = answer.ResultInfo.Cursor; cursor == "" {
			if pages != 3 || len(all) != 25 || all[0] != "p:00" || all[24] != "p:24" {
				t.Errorf("%d pages: %v", pages, all)
			}
			break
		}
		c.want(400, "GET", "/?prefix=other&cursor="+url.QueryEscape(cursor), "")
	}
	// A list that ends exactly with a page is complete.
	var last struct {
		Keys         []any
		ListComplete bool `json:"list_complete"`
		Cursor       *string
	}
	w := c.want(200, "GET", "/?key_count_limit=25&prefix=p%3A", "")
	if err := json.Unmarshal(w.Body.Bytes(), &last); err != nil || !last.ListComplete || last.Cursor != nil ||
		len(last.Keys) != 25 {
		t.Errorf("%.200s (%v)", w.Body, err)
	}
}

func TestBulk(t *testing.T) {
	c := newClient(t)
	w := c.want(200, "PUT", restBase+"bulk", `[{"key":"a","value":"1","metadata":{"n":1}},
		{"key":"b","value":"/wA=","base64":true},{"key":"c","value":"{}","expiration_ttl":60}]`)
	if !strings.Contains(w.Body.String(), `"successful_key_count":3`) {
		t.Errorf("%s", w.Body)
	}
	if got := c.want(200, "GET", bound("b"), "").Body.Bytes(); !bytes.Equal(got, []byte{255, 0}) {
		t.Errorf("b is %v", got)
	}
	w = c.want(200, "POST", "/bulk/get", `{"keys":["a","c","none"],"withMetadata":true}`)
	want := `{"a":{"metadata":{"n":1},"value":"1"},"c":{"metadata":null,"value":"{}"},"none":null}`
	if w.Body.String() != want {
		t.Errorf("got %s, not %s", w.Body, want)
	}
	w = c.want(200, "POST", restBase+"bulk/get", `{"keys":["c"],"type":"json"}`)
	if !strings.Contains(w.Body.String(), `"result":{"values":{"c":{}}}`) {
		t.Errorf("%s", w.Body)
	}
	c.want(400, "POST", "/bulk/get", `{"keys":["b"],"type":"json"}`)
	c.want(200, "POST", restBase+"bulk/delete", `["a","none"]`)
	c.want(200, "DELETE", restBase+"bulk", `["b"]`)
	if keys := c.list("/"); fmt.Sprint(keys) != "[c]" {
		t.Errorf("left: %v", keys)
	}
}

func TestMultipart(t *testing.T) {
	c := newClient(t)
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, value := range map[string]string{"value": "v", "metadata": `{"n":1}`} {
		part, _ := form.CreateFormField(name)
		_, _ = io.WriteString(part, value)
	}
	_ = form.Close()
	c.want(200, "PUT", valueAt("k"), body.String(), "Content-Type", form.FormDataContentType())
	w := c.want(200, "GET", bound("k"), "")
	if w.Body.String() != "v" || w.Header().Get(headerMetadata) != `{"n":1}` {
		t.Errorf("got %q, metadata %q", w.Body, w.Header().Get(headerMetadata))
	}
	c.want(400, "PUT", valueAt("other"), "--x--", "Content-Type", "multipart/form-data; boundary=x")
}

func TestReadsThatLag(t *testing.T) {
	c := newClient(t)
	c.want(200, "PUT", bound("a"), "1")
	c.ns.Lag(2)
	c.want(200, "PUT", bound("a"), "2")
	c.want(200, "PUT", bound("b"), "new")
	c.want(200, "DELETE", bound("a"), "")
	if got := c.want(200, "GET", bound("a"), "").Body.String(); got != "1" {
		t.Errorf("the first read sees %q", got)
	}
	if keys := c.list("/"); fmt.Sprint(keys) != "[a]" {
		t.Errorf("the second read lists %v", keys)
	}
	c.want(404, "GET", bound("a"), "")
	if keys := c.list("/"); fmt.Sprint(keys) != "[b]" {
		t.Errorf("then it lists %v", keys)
	}
}

func TestWriteRate(t *testing.T) {
	c := newClient(t)
	c.ns.LimitWrites(true)
	c.want(200, "PUT", bound("a"), "1")
	c.want(429, "PUT", bound("a"), "2")
	c.want(429, "DELETE", valueAt("a"), "")
	c.want(200, "PUT", bound("b"), "1")
	w := c.want(200, "PUT", restBase+"bulk", `[{"key":"a","value":"3"},{"key":"c","value":"1"}]`)
	if !strings.Contains(w.Body.String(), `"successful_key_count":1,"unsuccessful_keys":["a"]`) {
		t.Errorf("%s", w.Body)
	}
	if got := c.want(200, "GET", bound("a"), "").Body.String(); got != "1" {
		t.Errorf("a is %q", got)
	}
}

func TestNamespaces(t *testing.T) {
	c := newClient(t)
	const all = "/client/v4/accounts/acc/storage/kv/namespaces"
	var created struct{ Result titled }
	w := c.want(200, "POST", all, `{"title":"Second"}`)
	if err := json.Unmarshal(w.Body.Bytes(), &created); err != nil || len(created.Result.ID) != 32 {
		t.Fatalf("%s (%v)", w.Body, err)
	}
	c.want(400, "POST", all, `{"title":"Second"}`)
	c.want(400, "POST", all, `{"title":""}`)
	second := all + "/" + created.Result.ID
	c.want(200, "PUT", second+"/values/k", "v")
	c.want(404, "GET", valueAt("k"), "")
	c.want(200, "PUT", second, `{"title":"Renamed"}`)
	if got := c.want(200, "GET", all, "").Body.String(); !strings.Contains(got, `"title":"Renamed"`) ||
		strings.Contains(got, "Second") || !strings.Contains(got, `"total_count":2`) {
		t.Errorf("%s", got)
	}
	c.want(200, "DELETE", second, "")
	c.want(404, "GET", second, "")
	c.want(404, "GET", second+"/values/k", "")
}
