package expression

import (
	"strings"
	"testing"
)

const updated = `{"a":{"S":"x"},"l":{"L":[{"N":"0"},{"N":"1"},{"N":"2"},{"N":"3"}]},"m":{"M":{` +
	`"l":{"L":[{"N":"0"},{"M":{"k":{"L":[{"N":"1"},{"N":"2"}]}}}]},"p":{"S":"q"}}},` +
	`"n":{"N":"10"},"q":{"SS":["a","c"]},"r":{"NS":["1","3"]}}`

func TestUpdate(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"SET z = :s", `"z":{"S":"abc"}`},
		{"set z = n + :n", `"z":{"N":"15"}`},
		{"SET n = :n - n", `"n":{"N":"-5"}`},
		{"SET z = (n + :n)", `"z":{"N":"15"}`},
		{"SET z = (n) + (:n)", `"z":{"N":"15"}`},
		{"SET z = if_not_exists(n, :s), y = if_not_exists(gone, :s)", `"y":{"S":"abc"},"z":{"N":"10"}`},
		{"SET z = if_not_exists(gone, :n) + :m", `"z":{"N":"12"}`},
		{"SET z = list_append(:l, l)", `"z":{"L":[{"N":"1"},{"N":"0"},{"N":"1"},{"N":"2"},{"N":"3"}]}`},
		{"SET z = list_append(if_not_exists(gone, :l), :l)", `"z":{"L":[{"N":"1"},{"N":"1"}]}`},
		{"REMOVE a SET b = a", `"b":{"S":"x"}`},
		{"SET l[9] = :s, l[7] = :t, l[0] = " +
			":n", `"l":{"L":[{"N":"5"},{"N":"1"},{"N":"2"},{"N":"3"},{"S":"ab"},{"S":"abc"}]}`},
		{"REMOVE l[1] SET l[3] = :s", `"l":{"L":[{"N":"0"},{"N":"2"},{"S":"abc"}]}`},
		{"REMOVE l[0], l[2], l[17]", `"l":{"L":[{"N":"1"},{"N":"3"}]}`},
		{"REMOVE m.l[0] SET m.l[1].k[5] = :s REMOVE m.p", ``},
		{"REMOVE m.l[0], m.l[1].k[0] SET m.p = :s, m.l[1].k[5] = :n", ``},
		{"ADD n :n, z :m", `"n":{"N":"15"},"q":*,"r":*,"z":{"N":"7"}`},
		{"ADD q :q, r :r", `"q":{"SS":["a","c","b"]},"r":{"NS":["1","3","2"]}`},
		{"DELETE q :q, r :r", `"q":{"SS":["c"]},"r":{"NS":["3"]}`},
		{"DELETE z :q ADD y :q", `"y":{"SS":["a","b"]}`},
		{"SET z = gone", string(noAttribute)},
		{"SET z = a + :n", string(badOperand)},
		{"SET z = a + gone", string(badOperand)},
		{"SET z = gone + a", string(noAttribute)},
		{"SET z = list_append(l, a)", string(badOperand)},
		{"SET a.b = :s", string(badPath)},
		{"SET gone.b = :s", string(badPath)},
		{"SET m[0] = :s", string(badPath)},
		{"REMOVE gone.b", string(badPath)},
		{"ADD a :n", string(badOperand)},
		{"DELETE r :q", string(badOperand)},
		{"ADD m.gone :n", `"m":{"M":{"gone":{"N":"5"},"l":*,"p":{"S":"q"}}}`},
	} {
		parsed, err := parse(t, Input{Operation: UpdateItem, Update: &c.text})
		if err != nil {
			if !strings.Contains(err.Error(), "section can only") { // two REMOVEs
				t.Errorf("%s: %v", c.text, err)
			}
			continue
		}
		got, err := parsed.Update.Apply(item(t, updated))
		text := string(got.AppendJSON(nil))
		if err != nil {
			text = err.Error()
		}
		for _, piece := range strings.Split(c.want, "*") {
			if !strings.Contains(text, piece) {
				t.Errorf("%s:\n%s; want\n%s", c.text, text, c.want)
			}
		}
	}
	if text := string(item(t, updated).AppendJSON(nil)); text != updated {
		t.Errorf("the old item has become %s", text)
	}
}

func TestUpdateNested(t *testing.T) {
	text := "REMOVE m.l[0], m.l[1].k[0] SET m.p = :s, m.l[1].k[5] = :n"
	parsed, err := parse(t, Input{Operation: UpdateItem, Update: &text})
	if err != nil {
		t.Fatal(err)
	}
	old := item(t, updated)
	got, err := parsed.Update.Apply(old)
	m, _ := got.Get("m")
	const want = `{"M":{"l":{"L":[{"M":{"k":{"L":[{"N":"2"},{"N":"5"}]}}}]},"p":{"S":"abc"}}}`
	if text := string(m.AppendJSON(nil)); err != nil || text != want {
		t.Errorf("m is %s, %v; want %s", text, err, want)
	}
	const before = `{"m":{"M":{"l":{"L":[{"N":"0"},{"M":{"k":{"L":[{"N":"1"}]}}}]},"p":{"S":"q"}}}}`
	if text := string(parsed.Update.Select(old).AppendJSON(nil)); text != before {
		t.Errorf("UPDATED_OLD is %s; want %s", text, before)
	}
	if text := string(old.AppendJSON(nil)); text != updated {
		t.Errorf("the old item has become %s", text)
	}
}

