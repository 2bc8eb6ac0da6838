package tables

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
	"github.com/storespec/storespec/internal/store"
)

// rowOf turns an item into a row. Types have DynamoDB's names. A map, a list or a set is its JSON without types, as a
// text; bytes are in base64, and NULL is true, as in DynamoDB's own form.
func rowOf(item value.Item) store.Row {
	row := store.Row{}
	for _, a := range item {
		is := plain(a.Value)
		switch a.Value.Kind {
		case value.NULL:
			is = true
		case value.M, value.L, value.SS, value.NS, value.BS:
			var text bytes.Buffer
			encoder := json.NewEncoder(&text)
			encoder.SetEscapeHTML(false)
			_ = encoder.Encode(is) // texts, numbers and what is made of them
			is = strings.TrimSpace(text.String())
		}
		row[a.Name] = store.Value{Is: is, Type: a.Value.Kind.String()}
	}
	return row
}

// plain returns a value without its types.
func plain(v value.Value) any {
	switch v.Kind {
	case value.N:
		return json.Number(v.Text)
	case value.B:
		return base64.StdEncoding.EncodeToString([]byte(v.Text))
	case value.BOOL:
		return v.Bool
	case value.NULL:
		return nil
	case value.M:
		object := map[string]any{}
		for _, a := range v.Map {
			object[a.Name] = plain(a.Value)
		}
		return object
	case value.L:
		list := []any{}
		for _, element := range v.List {
			list = append(list, plain(element))
		}
		return list
	case value.SS, value.NS, value.BS:
		texts := []string{}
		for _, element := range v.List {
			texts = append(texts, fmt.Sprint(plain(element)))
		}
		slices.Sort(texts) // a set has no order
		return texts
	}
	return v.Text
}

// itemOf turns a row into an item.
func itemOf(row store.Row) (value.Item, error) {
	item := value.Item{}
	for name, column := range row {
		one, err := valueOf(column.Type, column.Is)
		if err != nil {
			return nil, fmt.Errorf("write the attribute %s: %w", name, err)
		}
		item = append(item, value.Attribute{Name: name, Value: one})
	}
	return value.Sort(item), nil
}

// valueOf returns a value of a type; an empty type is implied by the value.
func valueOf(kind string, is any) (value.Value, error) {
	text, isText := is.(string)
	switch kind {
	case "M", "L", "SS", "NS", "BS":
		if isText { // JSON without types
			decoder := json.NewDecoder(strings.NewReader(text))
			decoder.UseNumber()
			if err := decoder.Decode(&is); err != nil {
				return value.Value{}, fmt.Errorf("a value of type %s is JSON: %w", kind, err)
			}
		}
		elements, isList := is.([]any)
		if !isList || kind == "L" {
			return typed(is)
		}
		list, err := valuesOf(kind[:1], elements)
		return value.Value{Kind: value.KindOf(kind), List: list}, err
	case "N":
		return value.Numeric(fmt.Sprint(is))
	case "NULL":
		return value.Null(), nil
	case "B":
		content, err := base64.StdEncoding.DecodeString(text)
		return value.Binary(string(content)), err
	case "S":
		return value.String(fmt.Sprint(is)), nil
	}
	return typed(is)
}

func valuesOf(kind string, all []any) (list []value.Value, _ error) {
	for _, is := range all {
		one, err := valueOf(kind, is)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, nil
}

// typed returns a value whose type its form implies.
func typed(is any) (value.Value, error) {
	switch is := is.(type) {
	case nil:
		return value.Null(), nil
	case string:
		return value.String(is), nil
	case bool:
		return value.Bool(is), nil
	case json.Number, int, int64, float64:
		return value.Numeric(fmt.Sprint(is))
	case []any:
		list, err := valuesOf("", is)
		return value.List(list...), err
	case map[string]any:
		object := value.Item{}
		for name, inner := range is {
			one, err := typed(inner)
			if err != nil {
				return one, err
			}
			object = append(object, value.Attribute{Name: name, Value: one})
		}
		return value.Map(value.Sort(object)), nil
	}
	return value.Value{}, fmt.Errorf("%T is a value of no type of DynamoDB", is)
}
