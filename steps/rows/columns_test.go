package rows

import (
	"encoding/json"
	"testing"

	"github.com/storespec/storespec/internal/run/lane"
)

func TestColumnsHaveTypes(t *testing.T) {
	r := lane.Row{
		"n": {Is: json.Number("3"), Type: "int32"}, "big": {Is: json.Number("2147483648"), Type: "double"},
		"f": {Is: json.Number("3.0"), Type: "double"}, "b": {Is: false, Type: "bool"}, "s": {Is: "x", Type: "string"},
		"half": {Is: json.Number("2.5"), Type: "double"},
		"at":   {Is: "2026-01-31T12:00:00Z", Type: "string"}, "l": {Is: "5", Type: "int64"},
	}
	for _, c := range []struct {
		column, kind, value string
		ok                  bool
	}{
		{"n", "count", "3", true}, {"f", "count", "3", true}, {"l", "count", "5", true}, {"n", "count", "4", false},
		{"half", "count", "optional", false}, {"s", "count", "optional", false}, {"none", "count", "3", false},
		{"big", "count", "2147483648", true}, {"none", "string", "x or absent", true},
		{"s", "string", "x or absent", true}, {"s", "string", "y or absent", false},
		{"n", "int32", "3", true}, {"n", "int32", "4", false}, {"n", "string", "3", false},
		{"big", "int32", "2147483648", false}, {"f", "int32", "optional", false}, {"l", "int32", "optional", false},
		{"l", "int64", "5", true},
		{"b", "bool", "false", true}, {"s", "bool", "optional", false}, {"s", "string", "x", true},
		{"s", "time", "optional", false},
		{"at", "time", "any time", true}, {"at", "time", "a time", false}, {"at", "string", "anything", true},
		{"none", "string", "optional", true}, {"none", "string", "absent", true}, {"none", "string", "anything", false},
		{"none", "time", "a time", false}, {"none", "time", "any time", false},
		{"none", "time", "any time or absent", true}, {"none", "time", "optional", true},
	} {
		if err := r.HasColumn(c.column, c.kind, c.value); (err == nil) != c.ok {
			t.Errorf("%s of type %s, %s: %v", c.column, c.kind, c.value, err)
		}
	}
}
