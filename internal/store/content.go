package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"
)

// Content is what a namespace contains: rows and objects by resource, and objects by name.
type Content struct {
	// Tables are the definitions of resources with rows, as Provisioner takes them, of a store that needs them.
	Tables  map[string]json.RawMessage
	Rows    map[string][]Row
	Objects map[string]map[string][]byte
}

// Read returns all rows, and the objects of the given resources. Without access to either (nil) there are none. The
// errors are those of rows and objects.
func Read(ctx context.Context, rows Rows, objects Objects, of ...string) (*Content, error) {
	c := &Content{Tables: map[string]json.RawMessage{}, Rows: map[string][]Row{},
		Objects: map[string]map[string][]byte{}}
	if rows != nil {
		resources, err := rows.Resources(ctx)
		if err != nil {
			return nil, err
		}
		for _, resource := range resources {
			if c.Rows[resource], err = rows.List(ctx, resource, nil); err != nil {
				return nil, err
			}
			if definer, is := rows.(Definer); is {
				if c.Tables[resource], err = definer.Definition(ctx, resource); err != nil {
					return nil, err
				}
			}
		}
	}
	if objects == nil {
		return c, nil
	}
	for _, resource := range of {
		names, err := objects.List(ctx, resource)
		if err != nil {
			return nil, err
		}
		c.Objects[resource] = map[string][]byte{}
		for _, name := range names {
			if c.Objects[resource][name], err = objects.Get(ctx, resource, name); err != nil {
				return nil, err
			}
		}
	}
	return c, nil
}

// document is Content as JSON, for people to read and change. A value is written as it is, or as an object with its
// type if JSON does not imply that: {"int64": "5"}, and {"base64": "…"} for an object that is not text.
type document struct {
	Tables  map[string]json.RawMessage  `json:"tables,omitempty"`
	Rows    map[string][]map[string]any `json:"rows,omitempty"`
	Objects map[string]map[string]any   `json:"objects,omitempty"`
}

// base64Type marks the content of an object that is not text.
const base64Type = "base64"

// WriteTo writes the content as JSON. Resources without content are left out.
func (c *Content) WriteTo(w io.Writer) (int64, error) {
	d := document{c.Tables, map[string][]map[string]any{}, map[string]map[string]any{}}
	for resource, rows := range c.Rows {
		for _, row := range rows {
			written := map[string]any{}
			for column, value := range row {
				written[column] = value.written()
			}
			d.Rows[resource] = append(d.Rows[resource], written)
		}
	}
	for resource, objects := range c.Objects {
		for name, content := range objects {
			if d.Objects[resource] == nil {
				d.Objects[resource] = map[string]any{}
			}
			if d.Objects[resource][name] = string(content); !utf8.Valid(content) {
				d.Objects[resource][name] = map[string]any{base64Type: content}
			}
		}
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(d); err != nil {
		return 0, fmt.Errorf("write what a store contains: %w", err)
	}
	return text.WriteTo(w)
}

// written returns the value for a document.
func (v Value) written() any {
	implied := []string{""}
	switch v.Is.(type) {
	case string:
		implied = append(implied, "string")
	case bool:
		implied = append(implied, "bool")
	case json.Number:
		implied = append(implied, "int32", "double")
	}
	if slices.Contains(implied, v.Type) {
		return v.Is
	}
	return map[string]any{v.Type: v.Is}
}

// Parse reads what WriteTo has written. Its errors name the resource, and the row or the object.
func Parse(r io.Reader) (*Content, error) {
	var d document
	decoder := json.NewDecoder(r)
	decoder.UseNumber()
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&d); err != nil {
		return nil, fmt.Errorf("want {\"rows\": {…}, \"objects\": {…}}: %w", err)
	}
	if decoder.More() {
		return nil, errors.New("there is more than one JSON value")
	}
	c := &Content{Tables: d.Tables, Rows: map[string][]Row{}, Objects: map[string]map[string][]byte{}}
	for resource, rows := range d.Rows {
		for i, columns := range rows {
			row := Row{}
			for column, value := range columns {
				read, err := parseValue(value)
				if err != nil {
					return nil, fmt.Errorf("row %d of %s, %s: %w", i+1, resource, column, err)
				}
				row[column] = read
			}
			c.Rows[resource] = append(c.Rows[resource], row)
		}
	}
	for resource, objects := range d.Objects {
		c.Objects[resource] = map[string][]byte{}
		for name, value := range objects {
			content, err := parseObject(value)
			if err != nil {
				return nil, fmt.Errorf("object %s of %s: %w", name, resource, err)
			}
			c.Objects[resource][name] = content
		}
	}
	return c, nil
}

func parseValue(value any) (Value, error) {
	switch value := value.(type) {
	case string, bool, json.Number:
		return Value{Is: value}, nil
	case map[string]any:
		for kind, is := range value {
			if inner, err := parseValue(is); len(value) == 1 && err == nil && inner.Type == "" {
				return Value{Is: is, Type: kind}, nil
			}
		}
	}
	return Value{}, fmt.Errorf(`%v: want a text, a number, true, false or {"TYPE": value}`, value)
}

func parseObject(value any) ([]byte, error) {
	switch value := value.(type) {
	case string:
		return []byte(value), nil
	case map[string]any:
		if text, is := value[base64Type].(string); is && len(value) == 1 {
			var content []byte
			err := json.Unmarshal([]byte(`"`+text+`"`), &content)
			return content, err
		}
	}
	return nil, fmt.Errorf(`%v: want a text or {"base64": "…"}`, value)
}
