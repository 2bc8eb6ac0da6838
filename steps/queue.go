package steps

import (
	"fmt"
	"net"
	"net/http"
	"time"
)

// startNoQueues says at an address that there are no queues. An SDK that is told to use the emulator may look for
// them, and must neither wait for an answer nor find somebody else's.
func startNoQueues(address string) (*http.Server, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("hold the address of the queue service: %w", err)
	}
	server := &http.Server{Addr: listener.Addr().String(), ReadHeaderTimeout: 10 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "storespec has no queues", http.StatusNotImplemented)
	})}
	go func() { _ = server.Serve(listener) }() // returns when the lane is closed
	return server, nil
}
