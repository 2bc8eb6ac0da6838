package blobs

import (
	"errors"
	"testing"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// newTestShelf opens the shelf of an account of a new engine in memory.
func newTestShelf(t *testing.T) *shelf {
	t.Helper()
	e, err := engine.Open(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	account := e.Account("a")
	s, err := newShelf(e, account, account.Data(), false, false)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestLoadAgain reads a version twice: the second time it is no longer the current one.
func TestLoadAgain(t *testing.T) {
	s := newTestShelf(t)
	c := &call{s: &Service{engine: s.engine}, place: place{shelf: s, id: "c", blob: "b"}}
	write := func(row string, version ticks) {
		rec := record{kind: blockBlob, version: version}
		if err := s.engine.Set(s.space.Key(nil, blobRows, c.id, c.blob, row), rec.append(nil)); err != nil {
			t.Fatal(err)
		}
	}
	write(baseMark, 5)
	for _, current := range []bool{true, false} {
		if p := c.load(&c.target, versionKey(5)); p != nil || !c.target.exists {
			t.Fatalf("exists: %v, problem %v", c.target.exists, p)
		}
		if got := c.target; got.rec.version != 5 || got.current != current {
			t.Errorf("version %d, current: %v, want 5 and %v", got.rec.version, got.current, current)
		}
		c.done(&c.target)
		write(versionKey(5), 5)
		write(baseMark, 6)
	}
}

// TestPurgeBesideDeletion purges while a deletion is prepared, with and without a body of its own: it is not forgotten.
func TestPurgeBesideDeletion(t *testing.T) {
	for _, counts := range []bool{false, true} {
		s := newTestShelf(t)
		ch := s.change()
		ch.keep("c", "b", baseMark, record{kind: blockBlob}, deletion{1, 1000})
		if counts {
			ch.drop("chunk")
		}
		if err := errors.Join(s.purge(2), ch.commit()); err != nil {
			t.Error(err)
		}
		ch.discard()
		if next := s.expiry.Load(); next != 1000 {
			t.Errorf("the next purge is at %d, want 1000", next)
		}
	}
}
