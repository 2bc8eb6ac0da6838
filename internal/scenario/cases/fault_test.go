package cases

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"

	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

// A fault falls on one call and on the attempts at it that follow, and on nothing else.
func TestFaultFallsOnTheNthCallAndItsAttempts(t *testing.T) {
	answers := func(status int) Answerer {
		return func(wire.Call, http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
		}
	}
	f := &Fault{Nth: 2, Wanted: wire.Call.Writes, First: answers(599), Again: answers(598)}
	store := answers(200)(wire.Call{}, nil)
	read := azure.Completed(wire.Call{Service: azure.Table, Class: azure.PointRead, Operation: "Get Entity",
		Resource: "Groups", Key: []string{"", "1"}})
	first := azure.Completed(wire.Call{Service: azure.Table, Class: azure.Insert, Operation: "Insert Entity",
		Resource: "Groups"})
	second := azure.Completed(wire.Call{Service: azure.Table, Class: azure.Update, Operation: "Update Entity",
		Resource: "Groups",
		Key:      []string{"", "1"}, Conditional: "If-Match: 1"})
	later := second
	later.Conditional = "If-Match: 2"
	for i, c := range []struct {
		call wire.Call
		want int
	}{{read, 200}, {first, 200}, {second, 599}, {read, 200}, {second, 598}, {later, 200}, {first, 200}} {
		w := httptest.NewRecorder()
		f.interpose(c.call, store).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
		if w.Code != c.want {
			t.Errorf("call %d, %s: %d, want %d", i, c.call.Operation, w.Code, c.want)
		}
	}
}

// A call that arrives before its request is answered, and asks afterwards, finds no fault: what it would count or break
// belongs to something else by then.
func TestFaultEndsWithItsRequest(t *testing.T) {
	asked := 0
	f := &Fault{Wanted: func(wire.Call) bool { asked++; return false }}
	for range 2 {
		f.interpose(wire.Call{Class: azure.PointRead}, http.NotFoundHandler())
		f.end()
	}
	if asked != 1 {
		t.Errorf("it was asked %d times, want only before its end", asked)
	}
}

// A server that makes its requests wait for each other is not stopped by a call that is held for one of them.
func TestHeldCallGoesOnWhereTheOtherRequestWaitsForIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, wentOn, other := &Fault{}, make(chan struct{}), &scenario.RoundTrip{}
		f.let(func() (*scenario.RoundTrip, error) {
			<-wentOn
			return other, nil
		})
		if !f.isMeanwhile() {
			t.Error("the other request is under way, and the fault does not know it")
		}
		close(wentOn)
		f.wait()
		if f.during != other || f.isMeanwhile() {
			t.Errorf("what came of the other request is %v, under way: %t", f.during, f.isMeanwhile())
		}
	})
}
