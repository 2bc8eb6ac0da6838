package scenario

import (
	"strings"
	"testing"
)

func TestUnfold(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"nothing":              {`{"a":{"b":"{Family}"}}`, `{"a":{"b":"{Family}"}}`},
		"a letter often":       {`{"a":"{4×é}"}`, `{"a":"éééé"}`},
		"brackets":             {`{"a":{3×[}{3×]}}`, `{"a":[[[]]]}`},
		"white space":          {`{2× }`, `  `},
		"never":                {`x{0×a}y`, `xy`},
		"bytes":                {`{byte ff}{byte 00}`, "\xff\x00"},
		"a byte, often":        {`{2×{byte 61}}`, "aa"}, // bytes come first
		"no byte and no count": {`{byte fff}{×a}{3 a}`, `{byte fff}{×a}{3 a}`},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := Unfold(c.text); err != nil || got != c.want {
				t.Errorf("%q, %v; want %q", got, err, c.want)
			}
		})
	}
	for _, text := range []string{"{99999999999999999999×a}", "{99999999×a}"} {
		if got, err := Unfold(text); err == nil || !strings.Contains(err.Error(), "more than a request may hold") {
			t.Errorf("%s: %d bytes, %v", text, len(got), err)
		}
	}
}

func TestNumberOf(t *testing.T) {
	for tag, want := range map[string]string{"aaaaaaaa7": "1000000000000", "baaaaaaa7": "1034359738368",
		"777777777": "2099511627775"} {
		if got := numberOf(tag); got != want {
			t.Errorf("the number of %s is %s, not %s", tag, got, want)
		}
	}
}
