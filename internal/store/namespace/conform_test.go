package namespace

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/store/conform"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/kv"
)

// needNode skips without Node and npm, but not in CI, where their absence is a mistake.
func needNode(t *testing.T) {
	t.Helper()
	for _, name := range []string{"node", "npm"} {
		if _, err := exec.LookPath(name); err == nil {
			continue
		}
		if os.Getenv("CI") == "true" {
			t.Fatalf("%s is not in PATH, and CI must run these tests", name)
		}
		t.Skipf("%s is not in PATH", name)
	}
}

func open(t *testing.T, opts store.Options) store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), []store.Kind{Kind{}}, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestEmbeddedConforms(t *testing.T) {
	s := open(t, store.Options{Name: "embedded", Lanes: 2, Cold: 1})
	conformAll(t, s, true, 2)
	conformLanes(t, s)
	conform.RunLanes(t, s, harness(s, 2))
}

func TestWorkerdConforms(t *testing.T) {
	needNode(t)
	s := open(t, store.Options{Name: "workerd", Lanes: 2, Cold: 1})
	if got, want := s.Version(), "miniflare "+miniflareVersion; got != want {
		t.Errorf("version %q, want %q", got, want)
	}
	conformAll(t, s, true, 2)
	conformLanes(t, s)
	conform.RunLanes(t, s, harness(s, 2))
}

// reach is a lease behind a gateway.
type reach struct {
	t      *testing.T
	gate   *wire.Gateway
	record *wire.Recorder
	values map[string]string
}

func through(t *testing.T, l *store.Lease) *reach {
	t.Helper()
	r := &reach{t: t, record: wire.NewRecorder()}
	gate, err := wire.NewGateway(r.record, l.Upstream(), wire.GatewayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = gate.Close() })
	r.gate, r.values = gate, l.Values(map[wire.Service]string{kv.Service: gate.Endpoint(kv.Service)})
	return r
}

func (r *reach) rest(path string) string {
	return r.values[placeAPI] + "/accounts/" + r.values[placeAccount] + "/storage/kv/namespaces/" +
		r.values[placeNamespace] + path
}

func (r *reach) binding(path string) string { return "http://" + r.values[placeBinding] + path }

