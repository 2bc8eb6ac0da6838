package wire_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

func TestInterposersAreAChain(t *testing.T) {
	var mu sync.Mutex
	var passed []string
	pass := func(name string) {
		mu.Lock()
		defer mu.Unlock()
		passed = append(passed, name)
	}
	_, gate := openGateway(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { pass("store") }))
	link := func(name string) wire.Interposer {
		return func(_ wire.Call, next http.Handler) http.Handler {
			return wire.After(func() { pass(name) }, next)
		}
	}
	sends := func(want string) {
		t.Helper()
		passed = nil
		answer, err := http.Get(gate.Endpoint(azure.Table) + "/acc/T()")
		if err == nil {
			answer.Body.Close()
		}
		mu.Lock()
		defer mu.Unlock()
		if got := strings.Join(passed, " "); got != want {
			t.Errorf("a call passed %q, want %q", got, want)
		}
	}
	sends("store")
	removeInner := gate.Interpose(link("inner"))
	removeOuter := gate.Interpose(link("outer"))
	again := gate.Interpose(link("outer"))
	sends("outer outer inner store")
	again()
	again() // once is enough
	sends("outer inner store")
	removeOuter()
	sends("inner store")
	gate.Interpose(func(wire.Call, http.Handler) http.Handler { return wire.Lost() })
	sends("")
	gate.Clear()
	removeInner() // it is gone already
	sends("store")
}

func TestTheChainMayChangeWhileCallsPass(t *testing.T) {
	_, gate := openGateway(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	through := func(_ wire.Call, next http.Handler) http.Handler { return next }
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 50 {
				remove := gate.Interpose(through)
				if answer, err := http.Get(gate.Endpoint(azure.Table) + "/acc/T()"); err == nil {
					answer.Body.Close()
				}
				remove()
			}
		})
	}
	all.Wait()
}
