package web

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strconv"
)

// Reply is an answer: OK, Plain, JSON, File, NotModified, Page, SeeOther or *Error.
type Reply interface {
	// write sends the answer and returns its status.
	write(w http.ResponseWriter, traceID string) (int, error)
}

// OK is a 200 with these fields, ok:true and the traceId.
type OK map[string]any

func (fields OK) write(w http.ResponseWriter, traceID string) (int, error) {
	body := maps.Clone(map[string]any(fields))
	if body == nil {
		body = map[string]any{}
	}
	body["ok"], body["traceId"] = true, traceID
	return writeJSON(w, http.StatusOK, body)
}

// Plain is a 200 with these fields and no others.
type Plain map[string]any

func (fields Plain) write(w http.ResponseWriter, _ string) (int, error) {
	return writeJSON(w, http.StatusOK, fields)
}

// JSON is any value with any status.
type JSON struct {
	Status int
	Value  any // for encoding/json
}

func (j JSON) write(w http.ResponseWriter, _ string) (int, error) {
	return writeJSON(w, j.Status, j.Value)
}

// File is a 200 with bytes of a known type.
type File struct {
	ContentType string
	Data        []byte
}

func (f File) write(w http.ResponseWriter, _ string) (int, error) {
	return writeBody(w, http.StatusOK, f.ContentType, f.Data)
}

// NotModified is a 304: the client's copy is still valid.
type NotModified struct{}

func (NotModified) write(w http.ResponseWriter, _ string) (int, error) { //nolint:unparam // as every Reply
	w.WriteHeader(http.StatusNotModified)
	return http.StatusNotModified, nil
}

// Page is a complete HTML document. The handler sets headers such as Content-Security-Policy.
type Page struct {
	Status int
	HTML   []byte
}

func (p Page) write(w http.ResponseWriter, _ string) (int, error) {
	return writeBody(w, p.Status, "text/html; charset=utf-8", p.HTML)
}

// SeeOther is a 303 to an address of this server: the answer to a form, so that a reload repeats nothing.
type SeeOther string

func (address SeeOther) write(w http.ResponseWriter, _ string) (int, error) {
	w.Header().Set("Location", string(address))
	return writeBody(w, http.StatusSeeOther, "text/plain; charset=utf-8", []byte("go on at "+string(address)+"\n"))
}

func writeJSON(w http.ResponseWriter, status int, fields any) (int, error) {
	data, err := json.Marshal(fields)
	if err != nil {
		return writeBody(w, http.StatusInternalServerError, "application/json", []byte(
			`{"ok":false,"error":"`+internalError+`","message":"`+internalMessage+`","traceId":""}`))
	}
	return writeBody(w, status, "application/json", data)
}

func writeBody(w http.ResponseWriter, status int, contentType string, data []byte) (int, error) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	w.WriteHeader(status)
	if _, err := w.Write(data); err != nil {
		return status, fmt.Errorf("writing the answer: %w", err)
	}
	return status, nil
}
