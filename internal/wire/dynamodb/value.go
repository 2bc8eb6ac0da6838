package dynamodb

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// attribute is an attribute's value as JSON: an object with its type.
type attribute = json.RawMessage

// item is attributes by name.
type item = map[string]attribute

// scalar returns the text of a value that may be part of a key: a string, a number, or bytes in base64.
func scalar(raw attribute) (string, bool) {
	var value map[string]string
	if json.Unmarshal(raw, &value) != nil || len(value) != 1 {
		return "", false
	}
	for kind, text := range value {
		if kind == "S" || kind == "N" || kind == "B" {
			return text, true
		}
	}
	return "", false
}

// shown returns a value for people: a string in quotation marks, a number or a boolean bare, others as they were sent.
func shown(raw attribute) string {
	var value map[string]json.RawMessage
	if json.Unmarshal(raw, &value) == nil && len(value) == 1 {
		for kind, inner := range value {
			var text string
			switch kind {
			case "S":
				if json.Unmarshal(inner, &text) == nil {
					return strconv.Quote(text)
				}
			case "N":
				if json.Unmarshal(inner, &text) == nil {
					return text
				}
			case "BOOL":
				return string(inner)
			case "NULL":
				return "null"
			}
		}
	}
	var compact bytes.Buffer
	if json.Compact(&compact, raw) != nil {
		return string(raw)
	}
	return compact.String()
}

// keyOf returns the parts of the key that an item has, by the schema; without one, an item of one or two attributes is
// taken for a key.
func keyOf(attributes item, schema []string) (key []string) {
	if len(schema) == 0 {
		switch len(attributes) {
		case 1:
			for name := range attributes {
				schema = []string{name}
			}
		case 2:
			var pair []string
			for name := range attributes {
				pair = append(pair, name)
			}
			partition, sort := guess(pair[0], pair[1])
			schema = []string{partition, sort}
		}
	}
	for _, name := range schema {
		part, ok := scalar(attributes[name])
		if !ok {
			return key
		}
		key = append(key, part)
	}
	return key
}
