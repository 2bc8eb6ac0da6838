package wire

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// headTimeout bounds how long a connection may take to send a head; on one machine, a client
	// that takes longer is stuck.
	headTimeout = 30 * time.Second
	// drainLimit is how much of a request is read before its connection is cut, so that the record
	// says what was asked for. An entity group transaction holds at most 4 MiB.
	drainLimit = 4 << 20
)

// Gateway listens where a target believes its storage services to be, one port for each, records
// the calls and passes them on. A fault, a delay or an order is an Interposer's: the gateway itself
// has only the one of a store that is down.
type Gateway struct {
	down      atomic.Bool
	opened    atomic.Int64 // connections
	between   atomic.Pointer[Interposer]
	closing   atomic.Bool
	endpoints map[Service]string
	handlers  map[Service]http.Handler
	servers   []*http.Server
	base      context.Context    // of all requests
	cancel    context.CancelFunc // ends it
	running   sync.WaitGroup     // listeners and connections
	inside    sync.RWMutex       // held to read by calls that come on no connection
	refused   refused
	closeOnce sync.Once
	closeErr  error
}

// NewGateway opens a port on 127.0.0.1 for each service and serves it by the service's handler, each
// call recorded. At least one service is needed. Nothing stays open when it fails.
func NewGateway(rec *Recorder, upstream map[Service]http.Handler) (*Gateway, error) {
	return NewGatewayWith(rec, upstream, GatewayOptions{})
}

// GatewayOptions are for a target that cannot reach any gateway. The zero value is what most can.
type GatewayOptions struct {
	// Addresses, such as "127.0.0.1:10002", are for a target that was told where its storage is before
	// the gateway was opened. A service without one gets a free port.
	Addresses map[Service]string
	// TLS makes the gateway serve https, for a target that refuses plain http; nil: http.
	TLS *tls.Config
}

// NewGatewayWith is NewGateway with options.
func NewGatewayWith(rec *Recorder, upstream map[Service]http.Handler, o GatewayOptions) (*Gateway, error) {
	if len(upstream) == 0 {
		return nil, errors.New("opening a gateway: no service to serve")
	}
	g := &Gateway{endpoints: map[Service]string{}, handlers: map[Service]http.Handler{}}
	g.base, g.cancel = context.WithCancel(context.Background())
	for service, next := range upstream {
		listener, err := net.Listen("tcp", cmp.Or(o.Addresses[service], "127.0.0.1:0"))
		if err != nil {
			return nil, errors.Join(fmt.Errorf("opening a gateway for the %s service: %w", service, err), g.Close())
		}
		g.endpoints[service] = "http://" + listener.Addr().String()
		if o.TLS != nil {
			g.endpoints[service] = "https://" + listener.Addr().String()
			listener = tls.NewListener(listener, o.TLS)
		}
		g.handlers[service] = rec.Handler(service, g.door(service, next))
		server := &http.Server{
			Handler:           g.handlers[service],
			BaseContext:       func(net.Listener) context.Context { return g.base },
			ConnState:         g.connState,
			ReadHeaderTimeout: headTimeout,
			ErrorLog:          log.New(&g.refused, "", log.LstdFlags),
		}
		g.servers = append(g.servers, server)
		g.running.Add(1)
		go func() {
			defer g.running.Done()
			_ = server.Serve(listener) // returns when Close is called
		}()
	}
	return g, nil
}

// Endpoint is the service's address, such as "http://127.0.0.1:54321" (https with TLS), or empty for a service the
// gateway was not opened with.
func (g *Gateway) Endpoint(service Service) string { return g.endpoints[service] }

// SetDown makes the store dead for the target, or alive again. While it is down, each connection on
// which a call arrives is cut without an answer and the call is recorded with status 0. Calls that
// are in flight already are answered.
func (g *Gateway) SetDown(down bool) { g.down.Store(down) }

// Connections is how many connections were ever opened to the gateway. Calls by Transport come on none.
func (g *Gateway) Connections() int { return int(g.opened.Load()) }

// Close ends listeners and connections and waits until no handler runs. It is safe to call twice.
func (g *Gateway) Close() error {
	g.closeOnce.Do(func() {
		g.closing.Store(true)
		g.cancel()
		for _, server := range g.servers {
			g.closeErr = errors.Join(g.closeErr, server.Close())
		}
		g.running.Wait()
		g.inside.Lock() // those inside have ended, and later ones see that the gateway is closing
		defer g.inside.Unlock()
	})
	return g.closeErr
}

func (g *Gateway) door(service Service, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if g.down.Load() {
			lose(w, req)
		}
		answer := next
		if between := g.between.Load(); between != nil && *between != nil {
			answer = (*between)(decode(headOf(service, req)).call, next)
		}
		answer.ServeHTTP(w, req)
	})
}

// connState counts connections. A new one is reported by the goroutine that serves the listener,
// which is itself counted, so the count cannot reach zero in between; a closed one is reported when
// its handler has returned.
func (g *Gateway) connState(conn net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		g.running.Add(1)
		g.opened.Add(1)
		if g.closing.Load() {
			_ = conn.Close() // it was accepted too late for http.Server.Close to know of it
		}
	case http.StateClosed, http.StateHijacked:
		g.running.Done()
	}
}
