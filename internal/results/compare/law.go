package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/wire"
)

// Law says by how much the number of calls of a kind has changed, at each size.
type Law struct {
	Kind
	By []int `json:"by"` // one for each size of the move; just one without sizes
	// Grows says that By is Each times the size, plus Fixed.
	Grows bool `json:"grows,omitempty"`
	Each  int  `json:"each,omitempty"`
	Fixed int  `json:"fixed,omitempty"`
}

// laws returns the kinds whose number differs at any size.
func laws(sizes []int, differences []map[Kind]int) []Law {
	kinds := map[Kind]bool{}
	for _, difference := range differences {
		for kind, n := range difference {
			kinds[kind] = kinds[kind] || n != 0
		}
	}
	var found []Law
	for kind, differs := range kinds {
		if !differs {
			continue
		}
		law := Law{Kind: kind}
		for _, difference := range differences {
			law.By = append(law.By, difference[kind])
		}
		law.fit(sizes)
		found = append(found, law)
	}
	slices.SortFunc(found, func(a, b Law) int {
		return cmp.Or(cmp.Compare(a.Service, b.Service), cmp.Compare(a.Call, b.Call), cmp.Compare(a.On, b.On))
	})
	return found
}

// leastSizes is how many sizes a straight line must fit to be called a law: two points always have one.
const leastSizes = 3

// fit looks for a straight line through all differences.
func (l *Law) fit(sizes []int) {
	if len(sizes) < leastSizes {
		return
	}
	rise, run := l.By[1]-l.By[0], sizes[1]-sizes[0]
	if run == 0 || rise%run != 0 {
		return
	}
	each := rise / run
	fixed := l.By[0] - each*sizes[0]
	for i, size := range sizes {
		if l.By[i] != each*size+fixed {
			return
		}
	}
	l.Each, l.Fixed, l.Grows = each, fixed, each != 0
}

// describe describes the law: "+1 table point read on Groups per group".
func (l Law) describe(column string, sizes []int) string {
	what := wire.Describe(l.Service, l.Call, l.On)
	switch {
	case l.Grows && l.Fixed != 0:
		return fmt.Sprintf("%+d %s per %s, and %+d", l.Each, what, strings.TrimSuffix(column, "s"), l.Fixed)
	case l.Grows:
		return fmt.Sprintf("%+d %s per %s", l.Each, what, strings.TrimSuffix(column, "s"))
	case len(slices.Compact(slices.Clone(l.By))) == 1:
		return fmt.Sprintf("%+d %s", l.By[0], what)
	}
	var parts []string
	for i, by := range l.By {
		parts = append(parts, fmt.Sprintf("%+d at %d", by, sizes[i]))
	}
	return what + ": " + strings.Join(parts, ", ") + " " + column
}
