package mutation

import (
	"errors"
	"strings"
	"testing"
)

// What a patch changes inside functions joins the others; the rest has to be built alone.
func TestPatchesJoin(t *testing.T) {
	for name, test := range map[string]struct{ old, new, says, alone string }{
		"a body":         {"return n - discount", "return n + discount", "5 true hello you", ""},
		"a constant":     {"discount = 2", "discount = 1", "2 true hello you", ""},
		"a variable":     {`greet("you")`, `greet("all")`, "1 true hello all", ""},
		"a new function": {"return n - discount\n", "return less(n)\n", "0 true hello you", ""},
		"a parameter unnamed": {"Open(day, holiday bool) bool { return day && !holiday }",
			"Open(day, _ bool) bool { return !day }", "1 false hello you", ""},
		"an import": {`return "hello " + who`, `return strings.ToUpper(who)`, "1 true YOU", ""},
		"nothing":   {"// Price of", "// The price of", "", "it changes nothing"},
		"a type": {"Name   string `json:\"name\"`", "Name   string `json:\"title\"`", "",
			"it declares row in another way"},
		"another signature": {"func greet(who string)", "func greet(who, _ string)", "",
			"greet takes or returns something else"},
		"invalid Go":            {"return n - discount", "return n -", "", "shop.go"},
		"what does not compile": {"return n - discount", "return whatever", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := load(t, nil)
			text := strings.Replace(shopText(t), test.old, test.new, 1)
			if name == "a new function" {
				text += "\nfunc less(n int) int { return n - discount - 1 }\n"
			}
			if name == "an import" {
				text = strings.Replace(text, "\t\"time\"\n", "\t\"strings\"\n\t\"time\"\n", 1)
			}
			v, err := p.Join(map[string][]byte{shopFile: []byte(text)})
			if test.alone != "" {
				if err == nil || !strings.Contains(err.Error(), test.alone) ||
					!errors.Is(err, ErrSame) && !errors.As(err, new(*AloneError)) {
					t.Errorf("error %v, want %s", err, test.alone)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			dropped, err := p.Check()
			if err != nil || (dropped[v.Number] != nil) != (test.says == "") {
				t.Fatalf("dropped %v, %v", dropped, err)
			}
			if binary := built(t, p); test.says != "" {
				if got := says(t, binary, chosen(v.Number)); got != test.says {
					t.Errorf("it says %q, want %q", got, test.says)
				}
				if got := says(t, binary); got != "1 true hello you" {
					t.Errorf("the original says %q", got)
				}
			}
		})
	}
}
