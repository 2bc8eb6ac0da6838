package contract

import (
	"errors"
	"net/http"
	"strings"
	"testing"
)

const document = `
openapi: 3.1.0
info: {title: test, version: '1'}
paths:
  /: {get: {responses: {'200': {description: page, content: {text/html: {}}}}}}
  /api/people:
    get:
      responses:
        '200':
          description: people
          content:
            application/json:
              schema:
                allOf:
                  - {type: object, required: [traceId], properties: {traceId: {type: string, minLength: 1}}}
                  - type: object
                    required: [people]
                    properties:
                      people: {type: array, items: {$ref: '#/components/schemas/Person'}}
                      best: {anyOf: [{type: integer}, {type: boolean}]}
        '503':
          description: down
          headers: {Retry-After: {required: true, schema: {type: integer, minimum: 1}}}
        '302':
          description: elsewhere
          headers: {Location: {schema: {type: string, pattern: ^/}}}
components:
  responses:
    NotFound: {description: nothing, content: {application/json: {schema: {type: object, required: [error]}}}}
    MethodNotAllowed:
      description: no
      headers: {Allow: {required: true, schema: {type: string, pattern: '^[A-Z, ]+$'}}}
  schemas:
    Person:
      type: object
      required: [name, age]
      properties:
        name: {type: [string, 'null'], maxLength: 5}
        age: {type: integer, minimum: 0}
        status: {type: string, enum: [active, invited]}
        key: {type: string, pattern: '^[0-9]+$'}
`

const secret = "s3cr3t"

// answerTest is an answer and what is wrong with it.
type answerTest struct {
	method, path string
	status       int
	header       string // "Name: value"; the content type is JSON otherwise
	body         string
	where, want  string // "" for an answer that keeps the contract
}

func TestCheckOfBodies(t *testing.T) {
	person := func(fields string) string { return `{"traceId":"t","people":[{"name":"Ana","age":7` + fields + `}]}` }
	checkAnswers(t, map[string]answerTest{
		"kept":        {"GET", "/api/people?of=x", 200, "", person(`,"status":"active"`), "", ""},
		"more fields": {"GET", "/api/people", 200, "", person(`,"more":{"a":1}`), "", ""},
		"null where it may be": {"GET", "/api/people", 200, "", `{"traceId":"t","people":[{"name":null,"age":1}]}`,
			"", ""},
		"null where it may not": {"GET", "/api/people", 200, "",
			`{"traceId":"t","people":[{"name":"Ana","age":null}]}`, "people[0].age", "a whole number, at least 0"},
		"another type": {"GET", "/api/people", 200, "", `{"traceId":"t","people":"` + secret + `"}`, "people",
			"a list of: an object with name, age"},
		"a fraction": {"GET", "/api/people", 200, "", person(`},{"name":"B","age":1.5`), "people[1].age",
			"a whole number, at least 0"},
		"a field missing": {"GET", "/api/people", 200, "", `{"traceId":"t"}`, "people", "there"},
		"one of the first part": {"GET", "/api/people", 200, "", `{"traceId":"","people":[]}`, "traceId",
			"a text, not empty"},
		"a value not listed": {"GET", "/api/people", 200, "", person(`,"status":"` + secret + `"`),
			"people[0].status", "one of active, invited"},
		"a text of another form": {"GET", "/api/people", 200, "", person(`,"key":"` + secret + `"`), "people[0].key",
			"a text, like ^[0-9]+$"},
		"a text too long": {"GET", "/api/people", 200, "", `{"traceId":"t","people":[{"name":"` + secret +
			`","age":1}]}`, "people[0].name", "a text or null, at most 5 code points"},
		"none of several": {"GET", "/api/people", 200, "", `{"traceId":"t","people":[],"best":"` + secret + `"}`,
			"best", "a whole number, or true or false"},
		"an array": {"GET", "/api/people", 200, "", `["` + secret + `"]`, "the body",
			"an object with traceId"},
		"no JSON": {"GET", "/api/people", 200, "", `{"` + secret, "the body", "one JSON value"},
		"something after": {"GET", "/api/people", 200, "", `{"traceId":"t","people":[]} {}`, "the body",
			"one JSON value"},
		"no body": {"GET", "/api/people", 200, "", ``, "the body", "not empty"},
	})
}

