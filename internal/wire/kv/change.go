package kv

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/storespec/storespec/internal/wire"
)

// withParameter returns a copy of a request with a query parameter set to a value, or removed if the value is empty, in
// whichever dialect the request is.
func withParameter(req *http.Request, name, value string) *http.Request {
	other := req.WithContext(req.Context())
	if inner := req.Header.Get(headerAddress); inner != "" {
		target, err := url.Parse(inner)
		if err != nil {
			return req
		}
		target.RawQuery = set(target.RawQuery, name, value)
		other.Header = req.Header.Clone()
		other.Header.Set(headerAddress, target.String())
		return other
	}
	target := *req.URL
	target.RawQuery = set(target.RawQuery, name, value)
	other.URL, other.RequestURI = &target, target.RequestURI()
	return other
}

func set(query, name, value string) string {
	values, _ := url.ParseQuery(query) // what cannot be read is of no use to the service either
	if values.Del(name); value != "" {
		values.Set(name, value)
	}
	return values.Encode()
}

// reading of a key, in the dialect of a request and on its behalf.
func getOf(of *http.Request, key string) *http.Request {
	read := of.WithContext(of.Context())
	read.Method, read.Body, read.ContentLength = http.MethodGet, http.NoBody, 0
	read.TransferEncoding, read.GetBody = nil, nil
	read.Header = of.Header.Clone()
	read.Header.Del("Content-Type")
	read.Header.Del("Content-Length")
	target := *of.URL
	escaped := "/" + url.PathEscape(key)
	switch dialectOf(wire.HeadOf(of)) {
	case miniflare:
		read.Header.Set(headerAddress, "http://fake-host"+escaped+"?urlencoded=true")
		return read
	case rest:
		parts := strings.SplitN(strings.TrimPrefix(of.URL.EscapedPath(), "/"), "/", 9)
		escaped = "/" + strings.Join(parts[:min(8, len(parts))], "/") + "/values" + escaped
		target.RawQuery = ""
	default:
		target.RawQuery = "urlencoded=true"
	}
	target.RawPath = escaped
	target.Path, _ = url.PathUnescape(escaped) // escaped here, or read before
	read.URL, read.RequestURI = &target, target.RequestURI()
	return read
}
