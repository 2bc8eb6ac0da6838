package web

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestParseObject(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		ok   bool
	}{
		"empty object":          {`{}`, true},
		"white space around":    {" {\"a\": [1, {\"b\": null}]}\n", true},
		"nothing":               {``, false},
		"null":                  {`null`, false},
		"array":                 {`[]`, false},
		"text":                  {`"a"`, false},
		"unfinished":            {`{"a":1`, false},
		"no value":              {`{"a"}`, false},
		"a name twice":          {`{"a":1,"a":2}`, false},
		"a name twice, escaped": {`{"a":1,"\u0061":2}`, false},
		"something after":       {`{} {}`, false},
		"a bracket after":       {`{}]`, false},
		"not UTF-8":             {"{\"a\":\"\xff\"}", false},
		"a comma too many":      {`{"a":1,}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := ParseObject([]byte(c.text)); (err == nil) != c.ok {
				t.Errorf("ParseObject(%q): %v", c.text, err)
			}
		})
	}
}

func FuzzParseObject(f *testing.F) {
	f.Add([]byte(`{"a":{"b":"c"},"d":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		object, err := ParseObject(data)
		if (object == nil) == (err == nil) {
			t.Fatalf("object %v with error %v", object, err)
		}
		for name := range object {
			object.String(name)
			_, _ = object.Object(name)
		}
	})
}

func TestStringOfAField(t *testing.T) {
	object := Object{"text": []byte(`"a\u00e9"`), "null": []byte(`null`), "number": []byte(`1`)}
	for name, want := range map[string]struct {
		text string
		ok   bool
	}{"text": {"aé", true}, "null": {"", true}, "absent": {"", true}, "number": {"", false}} {
		if text, ok := object.String(name); text != want.text || ok != want.ok {
			t.Errorf("%s: %q, %v", name, text, ok)
		}
	}
	if object.Has("null") || object.Has("absent") || !object.Has("number") {
		t.Error("Has must be true for what is there and not null")
	}
}

func TestReadObjectLimitsTheBody(t *testing.T) {
	body := `{"a":"` + strings.Repeat("x", 100) + `"}`
	read := func(limit int) error {
		_, err := ReadObject(httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body)), int64(limit))
		return err
	}
	if err := read(len(body)); err != nil {
		t.Errorf("a body of just the limit: %v", err)
	}
	var refused *Error
	if err := read(len(body) - 1); !errors.As(err, &refused) || refused.Status != http.StatusRequestEntityTooLarge {
		t.Errorf("a body beyond the limit: %v", err)
	}
}

func TestQueriesAndFormsAreReadStrictly(t *testing.T) {
	for name, c := range map[string]struct {
		query string
		ok    bool
	}{
		"none":                {"", true},
		"names and values":    {"a=1&b=%C3%A9", true},
		"a name without one":  {"a", true},
		"a name twice":        {"a=1&a=2", false},
		"the same twice":      {"a=1&a=1", false},
		"a bad escape":        {"a=1&b=%zz", false},
		"a semicolon":         {"a=1;b=2", false},
		"what is not UTF-8":   {"a=%ff", false},
		"a name not repeated": {"a=1&A=2", true},
	} {
		t.Run(name, func(t *testing.T) {
			query := httptest.NewRequest(http.MethodGet, "/", nil)
			query.URL.RawQuery = c.query
			if _, err := QueryObject(query); (err == nil) != c.ok {
				t.Errorf("the query %q: %v", c.query, err)
			}
			form := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(c.query))
			form.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			if _, err := ReadForm(form, 100); (err == nil) != c.ok {
				t.Errorf("the form %q: %v", c.query, err)
			}
		})
	}
}
