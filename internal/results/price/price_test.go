package price

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

const list = `currency: EUR
date: 2026-11-20
source: an offer of 3 November
prices:
  - {service: table, call: write, price: 0.5, per: 10000}
  - {service: table, call: point read or partition query, price: 0.04, per: 1000}
  - {service: dynamodb, call: get, price: 0.25, per: 1000000, unit: capacity}
`

func TestCallsHaveTheirPrice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "prices.yaml")
	if err := os.WriteFile(path, []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	prices, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := prices.String(); got != "EUR, as of 2026-11-20, from an offer of 3 November" {
		t.Errorf("the list is %s", got)
	}
	for name, test := range map[string]struct {
		calls    []wire.Call
		cost     float64
		unpriced []string
	}{
		"nothing": {nil, 0, nil},
		"a word for several classes, and another line": {[]wire.Call{{Service: azure.Table, Class: azure.Insert},
			{Service: azure.Table, Class: azure.PointRead}, {Service: azure.Table, Class: azure.PointRead}},
			0.00005 + 2*0.00004, nil},
		"units":         {[]wire.Call{{Service: "dynamodb", Class: "get", Capacity: new(2.5)}}, 2.5 * 0.25e-6, nil},
		"unknown units": {[]wire.Call{{Service: "dynamodb", Class: "get"}}, 0, []string{"dynamodb get"}},
		"no line, once": {[]wire.Call{{Service: azure.Blob, Class: azure.Read},
			{Service: azure.Blob, Class: azure.Read}}, 0, []string{"blob read"}},
	} {
		t.Run(name, func(t *testing.T) {
			cost, unpriced := prices.Of(test.calls)
			if math.Abs(cost-test.cost) > 1e-15 {
				t.Errorf("the cost is %g, not %g", cost, test.cost)
			}
			if diff := cmp.Diff(test.unpriced, unpriced); diff != "" {
				t.Errorf("without a price (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMistakesOfAPriceList(t *testing.T) {
	for name, test := range map[string]struct{ old, new, want string }{
		"empty":          {list, "", `p.yaml: the price list is empty`},
		"no source":      {"source: an offer of 3 November\n", "", `p.yaml:1:1: the price list must say its source`},
		"no date":        {"2026-11-20", "soon", `p.yaml:2:7: the date "soon" must be like 2026-11-20`},
		"no prices":      {"prices:", "prices: []\nx:", `p.yaml:5:1: `},
		"an unknown key": {"currency:", "currncy:", `p.yaml:1:1: `},
		"an unknown call": {"call: get", "call: fetch",
			`p.yaml:7:5: the call "fetch" of a budget is not one of the `},
		"an unknown store": {"service: dynamodb", "service: mongo", `p.yaml:7:5: the service "mongo" of a budget is `},
		"no price":         {"price: 0.5, ", "", `p.yaml:5:5: a price must say its price`},
		"a negative price": {"price: 0.5", "price: -1", `p.yaml:5:42: price must be a number, 0 or more, such as `},
		"a price per none": {"per: 10000}", "per: 0}", `p.yaml:5:52: per must be a number, above 0, such as `},
		"an unknown unit":  {"unit: capacity", "unit: byte", `p.yaml:7:69: the unit "byte" must be call or capacity`},
		"a list of nothing": {list[strings.Index(list, "prices"):], "prices:\n",
			`p.yaml:1:1: prices must be a list with `},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parse("p.yaml", []byte(strings.Replace(list, test.old, test.new, 1)))
			if err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
	if _, err := Read("none.yaml"); err == nil ||
		err.Error() != "none.yaml: the price list cannot be read: no such file or directory" {
		t.Errorf("a file that is not there: %v", err)
	}
}
