package store

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// Ports are the addresses at which a store in this process is reached without a gateway. The zero value has none.
type Ports struct{ servers []*http.Server }

// Listen opens a port on loopback, and returns its address. The error wraps ErrUnavailable.
func (p *Ports) Listen(handler http.Handler) (address string, _ error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 30 * time.Second}
	p.servers = append(p.servers, server)
	go func() { _ = server.Serve(listener) }() // returns when the store is closed
	return "http://" + listener.Addr().String(), nil
}

// Close closes all ports.
func (p *Ports) Close(ctx context.Context) error {
	var errs []error
	for _, server := range p.servers {
		if err := server.Shutdown(ctx); err != nil {
			errs = append(errs, server.Close())
		}
	}
	return errors.Join(errs...)
}
