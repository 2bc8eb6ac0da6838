package contract

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

const listed = `
openapi: 3.1.0
info: {title: notes, version: "1"}
paths:
  /notes/{id}:
    parameters:
      - {name: id, in: path, required: true, schema: {type: string}}
    put:
      parameters:
        - {name: If-Match, in: header, schema: {type: string}}
      requestBody:
        content:
          application/json:
            schema:
              allOf:
                - {type: object, required: [text], properties: {text: {type: string}}}
                - type: object
                  properties:
                    colour: {enum: [red, blue]}
                    tags: {type: array, items: {type: string}}
      responses:
        '200':
          description: the note
          content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}
        '404': {description: there is no such note}
        '409':
          description: somebody has changed it
          content:
            application/problem+json:
              schema: {type: object, properties: {code: {enum: [conflict]}, detail: {type: string}}}
    get:
      responses: {'200': {description: the note}}
components:
  schemas:
    Note:
      allOf:
        - {type: object, required: [id], properties: {id: {type: string}}}
        - type: object
          properties:
            colour: {type: string}
            replies: {type: array, items: {$ref: '#/components/schemas/Note'}}
            author: {type: object, required: [name], properties: {name: {type: string}}}
`

func TestOperations(t *testing.T) {
	c, err := Load([]byte(listed))
	if err != nil {
		t.Fatal(err)
	}
	all := c.Operations()
	if len(all) != 2 || all[0].String() != "GET /notes/{id}" || all[1].String() != "PUT /notes/{id}" {
		t.Fatalf("%v", all)
	}
	if get := all[0]; get.Body != nil || len(get.Parameters) != 1 || get.Parameters[0].Name != "id" {
		t.Errorf("%+v", get)
	}
	put := all[1]
	if len(put.Parameters) != 2 || put.Parameters[1].In != "header" || put.Parameters[1].Required {
		t.Errorf("the parameters are %+v", put.Parameters)
	}
	var names []string
	for _, m := range put.Body.Members {
		names = append(names, m.Name)
	}
	if !slices.Equal(names, []string{"colour", "tags", "text"}) || !put.Body.Members[2].Required ||
		len(put.Body.Members[0].Shape.Values) != 2 || put.Body.Members[1].Shape.Items == nil {
		t.Errorf("the body is %+v", put.Body)
	}
	if required := slices.Sorted(maps.Keys(put.Required["200"])); !slices.Equal(required, []string{"id", "name"}) {
		t.Errorf("required are %v", required)
	}
	if problem := put.Answers["409"]; problem == nil || len(problem.Members) != 2 ||
		!slices.Equal(problem.Members[0].Shape.Values, []any{"conflict"}) {
		t.Errorf("of a 409 the answer is %+v", problem)
	}
	if len(put.Required["404"]) != 0 {
		t.Errorf("of a 404 required are %v", put.Required["404"])
	}
}

// An answer whose media type is a range, such as */*, is JSON as much as the checker of answers takes it for that.
func TestAnswersWithARangeOfMediaTypes(t *testing.T) {
	for _, media := range []string{"application/json", "application/problem+json", "application/*", "*/*"} {
		c, err := Load([]byte(`{openapi: 3.1.0, info: {title: T, version: v}, paths: {/a: {get: {responses: {"200":
			{description: ok, content: {"` + media + `":
				{schema: {type: object, properties: {id: {type: string}}}}}}}}}}}`))
		if err != nil {
			t.Fatal(err)
		}
		shape := c.Operations()[0].Answers["200"]
		if shape == nil || len(shape.Members) != 1 || shape.Members[0].Name != "id" {
			t.Errorf("%s: the shape is %+v", media, shape)
		}
	}
}

// A page shows the codes and the members of any JSON, such as application/problem+json.
func TestThePageOfProblemDetails(t *testing.T) {
	c, err := Load([]byte(`
openapi: 3.1.0
info: {title: T, version: v}
tags: [{name: notes}]
components:
  responses: {NotFound: {description: no such path}, MethodNotAllowed: {description: no such method}}
paths:
  /a:
    get:
      tags: [notes]
      summary: Reads
      responses:
        "200":
          description: ok
          content: {application/hal+json: {schema: {type: object, properties: {noteId: {type: string}}}}}
        "404":
          description: none
          content: {application/problem+json: {schema: {type: object, properties: {error: {enum: [no_note]}}}}}
`))
	if err != nil {
		t.Fatal(err)
	}
	page := c.Page("a.yaml")
	for _, text := range []string{"noteId", "Failures: 404 no_note."} {
		if !strings.Contains(page, text) {
			t.Errorf("the page lacks %q:\n%s", text, page)
		}
	}
}
