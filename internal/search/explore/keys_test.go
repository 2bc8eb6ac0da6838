package explore

import (
	"testing"

	"github.com/storespec/storespec/internal/scenario"
)

func keyed(id int, key string) Step {
	return Step{ID: id, Method: "POST", Path: "/a", Header: map[string]string{scenario.IdempotencyKey: key}}
}

func TestWalksThatAreJoinedHaveNoKeyInCommon(t *testing.T) {
	walk := func() *Walk { return &Walk{Steps: []Step{keyed(1, madeKey(1, 0)), keyed(2, madeKey(2, 1))}} }
	spec := &Spec{Freedoms: []Freedom{{What: keyAgain, Of: []string{"*"}, Why: "silent"}}}
	if joined := splice(walk(), walk(), 2, 0); joined.reusesKey(spec) {
		t.Errorf("a key is used twice: %+v", joined.Steps)
	}
}

func TestAKeyThatComesBackIsSeen(t *testing.T) {
	spec := &Spec{Freedoms: []Freedom{{What: keyAgain, Of: []string{"POST /a"}, Why: "silent"}}}
	twice := &Walk{Steps: []Step{keyed(1, "k"), keyed(2, "k")}}
	between := &Walk{Steps: []Step{keyed(1, "k"), {ID: 2, Meanwhile: &Meanwhile{Step: keyed(3, "k")}}}}
	again := &Walk{Steps: []Step{keyed(1, "k"), {ID: 2, Method: "POST", Path: "/a", Again: 1}}}
	for name, c := range map[string]struct {
		walk *Walk
		spec *Spec
		want bool
	}{
		"two requests":               {twice, spec, true},
		"one of them in between":     {between, spec, true},
		"the same request":           {again, spec, false},
		"where nothing is left open": {twice, &Spec{}, false},
	} {
		if got := c.walk.reusesKey(c.spec); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
