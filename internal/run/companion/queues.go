package companion

import (
	"context"
	"fmt"
	"net"
	"net/http"
)

// queues is a server that answers that there are no queues. An SDK configured for the emulator may look for them, and
// must neither wait for an answer nor find another account's queues.
type queues struct {
	unscripted
	listening
	address string
}

// Start listens on its address.
func (q *queues) Start(context.Context) (map[string]string, error) {
	listener, err := net.Listen("tcp", q.address)
	if err != nil {
		return nil, fmt.Errorf("hold the address of the queue service: %w", err)
	}
	q.serve(listener, func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "storespec has no queues", http.StatusNotImplemented)
	})
	return nil, nil
}
