package explore

import (
	"maps"

	"github.com/storespec/storespec/internal/wire"
)

// alike reports whether both sides made the same calls where one of them failed or waited, and the same before it: a
// server that writes before it reads is in another state there than one that reads first.
func (c *couple) alike(step *Step, got, want *answer) bool {
	if got.reached != want.reached || got.late != want.late {
		return false
	}
	if got.alike > 1 && c.pairing.translate(got.hit) != want.hit {
		return false // of calls at the same time, any may be the first
	}
	if got.first != nil {
		got, want = got.first, want.first
	}
	at := step.place()
	return maps.Equal(c.subject.counted(got.calls), c.oracle.counted(want.calls)) &&
		maps.Equal(c.subject.counted(c.subject.before(got.calls, at)),
			c.oracle.counted(c.oracle.before(want.calls, at)))
}

// place is the storage call of a step that fails or waits.
func (s *Step) place() Place {
	if s.Fault != nil {
		return s.Fault.Place
	}
	return s.Meanwhile.Place
}

// before returns the calls that came before a place; all of them if it was not reached.
func (s *side) before(calls []wire.Call, at Place) []wire.Call {
	seen := 0
	for i, call := range calls {
		if call.Class != at.Class || s.content.word(call.Resource) != at.On {
			continue
		}
		if seen++; seen == at.Nth {
			return calls[:i]
		}
	}
	return calls
}
