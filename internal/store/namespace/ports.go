package namespace

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/storespec/storespec/internal/store"
)

// ports are the addresses at which namespaces are reached without a gateway.
type ports struct{ servers []*http.Server }

// listen opens a port on loopback, and returns its address.
func (p *ports) listen(handler http.Handler) (address string, _ error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 30 * time.Second}
	p.servers = append(p.servers, server)
	go func() { _ = server.Serve(listener) }() // returns when the store is closed
	return "http://" + listener.Addr().String(), nil
}

func (p *ports) close(ctx context.Context) error {
	var errs []error
	for _, server := range p.servers {
		if err := server.Shutdown(ctx); err != nil {
			errs = append(errs, server.Close())
		}
	}
	return errors.Join(errs...)
}
