package store

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/wire"
)

// The two schemes of https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key
const (
	sharedKey     = "SharedKey"
	sharedKeyLite = "SharedKeyLite"
)

// authorization is the value of the Authorization header for r. Path and query are as they stand in
// the request line, since the service signs the encoded path.
func authorization(scheme string, service wire.Service, account string, key []byte, r *http.Request, path, query string) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(stringToSign(scheme, service, account, r, path, query)))
	return scheme + " " + account + ":" + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// stringToSign is what is signed; the scheme and the service decide how much of the request it holds.
func stringToSign(scheme string, service wire.Service, account string, r *http.Request, path, query string) string {
	if path == "" {
		path = "/"
	}
	h := func(name string) string { return strings.Join(r.Header.Values(name), ",") }
	resource := "/" + account + path
	if service == wire.Table {
		date := cmp.Or(h("X-Ms-Date"), h("Date"))
		if scheme == sharedKeyLite {
			return date + "\n" + resource + component(query)
		}
		return strings.Join([]string{r.Method, h("Content-Md5"), h("Content-Type"), date, resource + component(query)}, "\n")
	}
	date := h("Date")
	if h("X-Ms-Date") != "" {
		date = "" // x-ms-date is signed with the headers
	}
	if scheme == sharedKeyLite {
		return strings.Join([]string{r.Method, h("Content-Md5"), h("Content-Type"), date,
			canonicalHeaders(r.Header) + resource + component(query)}, "\n")
	}
	length := ""
	if r.ContentLength > 0 { // since version 2015-02-21 zero is signed as the empty string
		length = strconv.FormatInt(r.ContentLength, 10)
	}
	return strings.Join([]string{
		r.Method, h("Content-Encoding"), h("Content-Language"), length, h("Content-Md5"), h("Content-Type"), date,
		h("If-Modified-Since"), h("If-Match"), h("If-None-Match"), h("If-Unmodified-Since"), h("Range"),
		canonicalHeaders(r.Header) + resource + canonicalQuery(query),
	}, "\n")
}

// canonicalHeaders are the x-ms- headers, one a line, sorted the way the service sorts them: a
// hyphen counts only between names that are otherwise equal, and _ comes before digits and letters.
func canonicalHeaders(header http.Header) string {
	var names []string
	for name := range header {
		if name = strings.ToLower(name); strings.HasPrefix(name, "x-ms-") {
			names = append(names, name)
		}
	}
	weight := strings.NewReplacer("-", "", "_", " ").Replace
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(strings.Compare(weight(a), weight(b)), strings.Compare(a, b))
	})
	var b strings.Builder
	for _, name := range names {
		b.WriteString(name + ":" + strings.Join(header.Values(name), ",") + "\n")
	}
	return b.String()
}

// canonicalQuery is every query parameter, decoded, one a line, sorted by its name in lower case.
func canonicalQuery(query string) string {
	values := queryParameters(query)
	var names []string
	for name := range values {
		names = append(names, name)
	}
	slices.Sort(names)
	var b strings.Builder
	for _, name := range names {
		slices.Sort(values[name])
		b.WriteString("\n" + name + ":" + strings.Join(values[name], ","))
	}
	return b.String()
}

// component is the only query parameter that the table service and the lite scheme sign.
func component(query string) string {
	if comp := queryParameters(query)["comp"]; len(comp) > 0 {
		return "?comp=" + comp[0]
	}
	return ""
}

// queryParameters splits a raw query. Unlike url.ParseQuery it keeps parameters that hold a
// semicolon or a stray percent sign: a request is passed on as it came, so it is signed as it came.
func queryParameters(query string) map[string][]string {
	values := map[string][]string{}
	for part := range strings.SplitSeq(query, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		name = strings.ToLower(unescaped(name))
		values[name] = append(values[name], unescaped(value))
	}
	return values
}

func unescaped(s string) string {
	if u, err := url.QueryUnescape(s); err == nil {
		return u
	}
	return s
}
