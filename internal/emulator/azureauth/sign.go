package azureauth

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"hash"
	"net/http"
	"strconv"
	"sync"
)

// Service is one of an account's services, spelled as in its host names.
type Service string

// The supported services.
const (
	Table Service = "table"
	Blob  Service = "blob"
)

// The two schemes.
const (
	SharedKey     = "SharedKey"
	SharedKeyLite = "SharedKeyLite"
)

// Key is an account key, ready to sign. It is safe for concurrent use.
type Key struct{ macs sync.Pool }

// NewKey takes a raw key, not base64.
func NewKey(key []byte) *Key {
	k := &Key{}
	k.macs.New = func() any { return hmac.New(sha256.New, key) }
	return k
}

// AppendSignature appends a text's signature to dst, in base64.
func (k *Key) AppendSignature(dst, text []byte) []byte {
	mac := k.macs.Get().(hash.Hash)
	mac.Reset()
	mac.Write(text)
	var sum [sha256.Size]byte
	dst = base64.StdEncoding.AppendEncode(dst, mac.Sum(sum[:0]))
	k.macs.Put(mac)
	return dst
}

// Authorization returns the value of the Authorization header for r. Path and query are used as in the request line,
// since the service signs the encoded path.
func Authorization(scheme string, service Service, account string, key []byte, r *http.Request, path,
	query string) string {
	value := append([]byte(scheme), ' ')
	value = append(append(value, account...), ':')
	return string(NewKey(key).AppendSignature(value, AppendStringToSign(nil, scheme, service, account, r, path, query)))
}

// AppendStringToSign appends the string to sign of a request to dst; the scheme and the service decide what it
// contains. Path and query are used as in the request line; in path style the path starts with the account, which
// therefore occurs twice in the string.
func AppendStringToSign(dst []byte, scheme string, service Service, account string, r *http.Request, path,
	query string) []byte {
	h := r.Header
	lite := scheme == SharedKeyLite
	if service == Table {
		if !lite {
			dst = lines(append(dst, r.Method...), h, "Content-Md5", "Content-Type")
			dst = append(dst, '\n')
		}
		if len(h["X-Ms-Date"]) > 0 {
			dst = appendHeader(dst, h, "X-Ms-Date")
		} else {
			dst = appendHeader(dst, h, "Date")
		}
		return appendComponent(appendResource(append(dst, '\n'), account, path), query)
	}
	dst = append(dst, r.Method...)
	if lite {
		dst = lines(dst, h, "Content-Md5", "Content-Type")
		dst = appendCanonicalHeaders(append(appendDate(dst, h), '\n'), h)
		return appendComponent(appendResource(dst, account, path), query)
	}
	dst = append(lines(dst, h, "Content-Encoding", "Content-Language"), '\n')
	if r.ContentLength > 0 { // since version 2015-02-21 zero is signed as the empty string
		dst = strconv.AppendInt(dst, r.ContentLength, 10)
	}
	dst = lines(dst, h, "Content-Md5", "Content-Type")
	dst = lines(appendDate(dst, h), h, "If-Modified-Since", "If-Match", "If-None-Match", "If-Unmodified-Since", "Range")
	dst = appendCanonicalHeaders(append(dst, '\n'), h)
	return appendCanonicalQuery(appendResource(dst, account, path), query)
}

// lines appends headers, each on a new line.
func lines(dst []byte, h http.Header, names ...string) []byte {
	for _, name := range names {
		dst = appendHeader(append(dst, '\n'), h, name)
	}
	return dst
}

// appendDate appends the line of the Date header, which is empty when x-ms-date is present, since that is signed with
// the headers.
func appendDate(dst []byte, h http.Header) []byte {
	dst = append(dst, '\n')
	if len(h["X-Ms-Date"]) > 0 {
		return dst
	}
	return appendHeader(dst, h, "Date")
}

// appendHeader appends the values of a header, whose name is in canonical form.
func appendHeader(dst []byte, h http.Header, name string) []byte {
	for i, value := range h[name] {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, value...)
	}
	return dst
}

func appendResource(dst []byte, account, path string) []byte {
	dst = append(append(dst, '/'), account...)
	if path == "" {
		return append(dst, '/')
	}
	return append(dst, path...)
}
