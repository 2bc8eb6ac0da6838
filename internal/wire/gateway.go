package wire

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/storespec/storespec/internal/wire/inprocess"
)

const (
	// headTimeout bounds how long a connection may take to send a head; on one machine, a client
	// that takes longer is stuck.
	headTimeout = 30 * time.Second
	// drainLimit is how much of a request is read before its connection is cut, so that the record shows what was asked
	// for. An entity group transaction holds at most 4 MiB.
	drainLimit = 4 << 20
)

// Gateway listens where a target believes its storage services to be, on one port for each, records the calls and
// passes them on. Faults, delays and orders are Interposers: the only fault built into the gateway is a store that is
// down.
type Gateway struct {
	down      map[Service]*atomic.Bool // not written to after the gateway is open
	opened    atomic.Int64             // connections
	chain     chain
	closing   atomic.Bool
	endpoints map[Service]string
	handlers  map[Service]http.Handler
	servers   []*http.Server
	base      func() context.Context // parent of all request contexts
	cancel    context.CancelFunc     // cancels it
	running   sync.WaitGroup         // listeners and connections
	inside    sync.RWMutex           // read-locked by calls that use no connection
	refused   refused
	closeOnce sync.Once
	closeErr  error
}

// GatewayOptions are for a target that cannot reach an arbitrary gateway. The zero value suits most targets.
type GatewayOptions struct {
	// Addresses, such as "127.0.0.1:10002", are for a target that learned where its storage is before the gateway was
	// opened. A service without an address gets a free port.
	Addresses map[Service]string
	// TLS makes the gateway serve https, for a target that refuses plain http; nil: http.
	TLS *tls.Config
	// Before wraps the recorder of each service: it receives calls as the target makes them, and what it passes on is
	// recorded as if the target had made it; nil: nothing else.
	Before func(Protocol, http.Handler) http.Handler
}

// NewGateway opens a port on 127.0.0.1 for each service, serves it with the service's handler and records each call. At
// least one service is required. If it fails, nothing stays open.
func NewGateway(rec *Recorder, upstream map[Protocol]http.Handler, o GatewayOptions) (*Gateway, error) {
	if len(upstream) == 0 {
		return nil, errors.New("opening a gateway: no service to serve")
	}
	g := &Gateway{endpoints: map[Service]string{}, handlers: map[Service]http.Handler{},
		down: map[Service]*atomic.Bool{}}
	base, cancel := context.WithCancel(context.Background())
	g.base, g.cancel = func() context.Context { return base }, cancel
	for protocol, next := range upstream {
		service := protocol.Service()
		listener, err := net.Listen("tcp", cmp.Or(o.Addresses[service], "127.0.0.1:0"))
		if err != nil {
			return nil, errors.Join(fmt.Errorf("opening a gateway for the %s service: %w", service, err), g.Close())
		}
		g.endpoints[service] = "http://" + listener.Addr().String()
		if o.TLS != nil {
			g.endpoints[service] = "https://" + listener.Addr().String()
			listener = tls.NewListener(listener, o.TLS)
		}
		g.down[service] = &atomic.Bool{}
		g.handlers[service] = rec.Handler(protocol, g.door(g.down[service], next))
		if o.Before != nil {
			g.handlers[service] = o.Before(protocol, g.handlers[service])
		}
		server := &http.Server{
			Handler:           g.handlers[service],
			BaseContext:       func(net.Listener) context.Context { return base },
			ConnState:         g.connState,
			ReadHeaderTimeout: headTimeout,
			ErrorLog:          log.New(&g.refused, "", log.LstdFlags),
		}
		g.servers = append(g.servers, server)
		g.running.Go(func() { _ = server.Serve(listener) }) // returns when Close is called
	}
	return g, nil
}

// Endpoints returns the addresses of all services.
func (g *Gateway) Endpoints() map[Service]string { return g.endpoints }

// Endpoint returns the service's address, such as "http://127.0.0.1:54321" (https with TLS), or an empty string for a
// service the gateway was not opened with.
func (g *Gateway) Endpoint(service Service) string { return g.endpoints[service] }

// SetDown makes the store, or only some of its services, unavailable to the target, or available again. While a service
// is down, each connection on which a call arrives is cut without an answer and the call is recorded with status 0.
// Calls already in flight are answered. A service that the gateway was not opened with is ignored.
func (g *Gateway) SetDown(down bool, services ...Service) {
	for service, is := range g.down {
		if len(services) == 0 || slices.Contains(services, service) {
			is.Store(down)
		}
	}
}

// Connections returns how many connections were ever opened to the gateway. Calls through Transport open none.
func (g *Gateway) Connections() int { return int(g.opened.Load()) }

// Close closes listeners and connections and waits for all handlers to return. It is safe to call twice.
func (g *Gateway) Close() error {
	g.closeOnce.Do(func() {
		g.closing.Store(true)
		g.cancel()
		for _, server := range g.servers {
			g.closeErr = errors.Join(g.closeErr, server.Close())
		}
		g.running.Wait()
		g.inside.Lock() // calls inside have ended, and later ones see that the gateway is closing
		defer g.inside.Unlock()
	})
	return g.closeErr
}

func (g *Gateway) door(down *atomic.Bool, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if down.Load() {
			lose(w, req)
		}
		answer := next
		if links := g.chain.now(); len(links) > 0 {
			call := arrived(req).call
			for _, link := range links {
				answer = link.between(call, answer)
			}
		}
		answer.ServeHTTP(w, req)
	})
}

// connState counts connections. A new one is reported by the goroutine that serves the listener, which is itself
// counted, so the count cannot reach zero in between; a closed one is reported after its handler has returned.
func (g *Gateway) connState(conn net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		g.running.Add(1)
		g.opened.Add(1)
		if g.closing.Load() {
			_ = conn.Close() // it was accepted too late for http.Server.Close to know about it
		}
	case http.StateClosed, http.StateHijacked:
		g.running.Done()
	}
}

// Transport is for a target in this process: it passes calls to the gateway's endpoints to the same handlers a socket
// would, without a socket, and knows no other address. A client sees a broken connection as such here too; features
// that only sockets have, such as a connection pool, are missing.
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

// entrance returns a service's handler for calls that use no connection: Close cancels their contexts and waits for
// them too.
func (g *Gateway) entrance(service Service) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		g.inside.RLock()
		defer g.inside.RUnlock()
		if g.closing.Load() {
			panic(http.ErrAbortHandler)
		}
		ctx, cancel := context.WithCancel(req.Context())
		defer cancel()
		defer context.AfterFunc(g.base(), cancel)()
		g.handlers[service].ServeHTTP(w, req.WithContext(ctx))
	})
}

// handshakeFailed is the prefix of what http.Server logs about a failed TLS handshake.
const handshakeFailed = "http: TLS handshake error from "

// refused is a gateway's log. A client that does not trust the gateway's certificate retries again and again: only the
// last attempt is kept, and everything else goes where the log package writes.
type refused struct {
	mu   sync.Mutex
	last string
}

func (r *refused) Write(line []byte) (int, error) {
	_, about, found := bytes.Cut(line, []byte(handshakeFailed))
	if !found {
		return log.Writer().Write(line)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	_, reason, _ := bytes.Cut(about, []byte(": ")) // the client's address is not useful
	r.last = string(bytes.TrimSpace(reason))
	return len(line), nil
}

// Refused returns why the last failed TLS handshake failed, such as "remote error: tls: unknown certificate authority",
// or "" if none failed.
func (g *Gateway) Refused() string {
	g.refused.mu.Lock()
	defer g.refused.mu.Unlock()
	return g.refused.last
}
