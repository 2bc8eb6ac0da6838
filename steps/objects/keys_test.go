package objects

import (
	"testing"

	"github.com/storespec/storespec/internal/wire"
)

func TestHolds(t *testing.T) {
	inner := wire.Call{Key: []string{"note:secret"}}
	tests := []struct {
		name string
		call wire.Call
		want bool
	}{
		{"a key", wire.Call{Key: []string{"note:secret"}}, true},
		{"a key of a bulk call", wire.Call{Inner: []wire.Call{inner}}, true},
		{"the prefix of a list", wire.Call{Prefix: "secret:"}, true},
		{"what a write sent", wire.Call{Key: []string{"note"}, Content: []byte(`{"a":"secret"}`)}, true},
		{"something else", wire.Call{Key: []string{"note"}, Prefix: "n", Content: []byte("milk")}, false},
	}
	for _, test := range tests {
		if got := holds(test.call, "secret"); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}
