package wire_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

func insideGateway(t *testing.T, h http.HandlerFunc) (*wire.Gateway, *wire.Recorder, *http.Client) {
	t.Helper()
	rec := wire.NewRecorder()
	g, err := wire.NewGateway(rec, map[wire.Protocol]http.Handler{azure.Tables{}: h}, wire.GatewayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	return g, rec, &http.Client{Transport: g.Transport()}
}

func TestCallsWithoutASocketAreRecorded(t *testing.T) {
	g, rec, client := insideGateway(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"value":[{},{}]}`)
	})
	request := rec.Begin("GET /things")
	answer, err := client.Get(g.Endpoint(azure.Table) + "/lane1/Things()?$filter=PartitionKey%20eq%20'a'")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if calls := request.Calls(); len(calls) != 1 || calls[0].Class != azure.PartitionQuery ||
		calls[0].Resource != "Things" ||
		calls[0].Entities != 2 {
		t.Errorf("calls %+v", calls)
	}
	if _, err := client.Get("http://127.0.0.1:1/lane1/Things()"); err == nil ||
		!strings.Contains(err.Error(), "no service of the gateway") {
		t.Errorf("another address: %v", err)
	}
}

func TestAStoreThatIsDownIsDownWithoutASocket(t *testing.T) {
	g, rec, client := insideGateway(t, func(http.ResponseWriter, *http.Request) { t.Error("the store was reached") })
	g.SetDown(true)
	if _, err := client.Post(g.Endpoint(azure.Table)+"/lane1/Things", "application/json",
		strings.NewReader("{}")); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("error %v, want a connection that was reset", err)
	}
	if calls := rec.Calls(); len(calls) != 1 || calls[0].Status != 0 {
		t.Errorf("calls %+v", calls)
	}
}

func TestCloseEndsCallsWithoutASocket(t *testing.T) {
	held := make(chan struct{})
	g, _, client := insideGateway(t, func(_ http.ResponseWriter, r *http.Request) {
		close(held)
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	})
	failed := make(chan error)
	go func() {
		answer, err := client.Get(g.Endpoint(azure.Table) + "/lane1/Things()")
		if err == nil {
			answer.Body.Close()
		}
		failed <- err
	}()
	<-held
	if err := g.Close(); err != nil {
		t.Error(err)
	}
	if err := <-failed; err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want a broken connection", err)
	}
	if _, err := client.Get(g.Endpoint(azure.Table) + "/lane1/Things()"); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("after Close: %v", err)
	}
}
