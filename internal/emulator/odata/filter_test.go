package odata

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
)

// parseTest is a filter and the tree it is read as.
type parseTest struct {
	name, filter string
	want         Expr
}

func eq(name string, value any) Comparison { return Comparison{name, Eq, Literal{value}} }

func TestParseFilter(t *testing.T) {
	parses(t, []parseTest{
		{"absent", "", nil},
		{"blank", " \t ", nil},
		{"equality", "a eq 'x'", eq("a", "x")},
		{"doubled quote", "a eq 'it''s'", eq("a", "it's")},
		{"only a quote", "a eq ''''", eq("a", "'")},
		{"empty string", "a eq ''", eq("a", "")},
		{"operators and percent inside a string", "a eq 'b or c) and 100%'", eq("a", "b or c) and 100%")},
		{"constant on the left is turned around", "5 gt a", Comparison{"a", Lt, Literal{int32(5)}}},
		{"equality on the left", "'x' eq a", eq("a", "x")},
		{"a property called X", "X eq 'x'", eq("X", "x")},
		{"unicode name", "größe_1 eq 1", eq("größe_1", int32(1))},
		{"and binds tighter than or", "a eq 1 or b eq 2 and c eq 3",
			Or{eq("a", int32(1)), And{eq("b", int32(2)), eq("c", int32(3))}}},
		{"parentheses", "(a eq 1 or b eq 2) and c eq 3",
			And{Or{eq("a", int32(1)), eq("b", int32(2))}, eq("c", int32(3))}},
		{"nested conjunctions are flat", "a eq 1 and (b eq 2 and (c eq 3))",
			And{eq("a", int32(1)), eq("b", int32(2)), eq("c", int32(3))}},
		{"not takes a comparison", "not a eq 1 and b eq 2", And{Not{eq("a", int32(1))}, eq("b", int32(2))}},
		{"not of a group", "not (a eq 1 or b)", Not{Or{eq("a", int32(1)), Property("b")}}},
		{"boolean property", "a and not b", And{Property("a"), Not{Property("b")}}},
		{"as deep as allowed", strings.Repeat("not ", maxFilterDepth) + "a eq 1", func() Expr {
			e := Expr(eq("a", int32(1)))
			for range maxFilterDepth {
				e = Not{e}
			}
			return e
		}()},
		{"property in parentheses", "not (a) eq (1)", Not{eq("a", int32(1))}},
	})
}

func TestParseConstants(t *testing.T) {
	parses(t, []parseTest{
		{"32 bits", "a eq -2147483648", eq("a", int32(-2147483648))},
		{"64 bits by suffix", "a eq 5L", eq("a", int64(5))},
		{"64 bits by size", "a eq 2147483648", eq("a", int64(2147483648))},
		{"double", "a eq 1.5", eq("a", 1.5)},
		{"double with exponent", "a eq -1.5E+3", eq("a", -1500.0)},
		{"boolean", "a eq true", eq("a", true)},
		{"date and time", "a ge datetime'2008-07-10T00:00:00Z'",
			Comparison{"a", Ge, Literal{time.Date(2008, 7, 10, 0, 0, 0, 0, time.UTC)}}},
		{"date with fraction and offset", "a eq datetime'2008-07-10T02:00:00.12345678+02:00'",
			eq("a", time.Date(2008, 7, 10, 0, 0, 0, 123456700, time.UTC))},
		{"date without seconds", "a eq datetime'2008-07-10T02:30'",
			eq("a", time.Date(2008, 7, 10, 2, 30, 0, 0, time.UTC))},
		{"guid", "a eq guid'A455C695-DF98-5678-AAAA-81D3367E5A34'",
			eq("a", GUID{0xA4, 0x55, 0xC6, 0x95, 0xDF, 0x98, 0x56, 0x78, 0xAA, 0xAA, 0x81, 0xD3, 0x36, 0x7E, 0x5A,
				0x34})},
		{"binary", "a eq X'0aFF'", eq("a", []byte{10, 255})},
		{"binary, long form", "a eq binary'00'", eq("a", []byte{0})},
	})
}

func TestParseConstantFilters(t *testing.T) {
	one := Comparison{"a", Eq, Literal{int32(1)}}
	parses(t, []parseTest{
		{"everything", "true", Constant(true)},
		{"nothing", "FALSE", Constant(false)},
		{"negated", "not (True)", Constant(false)},
		{"neutral in an and", "true and a eq 1", one},
		{"neutral in an or, behind", "a eq 1 or false", one},
		{"decisive in an and", "a eq 1 and false", Constant(false)},
		{"decisive in an or", "(true or a eq 1)", Constant(true)},
		{"nested", "(true and a eq 1) and ((false or a eq 1) or b)", And{one, Or{one, Property("b")}}},
		{"compared", "a eq True", Comparison{"a", Eq, Literal{true}}},
	})
}

func parses(t *testing.T, tests []parseTest) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseFilter(tt.filter)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got.Root, tt.want) {
				t.Fatalf("got %#v, want %#v", got.Root, tt.want)
			}
		})
	}
}

