package engine

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
)

// faults fails the operations that match, once on, from the n-th on.
type faults struct {
	match func(errorfs.Op) bool
	err   error
	after atomic.Int64
	on    atomic.Bool
	hit   atomic.Bool
}

func (f *faults) String() string { return "faults" }

func (f *faults) MaybeError(op errorfs.Op) error {
	if !f.on.Load() || !f.match(op) || f.after.Add(-1) >= 0 {
		return nil
	}
	f.hit.Store(true)
	return f.err
}

func isWrite(op errorfs.Op) bool { return op.Kind.ReadOrWrite() == errorfs.OpIsWrite }

func suffix(s string) func(errorfs.Op) bool {
	return func(op errorfs.Op) bool { return isWrite(op) && strings.HasSuffix(op.Path, s) }
}

// load writes until a write fails, or each writer has written n, and returns what was acknowledged.
func load(t *testing.T, e *Engine, n int) (acknowledged map[string]bool, failed error) {
	t.Helper()
	value := []byte(strings.Repeat("0123456789abcdef", 512))
	acknowledged = map[string]bool{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range n {
				row := fmt.Sprint(w, "-", i)
				err := e.Set(e.Account("a").Data().Key(nil, row), value)
				mu.Lock()
				if err == nil {
					acknowledged[row] = true
				} else {
					failed = err
				}
				mu.Unlock()
				if err != nil {
					return
				}
			}
		})
	}
	wg.Wait()
	return acknowledged, failed
}

func missing(t *testing.T, e *Engine, rows map[string]bool) int {
	t.Helper()
	n := 0
	for row := range rows {
		if get(t, e, e.Account("a").Data(), row) == "(none)" {
			n++
		}
	}
	return n
}

// TestDiskThatRefusesWrites lets the disk fail at different moments. Each time the write under way
// and all later ones fail and say so, reads go on, Close returns, and a start after a crash, with
// only what was synced, finds every acknowledged write.
func TestDiskThatRefusesWrites(t *testing.T) {
	kinds := []struct {
		name  string
		match func(errorfs.Op) bool
		err   error
		after []int64
	}{
		{"full", isWrite, syscall.ENOSPC, []int64{0, 1, 2, 3, 7, 50, 101, 700, 701, 702, 703, 710, 900}},
		{"read-only", isWrite, syscall.EROFS, []int64{0, 13, 131}},
		{"full for the log", suffix(".log"), syscall.ENOSPC, []int64{0, 3, 99, 300}},
		{"full for tables", suffix(".sst"), syscall.ENOSPC, []int64{0, 1, 2, 5, 9, 30}},
		{"full for the manifest", func(op errorfs.Op) bool {
			return isWrite(op) &&
				strings.Contains(op.Path, "MANIFEST")
		}, syscall.ENOSPC, []int64{0, 1, 2}},
		{"failing syncs", func(op errorfs.Op) bool {
			return op.Kind == errorfs.OpFileSync || op.Kind == errorfs.OpFileSyncData || op.Kind == errorfs.OpFileSyncTo
		}, syscall.EIO, []int64{0, 1, 2, 10, 200}},
	}
	for _, kind := range kinds {
		for _, after := range kind.after {
			t.Run(fmt.Sprint(kind.name, " after ", after), func(t *testing.T) {
				disk := vfs.NewCrashableMem()
				f := &faults{match: kind.match, err: kind.err}
				f.after.Store(after)
				e := open(t, Options{Dir: "data", FS: errorfs.Wrap(disk, f)})
				set(t, e, e.Account("a").Data(), "before", "first")
				f.on.Store(true)
				acknowledged, err := load(t, e, 2000)
				acknowledged["first"] = true
				if !f.hit.Load() {
					t.Fatal("the load was too small: no operation failed")
				}
				if !errors.Is(err, ErrFailed) || !errors.Is(err, kind.err) {
					t.Fatalf("write: %v, want ErrFailed and %v", err, kind.err)
				}
				if err := e.Set([]byte("k"), nil); !errors.Is(err, ErrFailed) {
					t.Errorf("later write: %v, want ErrFailed", err)
				}
				if err := e.Account("a").Reset(); !errors.Is(err, ErrFailed) {
					t.Errorf("later reset: %v, want ErrFailed", err)
				}
				if n := missing(t, e, acknowledged); n > 0 {
					t.Errorf("after the failure %d of %d acknowledged writes cannot be read", n, len(acknowledged))
				}
				if err := e.Close(); !errors.Is(err, ErrFailed) {
					t.Errorf("close: %v, want ErrFailed", err)
				}
				again := open(t, Options{Dir: "data", FS: disk.CrashClone(vfs.CrashCloneCfg{})})
				defer closeEngine(t, again)
				if n := missing(t, again, acknowledged); n > 0 {
					t.Errorf("after a restart %d of %d acknowledged writes are gone", n, len(acknowledged))
				}
				set(t, again, again.Account("a").Data(), "again", "later")
			})
		}
	}
}

func TestOpenOnDiskThatRefusesWrites(t *testing.T) {
	for after := range int64(12) {
		f := &faults{match: isWrite, err: syscall.EROFS}
		f.on.Store(true)
		f.after.Store(after)
		disk := vfs.NewMem()
		_, err := Open(Options{Dir: "data", FS: errorfs.Wrap(disk, f)})
		if !errors.Is(err, syscall.EROFS) || errors.Is(err, ErrLocked) {
			t.Fatalf("failing from write %d: %v, want the disk's error", after, err)
		}
		f.on.Store(false)
		closeEngine(t, open(t, Options{Dir: "data", FS: disk})) // the lock was given back
	}
}
