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
	at := time.Now().Truncate(time.Second).Add(900 * time.Millisecond) // expiry is in whole seconds
	c.ns.clock = func() time.Time { return at }                        // however long the test takes
	c.want(200, "PUT", bound("soon")+"&expiration_ttl=60", "v")
	c.want(200, "PUT", valueAt("later")+"?expiration="+fmt.Sprint(at.Unix()+3600), "v")
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

// multipartForm is a form with these parts, and its content type.
func multipartForm(parts map[string]string) (body, contentType string) {
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	for name, value := range parts {
		part, _ := form.CreateFormField(name) // a buffer takes everything
		_, _ = io.WriteString(part, value)
	}
	_ = form.Close()
	return b.String(), form.FormDataContentType()
}

func TestMultipart(t *testing.T) {
	c := newClient(t)
	body, kind := multipartForm(map[string]string{"value": "v", "metadata": `{"n":1}`})
	c.want(200, "PUT", valueAt("k"), body, "Content-Type", kind)
	w := c.want(200, "GET", bound("k"), "")
	if w.Body.String() != "v" || w.Header().Get(headerMetadata) != `{"n":1}` {
		t.Errorf("got %q, metadata %q", w.Body, w.Header().Get(headerMetadata))
	}
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
