package awssign

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	// Algorithm begins an Authorization header.
	Algorithm = "AWS4-HMAC-SHA256"
	// Terminator ends the scope of a credential.
	Terminator = "aws4_request"
	// DateFormat is that of the header X-Amz-Date.
	DateFormat = "20060102T150405Z"

	headerDate  = "X-Amz-Date"
	headerToken = "X-Amz-Security-Token"
)

// Key is what a request is signed with.
type Key struct {
	ID, Secret string
	Token      string // of temporary credentials; empty: none
	Region     string
	Service    string // such as dynamodb
}

// Sign signs a request whose body is given. It replaces a signature, its date and its token, and signs the host, the
// type of the content and all x-amz- headers.
func (k Key) Sign(req *http.Request, body []byte, now time.Time) {
	req.Header.Del("Authorization")
	req.Header.Del(headerToken)
	if k.Token != "" {
		req.Header.Set(headerToken, k.Token)
	}
	req.Header.Set(headerDate, now.UTC().Format(DateFormat))
	if req.Header.Get("X-Amz-Content-Sha256") != "" {
		digest := sha256.Sum256(body)
		req.Header.Set("X-Amz-Content-Sha256", hex.EncodeToString(digest[:]))
	}
	signed := []string{"host"}
	for name := range req.Header {
		if name = strings.ToLower(name); name == "content-type" || strings.HasPrefix(name, "x-amz-") {
			signed = append(signed, name)
		}
	}
	slices.Sort(signed)
	req.Header.Set("Authorization", k.authorization(req, body, signed))
}

// Signed reports whether a request has the signature of this key, and of its region and service.
func (k Key) Signed(req *http.Request, body []byte) bool {
	given := req.Header.Get("Authorization")
	_, after, _ := strings.Cut(given, "SignedHeaders=")
	list, _, _ := strings.Cut(after, ",")
	signed := strings.Split(strings.TrimSpace(list), ";")
	if !slices.Contains(signed, "host") {
		return false
	}
	return hmac.Equal([]byte(squeezed(given)), []byte(squeezed(k.authorization(req, body, signed))))
}

// squeezed removes the spaces that some clients put after commas.
func squeezed(authorization string) string { return strings.ReplaceAll(authorization, " ", "") }

// KeyID returns the id of the key that a request is signed with; "": it has no such signature.
func KeyID(req *http.Request) string {
	_, after, _ := strings.Cut(req.Header.Get("Authorization"), "Credential=")
	id, _, found := strings.Cut(after, "/")
	if !found {
		return ""
	}
	return id
}

func (k Key) authorization(req *http.Request, body []byte, signed []string) string {
	date := req.Header.Get(headerDate)
	day, _, _ := strings.Cut(date, "T")
	scope := strings.Join([]string{day, k.Region, k.Service, Terminator}, "/")
	text := TextToSign(date, scope, Canonical(req, body, signed))
	return Algorithm + " Credential=" + k.ID + "/" + scope + ", SignedHeaders=" + strings.Join(signed, ";") +
		", Signature=" + hex.EncodeToString(Sum(DeriveKey(k.Secret, day, k.Region, k.Service), text))
}

// DeriveKey returns the key that signs the requests of one day, given as YYYYMMDD, to a service in a region.
func DeriveKey(secret, day, region, service string) []byte {
	return Sum(Sum(Sum(Sum([]byte("AWS4"+secret), day), region), service), Terminator)
}

// TextToSign returns the text whose Sum with the derived key is the signature.
func TextToSign(date, scope string, canonical []byte) string {
	digest := sha256.Sum256(canonical)
	return Algorithm + "\n" + date + "\n" + scope + "\n" + hex.EncodeToString(digest[:])
}

// Sum returns the HMAC-SHA256 of a text.
func Sum(key []byte, text string) []byte {
	mac := hmac.New(sha256.New, key)
	_, _ = mac.Write([]byte(text)) // never fails
	return mac.Sum(nil)
}

// Canonical returns the form of a request that is signed, with the named headers.
func Canonical(req *http.Request, body []byte, signed []string) []byte {
	b := make([]byte, 0, 512)
	b = append(append(b, req.Method...), '\n')
	b = append(append(b, cmp.Or(req.URL.EscapedPath(), "/")...), '\n')
	if req.URL.RawQuery != "" {
		query := req.URL.Query()
		for _, values := range query {
			slices.Sort(values)
		}
		b = append(b, strings.ReplaceAll(query.Encode(), "+", "%20")...)
	}
	b = append(b, '\n')
	for _, name := range signed {
		b = append(append(b, strings.ToLower(name)...), ':')
		b = append(append(b, signedValue(req, name)...), '\n')
	}
	b = append(append(b, '\n'), strings.ToLower(strings.Join(signed, ";"))...)
	digest := sha256.Sum256(body)
	return hex.AppendEncode(append(b, '\n'), digest[:])
}

// signedValue returns a header's value: outer white space trimmed, inner white space made one space, several values
// joined by commas.
func signedValue(req *http.Request, name string) string {
	switch strings.ToLower(name) {
	case "host":
		return cmp.Or(req.Host, req.URL.Host)
	case "content-length":
		if req.Header.Get("Content-Length") == "" {
			return strconv.FormatInt(req.ContentLength, 10)
		}
	}
	values := req.Header.Values(name)
	if len(values) == 1 && !strings.Contains(values[0], "  ") {
		return strings.TrimSpace(values[0])
	}
	all := make([]string, len(values))
	for i, text := range values {
		all[i] = strings.Join(strings.Fields(text), " ")
	}
	return strings.Join(all, ",")
}
