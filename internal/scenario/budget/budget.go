package budget

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/source"
	"github.com/storespec/storespec/internal/store/stores"
	"github.com/storespec/storespec/internal/wire"
)

// Allowance is one line of a budget.
type Allowance struct {
	Service wire.Service `json:"service"`
	Call    string       `json:"call"` // a class, several joined by " or ", or "write" for any one change of one entity
	On      string       `json:"on"`   // a table; or a container, or a part of a blob's path
	Count   int          `json:"count"`
	Used    int          `json:"used"` // calls of its kind, also those beyond the count
	// how many units of capacity its calls may cost together; nil: any number
	Capacity *float64 `json:"capacity,omitempty"`
	Units    float64  `json:"units,omitempty"` // what calls of its kind have cost, as far as it is known
}

// Budget is a budget that was judged, whether it was met or not. A broken one is the error of its step, and an outcome
// of its own: over budget.
type Budget struct {
	Step string `json:"step"`
	// the request whose calls were judged: its number in the scenario, from 0
	Request int         `json:"request"`
	Allowed []Allowance `json:"allowed,omitempty"` // with the amounts used
	// that request's calls that nothing covers, by number, from 0
	Odd   []int `json:"odd,omitempty"`
	Exact bool  `json:"exact,omitempty"` // allowed calls must all be made

	// What only the message has:
	Sent   string      `json:"-"` // the request's method and path
	Calls  []wire.Call `json:"-"` // all calls of the request, in order of arrival
	Beyond []int       `json:"-"` // those that were not judged, by number, from 0
	Each   []string    `json:"-"` // laws that the odd calls follow, such as "+1 point read on Stock per item"
}

// Judge judges calls of the request, those that of selects, against what is allowed. content is its path and body. The
// error says whose cost is unknown.
func (b *Budget) Judge(of func(wire.Call) bool, content string) error {
	var at []int // the place of each judged call
	for i, call := range b.Calls {
		if of(call) {
			at = append(at, i)
		} else {
			b.Beyond = append(b.Beyond, i)
		}
	}
	calls := b.Judged()
	if call, some := Unmetered(b.Allowed, calls); some {
		return fmt.Errorf("the capacity of %s is unknown", Describe(call))
	}
	odd := Judge(b.Allowed, calls, content)
	b.Each = Each(calls, odd)
	for _, i := range odd {
		b.Odd = append(b.Odd, at[i])
	}
	return nil
}

// Judged returns the calls that were judged, in order.
func (b *Budget) Judged() (calls []wire.Call) {
	for i, call := range b.Calls {
		if !slices.Contains(b.Beyond, i) {
			calls = append(calls, call)
		}
	}
	return calls
}

// Unmetered returns the first call that a line with a capacity covers, and whose cost is unknown.
func Unmetered(allowed []Allowance, calls []wire.Call) (wire.Call, bool) {
	for _, call := range calls {
		if call.Capacity == nil && call.Succeeded() && slices.ContainsFunc(allowed,
			func(a Allowance) bool { return a.Capacity != nil && a.Covers(call) }) {
			return call, true
		}
	}
	return wire.Call{}, false
}

// Units returns what calls have cost, in units of capacity, as far as it is known.
func Units(calls []wire.Call) (units float64) {
	for _, call := range calls {
		if call.Capacity != nil {
			units += *call.Capacity
		}
	}
	return units
}

// Holds reports whether the calls were within the budget.
func (b *Budget) Holds() bool {
	unused := slices.ContainsFunc(b.Allowed, func(a Allowance) bool { return a.Used < a.Count })
	return len(b.Odd) == 0 && (!b.Exact || !unused)
}

// Error lists the budget, with the amounts used, and every judged call; an arrow marks the calls that nothing allows.
func (b *Budget) Error() string {
	var text strings.Builder
	broken := "over budget"
	if len(b.Odd) == 0 {
		broken = "under an exact budget"
	}
	fmt.Fprintf(&text, "%s: the storage calls of %s\n  allowed:", broken, b.Sent)
	for _, a := range b.Allowed {
		fmt.Fprintf(&text, "\n    %s: %d, seen %d", wire.Describe(a.Service, a.Call, a.On), a.Count, a.Used)
		if a.Capacity != nil {
			fmt.Fprintf(&text, "; %g units, used %g", *a.Capacity, a.Units)
		}
	}
	if len(b.Allowed) == 0 {
		text.WriteString(" none")
	}
	text.WriteString("\n  seen:")
	for i, call := range b.Calls {
		if slices.Contains(b.Beyond, i) {
			continue
		}
		mark := "   "
		if slices.Contains(b.Odd, i) {
			mark = " → "
		}
		text.WriteString("\n " + mark + Describe(call))
	}
	for _, law := range b.Each {
		text.WriteString("\n  " + law)
	}
	for _, a := range b.Allowed {
		if meant := b.meant(a); meant != "" {
			fmt.Fprintf(&text, "\n  hint: no call is on %q; did you mean %s?", a.On, meant)
		}
	}
	return text.String()
}

// misspelt is the share of a resource's letters that may differ for its name to be taken for a slip: of Group and
// Groups, not of Groups and UserGroups.
const misspelt = 0.2

// meant returns what an allowance that no call has used was probably for: the resource of a call that nothing allows,
// and that has almost its name. "" if there is none.
func (b *Budget) meant(a Allowance) string {
	if slices.ContainsFunc(b.Judged(), a.IsOn) {
		return ""
	}
	for _, i := range b.Odd {
		if call := b.Calls[i]; call.Service == a.Service && source.Off(a.On, call.On()) <= misspelt {
			return call.On()
		}
	}
	return ""
}

// CheckService rejects a service that there is not.
func (a Allowance) CheckService() error {
	if stores.Protocol(a.Service) != nil {
		return nil
	}
	var names []string
	for _, known := range stores.Protocols() {
		names = append(names, string(known.Service()))
	}
	return fmt.Errorf("the service %q of a budget is neither %s%s", a.Service, strings.Join(names, " nor "),
		source.Meant(string(a.Service), names))
}

// Check rejects a budget line that could match no call: a misspelt class would allow nothing, or forbid nothing.
func (a Allowance) Check() error {
	if err := a.CheckService(); err != nil {
		return err
	}
	known := wire.Words(stores.Protocol(a.Service))
	for call := range strings.SplitSeq(a.Call, " or ") {
		if !slices.Contains(known, call) {
			return fmt.Errorf("the call %q of a budget is not one of the %s calls: %s%s", call, a.Service,
				strings.Join(known, ", "), source.Meant(call, known))
		}
	}
	return nil
}

// Covers reports whether the call is of the allowance's kind.
func (a Allowance) Covers(c wire.Call) bool {
	if c.Service != a.Service || !a.IsOn(c) {
		return false
	}
	for call := range strings.SplitSeq(a.Call, " or ") {
		if c.Class == call || wire.StandsFor(stores.Protocol(c.Service), call, c.Class) {
			return true
		}
	}
	return false
}

// IsOn reports whether the allowance names the call's resource, the index it queries, or a part of its key's path.
func (a Allowance) IsOn(c wire.Call) bool {
	if a.On == "anything" || c.On() == a.On {
		return true
	}
	if !c.Path() {
		return len(c.Inner) > 0 && !slices.ContainsFunc(c.Inner, func(op wire.Call) bool { return op.Resource != a.On })
	}
	for part := range strings.SplitSeq(c.Name(), "/") {
		if matched, err := path.Match(a.On, part); err == nil && matched {
			return true
		}
	}
	return false
}
