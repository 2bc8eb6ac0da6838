package wire_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

func TestInterposeBreaksTheCallsItChooses(t *testing.T) {
	var reached atomic.Int32
	rec, gate := openGateway(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		reached.Add(1)
		w.WriteHeader(http.StatusNoContent)
	}))
	var before atomic.Int32
	handlers := map[string]func(http.Handler) http.Handler{
		"lost":   func(http.Handler) http.Handler { return wire.Lost() },
		"answer": wire.AnswerLost,
		"held": func(next http.Handler) http.Handler {
			return wire.After(func() { before.Store(reached.Load() + 1) },
				next)
		},
	}
	remove := gate.Interpose(func(call wire.Call, next http.Handler) http.Handler {
		if broken := handlers[call.Key[0]]; broken != nil && call.Writes() {
			return broken(next)
		}
		return next
	})
	put := func(partition string) (answered bool) {
		req, err := http.NewRequest(http.MethodPut, gate.Endpoint(azure.Table)+"/acc/T(PartitionKey='"+partition+
			"',RowKey='1')", strings.NewReader(`{"a":1}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("If-Match", "*")
		req.GetBody = nil // net/http must not send it a second time by itself
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return false
		}
		_, _ = io.Copy(io.Discard, res.Body)
		_ = res.Body.Close()
		return res.StatusCode == http.StatusNoContent
	}
	for _, c := range []struct {
		partition string
		answered  bool
		reached   int32 // so far
	}{{"whole", true, 1}, {"lost", false, 1}, {"answer", false, 2}, {"held", true, 3}} {
		if answered := put(c.partition); answered != c.answered || reached.Load() != c.reached {
			t.Errorf("%s: answered %t, the store was reached %d times", c.partition, answered, reached.Load())
		}
	}
	if before.Load() != 3 {
		t.Errorf("the held call was passed on before its time: %d", before.Load())
	}
	if err := rec.Settle(during(t)); err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{204, 0, 0, 204} {
		if call := rec.Calls()[i]; call.Status != want {
			t.Errorf("call %d is recorded with status %d, not %d", i, call.Status, want)
		}
	}
	remove()
	if !put("lost") {
		t.Error("an interposer that was taken away still breaks calls")
	}
}

func TestRefusedCallsTellAnSDKToTryAgainAtOnce(t *testing.T) {
	for _, protocol := range azure.Protocols() {
		for _, method := range []string{http.MethodPut, http.MethodHead} {
			w := httptest.NewRecorder()
			wire.NewRecorder().Handler(protocol, wire.Refused(wire.Busy)).ServeHTTP(w,
				httptest.NewRequest(method, "/", strings.NewReader("x")))
			if sent := onTheWire(w.Header()); w.Code != 503 ||
				!strings.Contains(sent, "x-ms-error-code: ServerBusy\r\n") ||
				!strings.Contains(sent, "x-ms-retry-after-ms: 1\r\n") {
				t.Errorf("%s %s: %d %v", protocol.Service(), method, w.Code, w.Header())
			}
			if has := strings.Contains(w.Body.String(), "ServerBusy"); has != (method == http.MethodPut) {
				t.Errorf("%s %s: body %q", protocol.Service(), method, w.Body)
			}
		}
	}
}

func TestWhatIsLostOfAnAnswer(t *testing.T) {
	var reached atomic.Int32
	_, gate := openGateway(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		reached.Add(1)
		_, _ = io.WriteString(w, `{"value":[]}`)
	}))
	for name, c := range map[string]struct {
		handler func(http.Handler) http.Handler
		status  int // 0: no answer
		body    string
		reached int32
	}{
		"unheard": {func(next http.Handler) http.Handler { return wire.Unheard(next, wire.Refused(wire.Broken)) },
			500, "InternalError", 1},
		"cut":  {wire.AnswerCut, 200, `{"valu`, 1},
		"slow": {func(http.Handler) http.Handler { return wire.Slow(time.Millisecond) }, 0, "", 0},
	} {
		reached.Store(0)
		gate.Clear()
		gate.Interpose(func(_ wire.Call, next http.Handler) http.Handler { return c.handler(next) })
		status, body := 0, ""
		res, err := http.Post(gate.Endpoint(azure.Table)+"/acc/T", "application/json", strings.NewReader("{}"))
		if err == nil {
			content, readErr := io.ReadAll(res.Body)
			_ = res.Body.Close()
			status, body, err = res.StatusCode, string(content), readErr
		}
		if status != c.status || !strings.Contains(body, c.body) || (err == nil) != (name == "unheard") ||
			reached.Load() != c.reached {
			t.Errorf("%s: status %d, body %q, error %v; the store was reached %d times", name, status, body, err,
				reached.Load())
		}
	}
}

func TestAnAnswerIsHeldUntilSomethingElseIsDone(t *testing.T) {
	var order []string
	store := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		order = append(order, "store")
		w.Header().Set("ETag", "1")
		w.WriteHeader(http.StatusAccepted)
		_, _ = io.WriteString(w, "body")
	})
	answer := httptest.NewRecorder()
	wire.Before(func() { order = append(order, "else") }, store).ServeHTTP(answer,
		httptest.NewRequest(http.MethodGet, "/", nil))
	if got := strings.Join(order, ", "); got != "store, else" {
		t.Errorf("the order was %s", got)
	}
	if answer.Code != http.StatusAccepted || answer.Body.String() != "body" || answer.Header().Get("ETag") != "1" {
		t.Errorf("the answer is not the store's: %v", answer)
	}
}

func TestAHeldAnswerMayComeInPieces(t *testing.T) {
	want := strings.Repeat("x", 64<<10)
	_, gate := openGateway(t,
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, want) }))
	gate.Interpose(func(_ wire.Call, next http.Handler) http.Handler { return wire.Before(func() {}, next) })
	res, err := http.Get(gate.Endpoint(azure.Table) + "/acc/T")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if body, err := io.ReadAll(res.Body); err != nil || string(body) != want {
		t.Errorf("%d of %d bytes came, %v", len(body), len(want), err)
	}
}

func TestASlowCallEndsWithItsClient(t *testing.T) {
	_, gate := openGateway(t, http.NotFoundHandler())
	gate.Interpose(func(wire.Call, http.Handler) http.Handler { return wire.Slow(time.Hour) })
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, gate.Endpoint(azure.Table)+"/acc/T", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := http.DefaultClient.Do(req); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want that of its patience", err)
	}
	if err := gate.Close(); err != nil { // waits until no handler runs
		t.Error(err)
	}
}
