package azure

import (
	"bytes"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"strings"
)

// Problem is an error in the form in which the services return it.
// https://learn.microsoft.com/rest/api/storageservices/status-and-error-codes2
type Problem struct {
	Status  int
	Code    string
	Message string
	// Extra holds the elements that a blob error has besides code and message, such as AuthenticationErrorDetail, in
	// order.
	Extra []Detail
	// Header holds the headers that the problem adds to the answer; may be nil.
	Header http.Header
}

// Detail is an additional element of an error.
type Detail struct{ Name, Value string }

func (p *Problem) Error() string { return fmt.Sprintf("%d %s: %s", p.Status, p.Code, p.Message) }

// NewProblem returns a problem without extras.
func NewProblem(status int, code, message string) *Problem {
	return &Problem{Status: status, Code: code, Message: message}
}

// Define makes a maker of problems that are always the same: an entry in a service's table of errors. Inlined, each
// entry would become a function of its own, and the programs larger.
//
//go:noinline
func Define(status int, code, message string) func() *Problem {
	return func() *Problem { return NewProblem(status, code, message) }
}

// BadRequest is Define for the status 400.
func BadRequest(code, message string) func() *Problem {
	return Define(http.StatusBadRequest, code, message)
}

// NotFound is Define for the status 404.
func NotFound(code, message string) func() *Problem {
	return Define(http.StatusNotFound, code, message)
}

// Conflict is Define for the status 409.
func Conflict(code, message string) func() *Problem {
	return Define(http.StatusConflict, code, message)
}

// With adds an element to the problem and returns it.
func (p *Problem) With(name, value string) *Problem {
	p.Extra = append(p.Extra, Detail{name, value})
	return p
}

// because is With for the reason of a failed authentication; there may be none.
func (p *Problem) because(detail string) *Problem {
	if detail == "" {
		return p
	}
	return p.With("AuthenticationErrorDetail", detail)
}

// The problems that both services have.
// https://learn.microsoft.com/rest/api/storageservices/common-rest-api-error-codes

var (
	// InvalidURI is for an address that the service does not have.
	InvalidURI = BadRequest("InvalidUri", "The requested URI does not represent any resource on the server.")
	// UnsupportedVerb is for a method the resource does not support.
	UnsupportedVerb = Define(http.StatusMethodNotAllowed, "UnsupportedHttpVerb",
		"The resource doesn't support specified Http Verb.")
	// InvalidXML is for a body that is not the XML the operation expects.
	InvalidXML = BadRequest("InvalidXmlDocument", "XML specified is not syntactically valid.")
	// BodyTooLarge is for a body over the operation's limit.
	BodyTooLarge = Define(http.StatusRequestEntityTooLarge, "RequestBodyTooLarge",
		"The request body is too large and exceeds the maximum permissible limit.")
	// OperationTimedOut is for a body whose next part did not come in time. Azure answers 500 also when the client is
	// slow (ClientTimeoutError).
	// https://learn.microsoft.com/rest/api/storageservices/storage-analytics-logged-operations-and-status-messages
	OperationTimedOut = Define(http.StatusInternalServerError, "OperationTimedOut",
		"The operation could not be completed within the permitted time.")
	// Internal is for an error of the emulator itself. The client gets no details.
	Internal = Define(http.StatusInternalServerError, "InternalError",
		"Server encountered an internal error. Please try again after some time.")
	// ResourceNotFound is for a resource that does not exist, or that the caller may not know of.
	ResourceNotFound = NotFound("ResourceNotFound", "The specified resource does not exist.")
	// NotImplemented is for an operation that Azure has and the emulator does not.
	NotImplemented = Define(http.StatusNotImplemented, "NotImplemented",
		"The requested operation is not implemented on the specified resource.")
)

// InvalidHeaderValue is for a header that cannot be parsed.
func InvalidHeaderValue(name, value string) *Problem {
	return NewProblem(http.StatusBadRequest, "InvalidHeaderValue",
		"The value for one of the HTTP headers is not in the correct format.").
		With("HeaderName", name).With("HeaderValue", value)
}

// MissingHeader is for a missing required header.
func MissingHeader(name string) *Problem {
	return NewProblem(http.StatusBadRequest, "MissingRequiredHeader",
		"An HTTP header that's mandatory for this request is not specified.").
		With("HeaderName", name)
}

