package kv

import (
	"encoding/json"
	"net/http"
	"strconv"
)

// A list of a thousand keys is the largest answer that is built of many parts; it is written part by part, since a map
// for each key costs several times as much.

// appendKeys appends keys as a list has them. asText writes metadata as a text with JSON, as the binding's protocol has
// it.
func appendKeys(b []byte, found []Listed, asText bool) []byte {
	b = append(b, '[')
	for i, one := range found {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(append(b, `{"name":`...), one.Key)
		if !one.Expires.IsZero() {
			b = strconv.AppendInt(append(b, `,"expiration":`...), one.Expires.Unix(), 10)
		}
		switch {
		case one.Metadata == nil:
		case asText:
			b = appendText(append(b, `,"metadata":`...), string(one.Metadata))
		default:
			b = append(append(b, `,"metadata":`...), one.Metadata...)
		}
		b = append(b, '}')
	}
	return append(b, ']')
}

// appendText appends a text as JSON.
func appendText(b []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			quoted, _ := json.Marshal(text) // a text can always be encoded
			return append(b, quoted...)
		}
	}
	return append(append(append(b, '"'), text...), '"')
}

// writeValue answers with a value. When it expires is said in the named header.
func writeValue(w http.ResponseWriter, e *Entry, expiration string) error {
	if !e.Expires.IsZero() {
		w.Header().Set(expiration, strconv.FormatInt(e.Expires.Unix(), 10))
	}
	w.Header()["Content-Type"] = bytesType
	w.Header()["Content-Length"] = []string{strconv.Itoa(len(e.Value))}
	_, _ = w.Write(e.Value) // the client may have gone
	return nil
}

// writeBody answers with JSON.
func writeBody(w http.ResponseWriter, status int, body []byte) error {
	header := w.Header()
	header["Content-Type"] = jsonType
	header["Content-Length"] = []string{strconv.Itoa(len(body))}
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may have gone
	return nil
}

var (
	jsonType  = []string{"application/json"}
	bytesType = []string{"application/octet-stream"}
	emptyDone = []byte(`{"success":true,"errors":[],"messages":[],"result":{}}`)
)

// doneEmpty answers a write with an empty result.
func doneEmpty(w http.ResponseWriter) error { return writeBody(w, http.StatusOK, emptyDone) }
