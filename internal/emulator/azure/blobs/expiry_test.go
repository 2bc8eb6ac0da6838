package blobs

import (
	"errors"
	"testing"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// TestPurgeBesideDeletion purges while a deletion is prepared, with and without a body of its own: it is not forgotten.
func TestPurgeBesideDeletion(t *testing.T) {
	e, err := engine.Open(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close() }()
	account := e.Account("a")
	for _, counts := range []bool{false, true} {
		s, err := newShelf(e, account, account.Data(), false, false)
		if err != nil {
			t.Fatal(err)
		}
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
