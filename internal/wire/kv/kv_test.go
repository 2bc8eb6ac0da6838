package kv

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/emulator/engine"
	emulated "github.com/storespec/storespec/internal/emulator/kv"
	"github.com/storespec/storespec/internal/wire"
)

const base = "/client/v4/accounts/acc/storage/kv/namespaces/ns/"

// lab is a namespace behind a gateway.
type lab struct {
	t    *testing.T
	rec  *wire.Recorder
	gate *wire.Gateway
	page *wire.Paging
}

func newLab(t *testing.T) *lab {
	t.Helper()
	e, err := engine.Open(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	service := emulated.New(emulated.Options{Engine: e, Log: t.Logf})
	if _, err := service.Add("ns", "ns"); err != nil {
		t.Fatal(err)
	}
	l := &lab{t: t, rec: wire.NewRecorder(), page: &wire.Paging{}}
	services := map[wire.Protocol]http.Handler{Protocol{}: service.Handler("ns")}
	l.gate, err = wire.NewGateway(l.rec, l.page.Handlers(services), wire.GatewayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.gate.Close() })
	return l
}

// send sends a request and returns the answer's status and body.
func (l *lab) send(method, address, body string, header ...string) (int, string) {
	l.t.Helper()
	req, err := http.NewRequest(method, l.gate.Endpoint(Service)+address, strings.NewReader(body))
	if err != nil {
		l.t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := l.gate.Transport().RoundTrip(req)
	if err != nil {
		l.t.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		l.t.Fatal(err)
	}
	return res.StatusCode, string(answer)
}

// shown is a call as a budget sees it.
func shown(c wire.Call) string {
	text := fmt.Sprintf("%s %s %s", c.Class, c.On(), strings.Join(c.Key, "/"))
	if c.Prefix != "" {
		text += "prefix " + c.Prefix
	}
	for _, one := range c.Inner {
		text += " [" + one.Class + " " + one.Key[0] + "]"
	}
	return fmt.Sprintf("%s → %d, %d", text, c.Status, c.Entities)
}

func TestTheDialectsAreTheSameCalls(t *testing.T) {
	for name, requests := range map[string][][]string{
		"binding": {
			{"PUT", "/a%2Fb?urlencoded=true&expiration_ttl=60", "1"}, {"GET", "/a%2Fb?urlencoded=true", ""},
			{"GET", "/none?urlencoded=true", ""}, {"GET", "/?prefix=a", ""},
			{"POST", "/bulk/get", `{"keys":["a/b","none"]}`}, {"DELETE", "/a%2Fb?urlencoded=true", ""},
		},
		"rest": {
			{"PUT", base + "values/a%2Fb?expiration_ttl=60", "1"}, {"GET", base + "values/a%2Fb", ""},
			{"GET", base + "values/none", ""}, {"GET", base + "keys?prefix=a", ""},
			{"POST", base + "bulk/get", `{"keys":["a/b","none"]}`}, {"DELETE", base + "values/a%2Fb", ""},
		},
		"miniflare": {
			{"PUT", "/", "1", headerAddress, "http://fake-host/a%2Fb?urlencoded=true&expiration_ttl=60"},
			{"GET", "/", "", headerAddress, "http://fake-host/a%2Fb?urlencoded=true"},
			{"GET", "/", "", headerAddress, "http://fake-host/none?urlencoded=true"},
			{"GET", "/", "", headerAddress, "http://fake-host/?prefix=a"},
			{"POST", "/", `{"keys":["a/b","none"]}`, headerAddress, "http://fake-host/bulk/get"},
			{"DELETE", "/", "", headerAddress, "http://fake-host/a%2Fb?urlencoded=true"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			for _, r := range requests {
				l.send(r[0], r[1], r[2], r[3:]...)
			}
			var got []string
			for _, call := range l.rec.Calls() {
				got = append(got, shown(call))
			}
			want := []string{"put KV a/b → 200, 0", "get KV a/b → 200, 1", "get KV none → 404, 0",
				"list KV prefix a → 200, 1", "bulk get KV  [get a/b] [get none] → 200, 1", "delete KV a/b → 200, 0"}
			if !slices.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

func TestBulkWritesAndErrors(t *testing.T) {
	l := newLab(t)
	l.send("PUT", base+"bulk", `[{"key":"a","value":"1"},{"key":"b","value":"2"}]`)
	l.send("POST", base+"bulk/delete", `["a"]`)
	l.send("DELETE", base+"bulk", `["b"]`)
	l.send("GET", base+"values/a", "")
	l.send("GET", strings.TrimSuffix(base, "/ns/"), "")
	l.send("PATCH", "/a", "")
	calls := l.rec.Calls()
	var got []string
	for _, call := range calls {
		got = append(got, shown(call))
	}
	want := []string{"bulk put KV  [put a] [put b] → 200, 0", "bulk delete KV  [delete a] → 200, 0",
		"bulk delete KV  [delete b] → 200, 0", "get KV a → 404, 0", "other   → 200, 0", "unknown KV  → 405, 0"}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if code := calls[3].ErrorCode; code != "10009" {
		t.Errorf("the code of a missing key is %q", code)
	}
	if !calls[0].Writes() || calls[3].Writes() || calls[3].Scans() {
		t.Error("effects are wrong")
	}
}

func TestShortPages(t *testing.T) {
	for _, list := range []string{"/?", base + "keys?"} {
		l := newLab(t)
		for _, key := range []string{"a", "b", "c"} {
			l.send("PUT", "/"+key, "v")
		}
		l.rec.Reset()
		l.page.Set(wire.Pages{Rows: 1, Empty: true})
		var keys []string
		cursor, pages := "", 0
		for ; pages == 0 || cursor != ""; pages++ {
			if pages > 10 {
				t.Fatal("the list does not end")
			}
			status, body := l.send("GET", list+"cursor="+cursor, "")
			if status != 200 {
				t.Fatalf("%d %s", status, body)
			}
			for _, key := range []string{"a", "b", "c"} {
				if strings.Contains(body, `"name":"`+key+`"`) {
					keys = append(keys, key)
				}
			}
			_, rest, _ := strings.Cut(body, `"cursor":"`)
			cursor, _, _ = strings.Cut(rest, `"`)
		}
		if fmt.Sprint(keys) != "[a b c]" || pages != 6 {
			t.Errorf("%d pages list %v", pages, keys)
		}
		calls := l.rec.Calls()
		if calls[0].Class != List || !calls[0].More || calls[1].Class != Page || calls[5].More {
			t.Errorf("%s, more: %t; %s; last: more %t", calls[0].Class, calls[0].More, calls[1].Class, calls[5].More)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, test := range []struct {
		address string
		reason  wire.Refusal
		status  int
		body    string
	}{
		{"/k", wire.Throttled, 429, "Too Many Requests"},
		{"/k", wire.Missing, 500, "namespace not found"},
		{base + "values/k", wire.Throttled, 429, `"code":10022`},
		{base + "values/k", wire.Missing, 404, `"code":10013`},
	} {
		l := newLab(t)
		remove := l.gate.Interpose(func(wire.Call, http.Handler) http.Handler { return wire.Refused(test.reason) })
		status, body := l.send("GET", test.address, "")
		remove()
		if status != test.status || !strings.Contains(body, test.body) {
			t.Errorf("%s, %d: %d %s", test.address, test.reason, status, body)
		}
	}
}

func TestDistortions(t *testing.T) {
	for _, at := range []string{"/k", base + "values/k"} {
		l := newLab(t)
		service := l.gate.Endpoint(Service)
		handler := Protocol{}.Lagging(Namespace, func(*http.Request) {}, http.HandlerFunc(func(w http.ResponseWriter,
			r *http.Request) {
			status, body := l.send(r.Method, r.URL.RequestURI(), readAll(t, r.Body))
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}))
		send := func(method, body string) (int, string) {
			req, _ := http.NewRequest(method, service+at, strings.NewReader(body))
			answer := wire.Discard(handler, req)
			return answer.Status, string(answer.Body)
		}
		send("PUT", "1")
		send("PUT", "2")
		if _, body := send("GET", ""); body != "1" {
			t.Errorf("%s: a read sees %q", at, body)
		}
		req, _ := http.NewRequest("GET", service+"/?prefix=a", nil)
		if changed, _, ok := (Protocol{}).Unfiltered(req, nil); !ok || changed.URL.RawQuery != "" {
			t.Errorf("unfiltered: %v %v", changed.URL, ok)
		}
	}
}

func readAll(t *testing.T, r io.Reader) string {
	t.Helper()
	body, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// What a put sends is known, for steps that search it; what is too large is not.
func TestContent(t *testing.T) {
	l := newLab(t)
	l.send(http.MethodPut, base+"values/a", "milk")
	l.send(http.MethodPut, base+"values/b", strings.Repeat("x", maxContent+1))
	l.send(http.MethodGet, base+"values/a", "")
	calls := l.rec.Calls()
	for i, want := range []string{"milk", "", ""} {
		if got := string(calls[i].Content); got != want {
			t.Errorf("call %d has the content %q, not %q", i, got, want)
		}
	}
}
