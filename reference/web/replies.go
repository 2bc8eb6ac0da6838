package web

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strconv"
)

// Reply is an answer: OK, Plain, File or *Error.
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

// File is a 200 with bytes of a known type.
type File struct {
	ContentType string
	Data        []byte
}

func (f File) write(w http.ResponseWriter, _ string) (int, error) {
	return writeBody(w, http.StatusOK, f.ContentType, f.Data)
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
