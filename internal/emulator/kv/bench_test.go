package kv

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// BenchmarkNamespace is what the emulator itself does for a call of the REST API, without a socket.
func BenchmarkNamespace(b *testing.B) {
	e, err := engine.Open(engine.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	s := New(Options{Engine: e, Account: "acc", Token: testToken})
	ns, err := s.Add("ns", "Tests")
	if err != nil {
		b.Fatal(err)
	}
	for i := range 2000 {
		key := fmt.Sprintf("p%03d:%03d", i/100, i%100)
		if err := ns.Put(key, Entry{Value: []byte(strings.Repeat("v", 100))}); err != nil {
			b.Fatal(err)
		}
	}
	handler := s.Handler("ns")
	for _, c := range []struct{ name, method, path, body string }{
		{"put", "PUT", "values/p001%3A001", strings.Repeat("v", 100)}, {"get", "GET", "values/p001%3A001", ""},
		{"list of 100", "GET", "keys?limit=100&prefix=p001%3A", ""},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r := httptest.NewRequest(c.method, restBase+c.path, strings.NewReader(c.body))
				r.Header.Set("Authorization", "Bearer "+testToken)
				w := httptest.NewRecorder()
				if handler.ServeHTTP(w, r); w.Code != http.StatusOK {
					b.Fatal(w.Code, w.Body)
				}
			}
		})
	}
}
