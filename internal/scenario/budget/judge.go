package budget

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/wire"
)

// Judge counts each call against the first allowance that covers it and is not used up, and returns the indexes of the
// calls that are too many. Where an allowance is exceeded, it chooses among the calls that it covers: a repeated call
// before any other, then the call whose key has the least to do with the request, and with its other calls. Where they
// cost too much together, it chooses the dearest. request is the request's path and body.
func Judge(allowed []Allowance, calls []wire.Call, request string) (odd []int) {
	covered := make([][]int, len(allowed)) // by allowance: the calls that it covers
	over := make([]int, len(allowed))
	for i, call := range calls {
		at := Line(allowed, call)
		if at < 0 {
			odd = append(odd, i)
			continue
		}
		if allowed[at].Used >= allowed[at].Count {
			over[at]++
		}
		allowed[at].Used++
		covered[at] = append(covered[at], i)
	}
	for at, group := range covered {
		if over[at] > 0 {
			odd = append(odd, leastExplained(calls, group, request)[:over[at]]...)
		}
		odd = append(odd, allowed[at].tooDear(calls, group, odd)...)
	}
	slices.Sort(odd)
	return odd
}

// Line returns the index of the allowance that a call counts against: the first that covers it and is not used up, else
// the first that covers it; -1 if none does. Used says how many calls have been counted before it.
func Line(allowed []Allowance, call wire.Call) int {
	covering := -1
	for i, a := range allowed {
		switch {
		case !a.Covers(call):
		case a.Used < a.Count:
			return i
		case covering < 0:
			covering = i
		}
	}
	return covering
}

// tooDear returns the dearest calls of a group, as many as must be left out for the others to be within the capacity.
// Those that are too many already are left out first.
func (a *Allowance) tooDear(calls []wire.Call, group, odd []int) (dear []int) {
	a.Units = 0
	left, rest := 0.0, []int{}
	for _, i := range group {
		units := Units(calls[i : i+1])
		a.Units += units
		if !slices.Contains(odd, i) {
			left, rest = left+units, append(rest, i)
		}
	}
	if a.Capacity == nil {
		return nil
	}
	slices.SortStableFunc(rest, func(i, j int) int {
		return cmp.Compare(Units(calls[j:j+1]), Units(calls[i:i+1]))
	})
	for _, i := range rest {
		if left <= *a.Capacity {
			break
		}
		left -= Units(calls[i : i+1])
		dear = append(dear, i)
	}
	return dear
}

// leastExplained sorts the calls of a group by how little explains them.
func leastExplained(calls []wire.Call, group []int, request string) []int {
	repeats, signs, seen := map[int]int{}, map[int]int{}, map[string]int{}
	for _, i := range group {
		key := sameness(calls[i])
		repeats[i], signs[i] = seen[key], signsOf(calls, group, i, request)
		seen[key]++
	}
	sorted := slices.Clone(group)
	slices.SortFunc(sorted, func(a, b int) int {
		return cmp.Or(cmp.Compare(repeats[b], repeats[a]), cmp.Compare(signs[a], signs[b]), cmp.Compare(b, a))
	})
	return sorted
}

// sameness is equal for calls that ask the store for the same.
func sameness(c wire.Call) string { return fmt.Sprint(c.Service, c.Class, c.On(), c.Names(), c.Filter) }

// shortestSign keeps parts of keys such as "1" from being found in every text.
const shortestSign = 3

// signsOf counts the parts of a call's key that the request names, or calls outside of the group.
func signsOf(calls []wire.Call, group []int, of int, request string) (count int) {
	for _, part := range calls[of].Names() {
		if len(part) < shortestSign {
			continue
		}
		if strings.Contains(request, part) {
			count++
			continue
		}
		for i, other := range calls {
			if !slices.Contains(group, i) && slices.Contains(other.Names(), part) {
				count++
				break
			}
		}
	}
	return count
}

// Each finds calls beyond a budget that are made once for each item that a query of the same request has found, and
// says so: such calls grow with the data.
func Each(calls []wire.Call, odd []int) (laws []string) {
	kinds := map[string][]int{}
	var order []string
	for _, i := range odd {
		kind := wire.Describe(calls[i].Service, calls[i].Class, calls[i].On())
		if kinds[kind] == nil {
			order = append(order, kind)
		}
		kinds[kind] = append(kinds[kind], i)
	}
	for _, kind := range order {
		first := calls[kinds[kind][0]]
		keys := map[string]bool{}
		at := -1
		for i, call := range calls {
			if call.Service == first.Service && call.Class == first.Class && call.On() == first.On() &&
				call.NamesOne() {
				keys[call.Name()] = true
				if at < 0 {
					at = i
				}
			}
		}
		found := len(keys) > 1 && slices.ContainsFunc(calls[:at], func(c wire.Call) bool {
			return c.Effect == wire.Reads && c.Breadth != wire.One && c.Entities == len(keys)
		})
		if found {
			laws = append(laws, fmt.Sprintf("+1 %s on %s per item: a query before found %d", first.Class, first.On(),
				len(keys)))
		}
	}
	return laws
}
