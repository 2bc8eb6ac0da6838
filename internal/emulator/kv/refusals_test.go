package kv

import (
	"encoding/json"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/emulator/conformance"
)

var update = flag.Bool("update", false, "rewrite the list in docs/run/emulators.md")

// asked is a request of one dialect, how it is refused, and where that is documented: "" is nowhere.
type asked struct {
	method, address, body string
	header                []string
	status, code          int // the code is that of the REST API
	source                string
}

// refusal is what both dialects refuse, or one of them: the other has no method.
type refusal struct {
	name          string
	binding, rest asked
}

const (
	docLimits = "[limits](https://developers.cloudflare.com/kv/platform/limits/)"
	docRead   = "[read](https://developers.cloudflare.com/kv/api/read-key-value-pairs/)"
	docWrite  = "[write](https://developers.cloudflare.com/kv/api/write-key-value-pairs/)"
	docList   = "[list](https://developers.cloudflare.com/kv/api/list-keys/)"
	docREST   = "[REST API](https://developers.cloudflare.com/api/resources/kv/)"
	docCodes  = "error codes; the status is unconfirmed"
	miniflare = "miniflare"
	ownChoice = "" // unconfirmed
)

// many is one more element than a bulk write takes.
func many(element string) string {
	return "[" + strings.Repeat(element+",", maxBulkWrite) + element + "]"
}

func put(key string, status int, source string) asked {
	return asked{method: "PUT", address: bound(key), status: status, source: source}
}

func putREST(key string, status, code int, source string) asked {
	return asked{method: "PUT", address: valueAt(key), status: status, code: code, source: source}
}

func get(address string, status, code int, source string) asked {
	return asked{method: "GET", address: address, status: status, code: code, source: source}
}

func send(method, address, body string, status, code int, source string) asked {
	return asked{method: method, address: address, body: body, status: status, code: code, source: source}
}

// with returns the request with more in its query, a body and headers.
func (a asked) with(query, body string, header ...string) asked {
	if query != "" && strings.Contains(a.address, "?") {
		query = "&" + query
	} else if query != "" {
		query = "?" + query
	}
	a.address, a.body, a.header = a.address+query, body, header
	return a
}

func refusals() []refusal {
	return slices.Concat(ofKeys(), ofValues(), ofLists(), ofBulk(), ofTheAccount())
}

func ofKeys() []refusal {
	long, deep := strings.Repeat("k", maxKey+1), strings.Repeat("ü", maxKey/2+1)
	return []refusal{
		{"a key of 513 bytes", put(long, 414, docLimits+", "+miniflare), putREST(deep, 414, 10030, docCodes)},
		{"a prefix of 513 bytes", get("/?prefix="+long, 414, 0, miniflare),
			get(restBase+"keys?prefix="+long, 414, 10030, docCodes)},
		{"the key `.`", put(".", 400, docWrite+", "+miniflare), putREST(".", 400, 10042, docCodes)},
		{"the key `..`", put("..", 400, docWrite+", "+miniflare), putREST("..", 400, 10042, docCodes)},
		{"a key that is not UTF-8", send("PUT", "/%FF?urlencoded=true", "", 400, 0, ownChoice),
			send("PUT", restBase+"values/%FF", "", 400, 10042, ownChoice)},
	}
}

