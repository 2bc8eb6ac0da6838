package value

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Reader is a pull parser of JSON, made for the bodies of DynamoDB's requests. Its errors are SerializationErrors.
type Reader struct {
	text string
	pos  int
}

// SerializationError is the message of a SerializationException: a value in the body has the wrong JSON type. It is
// empty if the body is not JSON at all: DynamoDB then sends no message.
type SerializationError string

// Error returns the message.
func (e SerializationError) Error() string { return string(e) }

const (
	malformed      SerializationError = ""
	unexpectedMap  SerializationError = "Start of structure or map found where not expected"
	unexpectedType SerializationError = "Unexpected field type"
	shapes                            = "com.amazonaws.dynamodb.v20120810."
)

// NewReader returns a reader of a request's body. It copies the body once; what it returns does not refer to it.
func NewReader(body []byte) *Reader { return &Reader{text: string(body)} }

// Object reads the body's object: it calls field for each member, which must read or Skip the member's value. A member
// whose value is null is left out, as if it were absent. If field fails but the body is not JSON, Object says so: no
// other error counts then. What follows the object is an error, too.
func (r *Reader) Object(field func(name string) error) error {
	if !utf8.ValidString(r.text) {
		return malformed
	}
	var err error = unexpectedMap // if the body is JSON, but not an object
	if r.peek() == '{' {
		err = r.members(field)
	}
	if err == nil && r.peek() != 0 || err != nil && !json.Valid([]byte(r.text)) {
		return malformed
	}
	return err
}

// Struct reads a member that is a structure, such as ProvisionedThroughput: as Object, with the messages that DynamoDB
// has for the structure's type name.
func (r *Reader) Struct(typeName string, field func(name string) error) error {
	switch r.peek() {
	case '{':
		return r.members(field)
	case '[':
		return SerializationError("Unrecognized collection type class " + shapes + typeName)
	}
	return unexpectedType
}

// Element reads a structure that is a value of a Map or an element of a List: as Struct, with other messages.
func (r *Reader) Element(typeName string, field func(name string) error) error {
	switch r.peek() {
	case '{', '[':
		return r.Struct(typeName, field)
	}
	return SerializationError("Unexpected value type in payload")
}

// Map reads a member that is a map with values of the type, such as "AttributeValue".
func (r *Reader) Map(typeName string, entry func(key string) error) error {
	switch r.peek() {
	case '{':
		return r.members(entry)
	case '[':
		if !strings.Contains(typeName, ".") {
			typeName = shapes + typeName
		}
		return SerializationError("Unrecognized collection type java.util.Map<java.lang.String, " + typeName + ">")
	}
	return unexpectedType
}

// members calls field for each member whose value is not null.
func (r *Reader) members(field func(name string) error) error {
	return r.sequence('}', func() error {
		if r.peek() != '"' {
			return malformed
		}
		name, err := r.quoted()
		switch {
		case err != nil:
			return err
		case !r.take(':'):
			return malformed
		case r.null():
			return nil
		}
		return field(name)
	})
}

// sequence calls element for each element of an object or a list, whose opening character peek has seen.
func (r *Reader) sequence(closing byte, element func() error) error {
	r.pos++
	if r.take(closing) {
		return nil
	}
	for {
		if err := element(); err != nil {
			return err
		}
		if r.take(',') {
			continue
		}
		if r.take(closing) {
			return nil
		}
		return malformed
	}
}

// List reads a member that is a list: it calls element for each.
func (r *Reader) List(element func() error) error {
	switch r.peek() {
	case '[':
		return r.sequence(']', element)
	case '{':
		return unexpectedMap
	}
	return unexpectedType
}

// String reads a string.
func (r *Reader) String() (string, error) {
	if r.peek() == '"' {
		return r.quoted()
	}
	return "", r.notScalar("String")
}

// Strings reads a list of strings. It never returns nil without an error.
func (r *Reader) Strings() ([]string, error) {
	out := []string{}
	err := r.List(func() error {
		s, err := r.String()
		out = append(out, s)
		return err
	})
	return out, err
}

// StringMap reads a map of strings, such as ExpressionAttributeNames. It never returns nil without an error.
func (r *Reader) StringMap() (map[string]string, error) {
	out := map[string]string{}
	err := r.Map("java.lang.String", func(key string) error {
		s, err := r.String()
		out[key] = s
		return err
	})
	return out, err
}

// Bool reads a Boolean; DynamoDB also takes the strings "true", "yes", "1" and their opposites.
func (r *Reader) Bool() (bool, error) {
	switch r.peek() {
	case 't':
		return true, r.word("true")
	case 'f':
		return false, r.word("false")
	case '"':
		s, err := r.quoted()
		if err != nil {
			return false, err
		}
		switch strings.ToLower(s) {
		case "true", "yes", "1":
			return true, nil
		case "false", "no", "0":
			return false, nil
		}
		return false, SerializationError("Unexpected token received from parser")
	}
	return false, r.notScalar("Boolean")
}

// Int reads a number of the Java type, "Integer" or "Long"; a fraction is cut off.
func (r *Reader) Int(typeName string) (int64, error) {
	token, err := r.numeral(typeName)
	if err != nil {
		return 0, err
	}
	if n, err := strconv.ParseInt(token, 10, 64); err == nil {
		return n, nil
	}
	f, err := strconv.ParseFloat(token, 64)
	if err != nil || f > 1<<62 || f < -1<<62 {
		return 0, malformed
	}
	return int64(f), nil
}

// Float reads a number of the Java type Double.
func (r *Reader) Float() (float64, error) {
	token, err := r.numeral("Double")
	if err != nil {
		return 0, err
	}
	f, err := strconv.ParseFloat(token, 64)
	if err != nil {
		return 0, malformed
	}
	return f, nil
}

// numeral reads a number of the Java type as it is written.
func (r *Reader) numeral(typeName string) (string, error) {
	switch r.peek() {
	case '"':
		return "", SerializationError("STRING_VALUE cannot be converted to " + typeName)
	case '{', '[', 't', 'f', 'n', 0:
		return "", r.notScalar(typeName)
	}
	return r.number()
}

// notScalar returns what DynamoDB says of the next value where it wants one of the Java type.
func (r *Reader) notScalar(typeName string) error {
	switch r.peek() {
	case '{':
		return unexpectedMap
	case '[':
		return SerializationError("Unrecognized collection type class java.lang." + typeName)
	case 't':
		return SerializationError("TRUE_VALUE cannot be converted to " + typeName)
	case 'f':
		return SerializationError("FALSE_VALUE cannot be converted to " + typeName)
	case 'n', 0:
		return malformed
	}
	token, err := r.number()
	switch {
	case err != nil:
		return err
	case strings.ContainsAny(token, ".eE"):
		return SerializationError("DECIMAL_VALUE cannot be converted to " + typeName)
	}
	return SerializationError("NUMBER_VALUE cannot be converted to " + typeName)
}
