package bulk

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// TestPlanAgainstQueues adds, takes and releases at random, and compares with one queue per owner.
func TestPlanAgainstQueues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newPlan()
		queues, busy := map[string][]record{}, map[string]bool{}
		var flights [][]*owner
		waiting := 0
		for line := range int64(rapid.IntRange(0, 300).Draw(t, "steps")) {
			switch rapid.IntRange(0, 5).Draw(t, "step") {
			case 0:
				batch, owners := p.take()
				inBatch, keys := map[string]bool{}, map[string]bool{}
				for _, r := range batch {
					if busy[r.owner] {
						t.Fatalf("owner %s is taken while it is busy", r.owner)
					}
					if key := r.owner + "/" + r.name; keys[key] {
						t.Fatalf("key %s is twice in a batch", key)
					} else {
						keys[key] = true
					}
					if queues[r.owner][0].line != r.line {
						t.Fatalf("line %d of owner %s is taken before line %d", r.line, r.owner,
							queues[r.owner][0].line)
					}
					queues[r.owner], inBatch[r.owner] = queues[r.owner][1:], true
				}
				waiting -= len(batch)
				if len(batch) > maxBatch || len(inBatch) != len(owners) {
					t.Fatalf("%d records of %d owners, %d of them busy", len(batch), len(inBatch), len(owners))
				}
				for owner := range inBatch {
					busy[owner] = true
				}
				flights = append(flights, owners)
			case 1:
				if len(flights) > 0 {
					i := rapid.IntRange(0, len(flights)-1).Draw(t, "flight")
					p.release(flights[i])
					for _, o := range flights[i] {
						delete(busy, o.name)
					}
					flights = append(flights[:i], flights[i+1:]...)
				}
			default:
				r := record{line: line, owner: fmt.Sprint("o", rapid.IntRange(0, 5).Draw(t, "owner")),
					name: fmt.Sprint("n", rapid.IntRange(0, 3).Draw(t, "name"))}
				queues[r.owner] = append(queues[r.owner], r)
				waiting++
				p.add(r)
			}
			ready := 0
			for owner, queue := range queues {
				if !busy[owner] {
					ready += len(queue)
				}
			}
			if p.ready != ready || p.queued != waiting {
				t.Fatalf("%d ready of %d queued, want %d of %d", p.ready, p.queued, ready, waiting)
			}
		}
	})
}
