package kv

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/storespec/storespec/internal/wire"
)

// dialect is a way to ask for the same.
type dialect int

const (
	binding   dialect = iota // workerd's, at the root
	miniflare                // the binding's, with the address in a header
	rest                     // Cloudflare's API, below /client/v4
)

const (
	restPrefix    = "/client/v4/"
	headerAddress = "Mf-Url"
	headerOwn     = "Mf-Header-"
)

func dialectOf(h wire.Head) dialect {
	switch {
	case h.Header.Get(headerAddress) != "":
		return miniflare
	case strings.HasPrefix(h.Path, restPrefix):
		return rest
	}
	return binding
}

// address is what a request is for.
type address struct {
	dialect dialect
	method  string
	what    string // REST: values, metadata, keys, bulk, bulk/get, bulk/delete; binding: values, keys, bulk/get
	key     string // of values and metadata
	query   url.Values
}

// addressOf reads an address; ok is false for one that no operation on keys has.
func addressOf(h wire.Head) (a address, ok bool) {
	a = address{dialect: dialectOf(h), method: h.Method}
	path, query := h.Path, h.Query
	if a.dialect == miniflare {
		inner, err := url.Parse(h.Header.Get(headerAddress))
		if err != nil {
			return a, false
		}
		path, query = inner.EscapedPath(), inner.RawQuery
	}
	a.query, _ = url.ParseQuery(query) // what cannot be read is left out
	if a.dialect == rest {
		return a.rest(strings.TrimPrefix(path, restPrefix))
	}
	path = strings.TrimPrefix(path, "/")
	switch {
	case path == "bulk/get" && h.Method == http.MethodPost:
		a.what = "bulk/get"
		return a, true
	case path == "":
		a.what = "keys"
		return a, h.Method == http.MethodGet
	case strings.Contains(path, "/"):
		return a, false
	}
	a.what = "values"
	return a.named(path)
}

// rest reads accounts/{account}/storage/kv/namespaces/{namespace}/….
func (a address) rest(path string) (address, bool) {
	parts := strings.SplitN(path, "/", 8)
	if len(parts) < 7 || parts[0] != "accounts" || strings.Join(parts[2:5], "/") != "storage/kv/namespaces" {
		return a, false
	}
	a.what = parts[6]
	switch {
	case len(parts) == 7:
		return a, a.what == "keys" || a.what == "bulk"
	case a.what == "bulk":
		a.what += "/" + parts[7]
		return a, a.what == "bulk/get" || a.what == "bulk/delete"
	case a.what != "values" && a.what != "metadata":
		return a, false
	}
	return a.named(parts[7])
}

func (a address) named(escaped string) (address, bool) {
	key, err := url.PathUnescape(escaped)
	a.key = key
	return a, err == nil && key != ""
}

// class is the class of a request; other for none.
func (a address) class() string {
	switch a.method + " " + a.what {
	case "GET values", "GET metadata":
		return Get
	case "PUT values":
		return Put
	case "DELETE values":
		return Delete
	case "GET keys":
		if a.query.Get("cursor") != "" {
			return Page
		}
		return List
	case "POST bulk/get":
		return BulkGet
	case "PUT bulk":
		return BulkPut
	case "DELETE bulk", "POST bulk/delete":
		return BulkDelete
	}
	return other
}
