package scenario

import "testing"

func TestWhichBodiesAreJSON(t *testing.T) {
	for contentType, want := range map[string]bool{
		"application/json": true, "application/json; charset=utf-8": true, "application/problem+json": true,
		"application/jsonl": false, "text/html": false, "": false,
	} {
		if got := isJSON(contentType); got != want {
			t.Errorf("%q: %v", contentType, got)
		}
	}
}
