package emulator

import (
	"crypto/tls"
	"fmt"
	"net"
)

// scheme is that of the addresses of Azure's services.
func (o ServeOptions) scheme() string {
	if o.TLSCert != "" {
		return "https"
	}
	return "http"
}

// certificate reads the files of --tls-cert and --tls-key; nil without them. Like Azure, a server with it speaks
// HTTP/1.1 only.
func (o ServeOptions) certificate() (*tls.Config, error) {
	if o.TLSCert == "" {
		return nil, nil
	}
	certificate, err := tls.LoadX509KeyPair(o.TLSCert, o.TLSKey)
	if err != nil {
		return nil, fmt.Errorf("%w: --tls-cert %s with --tls-key %s: %w", ErrUsage, o.TLSCert, o.TLSKey, err)
	}
	return &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12,
		NextProtos: []string{"http/1.1"}}, nil
}

// secure makes a listener one for https, if there is a certificate.
func secure(l *net.Listener, certificate *tls.Config) {
	if certificate != nil && *l != nil {
		*l = tls.NewListener(*l, certificate)
	}
}
