package expression

import (
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

func item(t testing.TB, json string) value.Item {
	t.Helper()
	it, err := value.ParseItem(json)
	if err != nil {
		t.Fatal(json, err)
	}
	return it
}

// placeholders that the tests' expressions may use.
const (
	testValues = `{":s":{"S":"abc"},":t":{"S":"ab"},":n":{"N":"5"},":m":{"N":"7"},":b":{"B":"AQ=="},` +
		`":l":{"L":[{"N":"1"}]},` +
		`":o":{"BOOL":true},":u":{"NULL":true},":q":{"SS":["a","b"]},":r":{"NS":["1","2"]},` +
		`":map":{"M":{"x":{"N":"1"}}},` +
		`":type":{"S":"N"}}`
)

var testNames = map[string]string{"#a": "a", "#b": "b.c", "#status": "status"}

// parse parses with those of the placeholders that the expressions use.
func parse(t testing.TB, in Input) (Parsed, error) {
	t.Helper()
	text := ""
	for _, s := range []*string{in.Projection, in.Filter, in.Key, in.Condition, in.Update} {
		if s != nil {
			text += *s + " "
		}
	}
	used := map[string]bool{}
	for _, token := range lex(text) {
		used[text[token.from:token.to]] = true
	}
	for _, a := range item(t, testValues) {
		if used[a.Name] {
			in.Values = append(in.Values, a)
		}
	}
	for k, v := range testNames {
		if used[k] {
			if in.Names == nil {
				in.Names = map[string]string{}
			}
			in.Names[k] = v
		}
	}
	return in.Parse()
}

func TestMatch(t *testing.T) {
	it := item(t, `{"a":{"S":"abc"},"n":{"N":"5"},"b":{"B":"AQI="},"l":{"L":[{"S":"x"},{"M":{"y":{"N":"7"}}}]},`+
		`"ss":{"SS":["abc","d"]},"ns":{"NS":["5","6"]},"o":{"BOOL":true},"z":{"NULL":true},`+
		`"b.c":{"S":"abc"},"é":{"S":"日本"}}`)
	for text, want := range map[string]bool{
		"a = :s": true, "a <> :s": false, "a = :t": false, "a > :t": true, "a < :s": false, "a <= :s": true,
		"n = :n": true, "n < :m": true, "n >= :m": false, "n = :s": false, "n <> :s": true,
		"gone = :s": false, "gone <> :s": true, "gone <> nobody": true, "gone = nobody": false,
		"gone < :n": false, "NOT gone < :n": true, "b > :b": true, "a < :n": false,
		"n BETWEEN :n AND :m": true, "n BETWEEN :m AND :m": false, ":n between n and :m": true,
		"n BETWEEN :n AND :m AND a = :s": true, "gone BETWEEN :n AND :m": false,
		"a IN (:t, :s)": true, "a IN (:t)": false, "n IN (:s, :n)": true, ":n IN (a, n)": true,
		"attribute_exists(a)": true, "attribute_exists(l[1].y)": true, "attribute_exists(l[2])": false,
		"attribute_not_exists(gone)": true, "attribute_not_exists(l.y)": true, "attribute_not_exists(a)": false,
		"attribute_type(n, :type)": true, "attribute_type(a, :type)": false, "attribute_type(gone, :type)": false,
		"begins_with(a, :t)": true, "begins_with(a, :s)": true, "begins_with(:s, a)": true, "begins_with(n, :t)": false,
		"contains(a, :t)": true, "contains(ss, :s)": true, "contains(ss, :t)": false, "contains(ns, :n)": true,
		"contains(n, :n)": false, "contains(l, :s)": false, "contains(:q, :s)": false,
		"size(a) > :n": false, "size(l) < :n": true, "size(ss) < size(a)": true, "size(b) < :n": true,
		"size(n) < :n": false, "size(gone) <> :n": true, "size(o) = :n": false,
		"#a = :s AND #b = :s": true, "l[0] = a": false, "l[1].y > :n": true, "l[1].y = :m": true,
		"a = :s OR n = :m AND n = :m": true, "(a = :s OR n = :m) AND n = :m": false, "NOT a = :t AND n = :n": true,
		"not (a = :t)": true, "NOT NOT a = :s": true, "(a) = (:s)": true, "( a = :s )": true, "(size(a)) > :n": false,
		"o = :o": true, "z = :u": true, "ss = :q": false,
	} {
		parsed, err := parse(t, Input{Operation: Scan, Filter: &text})
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got := parsed.Filter.Match(it); got != want {
			t.Errorf("%s is %t", text, got)
		}
	}
	text := "attribute_not_exists(a)"
	parsed, err := parse(t, Input{Operation: PutItem, Condition: &text})
	if err != nil || !parsed.Condition.Match(nil) {
		t.Errorf("%s does not match an item that is not there: %v", text, err)
	}
}

// conditionProblems are what DynamoDB answers, after "Invalid FilterExpression: ".
var conditionProblems = [][2]string{
	{"", "The expression can not be empty;"},
	{"   ", "The expression can not be empty;"},
	{"a-b", `Syntax error; token: "-", near: "a-b"`},
	{"a = = b", `Syntax error; token: "=", near: "= = b"`},
	{"a = :s AND", `Syntax error; token: "<EOF>", near: "AND"`},
	{"a", `Syntax error; token: "<EOF>", near: "a"`},
	{"!!", `Syntax error; token: "!", near: "!!"`},
	{"a = :s b = :s", `Syntax error; token: "b", near: ":s b ="`},
	{"_id = :s", `Syntax error; token: "_", near: "_id"`},
	{"begins_with()", `Syntax error; token: ")", near: "()"`},
	{"a = : s", `Syntax error; token: ":", near: "= : s"`},
	{"a[b] = :s", `Syntax error; token: "b", near: "[b]"`},
	{"a[99999999999] = :s", `Syntax error; token: "99999999999", near: "[99999999999]"`},
	{"(a = :s) = :s", `Syntax error; token: "=", near: ") = :s"`},
	{"a = (b = :s)", `Syntax error; token: "<EOF>", near: ")"`},
	{"a AND b = :s", `Syntax error; token: "AND", near: "a AND b"`},
	{"a IN ()", `Syntax error; token: ")", near: "()"`},
	{"a BETWEEN :n OR :m", `Syntax error; token: "OR", near: ":n OR :m"`},
	{"日 = :s", `Syntax error; token: "日", near: "日 ="`},
	{"((a = :s))", "The expression has redundant parentheses;"},
	{"((a)) = :s", "The expression has redundant parentheses;"},
	{"dog(a)", "Invalid function name; function: dog"},
	{"Size(a) = :n", "Invalid function name; function: Size"},
	{"if_not_exists(a, a)", "The function is not allowed in a condition expression; function: if_not_exists"},
	{"size(a)", "The function is not allowed to be used this way in an expression; function: size"},
	{"NOT size(a)", "The function is not allowed to be used this way in an expression; function: size"},
	{"contains(a, :s) = :s", "The function is not allowed to be used this way in an expression; function: contains"},
	{"status = :s", "Attribute name is a reserved keyword; reserved keyword: status"},
	{"a.Size = :s", "Attribute name is a reserved keyword; reserved keyword: Size"},
	{"#none = :s", "An expression attribute name used in the document path is not defined; attribute name: #none"},
	{"a = :none", "An expression attribute value used in expression is not defined; attribute value: :none"},
	{
		"contains(a)",
		"Incorrect number of operands for operator or function; operator or function: contains, number of operands: 1",
	},
	{
		"size(a, b) = :n",
		"Incorrect number of operands for operator or function; operator or function: size, number of operands: 2",
	},
	{
		"contains(#a, a)",
		"The first operand must be distinct from the remaining operands for this operator or function; operator: " +
			"contains, first operand: [a]",
	},
	{
		"a.b[1] = a.b[1]",
		"The first operand must be distinct from the remaining operands for this operator or function; operator: =, " +
			"first operand: [a, b, [1]]",
	},
	{"attribute_exists(:s)", "Operator or function requires a document path; operator or function: attribute_exists"},
	{
		"begins_with(a, :n)",
		"Incorrect operand type for operator or function; operator or function: begins_with, operand type: N",
	},
	{"a < :o", "Incorrect operand type for operator or function; operator or function: <, operand type: BOOL"},
	{":l >= a", "Incorrect operand type for operator or function; operator or function: >=, operand type: L"},
	{
		"a BETWEEN :o AND :o",
		"Incorrect operand type for operator or function; operator or function: BETWEEN, operand type: BOOL",
	},
	{"size(:n) = :n", "Incorrect operand type for operator or function; operator or function: size, operand type: N"},
	{
		"size(size(a)) = :n",
		"Incorrect operand type for operator or function; operator or function: size, operand type: N",
	},
	{
		"attribute_type(a, b)",
		"Incorrect operand type for operator or function; operator or function: attribute_type, operand type: " +
			"{NS,SS,L,BS,N,M,B,BOOL,NULL,S}",
	},
	{
		"attribute_type(a, :n)",
		"Incorrect operand type for operator or function; operator or function: attribute_type, operand type: N",
	},
	{
		"attribute_type(a, :s)",
		"Invalid attribute type name found; type: abc, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}",
	},
	{
		"a BETWEEN :s AND :n",
		"The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: " +
			"AttributeValue: {S:abc}, upper bound operand: AttributeValue: {N:5}",
	},
	{
		"a BETWEEN :m AND :n",
		"The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: " +
			"AttributeValue: {N:7}, upper bound operand: AttributeValue: {N:5}",
	},
	{
		"a = :none AND begins_with(a, :n)",
		"An expression attribute value used in expression is not defined; attribute value: :none",
	},
	{
		"begins_with(a, :n) AND a = :none",
		"Incorrect operand type for operator or function; operator or function: begins_with, operand type: N",
	},
	{
		"a IN (:s" + strings.Repeat(", :s", 100) + ")",
		"The IN operator is provided with too many operands; number of operands: 101",
	},
	{"a = :s" + strings.Repeat(" OR a = :s", 200), "The expression contains too many operators; operator count: 301"},
	{strings.Repeat("not ", 1000) + "a = :s", "The expression contains too many operators; operator count: 301"},
	{
		"a = :s" + strings.Repeat(" AND a = :s", 373),
		"Expression size has exceeded the maximum allowed size; expression size: 4109",
	},
	{strings.Repeat("(", 10_000), "Expression size has exceeded the maximum allowed size; expression size: 10000"},
	{strings.Repeat("(", 4000), `Syntax error; token: "<EOF>", near: "("`},
	{strings.Repeat("(", 2000) + "a = :s" + strings.Repeat(")", 2000), "The expression has redundant parentheses;"},
	{"a = " + strings.Repeat("f(", 1300) + "b" + strings.Repeat(")", 1300), "Invalid function name; function: f"},
}

func TestConditionProblems(t *testing.T) {
	for _, c := range conditionProblems {
		text, want := c[0], c[1]
		_, err := parse(t, Input{Operation: Query, Filter: &text})
		if err == nil || err.Error() != "Invalid FilterExpression: "+want {
			t.Errorf("%.60s:\n%v; want\n%s", text, err, want)
		}
	}
}

func TestReserved(t *testing.T) {
	if len(reservedWords) != 573 {
		t.Errorf("%d reserved words", len(reservedWords))
	}
	words := map[string]bool{"abort": true, "Zone": true, "LocalTimestamp": true, "zon": false, "a": false}
	for word, want := range words {
		if reserved(word) != want {
			t.Errorf("reserved(%s) = %t", word, !want)
		}
	}
}

func TestProjection(t *testing.T) {
	it := item(t, `{"a":{"S":"x"},"l":{"L":[{"N":"0"},{"M":{"y":{"N":"1"},"z":{"N":"2"}}},{"N":"3"}]},`+
		`"m":{"M":{"p":{"S":"q"},"r":{"S":"s"}}},"b.c":{"N":"9"}}`)
	for _, c := range [][2]string{
		{"a", `{"a":{"S":"x"}}`},
		{"gone", `{}`},
		{
			"a.b, a[0]",
			`Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, ` +
				`b], path two: [a, [0]]`,
		},
		{"l[2], l[0]", `{"l":{"L":[{"N":"0"},{"N":"3"}]}}`},
		{"l[1].z, l[7], a", `{"a":{"S":"x"},"l":{"L":[{"M":{"z":{"N":"2"}}}]}}`},
		{"m.p, m.gone", `{"m":{"M":{"p":{"S":"q"}}}}`},
		{"m.gone, #b", `{"b.c":{"N":"9"}}`},
		{
			"a, #a",
			`Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], ` +
				`path two: [a]`,
		},
		{
			"m, m.p",
			`Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [m], ` +
				`path two: [m, p]`,
		},
		{"a,", `Syntax error; token: "<EOF>", near: ","`},
		{"a b", `Syntax error; token: "b", near: "a b"`},
		{"data", `Attribute name is a reserved keyword; reserved keyword: data`},
		{"#none", `An expression attribute name used in the document path is not defined; attribute name: #none`},
		{":s", `Syntax error; token: ":s", near: ":s"`},
	} {
		text, want := c[0], c[1]
		parsed, err := parse(t, Input{Operation: GetItem, Projection: &text})
		got := ""
		if err == nil {
			got = string(parsed.Projection.Apply(it).AppendJSON(nil))
		} else {
			got = strings.TrimPrefix(err.Error(), "Invalid ProjectionExpression: ")
		}
		if got != want {
			t.Errorf("%s:\n%s; want\n%s", text, got, want)
		}
	}
}
