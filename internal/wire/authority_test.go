package wire_test

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

// openTLS opens a gateway over https, in front of a store that answers 200.
func openTLS(t *testing.T) (*wire.Authority, *wire.Recorder, *wire.Gateway) {
	t.Helper()
	authority, err := wire.NewAuthority(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	rec := wire.NewRecorder()
	gate, err := wire.NewGateway(rec,
		map[wire.Protocol]http.Handler{azure.Tables{}: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, "{}")
		})}, wire.GatewayOptions{TLS: authority.Server()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := gate.Close(); err != nil {
			t.Error(err)
		}
	})
	return authority, rec, gate
}

func TestCallsOverTLSAreRecorded(t *testing.T) {
	authority, rec, gate := openTLS(t)
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(authority.Certificate()) {
		t.Fatal("the authority's certificate cannot be read")
	}
	byFile := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}
	inProcess := authority.Transport()
	for name, c := range map[string]struct {
		transport *http.Transport
		endpoint  string
	}{
		"by its file":   {byFile, gate.Endpoint(azure.Table)},
		"by name":       {byFile, strings.Replace(gate.Endpoint(azure.Table), "127.0.0.1", "localhost", 1)},
		"its transport": {inProcess, gate.Endpoint(azure.Table)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Cleanup(c.transport.CloseIdleConnections)
			request := rec.Begin("GET /things")
			answer, err := (&http.Client{Transport: c.transport}).Get(c.endpoint +
				"/lane1/Things()?$filter=PartitionKey%20eq%20'a'")
			if err != nil {
				t.Fatal(err)
			}
			_ = answer.Body.Close()
			request.End()
			if err := rec.Settle(during(t)); err != nil {
				t.Fatal(err)
			}
			calls := request.Calls()
			if len(calls) != 1 || calls[0].Class != azure.PartitionQuery || calls[0].Resource != "Things" ||
				answer.ProtoMajor != 1 {
				t.Errorf("calls %+v over %s", calls, answer.Proto)
			}
		})
	}
	if reason := gate.Refused(); reason != "" {
		t.Errorf("a connection was refused: %s", reason)
	}
}

func TestAClientThatDoesNotTrustTheAuthorityIsToldOf(t *testing.T) {
	_, rec, gate := openTLS(t)
	other, err := wire.NewAuthority(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (&http.Client{Transport: other.Transport()}).Get(gate.Endpoint(azure.Table) +
		"/lane1/Things()"); err == nil || !strings.Contains(err.Error(), "unknown authority") {
		t.Fatalf("error %v, want one about the certificate", err)
	}
	for deadline := time.Now().Add(10 * time.Second); gate.Refused() == ""; runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatal("the gateway noticed nothing")
		}
	}
	if reason := gate.Refused(); !strings.Contains(reason, "bad certificate") &&
		!strings.Contains(reason, "unknown certificate authority") {
		t.Errorf("the reason is %q", reason)
	}
	if calls := rec.Calls(); len(calls) > 0 {
		t.Errorf("calls %+v", calls)
	}
}

func TestKeysStayInMemory(t *testing.T) {
	authority, err := wire.NewAuthority(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if content := authority.Certificate(); bytes.Contains(content, []byte("PRIVATE")) ||
		bytes.Count(content, []byte("BEGIN CERTIFICATE")) != 1 {
		t.Errorf("%s", content)
	}
}
