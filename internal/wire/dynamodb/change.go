package dynamodb

import (
	"io"
	"net/http"
	"strconv"

	"github.com/storespec/storespec/internal/wire"
)

// take reads a request's body. The request that it returns can be read again. A client that has gone gets no answer.
func take(req *http.Request) (*http.Request, []byte) {
	if req.Body == nil || req.Body == http.NoBody {
		return req, nil
	}
	body, err := io.ReadAll(req.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	return wire.WithBody(req, body), body
}

// withBody returns a copy of a request with another body, not signed.
func withBody(req *http.Request, body []byte) *http.Request {
	other := wire.WithBody(req, body)
	other.Header = req.Header.Clone()
	if other.Header.Get("Content-Length") != "" {
		other.Header.Set("Content-Length", strconv.Itoa(len(body)))
	}
	return other
}

// asking returns a copy of a request that asks for another operation, not signed.
func asking(req *http.Request, operation string, body []byte) *http.Request {
	other := withBody(req, body)
	other.Header.Set(headerTarget, targetPrefix+operation)
	return other
}

// operationOf returns what a request asks for.
func operationOf(req *http.Request) string {
	return Protocol{}.Decode(wire.HeadOf(req)).Call().Operation
}

// edited sends an answer after an edit of its body; one that cannot be edited, such as an error, is sent as it is.
func edited(answer *wire.Answer, w http.ResponseWriter, edit func(object) object) {
	encoding := answer.Header().Get("Content-Encoding")
	if answer.Status == http.StatusOK && encoding == "" {
		if body, err := parseObject(answer.Body); err == nil {
			answer.Body = edit(body).bytes()
			finish(answer.Header(), answer.Body)
		}
	}
	answer.Send(w)
}