func TestCheckOfStatusesAndHeaders(t *testing.T) {
	checkAnswers(t, map[string]answerTest{
		"HEAD": {"HEAD", "/api/people", 200, "", ``, "", ""},
		"another content type": {"GET", "/api/people", 200, "Content-Type: text/" + secret,
			`{"traceId":"t","people":[]}`,
			"the header Content-Type", "application/json"},
		"a page":            {"GET", "/", 200, "Content-Type: text/html; charset=utf-8", "<p>", "", ""},
		"a status it lacks": {"GET", "/api/people", 500, "", `{}`, "the status", "one of 200, 302, 503"},
		"a header missing": {"GET", "/api/people", 503, "", ``, "the header Retry-After",
			"a whole number, at least 1"},
		"a header of a form": {"GET", "/api/people", 503, "Retry-After: " + secret, ``, "the header Retry-After",
			"a whole number, at least 1"},
		"a header too small": {"GET", "/api/people", 503, "Retry-After: 0", ``, "the header Retry-After",
			"a whole number, at least 1"},
		"a header that is right": {"GET", "/api/people", 503, "Retry-After: 1", ``, "", ""},
		"a header not required":  {"GET", "/api/people", 302, "", ``, "", ""},
		"an unknown path":        {"GET", "/api/nobody", 404, "", `{"error":"not_found"}`, "", ""},
		"an unknown path, shape": {"GET", "/api/nobody", 404, "", `{}`, "error", "there"},
		"an unknown path, fine": {"GET", "/api/nobody", 200, "", `{}`, "the status",
			"404, since the contract does not have this route"},
		"an unknown method": {"PUT", "/api/people", 405, "Allow: GET, HEAD", ``, "", ""},
		"its header":        {"PUT", "/api/people", 405, "", ``, "the header Allow", "a text, like ^[A-Z, ]+$"},
		"an unknown page":   {"POST", "/sign-out", 303, "", ``, "", ""},
	})
}

func checkAnswers(t *testing.T, answers map[string]answerTest) {
	t.Helper()
	contract, err := Load([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range answers {
		t.Run(name, func(t *testing.T) { c.check(t, contract) })
	}
}

func (c answerTest) check(t *testing.T, contract *Contract) {
	header := http.Header{"Content-Type": {"application/json"}}
	if name, value, found := strings.Cut(c.header, ": "); found {
		header.Set(name, value)
	}
	err := contract.Check(Answer{Method: c.method, Path: c.path, Status: c.status, Header: header,
		Body: []byte(c.body)})
	var broken *Violation
	if !errors.As(err, &broken) {
		if err != nil || c.where != "" {
			t.Errorf("%v, want %s to be %s", err, c.where, c.want)
		}
		return
	}
	path, _, _ := strings.Cut(c.path, "?")
	if broken.Where != c.where || broken.Want != c.want || broken.Status != c.status ||
		broken.Route != c.method+" "+path {
		t.Errorf("%v, want %s to be %s", err, c.where, c.want)
	}
	if strings.Contains(err.Error(), secret) {
		t.Errorf("the error repeats a value: %v", err)
	}
}

func TestLoadRefusesWhatItCannotHoldAnswersTo(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"no YAML":         {"openapi:", "\topenapi:", "read the OpenAPI document"},
		"no description":  {"description: people", "summary: people", "not valid"},
		"a dangling name": {"schemas/Person", "schemas/Nobody", "read the OpenAPI document"},
		"a keyword passed by": {"enum: [active, invited]", "const: active",
			"a keyword that answers are not checked for"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Load([]byte(strings.Replace(document, c.old, c.new, 1)))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

func FuzzCheck(f *testing.F) {
	contract, err := Load([]byte(document))
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(`{"traceId":"t","people":[{"name":"Ana","age":7}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		err := contract.Check(Answer{
			Method: "GET", Path: "/api/people", Status: 200, Header: http.Header{"Content-Type": {"application/json"}},
			Body: body,
		})
		if broken := (*Violation)(nil); err != nil && !errors.As(err, &broken) {
			t.Fatalf("%T: %v", err, err)
		}
	})
}

func TestAnAddressFitsAPathWithParameters(t *testing.T) {
	loaded, err := Load([]byte(strings.Replace(document, "paths:\n", `paths:
  /api/people/{name}/{age}:
    get:
      parameters:
        - {name: name, in: path, required: true, schema: {type: string}}
        - {name: age, in: path, required: true, schema: {type: string}}
      responses: {'204': {description: person}}
`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	for address, status := range map[string]int{
		"/api/people/Ana/7": 204, "/api/people/Ana": 404, "/api/people/Ana/7/x": 404, "/api/people//7": 404,
		"/api/groups/Ana/7": 404,
	} {
		answer := Answer{Method: "GET", Path: address, Status: status,
			Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(`{"error":"x"}`)}
		if err := loaded.Check(answer); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
}
