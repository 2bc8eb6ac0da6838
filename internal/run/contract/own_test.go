package contract

import (
	"net/http"
	"testing"
)

// A user's own document needs no path below /api/, and no responses for what it does not list.
func TestADocumentOfOnesOwn(t *testing.T) {
	contract, err := Load([]byte(`
openapi: 3.1.0
info: {title: notes, version: '1'}
paths:
  /notes/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': {description: one}}}
    delete:
      responses:
        '204': {description: gone}
        default: {description: no, headers: {X-Why: {required: true, schema: {type: string}}}}
`))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		method, path string
		status       int
		wrong        string
	}{
		"listed": {"GET", "/notes/milk", 200, ""},
		"another status": {"GET", "/notes/milk", 500,
			"GET /notes/milk answered 500 against its contract: the status must be 200"},
		"the default": {"DELETE", "/notes/milk", 409,
			"DELETE /notes/milk answered 409 against its contract: the header X-Why must be a text"},
		"a path that it lacks": {"GET", "/lists", 200,
			"GET /lists answered 200 against its contract: the status must be 404, since the contract does not have " +
				"this route"},
		"a path that the server lacks too": {"GET", "/lists", 404, ""},
		"a method that it lacks": {"PUT", "/notes/milk", 200,
			"PUT /notes/milk answered 200 against its contract: the status must be 405, since the contract does not " +
				"have this route"},
		"a method that the server refuses": {"PUT", "/notes/milk", 405, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := ""
			if err := contract.Check(Answer{Method: c.method, Path: c.path, Status: c.status,
				Header: http.Header{}}); err != nil {
				got = err.Error()
			}
			if got != c.wrong {
				t.Errorf("it says %q, not %q", got, c.wrong)
			}
		})
	}
}
