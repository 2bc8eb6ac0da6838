package wire_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

// openGateway puts a gateway, through proxies, in front of a store that serves both services.
func openGateway(t *testing.T, store http.Handler) (*wire.Recorder, *wire.Gateway) {
	t.Helper()
	upstream := httptest.NewServer(store)
	t.Cleanup(upstream.Close)
	address, err := url.Parse(upstream.URL)
	if err != nil {
		t.Fatal(err)
	}
	transport := wire.NewTransport()
	t.Cleanup(transport.CloseIdleConnections)
	proxy := wire.NewProxy(address, transport, nil)
	rec := wire.NewRecorder()
	gate, err := wire.NewGateway(rec, map[wire.Protocol]http.Handler{azure.Tables{}: proxy, azure.Blobs{}: proxy},
		wire.GatewayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := gate.Close(); err != nil {
			t.Error(err)
		}
	})
	return rec, gate
}

func TestGatewayNeedsAService(t *testing.T) {
	if _, err := wire.NewGateway(wire.NewRecorder(), nil, wire.GatewayOptions{}); err == nil {
		t.Error("a gateway without services was opened")
	}
}

func TestGatewayListensPerService(t *testing.T) {
	rec, gate := openGateway(t, http.NotFoundHandler())
	if gate.Endpoint(azure.Table) == gate.Endpoint(azure.Blob) ||
		!strings.HasPrefix(gate.Endpoint(azure.Table), "http://127.0.0.1:") ||
		gate.Endpoint("queue") != "" {
		t.Errorf("endpoints %q %q %q", gate.Endpoint(azure.Table), gate.Endpoint(azure.Blob), gate.Endpoint("queue"))
	}
	for _, service := range []wire.Service{azure.Table, azure.Blob} {
		res, err := http.Get(gate.Endpoint(service) + "/acc/a")
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
	}
	if err := rec.Settle(during(t)); err != nil {
		t.Fatal(err)
	}
	calls := rec.Calls()
	if len(calls) != 2 || calls[0].Class != azure.TableScan || calls[1].Class != azure.Read ||
		calls[1].Status != http.StatusNotFound {
		t.Errorf("%+v", calls)
	}
}

func TestGatewayDown(t *testing.T) {
	rec, gate := openGateway(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	send := func() error {
		res, err := http.Post(gate.Endpoint(azure.Table)+"/acc/T", "application/json",
			strings.NewReader(`{"PartitionKey":"p","RowKey":"r"}`))
		if err == nil {
			_, err = io.Copy(io.Discard, res.Body)
			err = errors.Join(err, res.Body.Close())
		}
		return err
	}
	if err := send(); err != nil {
		t.Error(err)
	}
	gate.SetDown(true)
	if err := send(); err == nil {
		t.Error("answered while down")
	}
	gate.SetDown(false)
	if err := send(); err != nil {
		t.Error(err)
	}
	if err := rec.Settle(during(t)); err != nil {
		t.Fatal(err)
	}
	// The third is the retry of the second: the same body after no answer.
	calls := rec.Calls()
	if got := summary(calls); got != "r:200:1 r:200:2" {
		t.Errorf("got %s", got)
	}
}

func TestGatewayCloseEndsHeldCalls(t *testing.T) {
	entered, leaving, release := make(chan struct{}), make(chan struct{}), make(chan struct{})
	gate, err := wire.NewGateway(wire.NewRecorder(),
		map[wire.Protocol]http.Handler{azure.Tables{}: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			entered <- struct{}{}
			<-r.Context().Done() // the body was not read: nothing but Close ends this
			leaving <- struct{}{}
			<-release
			panic(http.ErrAbortHandler)
		})}, wire.GatewayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	failed := make(chan error, 1)
	go func() {
		res, err := http.Post(gate.Endpoint(azure.Table)+"/acc/T", "", strings.NewReader("{}"))
		if err == nil {
			_ = res.Body.Close()
		}
		failed <- err
	}()
	receive(t, entered)
	closed := make(chan error, 1)
	go func() { closed <- gate.Close() }()
	receive(t, leaving)
	if err := receive(t, failed); err == nil {
		t.Error("the held call was answered")
	}
	select {
	case <-closed:
		t.Error("Close returned before the handler did")
	default:
	}
	close(release)
	if err := receive(t, closed); err != nil {
		t.Error(err)
	}
	if err := gate.Close(); err != nil {
		t.Errorf("a second Close: %v", err)
	}
	if res, err := http.Get(gate.Endpoint(azure.Table)); err == nil {
		_ = res.Body.Close()
		t.Error("the port is still open")
	}
}