func TestUpdateOfNothing(t *testing.T) {
	for _, c := range [][2]string{
		{"SET a = :s, b = if_not_exists(b, :n)", `{"a":{"S":"abc"},"b":{"N":"5"}}`},
		{"ADD c :n", `{"c":{"N":"5"}}`},
		{"DELETE c :q", `{}`},
		{"REMOVE x.y, z[0]", `{}`},
		{"SET x.y = :s", string(badPath)},
		{"SET x = y", string(noAttribute)},
	} {
		text, want := c[0], c[1]
		parsed, err := parse(t, Input{Operation: UpdateItem, Update: &text})
		if err != nil {
			t.Fatal(text, err)
		}
		got, err := parsed.Update.Apply(nil)
		result := string(got.AppendJSON(nil))
		if err != nil {
			result = err.Error()
		}
		if result != want {
			t.Errorf("%s: %s; want %s", text, result, want)
		}
	}
}

func TestUpdateProblems(t *testing.T) {
	const incorrect = "Incorrect operand type for operator or function; "
	const paths = " with each other; must remove or rewrite one of these paths; path one: "
	for _, c := range [][2]string{
		{"", "The expression can not be empty;"},
		{"INVALID SYNTAX HERE", `Syntax error; token: "INVALID", near: "INVALID SYNTAX"`},
		{"SET", `Syntax error; token: "<EOF>", near: "SET"`},
		{"SET _123 = :s", `Syntax error; token: "_", near: "SET _123"`},
		{"SET a = :s,", `Syntax error; token: "<EOF>", near: ","`},
		{"SET a = :n +", `Syntax error; token: "<EOF>", near: "+"`},
		{"SET a = :n + :n + :n", `Syntax error; token: "+", near: ":n + :n"`},
		{"SET a = if_not_exists(a, :n+:m)", `Syntax error; token: "+", near: ":n+:m"`},
		{"SET :a = :s", `Syntax error; token: ":a", near: "SET :a ="`},
		{"ADD a 5", `Syntax error; token: "5", near: "a 5"`},
		{"ADD a b", `Syntax error; token: "b", near: "a b"`},
		{"REMOVE a, SET b = :s", `Syntax error; token: "SET", near: ", SET b"`},
		{"SET a = :s SET b = :s", `The "SET" section can only be used once in an update expression;`},
		{"SET a = f(b, c)", "Invalid function name; function: f"},
		{"SET a = LIST_APPEND(:l, :l)", "Invalid function name; function: LIST_APPEND"},
		{"SET a = size(b)", "The function is not allowed in an update expression; function: size"},
		{
			"SET a = list_append(list_append(:l, :l), :l)",
			"The function is not allowed to be used this way in an expression; function: list_append",
		},
		{"SET status = :s", "Attribute name is a reserved keyword; reserved keyword: status"},
		{
			"SET #none = :s",
			"An expression attribute name used in the document path is not defined; attribute name: #none",
		},
		{"SET a = :none", "An expression attribute value used in expression is not defined; attribute value: :none"},
		{"SET a = :s REMOVE a", "Two document paths overlap" + paths + "[a], path two: [a]"},
		{"SET a.b = :s, a.b.c[1] = :s", "Two document paths overlap" + paths + "[a, b], path two: [a, b, c, [1]]"},
		{"SET a.b = :s, a[1] = :s", "Two document paths conflict" + paths + "[a, b], path two: [a, [1]]"},
		{"ADD a :s", incorrect + "operator: ADD, operand type: STRING"},
		{"ADD a :l", incorrect + "operator: ADD, operand type: LIST"},
		{"DELETE a :n", incorrect + "operator: DELETE, operand type: NUMBER"},
		{"SET a = :s + :n", incorrect + "operator or function: +, operand type: S"},
		{"SET a = list_append(:l, :s)", incorrect + "operator or function: list_append, operand type: S"},
		{
			"SET a = list_append(:l)",
			"Incorrect number of operands for operator or function; operator or function: list_append, number of " +
				"operands: 1",
		},
		{
			"SET a = if_not_exists(:s, :n)",
			"Operator or function requires a document path; operator or function: if_not_exists",
		},
		{"SET " + strings.Repeat(" ", 5e3), "The expression can not be empty;"},
	} {
		text, want := c[0], c[1]
		if strings.HasSuffix(text, "  ") {
			text += "a = :s"
			want = "Expression size has exceeded the maximum allowed size;"
		}
		_, err := parse(t, Input{Operation: UpdateItem, Update: &text})
		if want = "1 validation error detected: Invalid UpdateExpression: " + want; err == nil || err.Error() != want {
			t.Errorf("%.60s:\n%v; want\n%s", text, err, want)
		}
	}
}
