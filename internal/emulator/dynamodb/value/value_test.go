package value

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestValueProblems(t *testing.T) {
	deep := func(n int) string { return strings.Repeat(`{"M":{"n":`, n) + `{"S":"leaf"}` + strings.Repeat(`}}`, n) }
	for _, c := range []struct{ name, json, newer, older string }{
		{"no type", `{}`, emptyValue, ""},
		{"unknown type", `{"X":[{"y":1}]}`, emptyValue, ""},
		{"null type", `{"S":null}`, emptyValue, ""},
		{"two types", `{"S":"a","BOOL":true}`, manyTypes, ""},
		{"two types, one bad", `{"S":"a","N":"b"}`, string(notNumeric) + ": b", ""},
		{"NULL false", `{"NULL":false}`, nullFalse, ""},
		{"empty SS", `{"SS":[]}`, "One or more parameter values were invalid: An string set  may not be empty", ""},
		{"empty NS", `{"NS":[]}`, "One or more parameter values were invalid: An number set  may not be empty", ""},
		{"empty BS", `{"BS":[]}`, "One or more parameter values were invalid: Binary sets should not be empty", ""},
		{
			"SS twice", `{"SS":["b","a","b"]}`,
			`One or more parameter values were invalid: Input collection ["a", "b", "b"] contains duplicates.`,
			`One or more parameter values were invalid: Input collection [b, a, b] contains duplicates.`,
		},
		{
			"BS twice", `{"BS":["/w==","AA==","AA=="]}`,
			`One or more parameter values were invalid: Input collection ["AA==","/w==","AA=="]of type BS contains ` +
				`duplicates.`,
			`One or more parameter values were invalid: Input collection [/w==, AA==, AA==]of type BS contains ` +
				`duplicates.`,
		},
		{
			"NS twice", `{"NS":["2","1","2.0"]}`, "One or more parameter values were invalid: Input collection " +
				"contains duplicates.",
			"Input collection contains duplicates",
		},
		{"NS empty member", `{"NS":["1",""]}`, string(notNumeric) + ": ", string(notNumeric)},
		{"inside", `{"L":[{"S":"a"},{"M":{"x":{"N":"x"}}}]}`, string(notNumeric) + ": x", ""},
		{"empty name", `{"M":{"":{"S":"a"}}}`, emptyName, ""},
		{"32 levels", deep(31), "", ""},
		{
			"33 levels", deep(32), "Nesting Levels have exceeded supported limits: " +
				"Attributes in the item have nested levels beyond supported limit", "",
		},
		{"empty texts", `{"L":[{"S":""},{"B":""},{"SS":[""]},{"BS":[""]},{"L":[]},{"M":{}}]}`, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			it, err := NewReader([]byte(`{"a":` + c.json + `}`)).Item()
			if err != nil {
				t.Fatal(err)
			}
			if c.older == "" {
				c.older = c.newer
			}
			checkProblem(t, it.Problem(), c.newer)
			checkProblem(t, it.OlderProblem(), c.older)
		})
	}
}

func checkProblem(t *testing.T, err error, want string) {
	t.Helper()
	if want == "" && err != nil || want != "" && (err == nil || err.Error() != want) {
		t.Errorf("the problem is %v; want %q", err, want)
	}
}

func TestSerializationErrors(t *testing.T) {
	for json, want := range map[string]string{
		`{"a":"b"}`:              "Unexpected value type in payload",
		`{"a":[]}`:               "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue",
		`{"a":{"S":1}}`:          "NUMBER_VALUE cannot be converted to String",
		`{"a":{"S":1.5}}`:        "DECIMAL_VALUE cannot be converted to String",
		`{"a":{"S":true}}`:       "TRUE_VALUE cannot be converted to String",
		`{"a":{"S":{}}}`:         "Start of structure or map found where not expected",
		`{"a":{"N":[]}}`:         "Unrecognized collection type class java.lang.String",
		`{"a":{"B":5}}`:          "only base-64-encoded strings are convertible to bytes",
		`{"a":{"B":"a"}}`:        "Base64 encoded length is expected a multiple of 4 bytes but found: 1",
		`{"a":{"B":"=+/="}}`:     "Invalid last non-pad Base64 character dectected",
		`{"a":{"B":[]}}`:         "Unrecognized collection type class java.nio.ByteBuffer",
		`{"a":{"BOOL":"maybe"}}`: "Unexpected token received from parser",
		`{"a":{"BOOL":1}}`:       "NUMBER_VALUE cannot be converted to Boolean",
		`{"a":{"SS":"a"}}`:       "Unexpected field type",
		`{"a":{"SS":{}}}`:        "Start of structure or map found where not expected",
		`{"a":{"L":["a"]}}`:      "Unexpected value type in payload",
		`{"a":{"M":1}}`:          "Unexpected field type",
		`{"a":{"M":[]}}`: "Unrecognized collection type java.util.Map<java.lang.String, " +
			"com.amazonaws.dynamodb.v20120810.AttributeValue>",
		`{"a":{"S":"b"}`:           "",
		`{"a":{"S":1},}`:           "", // no JSON, whatever else is wrong
		`[`:                        "",
		`{"a":{"S":"b"}} x`:        "",
		"{\"a\":{\"S\":\"\xff\"}}": "",
	} {
		r := NewReader([]byte(json))
		err := r.Object(func(string) error {
			_, err := r.element(1)
			return err
		})
		var problem SerializationError
		if !errors.As(err, &problem) || string(problem) != want {
			t.Errorf("%s: %v; want %q", json, err, want)
		}
	}
}