// InvalidQuery is for a query parameter whose value is not one of those allowed.
func InvalidQuery(name, value, reason string) *Problem {
	return NewProblem(http.StatusBadRequest, "InvalidQueryParameterValue",
		"Value for one of the query parameters specified in the request URI is invalid.").
		With("QueryParameterName", name).With("QueryParameterValue", value).With("Reason", reason)
}

// QueryOutOfRange is for a number in a query parameter that is too small or too large.
func QueryOutOfRange(name, value string, least, most int64) *Problem {
	return NewProblem(http.StatusBadRequest, "OutOfRangeQueryParameterValue",
		"One of the query parameters specified in the request URI is outside the permissible range.").
		With("QueryParameterName", name).With("QueryParameterValue", value).
		With("MinimumAllowed", strconv.FormatInt(least, 10)).With("MaximumAllowed", strconv.FormatInt(most, 10))
}

// MissingQuery is for a missing required query parameter.
func MissingQuery(name string) *Problem {
	return NewProblem(http.StatusBadRequest, "MissingRequiredQueryParameter",
		"A query parameter that's mandatory for this request is not specified.").
		With("QueryParameterName", name)
}

// InvalidInput is for a body or an argument that cannot be parsed.
func InvalidInput(message string) *Problem {
	return NewProblem(http.StatusBadRequest, "InvalidInput", cmp.Or(message, "One of the request inputs is not valid."))
}

// Write answers with the problem in the format of r's service: for tables JSON or, if the client accepts only Atom,
// that; for blobs XML.
func (p *Problem) Write(w http.ResponseWriter, r *Request) {
	switch {
	case r.Service == Blob:
		p.write(w, r, "application/xml", p.xml(r))
	case acceptsAtom(r.HTTP):
		p.write(w, r, "application/xml", p.atom(r))
	case strings.Contains(r.HTTP.Header.Get("Accept"), "nometadata"):
		p.write(w, r, "application/json;odata=nometadata;streaming=true;charset=utf-8", p.JSON(r))
	default:
		p.write(w, r, "application/json;odata=minimalmetadata;streaming=true;charset=utf-8", p.JSON(r))
	}
}

// acceptsAtom reports whether the client accepts only Atom. JSON is the only format since version 2015-12-11, so XML
// has to be requested.
func acceptsAtom(r *http.Request) bool {
	accept := r.Header.Get("Accept")
	return !strings.Contains(accept, "json") &&
		(strings.Contains(accept, "application/atom+xml") || strings.Contains(accept, "application/xml"))
}

// full returns the message with the lines that both services append.
func (p *Problem) full(r *Request) string {
	return p.Message + "\nRequestId:" + r.ID + "\nTime:" + r.Now.UTC().Format("2006-01-02T15:04:05.0000000Z")
}

// JSON returns the body of the table service's answer, also for the parts of a batch.
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

// atom returns the body of the table service's answer to a client that accepts Atom.
func (p *Problem) atom(r *Request) []byte {
	var b bytes.Buffer
	b.WriteString(`<?xml version="1.0" encoding="utf-8"?><m:error xmlns:m=` +
		`"http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><m:code>`)
	_ = xml.EscapeText(&b, []byte(p.Code)) // a buffer accepts every write
	b.WriteString(`</m:code><m:message xml:lang="en-US">`)
	_ = xml.EscapeText(&b, []byte(p.full(r)))
	b.WriteString(`</m:message></m:error>`)
	return b.Bytes()
}

// xml returns the body of the blob service's answer.
func (p *Problem) xml(r *Request) []byte {
	var b bytes.Buffer
	b.WriteString(`<?xml version="1.0" encoding="utf-8"?><Error>`)
	for _, e := range append([]Detail{{"Code", p.Code}, {"Message", p.full(r)}}, p.Extra...) {
		b.WriteString("<" + e.Name + ">")
		_ = xml.EscapeText(&b, []byte(e.Value)) // a buffer accepts every write
		b.WriteString("</" + e.Name + ">")
	}
	b.WriteString("</Error>")
	return b.Bytes()
}

// write sends a problem. An answer to HEAD, and a 304, has no body; its code is in the header.
func (p *Problem) write(w http.ResponseWriter, r *Request, contentType string, body []byte) {
	h := w.Header()
	maps.Copy(h, p.Header)
	h["X-Ms-Error-Code"] = []string{p.Code}
	if p.Status == http.StatusNotModified || r.HTTP.Method == http.MethodHead {
		w.WriteHeader(p.Status)
		return
	}
	h["Content-Type"] = []string{contentType}
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	w.WriteHeader(p.Status)
	_, _ = w.Write(body) // the client is gone
}
