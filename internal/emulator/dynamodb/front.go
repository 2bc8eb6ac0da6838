package dynamodb

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base32"
	"errors"
	"hash/crc32"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/storespec/storespec/internal/emulator/patience"
)

const (
	// maxBody is the largest request that DynamoDB takes.
	maxBody = 16 << 20
	// bodyKept bounds the buffers that are kept for later requests.
	bodyKept = 64 << 10

	contentType = "application/x-amz-json-1.0"
)

// call is a request whose signature is right.
type call struct {
	account *Account
	body    []byte
	out     []byte // the answer
}

var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// serve answers one request; only names the one access key that is known, or is empty.
func (s *Service) serve(w http.ResponseWriter, r *http.Request, only string) {
	header := w.Header()
	header["X-Amzn-Requestid"] = []string{requestID()}
	switch {
	case r.Method == http.MethodGet && r.URL.RawQuery == "":
		plain(w, http.StatusOK, "healthy: dynamodb."+defaultRegion+".amazonaws.com ")
		return
	case r.Method != http.MethodPost || !isJSON(r.Header.Get("Content-Type")):
		plain(w, http.StatusNotFound, "<UnknownOperationException/>\n")
		return
	}
	buffer, _ := bodies.Get().(*bytes.Buffer)
	buffer.Reset()
	defer func() {
		if buffer.Cap() <= bodyKept {
			bodies.Put(buffer)
		}
	}()
	if r.ContentLength > maxBody {
		tooLarge(w, r)
		return
	}
	if n, err := io.Copy(buffer, io.LimitReader(r.Body, maxBody+1)); n > maxBody {
		tooLarge(w, r)
		return
	} else if patience.RanOut(err) {
		unread(w, http.StatusRequestTimeout, "RequestTimeoutException", "Reading the Request timed out")
		return
	} else if err != nil {
		panic(http.ErrAbortHandler) // the client has gone
	}
	out, err := s.call(r, buffer.Bytes(), only)
	status := http.StatusOK
	if err != nil {
		out, status = s.refusal(err)
	}
	answer(w, status, out)
}

func isJSON(contentType string) bool {
	kind, _, _ := strings.Cut(contentType, ";")
	kind = strings.TrimSpace(kind)
	return kind == "application/x-amz-json-1.0" || kind == "application/json"
}

// call checks who asks for what, and does it.
func (s *Service) call(r *http.Request, body []byte, only string) ([]byte, error) {
	operation := operationOf(r.Header.Get("X-Amz-Target"))
	if operation == nil {
		return nil, &problem{kind: kindUnknown, status: http.StatusBadRequest}
	}
	id, err := s.authenticate(r, body, only)
	if err != nil {
		return nil, err
	}
	account, err := s.Account(id.accessKey, id.region)
	if err != nil {
		return nil, err
	}
	c := &call{account: account, body: body}
	if operation.data {
		if err := account.weather.admit(); err != nil {
			return nil, err
		}
	}
	err = account.run(c, operation)
	return c.out, err
}

// refusal returns the answer that an error makes.
func (s *Service) refusal(err error) ([]byte, int) {
	p := problemOf(err)
	if p == nil {
		if errors.Is(err, context.Canceled) {
			panic(http.ErrAbortHandler)
		}
		s.options.Log("dynamodb: %v", err)
		p = &problem{kind: kindInternal, message: "Internal server error", status: http.StatusInternalServerError}
	}
	return p.answer(), p.status
}

func answer(w http.ResponseWriter, status int, body []byte) {
	header := w.Header()
	header["Content-Type"] = []string{contentType}
	header["X-Amz-Crc32"] = []string{strconv.FormatUint(uint64(crc32.ChecksumIEEE(body)), 10)}
	header["Content-Length"] = []string{strconv.Itoa(len(body))}
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may have gone
}

func plain(w http.ResponseWriter, status int, text string) {
	header := w.Header()
	header["X-Amz-Crc32"] = []string{strconv.FormatUint(uint64(crc32.ChecksumIEEE([]byte(text))), 10)}
	header["Content-Length"] = []string{strconv.Itoa(len(text))}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text) // the client may have gone
}

// tooLarge answers a body that is larger than DynamoDB takes, after reading some of what is left: a client that still
// writes would not read the answer.
func tooLarge(w http.ResponseWriter, r *http.Request) {
	_, _ = io.CopyN(io.Discard, r.Body, 4*maxBody)
	unread(w, http.StatusRequestEntityTooLarge, "RequestEntityTooLargeException", "Request size exceeds the limit")
}

// unread answers a request whose body was not read, and ends the connection. The answers are those that AWS documents
// as common to its services; that DynamoDB gives them is an assumption.
// https://docs.aws.amazon.com/lambda/latest/api/CommonErrors.html
func unread(w http.ResponseWriter, status int, kind, message string) {
	w.Header().Set("Connection", "close")
	answer(w, status, (&problem{kind: service + kind, message: message}).answer())
}

var requestIDs = base32.StdEncoding.WithPadding(base32.NoPadding)

// requestID is 52 letters and digits, as DynamoDB's are.
func requestID() string {
	var random [32]byte
	_, _ = rand.Read(random[:]) // never fails
	return requestIDs.EncodeToString(random[:])
}
