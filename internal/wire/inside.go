package wire

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/storespec/storespec/internal/inprocess"
)

// Transport is for a target in this process: it brings calls to the gateway's endpoints to the same
// handlers as a socket would, without one, and knows no other address. What a broken connection is
// to a client, it is here too; what only sockets have, such as a pool of them, is not.
func (g *Gateway) Transport() http.RoundTripper { return inside{g} }

type inside struct{ gateway *Gateway }

func (i inside) RoundTrip(req *http.Request) (*http.Response, error) {
	for service, endpoint := range i.gateway.endpoints {
		if _, host, _ := strings.Cut(endpoint, "://"); host == req.URL.Host {
			return inprocess.Transport{Handler: i.gateway.entrance(service)}.RoundTrip(req)
		}
	}
	return nil, fmt.Errorf("calling %s: no service of the gateway is there", req.URL.Host)
}

// entrance is a service's handler for calls that come on no connection: Close ends their contexts and
// waits for them as well.
func (g *Gateway) entrance(service Service) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		g.inside.RLock()
		defer g.inside.RUnlock()
		if g.closing.Load() {
			panic(http.ErrAbortHandler)
		}
		ctx, cancel := context.WithCancel(req.Context())
		defer cancel()
		defer context.AfterFunc(g.base, cancel)()
		g.handlers[service].ServeHTTP(w, req.WithContext(ctx))
	})
}
