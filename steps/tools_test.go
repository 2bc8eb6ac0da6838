package steps

import (
	"bufio"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMembersOfFindsThemInListsToo(t *testing.T) {
	for body, want := range map[string]map[string]bool{
		`{"owner":" Octo ","name":"a"}`:                   {"octo": true},
		`{"records":[{"owner":"octo"},{"owner":"OCTO"}]}`: {"octo": true},
		`{"records":[{"owner":"octo"},{"owner":"hexa"}]}`: {"octo": true, "hexa": true},
		`{"records":[7,{"name":"a"}]}`:                    {},
		`no JSON`:                                         {},
	} {
		if diff := cmp.Diff(want, membersOf([]byte(body), "owner")); diff != "" {
			t.Errorf("%s: %s", body, diff)
		}
	}
}

func TestWatchSeesTwoAtOnce(t *testing.T) {
	w := &World{tools: tools{watch: &watch{member: "owner", underWay: map[string]int{}}}}
	octo := []byte(`{"owner":"octo"}`)
	w.tools.watch.enter(octo)()
	leave := w.tools.watch.enter([]byte(`{"owner":"hexa"}`))
	w.tools.watch.enter(octo)()
	if err := w.neverTwoAtOnce(3); err != nil {
		t.Errorf("one after the other: %v", err)
	}
	if w.neverTwoAtOnce(4) == nil {
		t.Error("three requests are not fewer than four")
	}
	w.tools.watch.enter([]byte(`{"records":[{"owner":"HEXA"}]}`))()
	leave()
	if w.neverTwoAtOnce(3) == nil {
		t.Error("two at once were not seen")
	}
}

func TestReadReply(t *testing.T) {
	for text, want := range map[string][]string{
		"+PONG\r\n":                     {"PONG"},
		":17\r\n":                       {"17"},
		"$5\r\na\r\nbc\r\n":             {"a\r\nbc"},
		"*2\r\n$1\r\na\r\n$2\r\nbc\r\n": {"a", "bc"},
		"*0\r\n":                        nil,
	} {
		got, err := readReply(bufio.NewReader(strings.NewReader(text)))
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%q: %v %s", text, err, diff)
		}
	}
	for _, text := range []string{"", "-ERR no\r\n", "$5\r\nabc", "*2\r\n+a\r\n", "\r\n", "*x\r\n"} {
		if got, err := readReply(bufio.NewReader(strings.NewReader(text))); err == nil {
			t.Errorf("%q is read as %q", text, got)
		}
	}
}

func TestPayloadOfARow(t *testing.T) {
	for name, one := range map[string]struct {
		row  row
		want string
	}{
		"a text":    {row{"PayloadJson": `{"a":1}`}, `{"a":1}`},
		"gzip":      {row{"PayloadEncoding": "gzip", "PayloadZ0": "H4sIAAAAAAACAw==", "PayloadZ1": "q1ZKVLIyrAUAr6wbVgcAAAA="}, `{"a":1}`},
		"both":      {row{"PayloadJson": `{}`, "PayloadEncoding": "gzip"}, ""},
		"none":      {row{}, ""},
		"zip":       {row{"PayloadEncoding": "zip"}, ""},
		"no part":   {row{"PayloadEncoding": "gzip"}, ""},
		"no base64": {row{"PayloadEncoding": "gzip", "PayloadZ0": "%"}, ""},
	} {
		got, err := one.row.payload()
		if (err == nil) != (one.want != "") || string(got) != one.want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestNoiseIsTheSameEachTime(t *testing.T) {
	first, second := noise(1000), noise(2000)
	if len(first) != 1000 || first != second[:1000] {
		t.Error("what is shorter is not the beginning of what is longer")
	}
}
