package awssign

import (
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
	algorithm  = "AWS4-HMAC-SHA256"
	terminator = "aws4_request"
	dateForm   = "20060102T150405Z"

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
	req.Header.Set(headerDate, now.UTC().Format(dateForm))
	if req.Header.Get("X-Amz-Content-Sha256") != "" {
		req.Header.Set("X-Amz-Content-Sha256", digest(body))
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

// squeezed removes the spaces that clients put, or do not put, after commas.
func squeezed(authorization string) string { return strings.ReplaceAll(authorization, " ", "") }

// KeyID returns the id of the key that a request is signed with; "": it is not signed so.
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
	scope := strings.Join([]string{day, k.Region, k.Service, terminator}, "/")
	text := strings.Join([]string{algorithm, date, scope, digest([]byte(canonical(req, body, signed)))}, "\n")
	secret := []byte("AWS4" + k.Secret)
	for _, part := range []string{day, k.Region, k.Service, terminator, text} {
		mac := hmac.New(sha256.New, secret)
		mac.Write([]byte(part))
		secret = mac.Sum(nil)
	}
	return algorithm + " Credential=" + k.ID + "/" + scope + ", SignedHeaders=" + strings.Join(signed, ";") +
		", Signature=" + hex.EncodeToString(secret)
}

// canonical is the form of a request that is signed.
func canonical(req *http.Request, body []byte, signed []string) string {
	var headers strings.Builder
	for _, name := range signed {
		headers.WriteString(name + ":" + value(req, name) + "\n")
	}
	path := req.URL.EscapedPath()
	if path == "" {
		path = "/"
	}
	query := req.URL.Query()
	for _, values := range query {
		slices.Sort(values)
	}
	return strings.Join([]string{req.Method, path, strings.ReplaceAll(query.Encode(), "+", "%20"), headers.String(),
		strings.Join(signed, ";"), digest(body)}, "\n")
}

// value returns the value of a signed header.
func value(req *http.Request, name string) string {
	switch name {
	case "host":
		if req.Host != "" {
			return req.Host
		}
		return req.URL.Host
	case "content-length":
		return strconv.FormatInt(req.ContentLength, 10)
	}
	values := slices.Clone(req.Header.Values(name))
	for i := range values {
		values[i] = strings.Join(strings.Fields(values[i]), " ")
	}
	return strings.Join(values, ",")
}

func digest(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}
