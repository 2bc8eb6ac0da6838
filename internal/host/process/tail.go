package process

import "sync"

// shownBytes limits how much of an output is shown: a few screens of text, however much is written. tailBytes is how
// much of it can be searched: what a server writes within a second, even a talkative one.
const (
	shownBytes = 64 << 10
	tailBytes  = 1 << 20
)

// Tail is a writer that keeps the last MiB written to it. The zero value is ready to use. It is safe for concurrent
// use.
type Tail struct {
	mu    sync.Mutex
	data  []byte
	total int64 // bytes written in total
}

func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p...)
	if over := len(t.data) - tailBytes; over > tailBytes/2 { // not at every write: what is kept is moved
		t.data = append(t.data[:0], t.data[over:]...)
	}
	t.total += int64(len(p))
	return len(p), nil
}

// Written returns the current mark: how much was written.
func (t *Tail) Written() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.total
}

// Since returns what was written after a mark, as far as it was kept, and the current mark. The first mark is 0.
func (t *Tail) Since(mark int64) (text string, now int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.data[max(0, int64(len(t.data))-(t.total-mark)):]), t.total
}

// String returns the last 64 KiB; it begins with […] if there was more.
func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.total > shownBytes {
		return "[…]" + string(t.data[len(t.data)-shownBytes:])
	}
	return string(t.data)
}
