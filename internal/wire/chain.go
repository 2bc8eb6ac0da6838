package wire

import (
	"slices"
	"sync"
	"sync/atomic"
)

// chain holds the interposers of a gateway, the one nearest to the store first. The zero value is empty. Calls read it
// without waiting for writers.
type chain struct {
	links atomic.Pointer[[]*link]
	mu    sync.Mutex // held by writers
}

// link wraps an interposer, because functions cannot be compared.
type link struct{ between Interposer }

func (c *chain) now() []*link {
	if links := c.links.Load(); links != nil {
		return *links
	}
	return nil
}

// add puts an interposer before all others. remove removes that one, once.
func (c *chain) add(between Interposer) (remove func()) {
	one := &link{between}
	c.change(func(links []*link) []*link { return append(slices.Clone(links), one) })
	return func() {
		c.change(func(links []*link) []*link {
			return slices.DeleteFunc(slices.Clone(links), func(l *link) bool { return l == one })
		})
	}
}

func (c *chain) clear() { c.change(func([]*link) []*link { return nil }) }

func (c *chain) change(to func([]*link) []*link) {
	c.mu.Lock()
	defer c.mu.Unlock()
	links := to(c.now())
	c.links.Store(&links)
}
