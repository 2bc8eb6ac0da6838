package expression

import (
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

var (
	hashOnly = Schema{Partition: "pk", PartitionKind: value.S}
	withText = Schema{Partition: "pk", PartitionKind: value.S, Sort: "sk", SortKind: value.S}
	withNum  = Schema{Partition: "pk", PartitionKind: value.S, Sort: "sk", SortKind: value.N}
)

const (
	wrongType = "Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator or " +
		"function: "
	wrongKind  = "One or more parameter values were invalid: Condition parameter type does not match schema type"
	noOperator = "Invalid operator used in KeyConditionExpression: "
)

// keyConditions are expressions with the keys of 0 to 9 that are in their range, or with their problem.
var keyConditions = []struct {
	text   string
	schema Schema
	want   string // keys of 0 to 9 that are in the range, or a problem
}{
	{"pk = :s", hashOnly, "0123456789"},
	{"pk = :s", withNum, "0123456789"},
	{"pk = :s AND sk = :n", withNum, "5"},
	{":n = sk AND :s = pk", withNum, "5"},
	{"pk = :s AND sk < :n", withNum, "01234"},
	{"pk = :s AND :n < sk", withNum, "6789"},
	{"pk = :s AND sk <= :n", withNum, "012345"},
	{"pk = :s AND sk > :n", withNum, "6789"},
	{"(pk = :s) AND (sk >= :n)", withNum, "56789"},
	{"pk = :s AND sk BETWEEN :n AND :m", withNum, "567"},
	{"sk = :s", withText, "Query condition missed key schema element: pk"},
	{"x = :s", withText, "Query condition missed key schema element: pk"},
	{"pk = :s AND x = :s", withText, "Query condition missed key schema element: sk"},
	{"pk = :n", withText, wrongKind},
	{"pk > :s", withText, "Query key condition not supported"},
	{"begins_with(pk, :s)", withText, "Query key condition not supported"},
	{"pk = :s AND sk = :o", withNum, wrongKind},
	{"pk = :s AND begins_with(sk, :s)", withNum, wrongKind},
	{"pk = :s AND begins_with(sk, :n)", withNum, wrongType + "begins_with, operand type: N"},
	{"pk = :s AND :o >= sk", withNum, wrongType + ">=, operand type: BOOL"},
	{"pk = :s AND sk BETWEEN :o AND :o", withNum, wrongType + "BETWEEN, operand type: BOOL"},
	{"pk = :s OR sk = :n", withNum, noOperator + "OR"},
	{"pk = :s AND NOT sk = :n", withNum, noOperator + "NOT"},
	{"pk IN (:s)", withNum, noOperator + "IN"},
	{"pk <> :s", withNum, noOperator + "<>"},
	{"attribute_exists(pk)", withNum, noOperator + "attribute_exists"},
	{"contains(pk, :s)", withNum, noOperator + "contains"},
	{"size(pk) = :n", withNum, "KeyConditionExpressions cannot contain nested operations"},
	{"pk.a = :s", withNum, "KeyConditionExpressions cannot have conditions on nested attributes"},
	{"pk = sk", withNum, "Invalid condition in KeyConditionExpression: Multiple attribute names used in one " +
		"condition"},
	{":s = :t", withNum, "Invalid condition in KeyConditionExpression: No key attribute specified"},
	{
		":n BETWEEN sk AND :m", withNum,
		"Invalid condition in KeyConditionExpression: BETWEEN operator must have the key attribute as its first " +
			"operand",
	},
	{
		"pk = :s AND sk > :n AND sk < :m", withNum,
		"Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key",
	},
	{
		"pk = :s AND sk > :n AND x = :m", withNum,
		"The number of query conditions (3) exceeds the number of key attributes defined in the schema (2)",
	},
	{
		"pk = :s AND sk = :n", hashOnly,
		"The number of query conditions (2) exceeds the number of key attributes defined in the schema (1)",
	},
}

func TestKeyCondition(t *testing.T) {
	for _, c := range keyConditions {
		parsed, err := parse(t, Input{Operation: Query, Key: &c.text})
		got := ""
		if err == nil {
			var r KeyRange
			if r, err = parsed.Key.Resolve(c.schema); err == nil {
				got = members(t, r)
			}
		}
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s:\n%s; want\n%s", c.text, got, c.want)
		}
	}
}

// members returns which of the numbers 0 to 9 are in a range, after a check that Match and Bounds agree on it.
func members(t *testing.T, r KeyRange) string {
	var out strings.Builder
	for i := range int64(10) {
		v := value.Int(i)
		in := r.Match(v)
		if in {
			out.WriteString(v.Text)
		}
		if within(r, v) != in {
			t.Errorf("%s: Match says %t, and Bounds say something else", v.Text, in)
		}
	}
	return out.String()
}

func within(r KeyRange, v value.Value) bool {
	lower, upper, bounded := r.Bounds()
	key := value.KeyString(v)
	return key >= lower && (!bounded || key < upper)
}

func TestTextRange(t *testing.T) {
	keys := []string{"", "a", "ab", "ab\x00", "abc", "ab\xf4", "ac", "\xff", "\xff\xff", "\xff\xffa"}
	for _, operator := range []Operator{Any, Equal, Less, LessEqual, Greater, GreaterEqual, Between, BeginsWith} {
		for _, low := range keys {
			for _, high := range keys {
				r := KeyRange{Sort: operator, Low: value.Binary(low), High: value.Binary(high)}
				for _, key := range keys {
					if v := value.Binary(key); within(r, v) != r.Match(v) {
						t.Errorf("operator %d, %q to %q: Match says %t of %q", operator, low, high, r.Match(v), key)
					}
				}
			}
		}
	}
}

func TestEmptyKey(t *testing.T) {
	text := "pk = :e"
	in := Input{Operation: Query, Key: &text, Values: item(t, `{":e":{"S":""}}`)}
	parsed, err := in.Parse()
	if err != nil {
		t.Fatal(err)
	}
	const want = "One or more parameter values are not valid. " +
		"The AttributeValue for a key attribute cannot contain an empty string value. Key: pk"
	if _, err := parsed.Key.Resolve(withText); err == nil || err.Error() != want {
		t.Errorf("an empty key: %v", err)
	}
}
