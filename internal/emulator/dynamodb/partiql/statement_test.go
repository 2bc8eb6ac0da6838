package partiql

import (
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/emulator/dynamodb/expression"
	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

var composite = expression.Schema{Partition: "pk", PartitionKind: value.S, Sort: "sk", SortKind: value.N}

func parse(t testing.TB, statement, parameters string) (*Statement, error) {
	t.Helper()
	var values []value.Value
	if parameters != "" {
		v, err := value.ParseValue(`{"L":[` + parameters + `]}`)
		if err != nil {
			t.Fatal(parameters, err)
		}
		values = v.List
	}
	return Parse(statement, values)
}

func item(t testing.TB, json string) value.Item {
	t.Helper()
	it, err := value.ParseItem(json)
	if err != nil {
		t.Fatal(json, err)
	}
	return it
}

const seed = `{"bs":{"BS":["AQ=="]},"flag":{"BOOL":true},"l":{"L":[{"N":"1"},{"S":"x"}]},"m":{"M":{"sub":{"S":"x"}}},` +
	`"n":{"N":"7"},"nul":{"NULL":true},"pk":{"S":"p"},"s":{"S":"str"},"sk":{"N":"1"},"ss":{"SS":["a","b"]}}`

func TestWhere(t *testing.T) {
	it := item(t, seed)
	for condition, want := range map[string]bool{
		"s = 'str'": true, "s <> 'str'": false, "s != 'x'": true, "n > 6.5": true, "n >= 7e0": true, "n < -.5": false,
		"'str' = s":         true,
		"n BETWEEN 1 AND 7": true, "n NOT BETWEEN 1 AND 7": false, "n IN [1, 7]": true, "n in (1, 2)": false,
		"NOT n IN [1]":   true,
		"n not in <<1>>": true, "attribute_exists(ss)": true, "ATTRIBUTE_EXISTS(nope)": false,
		"attribute_not_exists(m.nope)": true,
		"NOT attribute_exists(nope)":   true, "(attribute_exists(nope) OR attribute_exists(ss))": true,
		"attribute_exists(ss) = true": true,
		`attribute_exists("ss")`:      true, "size(s) = 3": true, "size(s) = 4": false,
		"attribute_type(ss, 'SS')": true,
		"begins_with(s, 'st')":     true,
		"contains(ss, 'b')":        true, "contains(s, 'tr')": true, "nul IS NULL": true, "s IS NULL": false,
		"s IS NOT NULL":   true,
		"nope IS MISSING": true, "s IS MISSING": false, "s is not missing": true, "flag IS BOOL": true,
		"s IS STRING": true, "s IS BOOL": false,
		"flag": true, "flag = TRUE": true, "NOT flag": false, "l[0] = 1 AND l[1] = 'x'": true, "m.sub = 'x'": true,
		"m['sub'] = 'x'":               true,
		"s = 'str' OR n = 1 AND n = 2": true, "(s = 'str' OR n = 1) AND n = 2": false, "s = 'it''s'": false,
		"ss = <<'b', 'a'>>": true,
		"l = [1, 'x']":      true, "m = {'sub': 'x'}": true, "nul = null": true,
		"s = /* a note */ 'str' -- another": true,
		"nope <> 1":                         true,
		"(n = 7) = true":                    true, "s IS DOUBLE PRECISION": false,
	} {
		s, err := parse(t, `SELECT * FROM "T" WHERE `+condition, "")
		if err != nil {
			t.Errorf("%s: %v", condition, err)
		} else if got := s.Where.Match(it); got != want {
			t.Errorf("%s is %t", condition, got)
		}
	}
}

func TestSelect(t *testing.T) {
	s, err := parse(t, `select pk, m.sub, l[1], "n" as num, gone from "T"."I" where pk = ? and n < ? order by sk `+
		`desc;`, `{"S":"p"},{"N":"9"}`)
	if err != nil {
		t.Fatal(err)
	}
	named := s.Table == "T" && s.Index == "I" && s.OrderBy == "sk" && s.Descending
	if s.Verb != Select || !named || !s.Where.Match(item(t, seed)) {
		t.Errorf("the statement is %+v", s)
	}
	const want = `{"_3":{"S":"x"},"num":{"N":"7"},"pk":{"S":"p"},"sub":{"S":"x"}}`
	if got := string(s.Project(item(t, seed)).AppendJSON(nil)); got != want {
		t.Errorf("selected %s; want %s", got, want)
	}
	s, err = parse(t, `EXISTS(SELECT * FROM T WHERE pk = 'p' AND sk = 1 AND n = 2)`, "")
	if err != nil || s.Verb != Exists || s.Columns != nil {
		t.Errorf("EXISTS: %+v, %v", s, err)
	}
}

func TestLookup(t *testing.T) {
	for _, c := range [][2]string{
		{"", "scan"},
		{"n = 1", "scan"},
		{"sk = 1", "scan"},
		{"pk = 'a' OR n = 1", "scan"},
		{"pk > 'a'", "scan"},
		{"NOT pk = 'a'", "scan"},
		{"pk = 'a'", "a"},
		{"pk = 'a' AND sk = 1", "a= exact"},
		{"sk = 1 AND pk = 'a' AND n = 1", "a= exact rest"},
		{"pk = 'a' AND sk BETWEEN 1 AND 2", "a"},
		{"pk = 'a' AND n = 1", "a rest"},
		{"pk IN ['a', 'b']", "a b"},
		{"pk IN ['a', 'b'] AND sk = 1", "a= b= exact"},
		{"pk = 'a' AND sk IN [1, 2]", "a= a= exact"},
		{"pk = 'a' OR pk = 'b'", "a b"},
		{"pk = 'a' AND sk = 1 OR pk = 'b' AND sk = 2", "a= b= exact"},
		{"pk = 'a' AND sk <> 1", "a rest"},
		{"pk = 'a' AND NOT sk = 1 OR pk = 'a' AND sk = 2", "a rest"},
		{"pk = 'a' OR pk = 'a' AND NOT sk = 1", "a rest"},
		{
			"pk = 'a' AND n = 1 OR pk = 'a' AND sk = 2",
			"Overlapping conditions with range keys are not supported in where clause",
		},
		{"pk = 'a' AND sk = 1 OR pk = 'a' AND sk = 2", "a= a= exact"},
		{"pk = 'a' AND sk > 1 AND sk < 5", "a rest"},
		{"pk = 1", "One or more parameter values were invalid: Condition parameter type does not match schema type"},
		{
			"pk = ''",
			"One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an " +
				"empty string value. Key: pk",
		},
	} {
		condition, want := c[0], c[1]
		if condition != "" {
			condition = " WHERE " + condition
		}
		s, err := parse(t, `SELECT * FROM "T"`+condition, "")
		if err != nil {
			t.Errorf("%s: %v", condition, err)
			continue
		}
		found, err := s.Lookup(composite)
		if got := described(found, err); got != want {
			t.Errorf("%s: %q; want %q", condition, got, want)
		}
	}
}

func described(l expression.Lookup, err error) string {
	if err != nil {
		return err.Error()
	}
	if len(l.Ranges) == 0 {
		return "scan"
	}
	var words []string
	for _, r := range l.Ranges {
		word := r.Partition.Text
		if r.Sort == expression.Equal {
			word += "="
		}
		words = append(words, word)
	}
	if l.Exact {
		words = append(words, "exact")
	}
	if l.Rest {
		words = append(words, "rest")
	}
	return strings.Join(words, " ")
}

func TestInsert(t *testing.T) {
	s, err := parse(t, `INSERT INTO "T" VALUE {'pk': 'p', 'n': -1.50, "list": [1, ?, {'x': null}], 'set': <<3, 4>>, `+
		`'b': TRUE}`, `{"B":"AQ=="}`)
	const want = `{"b":{"BOOL":true},"list":{"L":[{"N":"1"},{"B":"AQ=="},{"M":{"x":{"NULL":true}}}]},` +
		`"n":{"N":"-1.5"},` +
		`"pk":{"S":"p"},"set":{"NS":["3","4"]}}`
	if err != nil || s.Verb != Insert || s.Table != "T" || string(s.Item.AppendJSON(nil)) != want {
		t.Errorf("%+v, %v; want %s", s, err, want)
	}
}

func TestUpdate(t *testing.T) {
	for _, c := range [][2]string{
		{
			`UPDATE "T" SET n = n + 1 SET s = ? WHERE pk = 'p' AND sk = 1 RETURNING ALL NEW *`,
			`"n":{"N":"8"},*"s":{"S":"new"}`,
		},
		{
			`UPDATE T SET n = 1, m.sub = list_append(l, [2]) REMOVE ss, s WHERE pk = 'p' AND sk = ?`,
			`"m":{"M":{"sub":{"L":[{"N":"1"},{"S":"x"},{"N":"2"}]}}},"n":{"N":"1"},"nul"`,
		},
		{
			`from "T" where pk = 'p' and sk = 1 set n = if_not_exists(gone, 5) - (2) remove l[0], s`,
			`"l":{"L":[{"S":"x"}]},*"n":{"N":"3"}`,
		},
		{
			`UPDATE "T" SET ss = SET_ADD(ss, <<'c'>>) SET bs = set_delete(bs, ?) WHERE pk = 'p' AND sk = 1`,
			`"ss":{"SS":["a","b","c"]}`,
		},
		{
			`UPDATE "T" SET "a b" = s, s = 'x' WHERE pk = 'p' AND sk = 1 RETURNING MODIFIED OLD *`,
			`"a b":{"S":"str"},*"s":{"S":"x"}`,
		},
	} {
		text, want := c[0], c[1]
		parameters := ""
		switch {
		case strings.Contains(text, "s = ?"):
			parameters = `{"S":"new"}`
		case strings.Contains(text, "sk = ?"):
			parameters = `{"N":"1"}`
		case strings.Contains(text, "bs, ?"):
			parameters = `{"BS":["AQ=="]}`
		}
		s, err := parse(t, text, parameters)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		key, rest, err := s.Key(composite)
		if err != nil || rest || string(key.AppendJSON(nil)) != `{"pk":{"S":"p"},"sk":{"N":"1"}}` {
			t.Errorf("%s: the key is %s, %t, %v", text, key.AppendJSON(nil), rest, err)
		}
		got, err := s.Update.Apply(item(t, seed))
		for _, piece := range strings.Split(want, "*") {
			if err != nil || !strings.Contains(string(got.AppendJSON(nil)), piece) {
				t.Errorf("%s:\n%s, %v; want %s", text, got.AppendJSON(nil), err, want)
			}
		}
	}
}

func TestKey(t *testing.T) {
	for _, c := range [][2]string{
		{"pk = 'p' AND sk = 1", ""},
		{"sk = 1 AND 'p' = pk AND n = 2", "rest"},
		{"pk = 'p'", noMandatoryKey},
		{"n = 1", noMandatoryKey},
		{"pk = 'p' AND sk > 1", noMandatoryKey},
		{"pk = 'p' AND sk = 1 OR n = 1", noMandatoryKey},
	} {
		condition, want := c[0], c[1]
		s, err := parse(t, `DELETE FROM "T" WHERE `+condition+` RETURNING ALL OLD *`, "")
		if err != nil || s.Verb != Delete || s.Returning != "ALL_OLD" {
			t.Fatal(condition, s, err)
		}
		_, rest, err := s.Key(composite)
		got := ""
		if err != nil {
			got = err.Error()
		} else if rest {
			got = "rest"
		}
		if got != want {
			t.Errorf("%s: %q; want %q", condition, got, want)
		}
	}
	s, err := parse(t, `DELETE FROM "T"`, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Key(composite); err == nil || err.Error() != noMandatoryKey {
		t.Errorf("without WHERE: %v", err)
	}
}
