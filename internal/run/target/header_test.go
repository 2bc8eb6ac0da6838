package target

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestHeadersAreSentWithEveryRequest(t *testing.T) {
	var seen []*http.Request
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter,
		r *http.Request) {
		seen = append(seen, r)
	}))
	defer server.Close()
	header := http.Header{"X-Functions-Key": {"key"}, "X-Session-Id": {"default"}, "Host": {"tenant.example"}}
	ready := launch(nil, "/ready")
	ready.Header = header
	if _, err := URL(server.URL, nil).Start(t.Context(), ready); err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Session-Id", "Ana")
	answer, err := (&http.Client{Transport: WithHeader(header, http.DefaultTransport)}).Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	if len(request.Header) != 1 {
		t.Errorf("the caller's request was changed: %v", request.Header)
	}
	for i, session := range []string{"default", "Ana"} {
		if got := seen[i].Header; got.Get("X-Functions-Key") != "key" || got.Get("X-Session-Id") != session ||
			seen[i].Host != "tenant.example" {
			t.Errorf("request %d to %s has the header %v", i, seen[i].Host, got)
		}
	}
}
