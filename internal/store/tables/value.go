package tables

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/store"
)

// attribute is an attribute's value as DynamoDB has it: one member, named by its type.
type attribute map[string]json.RawMessage

// rowOf turns an item into a row. Types have DynamoDB's names. A map, a list or a set is its JSON without types, as a
// text; bytes are in base64, and NULL is true, as in DynamoDB's own form.
func rowOf(item map[string]attribute) (store.Row, error) {
	row := store.Row{}
	for name, value := range item {
		for kind, raw := range value {
			is, err := valueOf(kind, raw)
			if err != nil {
				return nil, fmt.Errorf("read the attribute %s: %w", name, err)
			}
			row[name] = store.Value{Is: is, Type: kind}
		}
	}
	return row, nil
}

func valueOf(kind string, raw json.RawMessage) (any, error) {
	switch kind {
	case "S", "B":
		var text string
		err := json.Unmarshal(raw, &text)
		return text, err
	case "N":
		var text string
		err := json.Unmarshal(raw, &text)
		return json.Number(text), err
	case "BOOL", "NULL":
		var is bool
		err := json.Unmarshal(raw, &is)
		return is, err
	}
	inner, err := plain(kind, raw)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err = encoder.Encode(inner)
	return strings.TrimSpace(text.String()), err
}

// plain returns a value without its types.
func plain(kind string, raw json.RawMessage) (any, error) {
	switch kind {
	case "NULL":
		return nil, nil
	case "M":
		var members map[string]attribute
		if err := json.Unmarshal(raw, &members); err != nil {
			return nil, err
		}
		object := map[string]any{}
		for name, value := range members {
			for kind, raw := range value {
				inner, err := plain(kind, raw)
				if err != nil {
					return nil, err
				}
				object[name] = inner
			}
		}
		return object, nil
	case "L":
		var elements []attribute
		if err := json.Unmarshal(raw, &elements); err != nil {
			return nil, err
		}
		list := []any{}
		for _, value := range elements {
			for kind, raw := range value {
				inner, err := plain(kind, raw)
				if err != nil {
					return nil, err
				}
				list = append(list, inner)
			}
		}
		return list, nil
	case "SS", "BS", "NS":
		var texts []string
		err := json.Unmarshal(raw, &texts)
		slices.Sort(texts) // a set has no order
		return texts, err
	}
	return valueOf(kind, raw)
}

// itemOf turns a row into an item.
func itemOf(row store.Row) (map[string]attribute, error) {
	item := map[string]attribute{}
	for name, value := range row {
		one, err := attributeOf(value.Type, value.Is)
		if err != nil {
			return nil, fmt.Errorf("write the attribute %s: %w", name, err)
		}
		item[name] = one
	}
	return item, nil
}

// attributeOf returns a value of a type as DynamoDB has it; an empty type is implied by the value.
func attributeOf(kind string, is any) (attribute, error) {
	text, isText := is.(string)
	switch kind {
	case "M", "L", "SS", "NS", "BS":
		if isText { // JSON without types
			decoder := json.NewDecoder(strings.NewReader(text))
			decoder.UseNumber()
			if err := decoder.Decode(&is); err != nil {
				return nil, fmt.Errorf("a value of type %s is JSON: %w", kind, err)
			}
		}
		if kind[len(kind)-1] == 'S' {
			return raw(kind, is)
		}
		return typed(is)
	case "N":
		return raw(kind, fmt.Sprint(is))
	case "NULL":
		return raw(kind, true)
	case "S", "B", "BOOL":
		return raw(kind, is)
	}
	return typed(is)
}

// typed returns a value whose type its form implies.
func typed(is any) (attribute, error) {
	switch is := is.(type) {
	case nil:
		return raw("NULL", true)
	case string:
		return raw("S", is)
	case bool:
		return raw("BOOL", is)
	case json.Number, int, int64, float64:
		return raw("N", fmt.Sprint(is))
	case []any:
		list := []attribute{}
		for _, inner := range is {
			one, err := typed(inner)
			if err != nil {
				return nil, err
			}
			list = append(list, one)
		}
		return raw("L", list)
	case map[string]any:
		object := map[string]attribute{}
		for name, inner := range is {
			one, err := typed(inner)
			if err != nil {
				return nil, err
			}
			object[name] = one
		}
		return raw("M", object)
	}
	return nil, fmt.Errorf("%T is a value of no type of DynamoDB", is)
}

func raw(kind string, is any) (attribute, error) {
	text, err := json.Marshal(is)
	return attribute{kind: text}, err
}
