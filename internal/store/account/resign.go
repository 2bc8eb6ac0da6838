package account

import (
	"bytes"
	"cmp"
	"crypto/hmac"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/emulator/azureauth"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

// maxBatch is the service's limit for the body of an entity group transaction: 4 MiB.
const maxBatch = 4 << 20

// resigner sits between a gateway and a real account. A target signs with a made-up key; resigner checks that
// signature, so that no one else on the machine gains the real key's access, translates the path-style address into the
// account's own, and re-signs the request.
//
// Requests without a shared key signature (anonymous, SAS, bearer token) are passed on with only their address changed,
// and the account decides; it refuses a SAS made with the made-up key.
type resigner struct {
	service       wire.Service
	account       string
	made, real    []byte   // the target's key and the account's
	endpoint      *url.URL // https://account.table.core.windows.net, or http://host:port/account
	next          http.RoundTripper
	now           func() time.Time
	proxyUpstream http.Handler
}

// newResigner creates the handler; made is in base64. The endpoint's path, if any, is prepended to every path.
func newResigner(service wire.Service, c *accountConfig, made string, endpoint *url.URL, next http.RoundTripper,
	now func() time.Time) *resigner {
	s := &resigner{service: service, account: c.account, real: c.key, endpoint: endpoint, next: next, now: now}
	s.made, _ = base64.StdEncoding.DecodeString(made) // made by newKey, or published
	s.proxyUpstream = wire.NewProxy(&url.URL{Scheme: endpoint.Scheme, Host: endpoint.Host}, s, azure.NamesAccount)
	return s
}

// ServeHTTP refuses requests that cannot be re-signed, rewrites addresses in the request's header and body, and passes
// it on through the proxy, whose transport is RoundTrip.
func (s *resigner) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, query := target(r.RequestURI)
	refuse := func(status int, code, message string) {
		azure.Error{Status: status, Code: code, Message: message}.Answer(s.service, w, r)
	}
	if _, ok := s.inAccount(path); !ok {
		refuse(http.StatusNotFound, "ResourceNotFound", "the address does not start with the leased account")
		return
	}
	if scheme, _, _ := strings.Cut(r.Header.Get("Authorization"), " "); scheme == azureauth.SharedKey ||
		scheme == azureauth.SharedKeyLite {
		want := azureauth.Authorization(scheme, azureauth.Service(s.service), s.account, s.made, r, path, query)
		if !hmac.Equal([]byte(want), []byte(r.Header.Get("Authorization"))) {
			refuse(http.StatusForbidden, "AuthenticationFailed", "the request is not signed with the leased key")
			return
		}
	}
	// A batch contains requests with their own signatures.
	if comp, _ := azureauth.Lookup(query, "comp"); comp == "batch" && s.service == azure.Blob &&
		r.Method == http.MethodPost {
		refuse(http.StatusNotImplemented, "NotImplemented", "storespec cannot sign the parts of a blob batch again")
		return
	}
	r = r.Clone(r.Context())
	if source := r.Header.Get("X-Ms-Copy-Source"); source != "" {
		r.Header.Set("X-Ms-Copy-Source", s.rewrite(source, r.Host))
	}
	if s.service == azure.Table && strings.HasSuffix(path, "/$batch") {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBatch))
		if errors.As(err, new(*http.MaxBytesError)) {
			refuse(http.StatusRequestEntityTooLarge, "RequestBodyTooLarge", "a transaction may have 4 MiB")
			return
		}
		if err != nil {
			refuse(http.StatusBadRequest, "InvalidInput", "the body could not be read")
			return
		}
		body = rewriteBatch(body, func(address string) string { return s.rewrite(address, r.Host) })
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		r.TransferEncoding = nil
		r.Header.Set("Content-Length", strconv.Itoa(len(body)))
	}
	s.proxyUpstream.ServeHTTP(w, r)
}

// RoundTrip sends a request from the proxy to the account. The signature must match what is sent, so this is the last
// step. ServeHTTP has already checked any shared key signature that gets here.
func (s *resigner) RoundTrip(r *http.Request) (*http.Response, error) {
	path, query := target(r.URL.RequestURI())
	rest, ok := s.inAccount(path)
	if !ok {
		return nil, errors.New("the address does not start with the leased account")
	}
	path = cmp.Or(strings.TrimSuffix(s.endpoint.EscapedPath(), "/")+rest, "/")
	out := r.Clone(r.Context())
	// Opaque preserves the target's encoding of the path.
	out.URL = &url.URL{Scheme: s.endpoint.Scheme, Host: s.endpoint.Host, Opaque: path, RawQuery: query}
	out.Host = ""
	if strings.HasPrefix(out.Header.Get("Authorization"), azureauth.SharedKey) {
		out.Header.Del("Date") // Azurite would sign it instead of x-ms-date
		out.Header.Set("X-Ms-Date", s.now().UTC().Format(http.TimeFormat))
		scheme := azureauth.SharedKey
		if s.service == azure.Table {
			scheme = azureauth.SharedKeyLite
		}
		out.Header.Set("Authorization",
			azureauth.Authorization(scheme, azureauth.Service(s.service), s.account, s.real, out, path, query))
	}
	return s.next.RoundTrip(out)
}

// inAccount returns the part of a path after /account: empty, or starting with a slash.
func (s *resigner) inAccount(path string) (string, bool) {
	rest, ok := strings.CutPrefix(path, "/"+s.account)
	return rest, ok && (rest == "" || rest[0] == '/')
}

// rewrite translates an address of the gateway that listens at host into one of the account; it leaves other addresses
// alone.
func (s *resigner) rewrite(address, host string) string {
	for _, scheme := range []string{"http://", "https://"} {
		if path, ok := strings.CutPrefix(address, scheme+host); ok {
			if rest, ok := s.inAccount(path); ok {
				return strings.TrimSuffix(s.endpoint.String(), "/") + rest
			}
		}
	}
	return address
}

// target splits a request target into its path and query, both as sent.
func target(uri string) (path, query string) {
	if _, rest, ok := strings.Cut(uri, "://"); ok && !strings.HasPrefix(uri, "/") { // absolute form
		_, rest, _ = strings.Cut(rest, "/")
		uri = "/" + rest
	}
	path, query, _ = strings.Cut(uri, "?")
	return path, query
}

// rewriteBatch rewrites the address in the request line of every part of a multipart/mixed body, and nothing else: an
// entity may contain text that looks like a request line, but none of its lines can start with the two hyphens of a
// boundary. https://learn.microsoft.com/rest/api/storageservices/performing-entity-group-transactions
func rewriteBatch(body []byte, rewrite func(string) string) []byte {
	const (
		content = iota
		partHeader
		requestLine
	)
	state := content
	request := false // the part's header says that it contains a request
	var out strings.Builder
	out.Grow(len(body))
	for line := range strings.Lines(string(body)) {
		text := strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(text, "--"):
			state, request = partHeader, false
		case state == partHeader && text == "":
			state = content
			if request {
				state = requestLine
			}
		case state == partHeader:
			name, value, _ := strings.Cut(text, ":")
			if strings.EqualFold(name, "Content-Type") {
				request = strings.HasPrefix(strings.ToLower(strings.TrimSpace(value)), "application/http")
			}
		case state == requestLine:
			state = content
			if parts := strings.Split(text, " "); len(parts) == 3 {
				line = parts[0] + " " + rewrite(parts[1]) + " " + parts[2] + line[len(text):]
			}
		}
		out.WriteString(line)
	}
	return []byte(out.String())
}
