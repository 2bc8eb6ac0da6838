package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"unicode/utf8"
)

// maxDrained is how much of an oversized body is still read before the 413, so that a client that is sending sees the
// answer rather than a broken connection. Beyond it the connection breaks.
const maxDrained = 32 << 20

// Object is a JSON object whose fields are kept as they were sent: they are read one by one, in the order the contract
// demands, and by their exact names.
type Object map[string]json.RawMessage

// ReadObject reads a request's body, which must be one JSON object of at most limit bytes. Errors: 413 too_large; 400
// bad_request for anything else (including duplicate names and trailing data).
func ReadObject(r *http.Request, limit int64) (Object, error) {
	data, err := ReadBody(r, limit)
	if err != nil {
		return nil, err
	}
	object, err := ParseObject(data)
	if err != nil {
		return nil, BadRequest("the body is not one JSON object")
	}
	return object, nil
}

// ReadBody reads a request's body of at most limit bytes. Errors: 413 too_large; 400 bad_request when it is cut off.
func ReadBody(r *http.Request, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r.Body, limit+1))
	if err != nil {
		return nil, BadRequest("the body could not be read")
	}
	if int64(len(data)) > limit {
		_, _ = io.CopyN(io.Discard, r.Body, maxDrained)
		return nil, TooLarge("the body is too large")
	}
	return data, nil
}

// ParseObject parses one JSON object in UTF-8 with nothing after it. Duplicate field names are an error, because
// parsers differ in which one counts.
func ParseObject(data []byte) (Object, error) {
	if !utf8.Valid(data) {
		return nil, errors.New("the text is not UTF-8")
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return nil, errors.New("the text does not begin a JSON object")
	}
	object := Object{}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return nil, errors.New("a field's name is malformed")
		}
		name := token.(string) // the decoder accepts nothing else here
		if _, twice := object[name]; twice {
			return nil, errors.New("two fields have one name")
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, errors.New("a field's value is malformed")
		}
		object[name] = value
	}
	if _, err := decoder.Token(); err != nil {
		return nil, errors.New("the JSON object does not end")
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the JSON object")
	}
	return object, nil
}

// Has reports whether a field is present and not null.
func (o Object) Has(name string) bool {
	value, ok := o[name]
	return ok && !bytes.Equal(value, []byte("null"))
}

// String returns a field's text; "" when it is absent or null. ok is false when it is something else.
func (o Object) String(name string) (text string, ok bool) {
	if !o.Has(name) {
		return "", true
	}
	if err := json.Unmarshal(o[name], &text); err != nil {
		return "", false
	}
	return text, true
}

// Object returns a field that is itself an object; the error is that of ParseObject.
func (o Object) Object(name string) (Object, error) { return ParseObject(o[name]) }

// QueryObject returns a request's query in the form of a body: each name with its value, as a text. Errors: 400
// bad_request for a malformed query, invalid UTF-8, and a duplicate name.
func QueryObject(r *http.Request) (Object, error) { return texts(r.URL.RawQuery) }

// ReadForm reads a submitted HTML form of at most limit bytes in the form of a body, as QueryObject does. Errors: those
// of ReadBody; 400 bad_request for a malformed form.
func ReadForm(r *http.Request, limit int64) (Object, error) {
	data, err := ReadBody(r, limit)
	if err != nil {
		return nil, err
	}
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/x-www-form-urlencoded" {
		return nil, BadRequest("the body is not a form")
	}
	return texts(string(data))
}

// texts parses names and values in the syntax of a query. A duplicate name is an error, because parsers differ in which
// value counts. Errors: 400 bad_request.
func texts(query string) (Object, error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, BadRequest("the names and values could not be read")
	}
	object := Object{}
	for name, each := range values {
		if len(each) > 1 || !utf8.ValidString(each[0]) {
			return nil, BadRequest("a name appears twice, or a value is not UTF-8")
		}
		object[name], _ = json.Marshal(each[0]) // a text: never fails
	}
	return object, nil
}
