package command

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"

	"github.com/storespec/storespec/internal/host/terminal"
)

// Env holds what a command has of its surroundings.
type Env struct {
	Stdout, Stderr io.Writer
	LookupEnv      func(name string) (value string, set bool)
	Program        bool // the command is the whole process, and does not run within a run of rules
}

// Getenv returns a variable of the environment; "" if it is not set.
func (e *Env) Getenv(name string) string {
	value, _ := e.LookupEnv(name)
	return value
}

// OnTerminal reports whether people watch standard error, on a terminal that can erase a line.
func (e *Env) OnTerminal() bool { return IsTerminal(e.Stderr) && !e.IsDumb() }

// IsDumb reports whether the terminal can only write lines.
func (e *Env) IsDumb() bool { return e.Getenv("TERM") == "dumb" }

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool {
	_, is := terminal.Columns(stream)
	return is
}

// Transport returns connections that trust the certificates in the file SSL_CERT_FILE names, and the system's. Go reads
// that variable once, when a process starts, and on some systems never; a command that runs inside a run of verify
// learns the gateway's certificate later than that. Without the variable it returns nil: connections as usual.
func (e *Env) Transport() (http.RoundTripper, error) {
	file := e.Getenv("SSL_CERT_FILE")
	if file == "" {
		return nil, nil
	}
	certificates, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read SSL_CERT_FILE: %w", err)
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool()
	}
	roots.AppendCertsFromPEM(certificates)
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	return transport, nil
}
