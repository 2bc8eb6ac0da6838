// Package price reads what storage calls cost from a file, and says what the calls of a request cost. storespec has no
// prices of its own: they differ by region and contract, and change.
//
// Open [Read] first.
package price

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/storespec/storespec/internal/scenario/budget"
	"github.com/storespec/storespec/internal/source/yamldoc"
	"github.com/storespec/storespec/internal/wire"
)

// List is a price list.
type List struct {
	Currency string // such as USD
	Date     string // when the prices were looked up, as 2026-11-20
	Source   string // where
	entries  []entry
}

// entry is what calls of one kind cost. The first entry that covers a call counts.
type entry struct {
	kind  budget.Allowance
	price float64 // of one call, or of one unit of capacity
	units bool
}

// The keys of a price list, and those of its entries.
var (
	keys      = []string{"currency", "date", "source", "prices"}
	entryKeys = []string{"service", "call", "price", "per", "unit"}
)

// Read reads a price list. The error is a *yamldoc.Error if the file cannot be read, lacks a key or has an unknown one,
// or names a service or a call that no budget can name.
func Read(path string) (*List, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, yamldoc.Reader{Path: path}.Unread("the price list", err)
	}
	return parse(path, content)
}

func parse(path string, content []byte) (*List, error) {
	r := yamldoc.Reader{Path: path}
	doc, err := r.Parse(content)
	if err != nil {
		return nil, err
	}
	if doc == nil {
		return nil, &yamldoc.Error{File: path, Reason: "the price list is empty"}
	}
	top, err := r.Fields(doc, "the price list", keys...)
	if err != nil {
		return nil, err
	}
	list := &List{}
	for name, into := range map[string]*string{"currency": &list.Currency, "date": &list.Date, "source": &list.Source} {
		if top[name] == nil || top[name].Value == "" {
			return nil, r.At(doc, "the price list must say its %s", name)
		}
		*into = top[name].Value
	}
	if _, err := time.Parse(time.DateOnly, list.Date); err != nil {
		return nil, r.At(top["date"], "the date %q must be like 2026-11-20", list.Date)
	}
	prices := top["prices"]
	if prices == nil || prices.Kind != yaml.SequenceNode || len(prices.Content) == 0 {
		return nil, r.At(doc, "prices must be a list with an entry for each kind of call")
	}
	for _, node := range prices.Content {
		one, err := readEntry(r, node)
		if err != nil {
			return nil, err
		}
		list.entries = append(list.entries, one)
	}
	return list, nil
}

func readEntry(r yamldoc.Reader, node *yaml.Node) (entry, error) {
	fields, err := r.Fields(node, "a price", entryKeys...)
	if err != nil {
		return entry{}, err
	}
	for _, name := range []string{"service", "call", "price"} {
		if fields[name] == nil {
			return entry{}, r.At(node, "a price must say its %s", name)
		}
	}
	one := entry{kind: budget.Allowance{Service: wire.Service(fields["service"].Value), Call: fields["call"].Value,
		On: "anything"}}
	if err := one.kind.Check(); err != nil {
		return entry{}, r.At(node, "%v", err)
	}
	if one.price, err = number(r, fields["price"], "price", 0); err != nil {
		return entry{}, err
	}
	if per := fields["per"]; per != nil {
		n, err := number(r, per, "per", math.SmallestNonzeroFloat64)
		if err != nil {
			return entry{}, err
		}
		one.price /= n
	}
	if unit := fields["unit"]; unit != nil {
		if !slices.Contains([]string{"call", "capacity"}, unit.Value) {
			return entry{}, r.At(unit, "the unit %q must be call or capacity", unit.Value)
		}
		one.units = unit.Value == "capacity"
	}
	return one, nil
}

// number returns a number that is at least so much.
func number(r yamldoc.Reader, node *yaml.Node, name string, least float64) (float64, error) {
	n, err := strconv.ParseFloat(node.Value, 64)
	if err != nil || n < least || math.IsNaN(n) || math.IsInf(n, 0) {
		bound := "0 or more"
		if least > 0 {
			bound = "above 0"
		}
		return 0, r.At(node, "%s must be a number, %s, such as 0.25, not %q", name, bound, node.Value)
	}
	return n, nil
}

// Of returns what calls cost together, in the list's currency, and the kinds of those that have no price, such as
// "table point read": none of the list's entries covers them, or their units of capacity are not known. A retry of an
// SDK is not a call of its own, and neither is an operation of a batch.
func (l *List) Of(calls []wire.Call) (cost float64, unpriced []string) {
	for _, call := range calls {
		at := slices.IndexFunc(l.entries, func(e entry) bool { return e.kind.Covers(call) })
		switch kind := wire.Describe(call.Service, call.Class, ""); {
		case at >= 0 && !l.entries[at].units:
			cost += l.entries[at].price
		case at >= 0 && call.Capacity != nil:
			cost += l.entries[at].price * *call.Capacity
		case !slices.Contains(unpriced, kind):
			unpriced = append(unpriced, kind)
		}
	}
	return cost, unpriced
}

// String says in which currency, of which day and from where the prices are.
func (l *List) String() string {
	return fmt.Sprintf("%s, as of %s, from %s", l.Currency, l.Date, l.Source)
}
