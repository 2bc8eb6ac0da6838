package steps

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"

	"github.com/storespec/storespec/internal/wire"
)

// A fault falls on one call and on the attempts at it that follow, and on nothing else.
func TestFaultFallsOnTheNthCallAndItsAttempts(t *testing.T) {
	answers := func(status int) answerer {
		return func(wire.Call, http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
		}
	}
	f := &fault{nth: 2, wanted: wire.Call.Writes, first: answers(599), again: answers(598)}
	store := answers(200)(wire.Call{}, nil)
	read := wire.Call{Service: wire.Table, Class: wire.PointRead, Operation: "Get Entity", Resource: "Groups", Row: "1"}
	first := wire.Call{Service: wire.Table, Class: wire.Insert, Operation: "Insert Entity", Resource: "Groups"}
	second := wire.Call{Service: wire.Table, Class: wire.Update, Operation: "Update Entity", Resource: "Groups", Row: "1", Conditional: "If-Match: 1"}
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
	f := &fault{wanted: func(wire.Call) bool { asked++; return false }}
	for range 2 {
		f.interpose(wire.Call{Class: wire.PointRead}, http.NotFoundHandler())
		f.end()
	}
	if asked != 1 {
		t.Errorf("it was asked %d times, want only before its end", asked)
	}
}

// A server that makes its requests wait for each other is not stopped by a call that is held for one of them.
func TestHeldCallGoesOnWhereTheOtherRequestWaitsForIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, wentOn, other := &fault{}, make(chan struct{}), &exchange{}
		f.let(func() (*exchange, error) {
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