// send sends a request with the token of the lease.
func (r *reach) send(method, address, body string, header ...string) (int, http.Header, string) {
	r.t.Helper()
	request, err := http.NewRequestWithContext(r.t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+r.values[placeToken])
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		r.t.Fatal(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return response.StatusCode, response.Header, string(content)
}

func (r *reach) want(status int, method, address, body string, header ...string) (http.Header, string) {
	r.t.Helper()
	got, headers, answer := r.send(method, address, body, header...)
	if got != status {
		r.t.Fatalf("%s %s answered %d, not %d: %.300s", method, address, got, status, answer)
	}
	return headers, answer
}

func leased(t *testing.T, s store.Store) *store.Lease {
	t.Helper()
	l, err := s.Lease(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Release)
	return l
}

func harness(s store.Store, lanes int) conform.Harness {
	return conform.Harness{Lanes: lanes, Snapshots: s.Name() == "embedded",
		Resource: func(*store.Lease) string { return "KV" }}
}

// conformAll is what holds for every backend, with one lease at a time; bound says that it has the binding's protocol.
func conformAll(t *testing.T, s store.Store, bound bool, lanes int) {
	conform.Run(t, s, harness(s, lanes))
	t.Run("REST", func(t *testing.T) {
		l := leased(t, s)
		defer l.Release()
		r := through(t, l)
		r.want(200, "PUT", r.rest("/values/a%2Fb%20%C3%BC?expiration_ttl=3600"), "v1")
		if _, got := r.want(200, "GET", r.rest("/values/a%2Fb%20%C3%BC"), ""); got != "v1" {
			t.Errorf("got %q", got)
		}
		r.want(200, "PUT", r.rest("/bulk"), `[{"key":"p:1","value":"1","metadata":{"n":1}},`+
			`{"key":"p:2","value":"/wA=","base64":true}]`)
		if _, got := r.want(200, "GET", r.rest("/values/p:2"), ""); got != "\xff\x00" {
			t.Errorf("got %q", got)
		}
		if _, got := r.want(200, "GET", r.rest("/metadata/p:1"), ""); !strings.Contains(got, `"result":{"n":1}`) {
			t.Errorf("metadata %s", got)
		}
		if _, got := r.want(200, "GET", r.rest("/keys?prefix=p%3A&limit=10"), ""); !strings.Contains(got,
			`"name":"p:1"`) || !strings.Contains(got, `"count":2,"cursor":""`) {
			t.Errorf("list %s", got)
		}
		if _, got := r.want(200, "POST", r.rest("/bulk/get"), `{"keys":["p:1","none"]}`); !strings.Contains(got,
			`"values":{"none":null,"p:1":"1"}`) && !strings.Contains(got, `"values":{"p:1":"1","none":null}`) {
			t.Errorf("bulk get %s", got)
		}
		r.want(200, "POST", r.rest("/bulk/delete"), `["p:2"]`)
		r.want(200, "DELETE", r.rest("/values/p:1"), "")
		if _, got := r.want(404, "GET", r.rest("/values/p:1"), ""); !strings.Contains(got, "10009") {
			t.Errorf("missing: %s", got)
		}
		r.want(400, "PUT", r.rest("/values/k?expiration_ttl=59"), "v")
		r.want(414, "PUT", r.rest("/values/"+strings.Repeat("k", 513)), "v")
		r.want(401, "GET", r.rest("/values/p:1"), "", "Authorization", "Bearer other")
		r.want(404, "GET", strings.Replace(r.rest("/values/k"), r.values[placeNamespace], "other", 1), "")
		if calls := r.record.Calls(); calls[0].Class != kv.Put || calls[1].Class != kv.Get {
			t.Errorf("the gateway saw %v", calls)
		}
	})
	t.Run("the harness's own access", func(t *testing.T) { ownAccess(t, s) })
	if bound {
		t.Run("binding", func(t *testing.T) { conformBinding(t, s) })
	}
}

func ownAccess(t *testing.T, s store.Store) {
	l := leased(t, s)
	defer l.Release()
	r, ctx, keys := through(t, l), t.Context(), l.Objects()
	r.want(200, "PUT", r.rest("/values/soon?expiration_ttl=3600"), "v")
	if err := keys.Put(ctx, "KV", "a/b", []byte{0, 255}); err != nil {
		t.Fatal(err)
	}
	if err := keys.Put(ctx, "KV", "empty", nil); err != nil {
		t.Fatal(err)
	}
	if got, err := keys.Get(ctx, "KV", "a/b"); err != nil || string(got) != "\x00\xff" {
		t.Errorf("got %q, %v", got, err)
	}
	if got, err := keys.Get(ctx, "KV", "empty"); err != nil || got == nil || len(got) > 0 {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := keys.Get(ctx, "KV", "none"); err != nil || got != nil {
		t.Errorf("got %q, %v", got, err)
	}
	names, err := keys.List(ctx, "KV")
	slices.Sort(names)
	if err != nil || fmt.Sprint(names) != "[a/b empty soon]" {
		t.Errorf("%v, %v", names, err)
	}
	expiring := keys.(store.Expiring)
	if at, now, err := expiring.Expires(ctx, "KV", "soon"); err != nil || at.Sub(now).Round(time.Minute) != time.Hour {
		t.Errorf("soon expires at %v (now %v), %v", at, now, err)
	}
	if at, _, err := expiring.Expires(ctx, "KV", "empty"); err != nil || !at.IsZero() {
		t.Errorf("empty expires at %v, %v", at, err)
	}
	if _, _, err := expiring.Expires(ctx, "KV", "none"); err == nil {
		t.Error("a missing key expires")
	}
	if err := keys.Delete(ctx, "KV", "a/b"); err != nil {
		t.Error(err)
	}
	if err := l.Clean(ctx); err != nil {
		t.Fatal(err)
	}
	if names, err := keys.List(ctx, "KV"); err != nil || len(names) > 0 {
		t.Errorf("after cleaning: %v, %v", names, err)
	}
	if len(r.record.Calls()) != 1 {
		t.Errorf("the gateway saw %d calls", len(r.record.Calls()))
	}
}

func conformBinding(t *testing.T, s store.Store) {
	l := leased(t, s)
	defer l.Release()
	r := through(t, l)
	r.want(200, "PUT", r.binding("/a%2Fb?urlencoded=true&expiration_ttl=60"), "v", "CF-KV-Metadata", `{"n":1}`)
	headers, got := r.want(200, "GET", r.binding("/a%2Fb?urlencoded=true"), "")
	if got != "v" || headers.Get("CF-KV-Metadata") != `{"n":1}` {
		t.Errorf("got %q with metadata %q", got, headers.Get("CF-KV-Metadata"))
	}
	r.want(200, "PUT", r.binding("/"), "w", "MF-URL", "http://fake-host/c?urlencoded=true")
	if _, got := r.want(200, "GET", r.binding("/?prefix=c&key_count_limit=1"), ""); !strings.Contains(got,
		`"name":"c"`) || !strings.Contains(got, `"list_complete":true`) {
		t.Errorf("list %s", got)
	}
	if _, got := r.want(200, "POST", r.binding("/bulk/get"), `{"keys":["c"],"withMetadata":true}`); !strings.Contains(
		got, `"value":"w"`) {
		t.Errorf("bulk get %s", got)
	}
	r.want(404, "GET", r.binding("/none?urlencoded=true"), "")
	r.want(400, "PUT", r.binding("/k?urlencoded=true&expiration_ttl=59"), "v")
	r.want(413, "PUT", r.binding("/k?urlencoded=true"), "v", "CF-KV-Metadata", `"`+strings.Repeat("m", 1023)+`"`)
	r.want(200, "DELETE", r.binding("/c?urlencoded=true"), "")
	if got, err := l.Objects().List(t.Context(), ""); err != nil || fmt.Sprint(got) != "[a/b]" {
		t.Errorf("%v, %v", got, err)
	}
}

// conformLanes is what the services answer to keys of other lanes.
func conformLanes(t *testing.T, s store.Store) {
	first, second := leased(t, s), leased(t, s)
	defer first.Release()
	defer second.Release()
	cold, err := s.LeaseCold(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer cold.Release()
	a, b, c := through(t, first), through(t, second), through(t, cold)
	a.want(200, "PUT", a.rest("/values/k"), "a")
	for _, other := range []*reach{b, c} {
		other.want(404, "GET", other.rest("/values/k"), "")
		other.want(404, "GET", strings.Replace(other.rest("/values/k"), other.values[placeNamespace],
			a.values[placeNamespace], 1), "")
	}
	direct := first.Direct()
	a.values = direct
	if _, got := a.want(200, "GET", a.rest("/values/k"), ""); got != "a" {
		t.Errorf("directly: %q", got)
	}
	if _, got := a.want(200, "GET", a.binding("/k?urlencoded=true"), ""); got != "a" {
		t.Errorf("directly by the binding: %q", got)
	}
}
