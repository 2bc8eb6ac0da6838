package target

import (
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// A server that listens on ::1 only is found, as one is that listens on localhost in Node.
func TestServersOnIPv6(t *testing.T) {
	listener, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Skipf("this machine has no IPv6: %v", err)
	}
	server := &http.Server{Handler: http.NotFoundHandler(), ReadHeaderTimeout: time.Second}
	defer server.Close()
	go func() { _ = server.Serve(listener) }()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	client := &http.Client{Transport: &http.Transport{DialContext: Dial, DisableKeepAlives: true}}
	answer, err := client.Get("http://127.0.0.1:" + port)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	if _, err := client.Get("http://127.0.0.2:" + port); err == nil {
		t.Error("another address leads there too")
	}
}

// A server that listens elsewhere never becomes ready, and the message has the port that it should have.
func TestNobodyListens(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	_, port, _ := net.SplitHostPort(address)
	_ = listener.Close()
	ready := launch(nil, "/ready")
	ready.Within = 10 * time.Millisecond
	_, err = URL("http://"+address, nil).Start(t.Context(), ready)
	want := "not answered with 200 within 10ms: nothing listens on port " + port
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the error is %v", err)
	}
}
