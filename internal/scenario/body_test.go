package scenario

import (
	"errors"
	"testing"
)

func TestMalformedJSON(t *testing.T) {
	for _, test := range []struct {
		name, text, want string
		at               int
	}{
		{"no closing brace", `Ana sends POST /notes {"id":"milk"`, "the JSON ends too early", 34},
		{"no closing quote", `Ana sends POST /notes {"id":"milk}`, "the JSON ends too early", 34},
		{"more than one letter", `Änna sends POST /notes {"id":"ä"`, "the JSON ends too early", 32},
		{"no comma", `Ana sends POST /notes {"id":1 "a":2}`,
			"the JSON is malformed: invalid character '\"' after object key:value pair", 30},
		{"a placeholder as a number", `Ana sends POST /notes {"id":{Milk}`, "the JSON ends too early", 34},
		{"a comma too many", `Ana sends POST /notes {"id":"milk",}`,
			"the JSON is malformed: invalid character '}' looking for beginning of object key string", 35},
		{"no quotes", `Ana sends POST /notes {"id":milk}`,
			"the JSON is malformed: invalid character 'm' looking for beginning of value", 28},
		{"whole JSON", `Ana sends POST /notes {"id":"milk"} twice`, "", 0},
		{"a placeholder as path", `Ana sends GET {Next}`, "", 0},
		{"no request", `Ana says {"id"`, "", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := malformedJSON(test.text)
			if test.want == "" {
				if err != nil {
					t.Fatalf("it was refused: %v", err)
				}
				return
			}
			if wrong, ok := errors.AsType[*TextError](err); !ok || err.Error() != test.want || wrong.At != test.at {
				t.Errorf("it is %#v, want %q at %d", err, test.want, test.at)
			}
		})
	}
}
