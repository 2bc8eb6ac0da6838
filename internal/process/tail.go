package process

import "sync"

// tailBytes bounds what is kept of an output: some screens of text, whatever is written.
const tailBytes = 64 << 10

// Tail is a writer that keeps the last 64 KiB written to it. The zero value is ready for use, also by
// several goroutines.
type Tail struct {
	mu    sync.Mutex
	data  []byte
	total int64 // of everything that was written
}

func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p...)
	if over := len(t.data) - tailBytes; over > 0 {
		t.data = append(t.data[:0], t.data[over:]...)
	}
	t.total += int64(len(p))
	return len(p), nil
}

// Since is what was written after a mark, as far as it is kept, and the mark of now. The first mark is 0.
func (t *Tail) Since(mark int64) (text string, now int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.data[max(0, int64(len(t.data))-(t.total-mark)):]), t.total
}

// String is everything that is kept; it begins with […] when there was more.
func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.total > int64(len(t.data)) {
		return "[…]" + string(t.data)
	}
	return string(t.data)
}
