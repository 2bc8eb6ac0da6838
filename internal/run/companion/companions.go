package companion

import (
	"net"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/storespec/storespec/internal/run/lane"
)

// Names lists the companions that a design can have; each name is also the placeholder of the value it provides.
func Names() []string { return []string{"openai", "outbox"} }

// unscripted is a companion that no scenario scripts. Scenarios do not mix up what it has received, because their names
// are unique.
type unscripted struct{}

// Reset does nothing.
func (unscripted) Reset() {}

// Snapshot has nothing to restore.
func (unscripted) Snapshot() (restore func()) { return func() {} }

// headerWithin is the timeout for the header of a request to a companion.
const headerWithin = 20 * time.Second

// listening is a companion that is a server.
type listening struct{ server *httptest.Server }

// serve starts the server.
func (l *listening) serve(listener net.Listener, handler http.HandlerFunc) {
	config := &http.Server{Handler: handler, ReadHeaderTimeout: headerWithin}
	l.server = &httptest.Server{Listener: listener, Config: config}
	l.server.Start()
}

// Close ends the server.
func (l *listening) Close() error {
	if l.server != nil {
		l.server.Close()
	}
	return nil
}

// Makers returns constructors for the companions of these names, each with its place if it has one, and for anything
// else that a place is given for.
func Makers(names []string, at map[string]string) (list []func() lane.Companion) {
	for _, name := range names {
		switch name {
		case "openai":
			list = append(list, func() lane.Companion { return &OpenAI{address: at[name]} })
		case "outbox":
			list = append(list, func() lane.Companion { return &Outbox{at: at[name]} })
		}
	}
	if address := at["queue"]; address != "" {
		list = append(list, func() lane.Companion { return &queues{address: address} })
	}
	return list
}