func TestParseFilterErrors(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("(", n) + "a" + strings.Repeat(")", n) }
	if _, err := ParseFilter(deep(maxFilterDepth)); err != nil {
		t.Errorf("the deepest allowed filter: %v", err)
	}
	tests := []struct {
		name, filter string
		pos          int
		want         string
	}{
		{"nothing after the operator", "a eq", 4, "a name, a constant, not or a parenthesis"},
		{"two names", "a b", 2, "an operator or the end"},
		{"two properties", "a eq b", 5, "a constant"},
		{"two constants", "1 eq 2", 5, "a property"},
		{"a lone constant", "1", 0, "a comparison"},
		{"a constant that is not a boolean, negated", "not 'x'", 4, "a comparison"},
		{"a constant under and", "a and 'x'", 6, "a comparison"},
		{"chained comparison", "a eq 1 eq 2", 0, "a property"},
		{"open string", "a eq 'x", 5, "a closing quote"},
		{"open string after a doubled quote", "a eq 'x''", 5, "a closing quote"},
		{"open parenthesis", "(a eq 1", 7, `an operator or ")"`},
		{"extra parenthesis", "a eq 1)", 6, "an operator or the end"},
		{"strange character", "a eq #", 5, "a name, a constant or a parenthesis"},
		{"not UTF-8", "a eq \xff", 5, "a name, a constant or a parenthesis"},
		{"integer too large", "a eq 99999999999999999999", 5, "a number"},
		{"double too large", "a eq 1e999", 5, "a number"},
		{"hexadecimal", "a eq 0x10p1", 5, "a number"},
		{"minus alone", "a eq -", 5, "a number"},
		{"guid too short", "a eq guid'a455'", 5, "the text of a guid constant"},
		{"guid with a stray dash", "a eq guid'a455c695-df98-5678-aaaa-81d3367e5-34'", 5, "the text of a guid constant"},
		{"odd binary", "a eq X'0'", 5, "the text of a X constant"},
		{"no date", "a eq datetime'tomorrow'", 5, "the text of a datetime constant"},
		{"year out of range by its zone", "a eq datetime'9999-12-31T23:59:59-01:00'", 5,
			"the text of a datetime constant"},
		{"too deep", deep(maxFilterDepth + 1), maxFilterDepth, "at most 100 levels"},
		{"very deep", strings.Repeat("not ", 1<<20), 4 * maxFilterDepth, "at most 100 levels"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ParseFilter(tt.filter)
			var fe *FilterError
			if !errors.As(err, &fe) {
				t.Fatalf("error %v, want a FilterError", err)
			}
			if fe.Pos != tt.pos || fe.Want != tt.want {
				t.Errorf("error %q (byte %d, want %q), expected byte %d, %q", err, fe.Pos, fe.Want, tt.pos, tt.want)
			}
		})
	}
}

func TestFilterErrorHoldsNoConstant(t *testing.T) {
	for _, filter := range []string{"a eq 'secret' 'secret'", "secret@x.org", "a eq 'secret", "a eq X'secret'",
		"a secret"} {
		_, err := ParseFilter(filter)
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("filter %q: error %v", filter, err)
		}
	}
}

func TestFilterKeys(t *testing.T) {
	f, err := ParseFilter("PartitionKey eq 'it''s' and RowKey eq ''")
	if err != nil {
		t.Fatal(err)
	}
	if key, ok := f.PartitionKey(); key != "it's" || !ok {
		t.Errorf("partition key %q, %v", key, ok)
	}
	if key, ok := f.RowKey(); key != "" || !ok {
		t.Errorf("row key %q, %v", key, ok)
	}
	if f.BoundsRowKey() {
		t.Error("an equality counts as a bound")
	}
	if _, ok := (Filter{}).PartitionKey(); ok {
		t.Error("the absent filter names a partition")
	}
}

func FuzzParseFilter(f *testing.F) {
	for _, seed := range []string{
		"", "PartitionKey eq 'a'", "PartitionKey eq 'a' and RowKey ge 'b' and RowKey lt 'c'",
		"not (a eq 1 or b) and (c or d)", "not not a", "((a)) eq (1)", "5L le a", "a eq -1.5e-3", "a eq 1e21",
		"a eq datetime'2008-07-10T02:00:00.1234567+02:00' or b eq guid'a455c695-df98-5678-aaaa-81d3367e5a34'",
		"false or (true and a eq 1)", "not True",
		"a eq X'00ff' and b eq binary''", "a eq 'it''s'", "(((", "a eq 'x", "ü ne 'ü'", "a eq 0.0", "a eq -0",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, filter string) {
		first, err := ParseFilter(filter)
		if err != nil {
			var fe *FilterError
			if !errors.As(err, &fe) || fe.Pos < 0 || fe.Pos > len(filter) {
				t.Fatalf("%q: %v", filter, err)
			}
			return
		}
		first.keys()
	})
}
