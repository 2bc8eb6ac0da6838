package explore

import (
	"net/http"
	"testing"

	"github.com/storespec/storespec/internal/wire"
)

// A request to a path where a client gave up after a fault may look at what is missing; any other may not.
func TestCallsAfterAClientGaveUp(t *testing.T) {
	c := &couple{subject: &side{content: &content{}}, oracle: &side{content: &content{}}, spec: &Spec{},
		abandoned: map[string]bool{"/api/teams/1": true}}
	read := wire.Call{Class: "point read", Resource: "Teams", Status: http.StatusOK}
	step := &Step{Method: http.MethodGet, Path: "/api/teams/{team}"}
	for path, found := range map[string]bool{"/api/teams/1": false, "/api/teams/2": true} {
		got := &answer{method: step.Method, path: path, status: http.StatusOK, calls: []wire.Call{read, read}}
		want := &answer{method: step.Method, path: path, status: http.StatusOK, calls: []wire.Call{read}}
		if d := c.calls(step, got, want, false); (d != nil) != found {
			t.Errorf("%s: %+v", path, d)
		}
	}
}
