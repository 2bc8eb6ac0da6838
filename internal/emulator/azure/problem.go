package azure

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// Problem is an error as the services answer it.
// https://learn.microsoft.com/rest/api/storageservices/status-and-error-codes2
type Problem struct {
	Status  int
	Code    string
	Message string
	// Extra are the elements that a blob error has beside code and message, such as
	// AuthenticationErrorDetail, in order.
	Extra []Detail
	// Header are headers the answer has because of the problem; may be nil.
	Header http.Header
}

// Detail is one more element of an error.
type Detail struct{ Name, Value string }

func (p *Problem) Error() string { return fmt.Sprintf("%d %s: %s", p.Status, p.Code, p.Message) }

// NewProblem makes a problem without extras.
func NewProblem(status int, code, message string) *Problem {
	return &Problem{Status: status, Code: code, Message: message}
}

// With adds an element to the problem and returns it.
func (p *Problem) With(name, value string) *Problem {
	p.Extra = append(p.Extra, Detail{name, value})
	return p
}

// The problems that both services have.
// https://learn.microsoft.com/rest/api/storageservices/common-rest-api-error-codes

// InvalidHeaderValue is for a header that cannot be read.
func InvalidHeaderValue(name, value string) *Problem {
	return NewProblem(http.StatusBadRequest, "InvalidHeaderValue", "The value for one of the HTTP headers is not in the correct format.").
		With("HeaderName", name).With("HeaderValue", value)
}

// MissingHeader is for a required header that is not there.
func MissingHeader(name string) *Problem {
	return NewProblem(http.StatusBadRequest, "MissingRequiredHeader", "An HTTP header that's mandatory for this request is not specified.").
		With("HeaderName", name)
}

// InvalidQuery is for a query parameter whose value is not one of those allowed.
func InvalidQuery(name, value, reason string) *Problem {
	return NewProblem(http.StatusBadRequest, "InvalidQueryParameterValue", "Value for one of the query parameters specified in the request URI is invalid.").
		With("QueryParameterName", name).With("QueryParameterValue", value).With("Reason", reason)
}

// QueryOutOfRange is for a number in a query parameter that is too small or too large.
func QueryOutOfRange(name, value string, least, most int64) *Problem {
	return NewProblem(http.StatusBadRequest, "OutOfRangeQueryParameterValue", "One of the query parameters specified in the request URI is outside the permissible range.").
		With("QueryParameterName", name).With("QueryParameterValue", value).
		With("MinimumAllowed", strconv.FormatInt(least, 10)).With("MaximumAllowed", strconv.FormatInt(most, 10))
}

// MissingQuery is for a required query parameter that is not there.
func MissingQuery(name string) *Problem {
	return NewProblem(http.StatusBadRequest, "MissingRequiredQueryParameter", "A query parameter that's mandatory for this request is not specified.").
		With("QueryParameterName", name)
}

// InvalidURI is for an address that is none of the service's.
func InvalidURI() *Problem {
	return NewProblem(http.StatusBadRequest, "InvalidUri", "The requested URI does not represent any resource on the server.")
}

// UnsupportedVerb is for a method the resource does not have.
func UnsupportedVerb() *Problem {
	return NewProblem(http.StatusMethodNotAllowed, "UnsupportedHttpVerb", "The resource doesn't support specified Http Verb.")
}

// InvalidXML is for a body that is not the XML the operation takes.
func InvalidXML() *Problem {
	return NewProblem(http.StatusBadRequest, "InvalidXmlDocument", "XML specified is not syntactically valid.")
}

// InvalidInput is for a body or an argument that cannot be read.
func InvalidInput(message string) *Problem {
	if message == "" {
		message = "One of the request inputs is not valid."
	}
	return NewProblem(http.StatusBadRequest, "InvalidInput", message)
}

// BodyTooLarge is for a body over the operation's limit.
func BodyTooLarge() *Problem {
	return NewProblem(http.StatusRequestEntityTooLarge, "RequestBodyTooLarge", "The request body is too large and exceeds the maximum permissible limit.")
}

// Internal is for an error of the emulator itself. What it was is not for the client.
func Internal() *Problem {
	return NewProblem(http.StatusInternalServerError, "InternalError", "Server encountered an internal error. Please try again after some time.")
}

// ResourceNotFound is for a resource that is not there, or that its reader may not know of.
func ResourceNotFound() *Problem {
	return NewProblem(http.StatusNotFound, "ResourceNotFound", "The specified resource does not exist.")
}

