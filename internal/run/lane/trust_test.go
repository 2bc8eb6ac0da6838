package lane

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

// reaches asks a gateway as a client does that trusts what is in a file, and nothing else.
func reaches(t *testing.T, file string, gate *wire.Gateway) bool {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(content)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}
	defer transport.CloseIdleConnections()
	answer, err := (&http.Client{Transport: transport}).Get(gate.Endpoint(azure.Table) + "/lane1/Tables")
	var untrusted x509.UnknownAuthorityError
	if err != nil {
		if !errors.As(err, &untrusted) {
			t.Fatal(err)
		}
		return false
	}
	return answer.Body.Close() == nil
}

func gatewayOf(t *testing.T, o wire.GatewayOptions) *wire.Gateway {
	t.Helper()
	gate, err := wire.NewGateway(wire.NewRecorder(),
		map[wire.Protocol]http.Handler{azure.Tables{}: http.NotFoundHandler()}, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := gate.Close(); err != nil {
			t.Error(err)
		}
	})
	return gate
}

func TestTrustedFiles(t *testing.T) {
	system, err := wire.NewAuthority(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	roots := filepath.Join(t.TempDir(), "roots.pem")
	// without its last newline
	if err := os.WriteFile(roots, system.Certificate()[:len(system.Certificate())-1], 0o600); err != nil {
		t.Fatal(err)
	}
	trust, err := NewTrust(roots)
	if err != nil {
		t.Fatal(err)
	}
	ours := gatewayOf(t, (&Fitting{Trust: trust}).Gateway())
	systems := gatewayOf(t, wire.GatewayOptions{TLS: system.Server()})
	env := trust.environment()
	for name, wants := range map[string][2]bool{ // the run's gateway, a certificate the system trusts
		"NODE_EXTRA_CA_CERTS": {true, false},
		"SSL_CERT_FILE":       {true, true},
		"REQUESTS_CA_BUNDLE":  {true, true},
	} {
		if got := [2]bool{reaches(t, env[name], ours), reaches(t, env[name], systems)}; got != wants {
			t.Errorf("%s reaches the gateway and the system's: %v, want %v", name, got, wants)
		}
	}
	if err := trust.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Dir(env["SSL_CERT_FILE"])); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after Close: %v", err)
	}
}

func TestTrustWithoutSystemRoots(t *testing.T) {
	trust, err := NewTrust("")
	if err != nil {
		t.Fatal(err)
	}
	defer trust.Close()
	if !reaches(t, trust.environment()["SSL_CERT_FILE"], gatewayOf(t, (&Fitting{Trust: trust}).Gateway())) {
		t.Error("the bundle does not reach the gateway")
	}
	if _, err := NewTrust(filepath.Join(t.TempDir(), "nowhere.pem")); err == nil ||
		!strings.Contains(err.Error(), "nowhere.pem") {
		t.Errorf("error %v does not name the missing file", err)
	}
	if none := (&Fitting{}).Environment(nil, ""); len(none) > 0 {
		t.Errorf("no trust gives %v", none)
	}
}

func TestSystemRoots(t *testing.T) {
	own := filepath.Join(t.TempDir(), "own.pem")
	if err := os.WriteFile(own, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := SystemRoots(func(string) string { return own }); got != own {
		t.Errorf("SSL_CERT_FILE is %s, and %q was found", own, got)
	}
	if got := SystemRoots(func(string) string { return own + "x" }); got == own+"x" {
		t.Errorf("%s is not there and was found", got)
	}
}
