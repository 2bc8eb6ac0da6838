package explore

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/storespec/storespec/internal/scenario"
)

// keyAgain is the freedom of an Idempotency-Key that comes again with another request.
const keyAgain = "a key that comes back"

// key makes up an Idempotency-Key that no step of the walk has.
func (g *generator) key() string {
	key := madeKey(g.next, len(g.keys))
	g.keys = append(g.keys, key)
	return key
}

// madeKey is a key by the ID of a step, so that walks that are joined have no key in common.
func madeKey(step, n int) string { return fmt.Sprintf("key-{tag}-%d-%d", step, n) }

var keyPattern = regexp.MustCompile(`^key-\{tag\}-(\d+)-(\d+)$`)

// renumberKey adds an offset to the ID in a key.
func (s *Step) renumberKey(offset int) {
	m := keyPattern.FindStringSubmatch(s.Header[scenario.IdempotencyKey])
	if m == nil {
		return
	}
	step, _ := strconv.Atoi(m[1])
	n, _ := strconv.Atoi(m[2])
	s.Header[scenario.IdempotencyKey] = madeKey(step+offset, n)
}

// renewKey gives a step that was changed a new key, where the design leaves open what a reused key does.
func (g *generator) renewKey(step *Step) {
	if step.Header[scenario.IdempotencyKey] != "" && g.spec.free(keyAgain, step.route()) {
		step.Header[scenario.IdempotencyKey] = g.key()
	}
}

// reusesKey reports whether two requests of the walk have one key where the spec leaves open what becomes of that.
// Steps that send an earlier request once more are meant to.
func (w *Walk) reusesKey(spec *Spec) bool {
	seen := map[string]bool{}
	for step := range w.all {
		key := step.Header[scenario.IdempotencyKey]
		if key == "" || step.Again != 0 || !spec.free(keyAgain, step.route()) {
			continue
		}
		if seen[key] {
			return true
		}
		seen[key] = true
	}
	return false
}
