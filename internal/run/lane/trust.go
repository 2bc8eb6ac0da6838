package lane

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/storespec/storespec/internal/wire"
)

// Trust is the certificate authority of a run's gateways, with the files that make targets trust it.
type Trust struct {
	authority *wire.Authority
	transport *http.Transport // of targets in this process
	directory string
	ca        string // file with the authority alone
	bundle    string // file with the system's roots and the authority
}

// NewTrust creates an authority and writes its certificate into a new directory, which Close removes. roots is a file
// with the certificates that the system trusts, in PEM; "": there is none.
func NewTrust(roots string) (_ *Trust, err error) {
	t := &Trust{}
	if t.authority, err = wire.NewAuthority(time.Now()); err != nil {
		return nil, err
	}
	var bundle []byte
	if roots != "" {
		if bundle, err = os.ReadFile(roots); err != nil {
			return nil, fmt.Errorf("read the certificates that the system trusts: %w", err)
		}
		bundle = append(bytes.TrimRight(bundle, "\n"), '\n')
	}
	if t.directory, err = os.MkdirTemp("", "storespec-ca-"); err != nil {
		return nil, fmt.Errorf("make a directory for the gateway's certificate: %w", err)
	}
	t.ca, t.bundle = filepath.Join(t.directory, "ca.pem"), filepath.Join(t.directory, "bundle.pem")
	certificate := t.authority.Certificate()
	if err := errors.Join(os.WriteFile(t.ca, certificate, 0o600),
		os.WriteFile(t.bundle, append(bundle, certificate...), 0o600)); err != nil {
		return nil, errors.Join(fmt.Errorf("write the gateway's certificate: %w", err), t.Close())
	}
	t.transport = t.authority.Transport()
	return t, nil
}

// environment returns the variables that make a target trust the authority. Node adds NODE_EXTRA_CA_CERTS to its own
// roots; for the others (OpenSSL, Go, .NET and Ruby; Python's requests) the file replaces the system's roots, so it
// contains those too.
func (t *Trust) environment() map[string]string {
	return map[string]string{"NODE_EXTRA_CA_CERTS": t.ca, "SSL_CERT_FILE": t.bundle, "REQUESTS_CA_BUNDLE": t.bundle}
}

// Close removes the files. It is called when every lane is closed.
func (t *Trust) Close() error {
	if t.transport != nil {
		t.transport.CloseIdleConnections()
	}
	if err := os.RemoveAll(t.directory); err != nil {
		return fmt.Errorf("remove the gateway's certificate: %w", err)
	}
	return nil
}

// SystemRoots finds the file with the certificates that this system trusts, as programs using OpenSSL do: the variable
// SSL_CERT_FILE, otherwise the paths used by distributions (the list in Go's crypto/x509, and macOS). It returns "" if
// there is none, such as on Windows.
func SystemRoots(getenv func(string) string) string {
	for _, file := range []string{
		getenv("SSL_CERT_FILE"),
		"/etc/ssl/certs/ca-certificates.crt",                // Debian, Ubuntu, Arch
		"/etc/pki/tls/certs/ca-bundle.crt",                  // Fedora
		"/etc/ssl/ca-bundle.pem",                            // openSUSE
		"/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", // RHEL
		"/etc/ssl/cert.pem",                                 // Alpine, macOS
	} {
		if info, err := os.Stat(file); file != "" && err == nil && info.Mode().IsRegular() {
			return file
		}
	}
	return ""
}
