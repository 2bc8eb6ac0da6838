package azure

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/emulator/azureauth"
	"github.com/storespec/storespec/internal/wire"
)

const (
	// spokenVersion is the version of the services that made-up requests and answers name, if the request they are for
	// names none.
	spokenVersion = "2019-02-02"
	version       = "X-Ms-Version"

	jsonWithout = "application/json;odata=nometadata"
	jsonMinimal = "application/json;odata=minimalmetadata"
	jsonFull    = "application/json;odata=fullmetadata"
)

// etag returns the version of an entity or a blob that was changed at a time.
func etag(service wire.Service, at time.Time) string {
	if service == Blob {
		return fmt.Sprintf(`"0x%X"`, at.UnixNano())
	}
	return `W/"datetime'` + url.QueryEscape(at.UTC().Format("2006-01-02T15:04:05.0000000Z")) + `'"`
}

// speak sets the headers that every answer of a service has.
func speak(h http.Header, req *http.Request) {
	h.Set(version, spokenVersion)
	if spoken := req.Header.Get(version); spoken != "" {
		h.Set(version, spoken)
	}
	h.Set("X-Ms-Request-Id", rand.Text())
	if id := req.Header.Get("X-Ms-Client-Request-Id"); id != "" {
		h.Set("X-Ms-Client-Request-Id", id)
	}
}

// Pretend follows the REST documents of Insert Entity, Update Entity, Delete Entity and Performing Entity Group
// Transactions.
func (Tables) Pretend(w http.ResponseWriter, req *http.Request, body []byte) {
	call := wholeCall(Table, req, body)
	speak(w.Header(), req)
	switch {
	case call.Class == Transaction:
		pretendTransaction(w, call, contentIDs(Table, req, body))
	case call.Class == Delete:
		w.WriteHeader(http.StatusNoContent)
	case call.Class == Insert && req.Header.Get("Prefer") != "return-no-content":
		w.Header().Set("ETag", etag(Table, time.Now()))
		w.Header().Set("Content-Type", jsonMinimal)
		w.WriteHeader(http.StatusCreated)
		_, _ = w.Write(body)
	default:
		w.Header().Set("ETag", etag(Table, time.Now()))
		w.WriteHeader(http.StatusNoContent)
	}
}

// pretendTransaction answers each operation as a success without content.
func pretendTransaction(w http.ResponseWriter, call wire.Call, ids []string) {
	const batch, changes = "batchresponse_storespec", "changesetresponse_storespec"
	var text strings.Builder
	fmt.Fprintf(&text, "--%s\r\nContent-Type: multipart/mixed; boundary=%s\r\n\r\n", batch, changes)
	for i, operation := range call.Inner {
		fmt.Fprintf(&text, "--%s\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n"+
			"HTTP/1.1 204 No Content\r\n", changes)
		if ids[i] != "" {
			fmt.Fprintf(&text, "Content-ID: %s\r\n", ids[i])
		}
		if operation.Class != Delete {
			fmt.Fprintf(&text, "ETag: %s\r\n", etag(Table, time.Now()))
		}
		text.WriteString("\r\n\r\n")
	}
	fmt.Fprintf(&text, "--%s--\r\n--%s--\r\n", changes, batch)
	w.Header().Set("Content-Type", "multipart/mixed; boundary="+batch)
	w.WriteHeader(http.StatusAccepted)
	_, _ = io.WriteString(w, text.String())
}

// Pretend follows the REST documents of Put Blob, Delete Blob and the others that change a blob.
func (Blobs) Pretend(w http.ResponseWriter, req *http.Request, body []byte) {
	call := wholeCall(Blob, req, body)
	speak(w.Header(), req)
	now := time.Now()
	if call.Class != Delete {
		w.Header().Set("ETag", etag(Blob, now))
		w.Header().Set("Last-Modified", now.UTC().Format(http.TimeFormat))
		w.Header().Set("X-Ms-Request-Server-Encrypted", "true")
	}
	switch comp, _ := azureauth.Lookup(req.URL.RawQuery, "comp"); {
	case call.Class == Delete, call.Class == Copy:
		if call.Class == Copy {
			w.Header().Set("X-Ms-Copy-Id", rand.Text())
			w.Header().Set("X-Ms-Copy-Status", "success")
		}
		w.WriteHeader(http.StatusAccepted)
	case comp == "metadata", comp == "properties", comp == "tier":
		w.WriteHeader(http.StatusOK)
	case comp == "tags":
		w.WriteHeader(http.StatusNoContent)
	default:
		w.WriteHeader(http.StatusCreated)
	}
}

// conditionInBatch is the condition of an operation of a transaction. No line of its entity begins so: a text in JSON
// holds no line break.
var conditionInBatch = regexp.MustCompile(`(?mi)^(If-Match:[ \t]*)[^*\s][^\r\n]*`)

