package wire

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

func TestInterposeBreaksTheCallsItChooses(t *testing.T) {
	var reached atomic.Int32
	rec, gate := openGateway(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		reached.Add(1)
		w.WriteHeader(http.StatusNoContent)
	}))
	var before atomic.Int32
	handlers := map[string]func(http.Handler) http.Handler{
		"lost":   func(http.Handler) http.Handler { return Lost() },
		"answer": AnswerLost,
		"held":   func(next http.Handler) http.Handler { return After(func() { before.Store(reached.Load() + 1) }, next) },
	}
	gate.Interpose(func(call Call, next http.Handler) http.Handler {
		if broken := handlers[call.Partition]; broken != nil && call.Writes() {
			return broken(next)
		}
		return next
	})
	put := func(partition string) (answered bool) {
		req, err := http.NewRequest(http.MethodPut, gate.Endpoint(Table)+"/acc/T(PartitionKey='"+partition+"',RowKey='1')", strings.NewReader(`{"a":1}`))
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
	gate.Interpose(nil)
	if !put("lost") {
		t.Error("an interposer that was taken away still breaks calls")
	}
}