func TestReader(t *testing.T) {
	body := ` {"Name":"t\u00e9\n","Limit": 5.9,"Keys":["a","b"],"Names":{"#a":"b"},"Consistent":"YES","Nothing":null,` +
		`"Skipped":{"a":[1,{"b":null}],"c":"\"}"},"Rate":2.5}`
	r := NewReader([]byte(body))
	got := map[string]any{}
	err := r.Object(func(name string) (err error) {
		switch name {
		case "Name":
			got[name], err = r.String()
		case "Limit":
			got[name], err = r.Int("Integer")
		case "Keys":
			got[name], err = r.Strings()
		case "Names":
			got[name], err = r.StringMap()
		case "Consistent":
			got[name], err = r.Bool()
		case "Rate":
			got[name], err = r.Float()
		default:
			got[name], err = "", r.Skip()
		}
		return err
	})
	want := map[string]any{
		"Name": "té\n", "Limit": int64(5), "Keys": []string{"a", "b"}, "Names": map[string]string{"#a": "b"},
		"Consistent": true, "Skipped": "", "Rate": 2.5,
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("read %v, %v; want %v", got, err, want)
	}
}

// A body of brackets alone is an error, not the end of the stack.
func TestDeepBody(t *testing.T) {
	for _, unit := range []string{`[`, `{"L":[`, `{"M":{"a":`} {
		body := `{"a":` + strings.Repeat(unit, 1_000_000)
		r := NewReader([]byte(body))
		if err := r.Object(func(string) error { _, err := r.element(1); return err }); err == nil {
			t.Errorf("a body of %q passes", unit)
		}
	}
}

const sample = `{"b":{"B":"AQI="},"bs":{"BS":["AQ==","Ag=="]},"f":{"BOOL":false},` +
	`"l":{"L":[{"N":"1.5"},{"NULL":true}]},` +
	`"m":{"M":{"x":{"S":"y\"\\\n\u0001é"}}},"n":{"N":"-12"},"ns":{"NS":["1","2"]},"s":{"S":""},"ss":{"SS":["a","b"]},` +
	`"t":{"BOOL":true}}`

func TestRoundTrip(t *testing.T) {
	it, err := ParseItem(sample)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(it.AppendJSON(nil)); got != sample {
		t.Errorf("written as\n%s; want\n%s", got, sample)
	}
	stored := it.AppendStored(nil)
	back, err := Stored(stored)
	if err != nil || !Equal(Map(back), Map(it)) {
		t.Errorf("stored as %v, %v", back, err)
	}
	if got, err := AppendStoredJSON(nil, stored); err != nil || string(got) != sample {
		t.Errorf("the stored form is written as %s, %v", got, err)
	}
	if size, err := StoredSize(stored); err != nil || size != it.Size() {
		t.Errorf("StoredSize = %d, %v; want %d", size, err, it.Size())
	}
	for cut := range len(stored) {
		if _, err := Stored(stored[:cut]); err == nil {
			t.Errorf("%d of %d bytes are an item", cut, len(stored))
		}
		if _, err := AppendStoredJSON(nil, stored[:cut]); err == nil {
			t.Errorf("%d of %d bytes are written", cut, len(stored))
		}
	}
}

func TestSize(t *testing.T) {
	for json, want := range map[string]int{
		`{}`:                                          0,
		`{"é":{"S":"日本"}}`:                            8,
		`{"a":{"B":"AQID"}}`:                          4,
		`{"a":{"NULL":true}}`:                         2,
		`{"a":{"BOOL":false}}`:                        2,
		`{"a":{"SS":["ab","c"]}}`:                     4,
		`{"a":{"NS":["1","-42"]}}`:                    6,
		`{"a":{"L":[]}}`:                              4,
		`{"a":{"L":[{"S":"xy"},{"N":"0"}]}}`:          9,
		`{"a":{"M":{"k":{"S":"xy"},"l":{"N":"1"}}}}`:  12,
		`{"a":{"L":[{"M":{"k":{"L":[{"S":"z"}]}}}]}}`: 1 + 3 + 1 + 3 + 1 + 1 + 3 + 1 + 1,
	} {
		it, err := ParseItem(json)
		if err != nil || it.Size() != want {
			t.Errorf("the size of %s is %d, %v; want %d", json, it.Size(), err, want)
		}
	}
}