func ofValues() []refusal {
	large, metadata := strings.Repeat("v", maxValue+1), `"`+strings.Repeat("m", maxMetadata-1)+`"`
	soon := fmt.Sprint(time.Now().Unix() + 30)
	form, kind := multipartForm(map[string]string{"value": "v", "metadata": metadata})
	return []refusal{
		{"a value over 25 MiB", put("k", 413, docLimits+", "+miniflare).with("", large),
			putREST("k", 413, 10024, docCodes).with("", large)},
		{"metadata of 1025 bytes", put("k", 413, docLimits+", "+miniflare).with("", "", headerMetadata, metadata),
			putREST("k", 413, 10047, docCodes).with("", form, "Content-Type", kind)},
		{"metadata that is not JSON", put("k", 400, ownChoice).with("", "", headerMetadata, "{"),
			putREST("k", 400, 10047, docCodes).with("", strings.ReplaceAll(form, metadata, "{"), "Content-Type",
				kind)},
		{"a TTL of 59 seconds", put("k", 400, docWrite+", "+miniflare).with("expiration_ttl=59", ""),
			putREST("k", 400, 10034, docCodes).with("expiration_ttl=59", "")},
		{"a TTL of 0", put("k", 400, miniflare).with("expiration_ttl=0", ""),
			putREST("k", 400, 10034, docCodes).with("expiration_ttl=0", "")},
		{"a TTL that is not a whole number", put("k", 400, ownChoice).with("expiration_ttl=1.5", ""),
			putREST("k", 400, 10034, docCodes).with("expiration_ttl=1.5", "")},
		{"an expiration within 60 seconds", put("k", 400, docWrite+", "+miniflare).with("expiration="+soon, ""),
			putREST("k", 400, 10033, docCodes).with("expiration="+soon, "")},
		{"an expiration that has passed", put("k", 400, miniflare).with("expiration=1", ""),
			putREST("k", 400, 10033, docCodes).with("expiration=1", "")},
	}
}

func ofLists() []refusal {
	return []refusal{
		{"a list of too few keys (0, by REST 9)", get("/?key_count_limit=0", 400, 0, ownChoice),
			get(restBase+"keys?limit=9", 400, 10028, docREST+", "+docCodes)},
		{"a list of 1,001 keys", get("/?key_count_limit=1001", 400, 0, docList+", "+miniflare),
			get(restBase+"keys?limit=1001", 400, 10028, docREST+", "+docCodes)},
		{"a cursor that was changed", get("/?cursor=AAAA", 400, 0, ownChoice),
			get(restBase+"keys?cursor=AAAA", 400, 10041, docCodes)},
		{"`cacheTtl` of 29", get(bound("k")+"&cache_ttl=29", 400, 0, docRead+", "+miniflare), asked{}},
	}
}

func ofBulk() []refusal {
	return []refusal{
		{"a bulk get of 101 keys", send("POST", "/bulk/get", keysJSON(101), 400, 0, docRead+", "+miniflare),
			send("POST", restBase+"bulk/get", keysJSON(101), 400, 10029, docREST+"; the code is unconfirmed")},
		{"a bulk get of no key", send("POST", "/bulk/get", `{"keys":[]}`, 400, 0, miniflare),
			send("POST", restBase+"bulk/get", `{"keys":[]}`, 400, 10029, ownChoice)},
		{"a bulk get of an unknown type", send("POST", "/bulk/get", `{"keys":["a"],"type":"x"}`, 400, 0, ownChoice),
			send("POST", restBase+"bulk/get", `{"keys":["a"],"type":"x"}`, 400, 10029, ownChoice)},
		{"a bulk put of 10,001 pairs", asked{}, send("PUT", restBase+"bulk", many(`{"key":"a","value":""}`), 400,
			10029, docREST+"; status and code are unconfirmed")},
		{"a bulk put with one pair that is refused", asked{}, send("PUT", restBase+"bulk",
			`[{"key":"a","value":"v"},{"key":"."}]`, 400, 10042,
			"error codes; that nothing is written is unconfirmed")},
		{"a bulk put that is not JSON", asked{}, send("PUT", restBase+"bulk", `[{]`, 400, 10012, docCodes)},
		{"a bulk delete of 10,001 keys", asked{}, send("POST", restBase+"bulk/delete", many(`"a"`), 400, 10029,
			docREST+"; status and code are unconfirmed")},
	}
}

