package azure

import (
	"cmp"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"io"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Options configure a service's front.
type Options struct {
	Service  Service
	Accounts *Accounts
	// NoAuth treats every request as authorized by the account's key, whatever its signature.
	NoAuth bool
	// OAuth takes bearer tokens over https; their signature is not checked.
	OAuth bool
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Policies returns the stored access policies of a table or a container, for signatures that name one; nil if it
	// does not exist. A nil Policies means there are none.
	Policies func(account *Account, resource string) ([]SignedIdentifier, error)
	// Public returns what anybody may do without credentials, as letters of a signature and the levels (of Level) at
	// which they count; empty: nothing. A nil Public means nothing.
	Public func(*Request) (permissions, levels string)
	// Log receives panics, with their stacks; nil: they are not logged.
	Log func(format string, args ...any)
}

// Front is the front end of a service: it finds the account, checks version, date and signature, sets the common
// headers, answers for service properties and CORS, and turns a panic into 500 InternalError. It passes the other
// requests to the service's function.
type Front struct {
	Options
	serve   func(http.ResponseWriter, *Request)
	process [8]byte // distinguishes the request ids of one run
	count   atomic.Uint64

	scratches sync.Pool // of *scratch
}

// NewFront returns the handler of a service.
func NewFront(o Options, serve func(http.ResponseWriter, *Request)) *Front {
	common := ServiceOptions{Now: o.Now, Log: o.Log}.WithDefaults()
	o.Now, o.Log = common.Now, common.Log
	f := &Front{Options: o, serve: serve}
	f.scratches.New = func() any { return &scratch{signature: make([]byte, 0, 64)} }
	_, _ = rand.Read(f.process[:]) // never fails (crypto/rand)
	return f
}

const (
	serverTable = "Windows-Azure-Table/1.0 Microsoft-HTTPAPI/2.0"
	serverBlob  = "Windows-Azure-Blob/1.0 Microsoft-HTTPAPI/2.0"
)

// ServeHTTP answers one request.
func (f *Front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := &struct { // one allocation
		Request
		answer
	}{
		Request{HTTP: r, Service: f.Service, ID: f.newID(), Now: f.Now().UTC(), front: f},
		answer{ResponseWriter: w},
	}
	f.answer(&x.answer, &x.Request)
}

// answer answers a request, whatever happens.
func (f *Front) answer(w *answer, req *Request) {
	f.commonHeaders(w.Header(), req)
	defer func() {
		p := recover()
		switch p {
		case nil:
			return
		case http.ErrAbortHandler: // the connection is to be cut, so there is no answer
			panic(p)
		}
		f.Log("the %s service panicked: %v\n%s", f.Service, p, debug.Stack())
		if w.begun {
			panic(http.ErrAbortHandler) // half an answer must not look complete
		}
		Internal().Write(w, req)
	}()
	if p := f.admit(w.Header(), req); p != nil {
		drain(req.HTTP)
		p.Write(w, req)
		return
	}
	switch {
	case isPreflight(req):
		w.WriteHeader(http.StatusOK)
	case isServiceProperties(req):
		f.serveProperties(w, req)
	default:
		f.serve(w, req)
	}
}

// answer records whether anything was sent.
type answer struct {
	http.ResponseWriter
	begun bool
}

func (a *answer) WriteHeader(status int) {
	a.begun = true
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(p []byte) (int, error) {
	a.begun = true
	return a.ResponseWriter.Write(p)
}

// ReadFrom lets the operating system copy a file to a connection.
func (a *answer) ReadFrom(from io.Reader) (int64, error) {
	a.begun = true
	return io.Copy(a.ResponseWriter, from)
}

// Unwrap is for http.ResponseController.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// maxDrain is how much of a refused request's body is read, so that a client that is still sending gets the answer and
// not a broken connection.
const maxDrain = 64 << 20

func drain(r *http.Request) {
	if r.Body != nil && r.Header.Get("Expect") == "" { // a client that expects 100-continue has sent nothing yet
		_, _ = io.CopyN(io.Discard, r.Body, maxDrain) // the answer is the same if it ends early
	}
}

// admit fills in the request and returns why it may not proceed, if so.
func (f *Front) admit(h http.Header, req *Request) *Problem {
	account, path := f.locate(req)
	if p := checkVersion(req); p != nil {
		return p
	}
	h["X-Ms-Version"] = []string{req.Version}
	if req.Account = f.Accounts.Lookup(account); req.Account == nil {
		return unknownAccount()
	}
	if origin := req.HTTP.Header["Origin"]; len(origin) > 0 || isPreflight(req) {
		if p := f.cors(h, req); p != nil || isPreflight(req) {
			return p
		}
	}
	if !f.NoAuth {
		if p := f.authenticate(req, path); p != nil {
			return p
		}
	}
	if p := readTimeout(req); p != nil {
		return p
	}
	if req.Secondary && req.HTTP.Method != http.MethodGet && req.HTTP.Method != http.MethodHead {
		return NewProblem(http.StatusForbidden, "WriteOperationNotSupportedOnSecondary",
			"Write operations are not allowed.")
	}
	return nil
}

// locate parses the address. It returns the account's name and the path as sent.
func (f *Front) locate(req *Request) (account, path string) {
	host, path, query := targetParts(requestTarget(req.HTTP))
	a := splitAddress(f.Service, cmp.Or(host, req.HTTP.Host), path)
	req.Path, req.Query, req.Secondary = a.path, query, a.secondary
	return a.account, path
}

// requestTarget returns the address in the request line as sent; a request that never was on a wire has none.
func requestTarget(r *http.Request) string {
	if r.RequestURI != "" {
		return r.RequestURI
	}
	return r.URL.RequestURI()
}

// commonHeaders sets the headers of every answer.
// https://learn.microsoft.com/rest/api/storageservices/common-rest-api-error-codes
func (f *Front) commonHeaders(h http.Header, req *Request) {
	h["X-Ms-Request-Id"] = []string{req.ID}
	h["Date"] = []string{req.Now.Format(http.TimeFormat)}
	h["Server"] = []string{serverBlob}
	if f.Service == Table {
		h["Server"] = []string{serverTable}
	}
	if id := req.HTTP.Header["X-Ms-Client-Request-Id"]; len(id) > 0 && len(id[0]) <= 1024 {
		h["X-Ms-Client-Request-Id"] = id[:1]
	}
}

// newID returns a GUID: half of it is random per process, half a counter.
func (f *Front) newID() string {
	var raw [16]byte
	binary.BigEndian.PutUint64(raw[:8], f.count.Add(1)*0x9E3779B97F4A7C15) // spread, so that ids do not look alike
	copy(raw[8:], f.process[:])
	var text [36]byte
	return string(AppendGUID(text[:0], raw))
}

// AppendGUID appends a GUID in its usual form: 8-4-4-4-12 digits.
func AppendGUID(dst []byte, g [16]byte) []byte {
	dst = append(hex.AppendEncode(dst, g[:4]), '-')
	dst = append(hex.AppendEncode(dst, g[4:6]), '-')
	dst = append(hex.AppendEncode(dst, g[6:8]), '-')
	dst = append(hex.AppendEncode(dst, g[8:10]), '-')
	return hex.AppendEncode(dst, g[10:])
}

const (
	// latestVersion is the newest version of the REST API that the emulator knows. Newer ones are accepted too, so that
	// a new SDK works with an old emulator.
	latestVersion = "2026-12-06"
	// oldestVersion is the first version with the current rules for signatures and empty headers.
	oldestVersion = "2009-09-19"
)

// checkVersion accepts x-ms-version, or api-version in the query, in the format of a date. A request without one uses
// the version its signature names, or else the newest.
// https://learn.microsoft.com/rest/api/storageservices/versioning-for-the-azure-storage-services
func checkVersion(req *Request) *Problem {
	req.Version = latestVersion
	if header := req.HTTP.Header["X-Ms-Version"]; len(header) > 0 {
		if req.Version = header[0]; !isVersion(req.Version) {
			return InvalidHeaderValue("x-ms-version", req.Version)
		}
	} else if v, ok := req.Query.Lookup("api-version"); ok {
		if req.Version = v; !isVersion(v) {
			return InvalidQuery("api-version", v, "The value is not a version.")
		}
	} else if v, ok := req.Query.Lookup("sv"); ok && isVersion(v) {
		req.Version = v
	}
	return nil
}

// maxTimeout is the longest timeout, to which longer ones are cut: that of operations on blobs with a body.
// https://learn.microsoft.com/rest/api/storageservices/setting-timeouts-for-blob-service-operations
const maxTimeout = 10 * time.Minute

// readTimeout parses the parameter timeout, in seconds.
func readTimeout(req *Request) *Problem {
	if req.Query == "" {
		return nil
	}
	text, found := req.Query.Lookup("timeout")
	if !found || text == "" {
		return nil
	}
	seconds, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return InvalidQuery("timeout", text, "The value is not a number of seconds.")
	}
	req.Timeout = min(time.Duration(seconds)*time.Second, maxTimeout)
	return nil
}

// isVersion reports whether s is a date such as 2019-02-02.
func isVersion(s string) bool {
	if len(s) != len(time.DateOnly) || strings.Trim(s, "0123456789-") != "" || s < oldestVersion {
		return false
	}
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}
