package steps

import "testing"

func TestColumnsHaveTypes(t *testing.T) {
	r, err := decodeRow([]byte(`{"n":3,"big":2147483648,"f":3.0,"b":false,"s":"x","at":"2026-01-31T12:00:00Z","l":"5","l@odata.type":"Edm.Int64"}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		column, kind, value string
		ok                  bool
	}{
		{"n", "int32", "3", true}, {"n", "int32", "4", false}, {"n", "string", "3", false},
		{"big", "int32", "2147483648", false}, {"f", "int32", "optional", false}, {"l", "int32", "optional", false}, {"l", "int64", "5", true},
		{"b", "bool", "false", true}, {"s", "bool", "optional", false}, {"s", "string", "x", true}, {"s", "time", "optional", false},
		{"at", "time", "a time", true}, {"at", "string", "anything", true},
		{"none", "string", "optional", true}, {"none", "string", "absent", true}, {"none", "string", "anything", false},
		{"none", "time", "a time", false},
	} {
		if err := r.hasColumn(c.column, c.kind, c.value); (err == nil) != c.ok {
			t.Errorf("%s of type %s, %s: %v", c.column, c.kind, c.value, err)
		}
	}
}
