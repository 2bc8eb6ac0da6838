package report

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/results/events"
	"github.com/storespec/storespec/internal/results/price"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/scenario/budget"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/wire"
)

// pageCost is what each operation of a server has cost, the dearest first.
type pageCost struct {
	Operations []pageOperation
	Units      bool   // the store reports units of capacity
	Prices     string // where the prices are from; "": there are none
	Currency   string
}

// pageOperation is the requests to one route that were answered below 400.
type pageOperation struct {
	Name, Calls, Units, Price string
	Requests                  int
	Unpriced                  string
	Kinds                     []pageKind
	weight                    [3]float64 // price, units, calls of the dearest request
}

// pageKind is how many calls of a kind one request makes.
type pageKind struct{ What, Calls string }

// costOf returns what operations cost in scenarios that passed. What was sent while calls were made to fail is left
// out, and so are calls that create tables: they happen once. It returns nil if nothing is left.
func costOf(s *events.Stream, result *verify.Result, prices *price.List) *pageCost {
	sent := map[string][][]wire.Call{}
	shown := &pageCost{}
	for _, one := range result.All() {
		if one.Outcome != verify.Passed || len(one.Cases) > 0 {
			continue
		}
		stated := s.Of(&one)
		for _, request := range one.Requests {
			if request.Status == 0 || request.Status >= 400 {
				continue
			}
			calls := slices.DeleteFunc(slices.Clone(request.Calls), wire.Call.Provisions)
			name := operationOf(request, stated)
			sent[name] = append(sent[name], calls)
			shown.Units = shown.Units || slices.ContainsFunc(calls, func(c wire.Call) bool { return c.Capacity != nil })
		}
	}
	if len(sent) == 0 {
		return nil
	}
	if prices != nil {
		shown.Prices, shown.Currency = prices.String(), prices.Currency
	}
	for _, name := range slices.Sorted(maps.Keys(sent)) {
		shown.Operations = append(shown.Operations, newPageOperation(name, sent[name], prices))
	}
	slices.SortStableFunc(shown.Operations, func(a, b pageOperation) int {
		return slices.Compare(b.weight[:], a.weight[:])
	})
	return shown
}

func newPageOperation(name string, sent [][]wire.Call, prices *price.List) pageOperation {
	shown := pageOperation{Name: name, Requests: len(sent)}
	var counts, units, costs []float64
	kinds, unpriced := map[string][]float64{}, map[string]bool{}
	for i, calls := range sent {
		counts, units = append(counts, float64(len(calls))), append(units, budget.Units(calls))
		for _, call := range calls {
			what := call.Describe(call.On())
			if kinds[what] == nil {
				kinds[what] = make([]float64, len(sent))
			}
			kinds[what][i]++
		}
		if prices == nil {
			continue
		}
		cost, without := prices.Of(calls)
		costs = append(costs, cost*1e6)
		for _, kind := range without {
			unpriced[kind] = true
		}
	}
	shown.Calls, shown.Units, shown.Price = spread(counts, "%.0f"), spread(units, "%.1f"), spread(costs, "%.2f")
	shown.Unpriced = strings.Join(slices.Sorted(maps.Keys(unpriced)), ", ")
	for _, what := range slices.Sorted(maps.Keys(kinds)) {
		shown.Kinds = append(shown.Kinds, pageKind{what, spread(kinds[what], "%.0f")})
	}
	if prices != nil {
		shown.weight[0] = slices.Max(costs)
	}
	shown.weight[1], shown.weight[2] = slices.Max(units), slices.Max(counts)
	return shown
}

// spread writes the least and the greatest of some numbers, and the one in the middle if it differs from both.
func spread(list []float64, format string) string {
	if len(list) == 0 {
		return ""
	}
	sorted := slices.Sorted(slices.Values(list))
	least, middle, most := fmt.Sprintf(format, sorted[0]), fmt.Sprintf(format, sorted[len(sorted)/2]),
		fmt.Sprintf(format, sorted[len(sorted)-1])
	switch {
	case least == most:
		return least
	case middle == least || middle == most:
		return least + " – " + most
	}
	return fmt.Sprintf("%s – %s (median %s)", least, most, middle)
}

var (
	aRoute    = regexp.MustCompile(`\b([A-Z]+) (/[^\s?"]*)`)
	bracedIn  = regexp.MustCompile(`\{[^}]*\}`)
	versionIn = regexp.MustCompile(`^v\d+$`)
)

// operationOf returns the method and the path of a request without what stands for one resource: as the step names it
// that has sent the request, or else without the segments that look like ids.
func operationOf(r scenario.Exchange, stated *events.Scenario) string {
	if stated != nil && r.Step > 0 && r.Step <= len(stated.Steps) {
		for _, found := range aRoute.FindAllStringSubmatch(stated.Steps[r.Step-1].Text, -1) {
			if found[1] == r.Method && fits(found[2], r.Path) {
				return r.Method + " " + bracedIn.ReplaceAllString(found[2], "{…}")
			}
		}
	}
	segments := strings.Split(r.Path, "/")
	for i, segment := range segments {
		if strings.ContainsAny(segment, "0123456789<{") && !versionIn.MatchString(segment) {
			segments[i] = "{…}"
		}
	}
	return r.Method + " " + strings.Join(segments, "/")
}

// fits reports whether a path is one of a template, in which {names} stand for anything but a slash.
func fits(template, path string) bool {
	parts := strings.Split(template, "/")
	segments := strings.Split(path, "/")
	if len(parts) != len(segments) {
		return false
	}
	for i, part := range parts {
		before, _, has := strings.Cut(part, "{")
		if has && !strings.HasPrefix(segments[i], before) || !has && part != segments[i] {
			return false
		}
	}
	return true
}
