package wire

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"time"
)

// validFor is how long an Authority's certificates last: just longer than any run.
const validFor = 24 * time.Hour

// Authority is a certificate authority for one run, with the only certificate it issues: that of gateways on this
// machine. Its keys never leave memory, and the authority's own key is discarded when NewAuthority returns.
type Authority struct {
	root   *x509.Certificate
	server tls.Certificate
}

// NewAuthority creates an authority and a certificate for 127.0.0.1 and localhost, both on P-256, which every TLS
// library accepts. They are valid for a day, starting an hour before now because clocks differ.
func NewAuthority(now time.Time) (*Authority, error) {
	rootKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make a certificate authority: %w", err)
	}
	template := x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: "storespec, for one run"},
		NotBefore:    now.Add(-time.Hour), NotAfter: now.Add(validFor),
		KeyUsage: x509.KeyUsageCertSign, BasicConstraintsValid: true, IsCA: true, MaxPathLenZero: true,
	}
	root, err := sign(&template, &template, rootKey, rootKey)
	if err != nil {
		return nil, fmt.Errorf("make a certificate authority: %w", err)
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make a certificate: %w", err)
	}
	leaf, err := sign(&x509.Certificate{
		SerialNumber: big.NewInt(2),
		Subject:      pkix.Name{CommonName: "storespec gateway"},
		NotBefore:    template.NotBefore, NotAfter: template.NotAfter,
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}, root, key, rootKey)
	if err != nil {
		return nil, fmt.Errorf("make a certificate: %w", err)
	}
	return &Authority{root, tls.Certificate{Certificate: [][]byte{leaf.Raw}, PrivateKey: key, Leaf: leaf}}, nil
}

// sign issues the certificate that a template describes, for a key, signed by the issuer.
func sign(template, issuer *x509.Certificate, key, issuerKey *ecdsa.PrivateKey) (*x509.Certificate, error) {
	raw, err := x509.CreateCertificate(rand.Reader, template, issuer, key.Public(), issuerKey)
	if err != nil {
		return nil, err
	}
	return x509.ParseCertificate(raw)
}

// Certificate returns the authority's own certificate in PEM, which a client must trust.
func (a *Authority) Certificate() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.root.Raw})
}

// Server returns the configuration for GatewayOptions.TLS. It does not offer HTTP/2, as the storage services do not.
func (a *Authority) Server() *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{a.server}, MinVersion: tls.VersionTLS12}
}

// Transport is NewTransport for a target in this process: it trusts only this authority.
func (a *Authority) Transport() *http.Transport {
	transport := NewTransport()
	roots := x509.NewCertPool()
	roots.AddCert(a.root)
	transport.TLSClientConfig = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	return transport
}