func ofTheAccount() []refusal {
	namespaces := strings.TrimSuffix(restBase, "/ns/")
	return []refusal{
		{"a form without a value", asked{}, putREST("k", 400, 10012, ownChoice).with("", "--x--", "Content-Type",
			"multipart/form-data; boundary=x")},
		{"a missing key", get(bound("k"), 404, 0, docRead+", "+miniflare), get(valueAt("k"), 404, 10009,
			"error codes, SDK")},
		{"a second namespace of a title", asked{}, send("POST", namespaces,
			`{"title":"Tests"}`, 400, 10014, docREST+", error codes")},
		{"a namespace without a title", asked{}, send("POST", namespaces, `{}`, 400, 10019,
			docCodes)},
		{"`page` of 0", asked{}, get(namespaces+"?page=0", 400, 10007, docCodes)},
		{"`per_page` of 1,001", asked{}, get(namespaces+"?per_page=1001", 400, 10008,
			docREST+", "+docCodes)},
		{"another namespace", asked{}, get(strings.Replace(valueAt("k"), "ns/", "other/", 1), 404, 10013, docCodes)},
		{"another account", asked{}, get(strings.Replace(valueAt("k"), "acc/", "other/", 1), 403, 10000, ownChoice)},
		{"a wrong token", asked{}, get(valueAt("k"), 401, 10000, ownChoice).with("", "", "Authorization",
			"Bearer other")},
		{"no token", asked{}, get(valueAt("k"), 400, 9106, ownChoice).with("", "", "Authorization", "")},
		{"a route that is not there", get("/a/b", 404, 0, ownChoice), get(restBase+"nothing", 404, 7003, ownChoice)},
		{"a method that is not there", send("PATCH", bound("k"), "", 405, 0, ownChoice),
			send("PATCH", strings.TrimSuffix(restBase, "/"), "", 405, 7001, ownChoice)},
	}
}

func TestRefusals(t *testing.T) {
	var table strings.Builder
	table.WriteString("\n| what | binding | REST API | source, binding | source, REST API |\n|---|---|---|---|---|\n")
	for _, each := range refusals() {
		t.Run(strings.ReplaceAll(each.name, "`", ""), func(t *testing.T) {
			each.binding.judge(t)
			each.rest.judge(t)
		})
		fmt.Fprintf(&table, "| %s | %s | %s | %s | %s |\n", each.name, each.binding.shown(), each.rest.shown(),
			each.binding.cited(), each.rest.cited())
	}
	table.WriteString("\n")
	conformance.Document(t, filepath.Join("..", "..", "..", "docs", "run", "emulators.md"), *update,
		map[string]string{"kv": table.String()})
}

func (a asked) shown() string {
	switch {
	case a.method == "":
		return "–"
	case a.code == 0:
		return fmt.Sprint(a.status)
	}
	return fmt.Sprintf("%d, %d", a.status, a.code)
}

func (a asked) cited() string {
	switch {
	case a.method == "":
		return ""
	case a.source == "":
		return "unconfirmed"
	}
	return a.source
}

// judge sends a request to a fresh namespace, and looks at the answer and at what was written.
func (a asked) judge(t *testing.T) {
	if a.method == "" {
		return
	}
	c := newClient(t)
	w := c.want(a.status, a.method, a.address, a.body, a.header...)
	if strings.HasPrefix(a.address, restPrefix) {
		var answer envelope
		err := json.Unmarshal(w.Body.Bytes(), &answer)
		if err != nil || answer.Success || len(answer.Errors) != 1 || answer.Errors[0].Message == "" {
			t.Fatalf("not an envelope with one error: %.200s", w.Body)
		}
		if got := answer.Errors[0].Code; got != a.code {
			t.Errorf("the code is %d, not %d", got, a.code)
		}
	}
	if found, _, err := c.ns.List("", "", 10); err != nil || len(found) > 0 {
		t.Errorf("%d keys were written (%v)", len(found), err)
	}
}

// What is just within the limits is taken.
func TestWithinTheLimits(t *testing.T) {
	c := newClient(t)
	long, metadata := strings.Repeat("k", maxKey), `"`+strings.Repeat("m", maxMetadata-2)+`"`
	c.want(200, "PUT", bound(long)+"&expiration_ttl=60", strings.Repeat("v", maxValue), headerMetadata, metadata)
	c.want(200, "PUT", valueAt(long)+"?expiration_ttl=60", strings.Repeat("v", maxValue))
	// Apart from the largest values: with the race detector the engine overwrites a block of theirs with each read.
	c = newClient(t)
	const pair = `{"key":"a","value":""}`
	c.want(200, "PUT", restBase+"bulk", strings.Replace(many(pair), pair+",", "", 1))
	c.want(200, "POST", "/bulk/get", keysJSON(100))
	c.want(200, "GET", restBase+"keys?limit=10", "")
	c.want(200, "GET", "/?key_count_limit=1", "")
}
