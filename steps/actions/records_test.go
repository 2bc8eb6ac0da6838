package actions

import (
	"testing"

	"github.com/storespec/storespec/internal/run/lane"
)

func TestPayloadOfARow(t *testing.T) {
	for name, one := range map[string]struct {
		row  lane.Row
		want string
	}{
		"a text": {lane.Row{"PayloadJson": {Is: `{"a":1}`}}, `{"a":1}`},
		"gzip": {lane.Row{"PayloadEncoding": {Is: "gzip"}, "PayloadZ0": {Is: "H4sIAAAAAAACAw=="},
			"PayloadZ1": {Is: "q1ZKVLIyrAUAr6wbVgcAAAA="}}, `{"a":1}`},
		"both":      {lane.Row{"PayloadJson": {Is: `{}`}, "PayloadEncoding": {Is: "gzip"}}, ""},
		"none":      {lane.Row{}, ""},
		"zip":       {lane.Row{"PayloadEncoding": {Is: "zip"}}, ""},
		"no part":   {lane.Row{"PayloadEncoding": {Is: "gzip"}}, ""},
		"no base64": {lane.Row{"PayloadEncoding": {Is: "gzip"}, "PayloadZ0": {Is: "%"}}, ""},
	} {
		got, err := payload(one.row)
		if (err == nil) != (one.want != "") || string(got) != one.want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}