// Unconditional replaces If-Match by the one that any version meets: without it, the write would be another operation.
func (Tables) Unconditional(req *http.Request, body []byte) (*http.Request, []byte, bool) {
	if call := wholeCall(Table, req, body); call.Class == Transaction {
		changed := conditionInBatch.ReplaceAll(body, []byte("${1}*"))
		return withHeader(wire.WithBody(req, changed), "If-Match", ""), changed, !bytes.Equal(changed, body)
	}
	if match := req.Header.Get("If-Match"); match == "" || match == "*" {
		return req, body, false
	}
	return withHeader(req, "If-Match", "*"), body, true
}

// Unconditional removes all conditions.
func (Blobs) Unconditional(req *http.Request, body []byte) (*http.Request, []byte, bool) {
	found := conditional(req.Header) != ""
	for _, name := range conditions() {
		req = withHeader(req, name, "")
	}
	return req, body, found
}

// Unfiltered removes $filter.
func (Tables) Unfiltered(req *http.Request, body []byte) (*http.Request, []byte, bool) {
	return without(req, body, "$filter")
}

// Unfiltered removes the prefix of the names that are listed.
func (Blobs) Unfiltered(req *http.Request, body []byte) (*http.Request, []byte, bool) {
	return without(req, body, "prefix")
}

func without(req *http.Request, body []byte, parameter string) (*http.Request, []byte, bool) {
	value, found := azureauth.Lookup(req.URL.RawQuery, parameter)
	if !found || value == "" {
		return req, body, false
	}
	return withQuery(req, withParameter(req.URL.RawQuery, parameter, "")), body, true
}

// Named returns a point read of each entity that the write names.
func (Tables) Named(req *http.Request, body []byte) []*http.Request {
	call := wholeCall(Table, req, body)
	changes := call.Inner
	if len(changes) == 0 {
		changes = []wire.Call{call}
	}
	var reads []*http.Request
	for _, one := range changes {
		if !one.Writes() || len(one.Key) != len(entityKey) {
			continue
		}
		quoted := func(key string) string { return url.PathEscape(strings.ReplaceAll(key, "'", "''")) }
		read := get(req, Table, fmt.Sprintf("%s(PartitionKey='%s',RowKey='%s')", one.Resource, quoted(one.Key[0]),
			quoted(one.Key[1])))
		read.Header.Set("Accept", jsonWithout)
		reads = append(reads, read)
	}
	return reads
}

// Named returns a read of the blob that the write names.
func (Blobs) Named(req *http.Request, body []byte) []*http.Request {
	call := wholeCall(Blob, req, body)
	if !call.Writes() || len(call.Key) != len(blobKey) {
		return nil
	}
	return []*http.Request{get(req, Blob, resourcePath(Blob, req.Host, req.URL.EscapedPath()))}
}

// get returns a request for a resource of the account that another request is for, on behalf of the same client
// request.
func get(of *http.Request, service wire.Service, resource string) *http.Request {
	path := "/" + resource
	if !azureauth.HostNamesAccount(service, of.Host) {
		account, _, _ := strings.Cut(strings.TrimPrefix(of.URL.EscapedPath(), "/"), "/")
		path = "/" + account + path
	}
	read := of.WithContext(of.Context())
	read.Method, read.Body, read.ContentLength, read.RequestURI = http.MethodGet, http.NoBody, 0, path
	read.TransferEncoding, read.GetBody = nil, nil
	address := *of.URL
	address.RawQuery, address.RawPath = "", path
	address.Path, _ = url.PathUnescape(path) // it was escaped here, or decoded before
	read.URL = &address
	read.Header = http.Header{version: {spokenVersion}}
	for _, name := range []string{version, "Traceparent", "X-Ms-Client-Request-Id"} {
		if values := of.Header[name]; len(values) > 0 {
			read.Header[name] = values
		}
	}
	return read
}

// wholeCall decodes a request with its body.
func wholeCall(service wire.Service, req *http.Request, body []byte) wire.Call {
	return wholeReading(service, req, body).Call()
}

func wholeReading(service wire.Service, req *http.Request, body []byte) *reading {
	rd := decode(service, wire.HeadOf(req))
	if sink := rd.Request(); sink != nil {
		_, _ = sink.Write(body) // scanners never fail
	}
	return rd
}

// contentIDs returns the Content-ID of each operation of a batch.
func contentIDs(service wire.Service, req *http.Request, body []byte) []string {
	if rd := wholeReading(service, req, body); rd.batch != nil {
		return rd.batch.ids
	}
	return nil
}

// withHeader returns a copy of a request with a different header, or without it if value is empty.
func withHeader(req *http.Request, name, value string) *http.Request {
	other := req.WithContext(req.Context())
	if other.Header = req.Header.Clone(); value == "" {
		other.Header.Del(name)
	} else {
		other.Header.Set(name, value)
	}
	return other
}
