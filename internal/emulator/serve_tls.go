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

// secure makes a listener one for https, if the options have a certificate. Like Azure, it speaks HTTP/1.1 only.
func (o ServeOptions) secure(l *net.Listener) error {
	if o.TLSCert == "" || *l == nil {
		return nil
	}
	certificate, err := tls.LoadX509KeyPair(o.TLSCert, o.TLSKey)
	if err != nil {
		return fmt.Errorf("%w: --tls-cert %s with --tls-key %s: %w", ErrUsage, o.TLSCert, o.TLSKey, err)
	}
	*l = tls.NewListener(*l, &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12,
		NextProtos: []string{"http/1.1"}})
	return nil
}
