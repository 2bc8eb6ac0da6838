package expression

import (
	"errors"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

// fuzzed parses an expression as every kind; what is accepted must be evaluated without a failure of the program.
func fuzzed(t *testing.T, expression string) {
	values, it := item(t, testValues), item(t, updated)
	for _, in := range []Input{
		{Operation: Scan, Filter: &expression}, {Operation: Query, Key: &expression},
		{Operation: UpdateItem, Update: &expression}, {Operation: GetItem, Projection: &expression},
	} {
		s := scope{names: testNames, values: values}
		parsed, key, problem := in.parseExpressions(&s)
		if problem != "" {
			if !strings.HasPrefix(string(problem), "Invalid ") {
				t.Errorf("%q: %s", expression, problem)
			}
			continue
		}
		parsed.Filter.Match(it)
		parsed.Filter.Heads()
		parsed.Projection.Apply(it)
		if key != nil {
			if k := (&KeyCondition{}); k.add(key.root) == "" {
				_, _ = k.Resolve(withNum)
			}
		}
		if parsed.Update == nil {
			continue
		}
		for _, old := range []value.Item{nil, it} {
			got, err := parsed.Update.Apply(old)
			if err != nil && !errors.As(err, new(value.Problem)) {
				t.Errorf("%q: %v", expression, err)
			}
			if err == nil {
				checkStored(t, expression, got)
			}
		}
		parsed.Update.Select(it)
	}
	if text := string(it.AppendJSON(nil)); text != updated {
		t.Errorf("%q changes the item to %s", expression, text)
	}
}

// checkStored checks that an updated item is one that DynamoDB would take.
func checkStored(t *testing.T, expression string, it value.Item) {
	t.Helper()
	if _, err := value.ParseItem(string(it.AppendJSON(nil))); err != nil {
		t.Errorf("%q makes %s: %v", expression, it.AppendJSON(nil), err)
	}
}

func FuzzExpression(f *testing.F) {
	for _, c := range conditionProblems {
		f.Add(c[0])
	}
	for _, expression := range []string{
		"a = :s AND (n BETWEEN :n AND :m OR NOT attribute_exists(l[1].y))", "size(#b) IN (:n, a)", "a, l[1].z, #b",
		"SET a = if_not_exists(b, :n) + :m, l[9] = list_append(l, :l) REMOVE m.p, m.l[1].k[0] ADD n :n DELETE q :q",
		"pk = :s AND sk BETWEEN :n AND :m", "(((a))[1]).b = :s",
	} {
		f.Add(expression)
	}
	f.Fuzz(fuzzed)
}

func BenchmarkCondition(b *testing.B) {
	it := item(b, updated)
	filter := "attribute_exists(a) AND n >= :n AND contains(q, :s)"
	values := item(b, `{":n":{"N":"5"},":s":{"S":"c"}}`)
	b.ReportAllocs()
	for b.Loop() {
		in := Input{Operation: Scan, Filter: &filter, Values: values}
		parsed, err := in.Parse()
		if err != nil || !parsed.Filter.Match(it) {
			b.Fatal(err)
		}
	}
}

func BenchmarkUpdate(b *testing.B) {
	it := item(b, updated)
	update := "SET n = n + :n, a = :s"
	values := item(b, `{":n":{"N":"5"},":s":{"S":"c"}}`)
	b.ReportAllocs()
	for b.Loop() {
		in := Input{Operation: UpdateItem, Update: &update, Values: values}
		parsed, err := in.Parse()
		if err != nil {
			b.Fatal(err)
		}
		if _, err = parsed.Update.Apply(it); err != nil {
			b.Fatal(err)
		}
	}
}
