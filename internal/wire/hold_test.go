package wire_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

// holding opens a gateway that holds every call, and a way to wait for what it holds.
func holding(t *testing.T, store http.HandlerFunc) (*wire.Gateway, *wire.Hold, func(held, underWay int) []*wire.Held) {
	t.Helper()
	_, gate := openGateway(t, store)
	changed := make(chan struct{}, 64)
	hold := wire.NewHold(func() { changed <- struct{}{} })
	gate.Interpose(hold.Interpose)
	t.Cleanup(hold.Open) // before the gateway is closed
	return gate, hold, func(held, underWay int) []*wire.Held {
		t.Helper()
		deadline := time.After(time.Minute)
		for {
			waiting, gone := hold.Waiting()
			if len(waiting) == held && gone == underWay {
				return waiting
			}
			select {
			case <-changed:
			case <-deadline:
				t.Fatalf("%d calls are held and %d under way, not %d and %d", len(waiting), gone, held, underWay)
			}
		}
	}
}

// request sends a call in the background; the channel gives the status of its answer, 0 for none.
func request(ctx context.Context, t *testing.T, method, address, body string, header http.Header) <-chan int {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if header != nil {
		req.Header = header
	}
	status := make(chan int, 1)
	go func() {
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			status <- 0
			return
		}
		_ = res.Body.Close()
		status <- res.StatusCode
	}()
	return status
}

func TestHoldLetsCallsGoOneByOne(t *testing.T) {
	arrived := make(chan string, 8)
	gate, hold, until := holding(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		arrived <- string(body)
		w.WriteHeader(http.StatusConflict)
	})
	table := gate.Endpoint(azure.Table) + "/acc/Groups"
	first := request(t.Context(), t, http.MethodPost, table, `{"PartitionKey":"p","RowKey":"1"}`, nil)
	one := until(1, 0)[0]
	second := request(t.Context(), t, http.MethodPost, table, `{"PartitionKey":"p","RowKey":"2"}`, nil)
	until(2, 0)
	if one.Call.Class != azure.Insert || one.Call.Key[0] != "p" || one.Call.Key[1] != "1" {
		t.Errorf("held is %+v, without what its body says", one.Call)
	}
	if len(arrived) > 0 || one.Status() != 0 {
		t.Fatal("a held call has reached the store")
	}
	one.Go()
	if got := <-first; got != http.StatusConflict || <-arrived != `{"PartitionKey":"p","RowKey":"1"}` {
		t.Errorf("it was answered %d, or its body is not what was sent", got)
	}
	until(1, 0)
	if one.Status() != http.StatusConflict {
		t.Errorf("its status is %d", one.Status())
	}
	one.Go() // once is enough
	hold.Open()
	if got := <-second; got != http.StatusConflict {
		t.Errorf("the other was answered %d when all were let go", got)
	}
	if got := <-request(t.Context(), t, http.MethodGet, table, "", nil); got != http.StatusConflict {
		t.Errorf("an open hold still holds: %d", got)
	}
	until(0, 0)
}

func TestHoldKnowsATransactionBeforeItGoes(t *testing.T) {
	gate, _, until := holding(t, func(http.ResponseWriter, *http.Request) {})
	body := strings.ReplaceAll(`--b
Content-Type: multipart/mixed; boundary=c

--c
Content-Type: application/http
Content-Transfer-Encoding: binary

DELETE `+gate.Endpoint(azure.Table)+`/acc/Index(PartitionKey='p',RowKey='1') HTTP/1.1
If-Match: *


--c--
--b--
`, "\n", "\r\n")
	request(t.Context(), t, http.MethodPost, gate.Endpoint(azure.Table)+"/acc/$batch", body,
		http.Header{"Content-Type": {"multipart/mixed; boundary=b"}})
	call := until(1, 0)[0].Call
	if call.Class != azure.Transaction || len(call.Inner) != 1 || call.Inner[0].Key[1] != "1" ||
		call.Inner[0].Class != azure.Delete {
		t.Errorf("held is %+v", call)
	}
}

func TestHoldForgetsACallThatWasGivenUp(t *testing.T) {
	reached := make(chan struct{}, 1)
	gate, hold, until := holding(t, func(http.ResponseWriter, *http.Request) { reached <- struct{}{} })
	ctx, cancel := context.WithCancel(t.Context())
	answer := request(ctx, t, http.MethodPut, gate.Endpoint(azure.Blob)+"/acc/state/a.json", "content", nil)
	one := until(1, 0)[0]
	cancel()
	<-answer
	until(0, 0)
	one.Go()
	if given := hold.Abandoned(); len(given) != 1 || given[0].Name() != "a.json" || len(reached) > 0 {
		t.Errorf("abandoned are %+v; the store was reached: %t", given, len(reached) > 0)
	}
}