func TestFunctions(t *testing.T) {
	v := func(json string) Value {
		v, err := ParseValue(json)
		if err != nil {
			t.Fatal(json, err)
		}
		return v
	}
	for _, c := range []struct {
		name string
		got  bool
		want bool
	}{
		{"sets in another order", Equal(v(`{"NS":["1","2"]}`), v(`{"NS":["2","1.0"]}`)), true},
		{"another set", Equal(v(`{"SS":["a","b"]}`), v(`{"SS":["a","c"]}`)), false},
		{"sets of other types", Equal(v(`{"SS":["1"]}`), v(`{"NS":["1"]}`)), false},
		{"lists keep their order", Equal(v(`{"L":[{"S":"a"},{"S":"b"}]}`), v(`{"L":[{"S":"b"},{"S":"a"}]}`)), false},
		{"maps", Equal(v(`{"M":{"a":{"N":"1"},"b":{"S":""}}}`), v(`{"M":{"b":{"S":""},"a":{"N":"1.0"}}}`)), true},
		{"substring", Contains(v(`{"S":"abc"}`), String("bc")), true},
		{"substring of another type", Contains(v(`{"S":"123"}`), Int(1)), false},
		{"element of a set", Contains(v(`{"NS":["1","2"]}`), Int(2)), true},
		{"element of a list", Contains(v(`{"L":[{"SS":["b","a"]}]}`), v(`{"SS":["a","b"]}`)), true},
		{"part of binary", Contains(v(`{"B":"AQID"}`), v(`{"B":"AgM="}`)), true},
		{"beginning", BeginsWith(String("abc"), String("ab")), true},
		{"beginning of another type", BeginsWith(String("abc"), Binary("ab")), false},
	} {
		if c.got != c.want {
			t.Errorf("%s: %t", c.name, c.got)
		}
	}
	if _, ok := Compare(String("a"), Int(1)); ok {
		t.Error("a string and a number have an order")
	}
}

func TestItem(t *testing.T) {
	var it Item
	for _, name := range strings.Split("q w e r t y u i o p a s d f g h j k", " ") {
		it = it.With(name, String(name))
	}
	it = it.With("q", Int(1)).Without("w").Without("none")
	if got, ok := it.Get("q"); !ok || got.Text != "1" || it.Has("w") || !it.Has("k") || len(it) != 17 {
		t.Errorf("the item is %v", it)
	}
	sorted := Sort([]Attribute{{"b", Int(1)}, {"a", Int(2)}, {"b", Int(3)}})
	if len(sorted) != 2 || sorted[0].Name != "a" || sorted[1].Value.Text != "3" {
		t.Errorf("sorted: %v", sorted)
	}
}

func FuzzJSON(f *testing.F) {
	for _, s := range []string{
		sample, `{"a":{"N":"1e5"}}`, `{"a":{}}`, `{"a":{"L":[null]}}`, `{"a":{"S":"\ud83d\ude00"}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		r := NewReader(body)
		it, err := Item(nil), error(nil)
		err = r.Object(func(name string) error {
			v, err := r.element(1)
			it = append(it, Attribute{name, v})
			return err
		})
		if err != nil {
			return
		}
		if !json.Valid(body) {
			t.Errorf("%q is read", body)
		}
		if it = Sort(it); it.Problem() != nil {
			return
		}
		stored := it.AppendStored(nil)
		back, err := Stored(stored)
		if err != nil || !Equal(Map(it), Map(back)) {
			t.Fatalf("stored as %v, %v; want %v", back, err, it)
		}
		text := it.AppendJSON(nil)
		again, err := ParseItem(string(text))
		if err != nil || !Equal(Map(it), Map(again)) && it.Has("") == false {
			t.Fatalf("%s is read as %v, %v", text, again, err)
		}
		if direct, err := AppendStoredJSON(nil, stored); err != nil || string(direct) != string(text) {
			t.Errorf("the stored form is written as %s, %v; want %s", direct, err, text)
		}
	})
}

func FuzzStored(f *testing.F) {
	it, _ := ParseItem(sample)
	f.Add(it.AppendStored(nil))
	f.Fuzz(func(t *testing.T, stored []byte) {
		it, err := Stored(stored)
		if _, err2 := AppendStoredJSON(nil, stored); (err == nil) != (err2 == nil) {
			t.Errorf("Stored: %v, AppendStoredJSON: %v", err, err2)
		}
		if err == nil {
			it.Size()
		}
	})
}

func BenchmarkReadItem(b *testing.B) {
	body := []byte(sample)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := NewReader(body).Item(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkStoredJSON(b *testing.B) {
	it, _ := ParseItem(sample)
	stored := it.AppendStored(nil)
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		dst, _ = AppendStoredJSON(dst[:0], stored)
	}
}
