package process

import "sync"

// tailBytes bounds what is kept of a child's output: some screens of text, whatever it writes.
const tailBytes = 64 << 10

// tail is a writer that keeps the last tailBytes written to it.
type tail struct {
	mu   sync.Mutex
	data []byte
	cut  bool
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p...)
	if over := len(t.data) - tailBytes; over > 0 {
		t.data = append(t.data[:0], t.data[over:]...)
		t.cut = true
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cut {
		return "[…]" + string(t.data)
	}
	return string(t.data)
}