// NotImplemented is for an operation Azure has and the emulator has not.
func NotImplemented() *Problem {
	return NewProblem(http.StatusNotImplemented, "NotImplemented", "The requested operation is not implemented on the specified resource.")
}

// Write answers with the problem in the form of r's service: a table's as WriteJSON or, when the
// client accepts only Atom, as WriteAtom; a blob's as WriteXML.
func (p *Problem) Write(w http.ResponseWriter, r *Request) {
	switch {
	case r.Service == Blob:
		p.WriteXML(w, r)
	case acceptsAtom(r.HTTP):
		p.WriteAtom(w, r)
	default:
		p.WriteJSON(w, r)
	}
}

// acceptsAtom: JSON is the only form since version 2015-12-11, so that XML has to be asked for.
func acceptsAtom(r *http.Request) bool {
	accept := r.Header.Get("Accept")
	return !strings.Contains(accept, "json") && (strings.Contains(accept, "application/atom+xml") || strings.Contains(accept, "application/xml"))
}

// full is the message with the lines that both services append.
func (p *Problem) full(r *Request) string {
	return p.Message + "\nRequestId:" + r.ID + "\nTime:" + r.Now.UTC().Format("2006-01-02T15:04:05.0000000Z")
}

// JSON is the body of WriteJSON, for the parts of a batch too.
func (p *Problem) JSON(r *Request) []byte {
	type message struct {
		Lang  string `json:"lang"`
		Value string `json:"value"`
	}
	var body struct {
		Error struct {
			Code    string  `json:"code"`
			Message message `json:"message"`
		} `json:"odata.error"`
	}
	body.Error.Code, body.Error.Message = p.Code, message{"en-US", p.full(r)}
	encoded, err := json.Marshal(body)
	if err != nil { // strings only
		return nil
	}
	return encoded
}

// WriteJSON answers as the table service does to a client that takes JSON.
func (p *Problem) WriteJSON(w http.ResponseWriter, r *Request) {
	contentType := "application/json;odata=minimalmetadata;streaming=true;charset=utf-8"
	if strings.Contains(r.HTTP.Header.Get("Accept"), "nometadata") {
		contentType = "application/json;odata=nometadata;streaming=true;charset=utf-8"
	}
	p.write(w, r, contentType, p.JSON(r))
}

// WriteAtom answers as the table service does to a client that takes Atom.
func (p *Problem) WriteAtom(w http.ResponseWriter, r *Request) {
	var b bytes.Buffer
	b.WriteString(xml.Header + `<error xmlns="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><code>`)
	_ = xml.EscapeText(&b, []byte(p.Code)) // a buffer takes every write
	b.WriteString(`</code><message xml:lang="en-US">`)
	_ = xml.EscapeText(&b, []byte(p.full(r)))
	b.WriteString(`</message></error>`)
	p.write(w, r, "application/xml", b.Bytes())
}

// WriteXML answers as the blob service does.
func (p *Problem) WriteXML(w http.ResponseWriter, r *Request) {
	p.write(w, r, "application/xml", p.XML(r))
}

// XML is the body of WriteXML, for the parts of a batch too.
func (p *Problem) XML(r *Request) []byte {
	var b bytes.Buffer
	b.WriteString(`<?xml version="1.0" encoding="utf-8"?><Error>`)
	for _, e := range append([]Detail{{"Code", p.Code}, {"Message", p.full(r)}}, p.Extra...) {
		b.WriteString("<" + e.Name + ">")
		_ = xml.EscapeText(&b, []byte(e.Value)) // a buffer takes every write
		b.WriteString("</" + e.Name + ">")
	}
	b.WriteString("</Error>")
	return b.Bytes()
}

// write sends a problem. An answer to HEAD, and one of 304, has no body; its code is in the header.
func (p *Problem) write(w http.ResponseWriter, r *Request, contentType string, body []byte) {
	h := w.Header()
	for name, values := range p.Header {
		h[name] = values
	}
	h["X-Ms-Error-Code"] = []string{p.Code}
	if p.Status == http.StatusNotModified || r.HTTP.Method == http.MethodHead {
		w.WriteHeader(p.Status)
		return
	}
	h["Content-Type"] = []string{contentType}
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	w.WriteHeader(p.Status)
	_, _ = w.Write(body) // nobody is left to tell
}
