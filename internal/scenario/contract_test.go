package scenario

import (
	"net/http"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/run/contract"
)

const smallContract = `
openapi: 3.1.0
info: {title: test, version: '1'}
paths:
  /api/people:
    get:
      responses:
        '200':
          description: people
          content:
            application/json:
              schema:
                type: object
                required: [people]
                properties: {people: {type: array, items: {type: object, required: [name]}}}
components:
  responses:
    NotFound: {description: nothing}
    MethodNotAllowed: {description: nothing}
`

func TestEveryAnswerIsHeldToTheContract(t *testing.T) {
	held, err := contract.Load([]byte(smallContract))
	if err != nil {
		t.Fatal(err)
	}
	answer := func(status int, body string) *RoundTrip {
		header := http.Header{"Content-Type": {"application/json"}}
		return &RoundTrip{method: "GET", Path: "/api/people?of=ana@example.com", Status: status, Header: header,
			Body: []byte(body)}
	}
	fine, nameless := answer(200, `{"people":[{"name":"Ana"}]}`),
		answer(200, `{"people":[{"name":"Ana"},{"email":"ana@example.com"}]}`)
	for name, c := range map[string]struct {
		held      *contract.Contract
		exchanges []*RoundTrip
		want      []string // of each violation, in order
	}{
		"kept": {held, []*RoundTrip{fine}, nil},
		"broken, not only the last": {held, []*RoundTrip{nameless, fine},
			[]string{"GET /api/people answered 200 against its contract: people[1].name must be there"}},
		"twice, reported once": {held, []*RoundTrip{nameless, nameless}, []string{"people[1].name must be there"}},
		"two ways": {held, []*RoundTrip{nameless, answer(418, "{}")},
			[]string{"people[1].name", "answered 418 against its contract: the status must be 200"}},
		"no contract": {nil, []*RoundTrip{nameless}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(&Stage{suite: &Suite{Contract: c.held}}, "")
			w.Requests.exchanges = c.exchanges
			var got []string
			if err := w.contractKept(); err != nil {
				got = strings.Split(err.Error(), "\n")
			}
			if len(got) != len(c.want) {
				t.Fatalf("reported %q, want %q", got, c.want)
			}
			for i, text := range got {
				if !strings.Contains(text, c.want[i]) || strings.Contains(text, "example.com") {
					t.Errorf("reported %q, want %q and no e-mail", text, c.want[i])
				}
			}
		})
	}
}
