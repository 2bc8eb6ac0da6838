package partiql

import (
	"strconv"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

const (
	overflow  = "Number overflow. Attempting to store a number with magnitude larger than supported range"
	underflow = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
	precision = "Attempting to store more than 38 significant digits in a Number"
	operands  = "Incorrect number of operands for operator or function; operator or function: attribute_exists, " +
		"number of operands: "
)

// problems are what DynamoDB answers. In what is wanted, a word in backquotes at the end stands for its place.
var problems = [][2]string{
	{`SELECT * FROM "N" WHERE pk = 1 foo`, leftover},
	{`SELECT * FROM "N" WHERE pk = 1 e5`, leftover},
	{`INSERT INTO "N" VALUE {'pk': 970001} foo`, leftover},
	{`UPDATE "N" SET a = 9 WHERE pk = 970002 foo`, leftover},
	{`DELETE FROM "N" WHERE pk = 970003 foo`, leftover},
	{`SELECT * FROM "N" WHERE pk = 1)`, leftover},
	{`DELETE FROM "N" WHERE pk = 970004 ORDER BY pk`, leftover},
	{`SELECT * FROM "N" ORDER BY pk WHERE pk = 1`, leftover},
	{`INSERT INTO "S" t VALUE {'pk': 'x'}`, leftover},
	{`FROM "S" SET c = 1 WHERE pk = 'x'`, leftover},
	{`FROM "S" SET c = 1 WHERE pk = 'x' SET d = 2`, leftover},
	{`SELECTT * FROMM "S"`, leftover},
	{`SELECT * FROM "N" WHERE pk = 1e2147483648`, notWellFormed},
	{`SELECT * FROM "N" WHERE pk = 1e99999999999`, notWellFormed},
	{`SELECT * FROM "N" WHERE pk = 1.5e-2147483647`, notWellFormed},
	{`SELECT * FROM "N" WHERE pk = 1 # note`, notWellFormed},
	{`SELECT * FROM "N" WHERE pk = 1 /* note`, notWellFormed},
	{`SELECT * FROM "N`, notWellFormed},
	{`SELECT * FROM "S" t WHERE pk = 'x'`, aliasing},
	{`SELECT * FROM "S" AS t WHERE pk = 'x'`, aliasing},
	{`UPDATE "S" t SET a = 3 WHERE pk = 'x'`, aliasing},
	{`DELETE FROM "S" t WHERE pk = 'x'`, aliasing},
	{`SELECT * FROM "N" WHERE pk = 1e126`, overflow + " under root"},
	{`SELECT * FROM "N" WHERE pk = 1e-131`, underflow + " under root"},
	{`SELECT * FROM "N" WHERE pk = 123456789012345678901234567890123456789`, precision + " under root"},
	{`INSERT INTO "N" VALUE {'pk': 1e126}`, overflow + " under root"},
	{`UPDATE "N" SET a = 1e-131 WHERE pk = 970005`, underflow + " under root"},
	{`INSERT INTO "N" VALUE {'pk': 970006, 'm': {'x': 1e126}}`, overflow + " under root.x"},
	{`INSERT INTO "N" VALUE {'pk': 970007, 'l': [1, 1e126]}`, overflow + " under root[1]"},
	{`SELECT * FROM "S" WHERE`, unexpectedTerm},
	{`SELECT * FROM "S" WHERE;`, unexpectedTerm},
	{`UPDATE "S" SET a = 1 WHERE`, unexpectedTerm},
	{`DELETE FROM "S" WHERE  `, unexpectedTerm},
	{`SELECT * FROM "S" WHERE NOT`, unexpectedTerm},
	{`SELECT * FROM "S" WHERE (`, unexpectedTerm},
	{`SELECT * FROM`, unexpectedTerm},
	{`SELECT * FROM "S" WHERE pk = 'p1' AND`, missingRight},
	{`SELECT * FROM "S" WHERE pk = 'p1' OR`, missingRight},
	{`SELECT * FROM "S" WHERE ORDER BY pk`, unexpectedWord},
	{`SELECT * FROM "S" WHERE IS NULL`, unexpectedSign},
	{`SELECT * FROM "S" WHERE pk = LIKE`, unexpectedSign},
	{`SELECT * FROM "S" WHERE pk = 'a' AND x IS FOO`, noTypeName},
	{`x IS INT4`, "Unsupported operation: IsType"},
	{`x IS DOUBLE PRECISION`, "Unsupported operation: IsType"},
	{`x IS CHARACTER VARYING`, "Unsupported operation: IsType"},
	{`DELETE FROM`, noSimplePath},
	{`DELETE FROM;`, noSimplePath},
	{`DELETE FROM WHERE pk = 'a'`, noSimplePath},
	{`SELECT * FROM "S"."i"."x" WHERE pk = 'p'`, manyComponents},
	{`SELECT * FROM "S"."" WHERE pk = 'p'`, emptyComponent},
	{`SELECT * FROM "" WHERE pk = 'p'`, emptyComponent},
	{
		`DELETE FROM "S" WHERE pk = 'x' RETURNING MODIFIED OLD *`,
		"Invalid returning clause: RETURNING MODIFIED OLD *. Only RETURNING ALL OLD * is allowed in DELETE statements.",
	},
	{`SELECT * FROM "S" WHERE pk = ?`, parameterCount},
	{
		`SELECT * FROM "S" WHERE attribute_exists('ss')`,
		"Operator or function requires a document path; operator or function: attribute_exists",
	},
	{`SELECT * FROM "S" WHERE attribute_exists()`, operands + "0"},
	{`SELECT * FROM "S" WHERE attribute_exists(ss, ns)`, operands + "2"},
	{
		`SELECT * FROM "S" WHERE a < true`,
		"Incorrect operand type for operator or function; operator or function: <, operand type: BOOL",
	},
	{`SELECT attribute_exists(ss) FROM "S" WHERE pk = 'x'`, "Unexpected path component at `attribute_exists`"},
	{`SELECT * FROM "S" WHERE pk = 'x' AND EXISTS(ss)`, "Unrecognized function: exists at `EXISTS`"},
	{`SELECT * FROM "S" WHERE attribute_exists(m.inner)`, badDot},
	{
		`UPDATE "S" SET t = set_add(ss, <<'x'>>) WHERE pk = 'x'`,
		"The first argument to SET_ADD must equal the assignment value at `set_add`",
	},
	{
		`UPDATE "S" SET ss = set_add(<<'a'>>, <<'b'>>) WHERE pk = 'x'`,
		"The first argument to SET_ADD must equal the assignment value at `set_add`",
	},
	{
		`UPDATE "S" SET xy = set_delete(xy, 'x') WHERE pk = 'x'`,
		"The second argument to SET_DELETE must be a value with type SET at 1:32:2",
	},
	{`UPDATE "S" SET ss = set_add(ss) WHERE pk = 'x'`, "SET_ADD must have exactly two arguments at `set_add`"},
	{
		`UPDATE "S" SET ss = set_add(ss, <<'x', 'x'>>)`,
		"One or more parameter values were invalid: Input collection [x, x] contains duplicates.",
	},
	{`UPDATE "S" SET ss = set_add(ss, <<>>)`, emptyBag},
	{`UPDATE "S" SET m.inner = set_add(m.inner, <<'y'>>)`, badDot},
	{`SELECT * FROM "S" WHERE set_add(ss, <<'x'>>) = ss`, "Unrecognized function: set_add at `set_add`"},
	{
		`INSERT INTO "S" VALUE {'pk': 'i', 'ss': set_add(<<'a'>>, <<'b'>>)}`,
		"Unsupported data type: set_add under key root at `set_add`",
	},
	{"SELECT *\nFROM \"S\" WHERE é('x')", notWellFormed},
	{"SELECT *\nFROM \"é\" WHERE dog('x')", "Unrecognized function: dog at 2:16:3"},
	{
		`UPDATE "S" SET d = ` + strings.Repeat("{'a':", 32) + "1" + strings.Repeat("}", 32) + ` WHERE pk = 'x'`,
		"Nesting Levels have exceeded supported limits under root" + strings.Repeat(".a", 32),
	},
	{`SELECT * FROM "S" WHERE ` + strings.Repeat("(", 10_000), unexpectedTerm},
	{`SELECT * FROM "S" WHERE ` + strings.Repeat("NOT ", 10_000), unexpectedTerm},
	{
		`INSERT INTO "S" VALUE {'a': ` + strings.Repeat("[", 10_000),
		"Nesting Levels have exceeded supported limits under root" + strings.Repeat("[0]", 32),
	},
	{`SELECT * FROM "S" WHERE a = ` + strings.Repeat("size(", 10_000), unexpectedTerm},
}

func TestProblems(t *testing.T) {
	for _, c := range problems {
		statement, want := c[0], c[1]
		if before, word, ok := strings.Cut(strings.TrimSuffix(want, "`"), "`"); ok {
			column := strings.Index(statement, word) + 1
			want = before + "1:" + strconv.Itoa(column) + ":" + strconv.Itoa(len(word))
		}
		if _, err := Parse(statement, nil); err == nil || err.Error() != want {
			t.Errorf("%.70s:\n%v; want\n%s", statement, err, want)
		}
	}
}

func TestParameters(t *testing.T) {
	const statement = `SELECT * FROM "T" WHERE pk = ?`
	const notNumeric = "The parameter cannot be converted to a numeric value"
	for _, c := range [][2]string{
		{"1e99999999999", notNumeric + ": 1e99999999999"},
		{"1e-2147483648", notNumeric + ": 1e-2147483648"},
		{"", notNumeric},
		{"1e2147483647", underflow},
		{"abc", notNumeric + ": abc"},
		{"1e126", overflow},
	} {
		number, want := c[0], c[1]
		v, _ := value.Numeric(number)
		if _, err := Parse(statement, []value.Value{v}); err == nil || err.Error() != want {
			t.Errorf("%s: %v; want %s", number, err, want)
		}
	}
	two := []value.Value{value.Int(1), value.Int(2)}
	if _, err := Parse(statement, two); err == nil || err.Error() != parameterCount {
		t.Errorf("a parameter too many: %v", err)
	}
}

func FuzzStatement(f *testing.F) {
	for _, c := range problems {
		f.Add(c[0])
	}
	for _, statement := range []string{
		`SELECT pk, m.sub, l[1] FROM "T"."I" WHERE pk IN ['a', ?] AND (n BETWEEN 1 AND 2 OR NOT s IS MISSING) ORDER ` +
			`BY sk DESC`,
		`UPDATE "T" SET n = n + 1, l = list_append(l, [?]) REMOVE m.sub WHERE pk = 'p' AND sk = 1 RETURNING MODIFIED ` +
			`NEW *`,
		`FROM "T" WHERE pk = 'p' AND sk = 1 SET ss = set_add(ss, <<'x'>>)`, `EXISTS(SELECT * FROM T WHERE pk = 'p')`,
		`INSERT INTO T VALUE {'pk': 'p', "x": [1.5e3, {'y': <<1, 2>>}, null, true]}`, `DELETE FROM T WHERE pk = 'p' ` +
			`AND sk = -.5`,
	} {
		f.Add(statement)
	}
	f.Fuzz(func(t *testing.T, statement string) {
		parameters := make([]value.Value, strings.Count(statement, "?"))
		for i := range parameters {
			parameters[i] = value.Int(int64(i))
		}
		s, err := Parse(statement, parameters)
		if err != nil {
			return
		}
		it := item(t, seed)
		s.Where.Match(it)
		s.Where.Match(nil)
		s.Project(it)
		if found, err := s.Lookup(composite); err == nil && len(found.Ranges) > 0 && s.Where.Match(it) {
			in := false
			for _, r := range found.Ranges {
				pk, _ := it.Get("pk")
				sk, _ := it.Get("sk")
				in = in || value.Equal(pk, r.Partition) && r.Match(sk)
			}
			if !in {
				t.Errorf("%q matches an item outside its ranges", statement)
			}
		}
		_, _, _ = s.Key(composite)
		if s.Update != nil {
			_, _ = s.Update.Apply(it)
			_, _ = s.Update.Apply(nil)
			s.Update.Select(it)
		}
	})
}
