package lint

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/storespec/storespec/internal/run/system"
)

// A design whose contract cannot be read has no mistakes that could be counted: it fits worse than any other.
func TestTheDesignOfAMapping(t *testing.T) {
	file := filepath.Join(t.TempDir(), "map.yaml")
	if err := os.WriteFile(file, []byte("routes: {GET /b: GET /c, GET /a: GET /b}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	broken := Design{System: system.System{Name: "broken", Contract: []byte("openapi: [")}}
	whole := Design{System: system.System{Name: "whole", Contract: []byte(`openapi: 3.1.0
info: {title: T, version: v}
paths: {/a: {get: {responses: {"200": {description: ok}}}}}
`)}}
	for _, list := range [][]Design{{broken, whole}, {whole, broken}} {
		of, ok, err := Mapping(file, list)
		if !ok || of.Name != "whole" || err == nil {
			t.Errorf("it is a mapping of %q, %t, %v", of.Name, ok, err)
		}
	}
	if of, ok, err := Mapping(file, []Design{broken}); !ok || of.Name != "broken" || err == nil {
		t.Errorf("of a broken contract alone: %q, %t, %v", of.Name, ok, err)
	}
}
