package web

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
)

// Reply is an answer: OK, Plain, JSON, Problem, File, NoContent, NotModified, Page, SeeOther or *Error.
type Reply interface {
	// write sends the answer and returns its status.
	write(w http.ResponseWriter, traceID string) int
}

// OK is a 200 with these fields, ok:true and the traceId.
type OK map[string]any

func (fields OK) write(w http.ResponseWriter, traceID string) int {
	body := map[string]any{"ok": true, "traceId": traceID}
	maps.Copy(body, fields)
	return writeJSON(w, http.StatusOK, body)
}

// Plain is a 200 with these fields and no others.
type Plain map[string]any

func (fields Plain) write(w http.ResponseWriter, _ string) int {
	return writeJSON(w, http.StatusOK, fields)
}

// JSON is any value with any status.
type JSON struct {
	Status int
	Value  any // for encoding/json
}

func (j JSON) write(w http.ResponseWriter, _ string) int {
	return writeJSON(w, j.Status, j.Value)
}

// Problem is an error in the format of RFC 9457, whatever its members are.
type Problem struct {
	Status int
	Value  any // for encoding/json
}

func (p Problem) write(w http.ResponseWriter, _ string) int {
	return writeJSONAs(w, p.Status, "application/problem+json", p.Value)
}

// File is a 200 with bytes of a known type.
type File struct {
	ContentType string
	Data        []byte
}

func (f File) write(w http.ResponseWriter, _ string) int {
	return writeBody(w, http.StatusOK, f.ContentType, f.Data)
}

// NoContent is a 204: done, and there is nothing to say.
type NoContent struct{}

func (NoContent) write(w http.ResponseWriter, _ string) int {
	w.WriteHeader(http.StatusNoContent)
	return http.StatusNoContent
}

// NotModified is a 304: the client's copy is still valid.
type NotModified struct{}

func (NotModified) write(w http.ResponseWriter, _ string) int {
	w.WriteHeader(http.StatusNotModified)
	return http.StatusNotModified
}

// Page is a complete HTML document. The handler sets headers such as Content-Security-Policy.
type Page struct {
	Status int
	HTML   []byte
}

func (p Page) write(w http.ResponseWriter, _ string) int {
	return writeBody(w, p.Status, "text/html; charset=utf-8", p.HTML)
}

// SeeOther is a 303 to an address of this server: the answer to a form, so that a reload repeats nothing.
type SeeOther string

func (address SeeOther) write(w http.ResponseWriter, _ string) int {
	w.Header().Set("Location", string(address))
	return writeBody(w, http.StatusSeeOther, "text/plain; charset=utf-8", []byte("go on at "+string(address)+"\n"))
}

func writeJSON(w http.ResponseWriter, status int, fields any) int {
	return writeJSONAs(w, status, "application/json", fields)
}

func writeJSONAs(w http.ResponseWriter, status int, contentType string, fields any) int {
	data, err := json.Marshal(fields)
	if err != nil {
		panic(fmt.Errorf("an answer that JSON cannot express: %w", err))
	}
	return writeBody(w, status, contentType, data)
}

// writeBody answers even if the client no longer listens.
func writeBody(w http.ResponseWriter, status int, contentType string, data []byte) int {
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(status)
	_, _ = w.Write(data)
	return status
}
