package kv

import (
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// rest answers a request of Cloudflare's REST API: /client/v4/accounts/{account}/storage/kv/namespaces…
// only is the id of the only namespace that there is; "" for all of the account's.
func (s *Service) rest(w http.ResponseWriter, r *http.Request, only string) error {
	if err := s.authorized(r); err != nil {
		return err
	}
	parts := strings.SplitN(strings.TrimPrefix(r.URL.EscapedPath(), restPrefix), "/", 8)
	if len(parts) < 5 || parts[0] != "accounts" || strings.Join(parts[2:5], "/") != "storage/kv/namespaces" {
		return noRoute(r)
	}
	if s.options.Account != "" && parts[1] != s.options.Account {
		return errAuthentication
	}
	if only != "" && (len(parts) == 5 || parts[5] != only) {
		return errNoNamespace
	}
	if len(parts) == 5 {
		return s.restNamespaces(w, r)
	}
	title, found, err := s.title(parts[5])
	if err != nil {
		return err
	}
	if !found {
		return errNoNamespace
	}
	n := s.namespace(parts[5])
	switch {
	case len(parts) == 6:
		return s.restNamespace(w, r, titled{parts[5], title, true})
	case len(parts) == 7:
		return s.restKeys(n, w, r, parts[6])
	case parts[6] == "bulk":
		return restBulkOn(n, w, r, parts[7])
	}
	return restOne(n, w, r, parts[6], parts[7])
}

func noRoute(r *http.Request) error {
	return &problem{http.StatusNotFound, codeRoute, fmt.Sprintf("Could not route to %s, perhaps your object "+
		"identifier is invalid?", r.URL.EscapedPath())}
}

var (
	errAuthentication = &problem{http.StatusForbidden, codeAuthentication, "Authentication error"}
	errNoNamespace    = &problem{http.StatusNotFound, codeNoNamespace, "namespace not found"}
)

// authorized checks the API token.
func (s *Service) authorized(r *http.Request) error {
	token, is := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	switch {
	case s.options.Token == "":
		return nil
	case !is:
		return &problem{http.StatusBadRequest, codeNoHeader,
			"Missing X-Auth-Key, X-Auth-Email or Authorization headers"}
	case subtle.ConstantTimeCompare([]byte(token), []byte(s.options.Token)) != 1:
		return &problem{http.StatusUnauthorized, codeAuthentication, "Authentication error"}
	}
	return nil
}

// restKeys is GET keys, and PUT and DELETE bulk.
func (s *Service) restKeys(n *Namespace, w http.ResponseWriter, r *http.Request, what string) error {
	switch r.Method + " " + what {
	case "GET keys":
		return s.restList(n, w, r)
	case "PUT bulk":
		return restBulkPut(n, w, r)
	case "DELETE bulk":
		return restBulkDelete(n, w, r)
	}
	return noRoute(r)
}

func restBulkOn(n *Namespace, w http.ResponseWriter, r *http.Request, what string) error {
	switch r.Method + " " + what {
	case "POST get":
		return restBulkGet(n, w, r)
	case "POST delete":
		return restBulkDelete(n, w, r)
	}
	return noRoute(r)
}

// restOne is a value, or its metadata.
func restOne(n *Namespace, w http.ResponseWriter, r *http.Request, what, escaped string) error {
	key, err := url.PathUnescape(escaped)
	if err != nil {
		return badRequest("Could not URL-decode key name")
	}
	if err := checkKey(key); err != nil {
		return err
	}
	switch r.Method + " " + what {
	case "GET values":
		return restGet(n, w, key)
	case "GET metadata":
		e, err := found(n, key)
		if err != nil {
			return err
		}
		metadata := json.RawMessage("null")
		if e.Metadata != nil {
			metadata = e.Metadata
		}
		return done(w, metadata, nil)
	case "PUT values":
		return restPut(n, w, r, key)
	case "DELETE values":
		if err := n.Delete(key); err != nil {
			return err
		}
		return doneEmpty(w)
	}
	return noRoute(r)
}

// found is the entry of a key; the problem says that there is none.
func found(n *Namespace, key string) (*Entry, error) {
	e, err := n.Get(key)
	if err == nil && e == nil {
		err = &problem{http.StatusNotFound, codeNoKey, "get: 'key not found'"}
	}
	return e, err
}

func restGet(n *Namespace, w http.ResponseWriter, key string) error {
	e, err := found(n, key)
	if err != nil {
		return err
	}
	return writeValue(w, e, "Expiration")
}

func restPut(n *Namespace, w http.ResponseWriter, r *http.Request, key string) error {
	query := r.URL.Query()
	expires, wrong := expiry(n.Now(), query.Get("expiration"), query.Get("expiration_ttl"))
	if wrong != nil {
		return wrong
	}
	e := Entry{Expires: expires}
	var err error
	if kind, parameters, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind == "multipart/form-data" {
		e.Value, e.Metadata, err = multipartValue(r.Body, parameters["boundary"])
	} else {
		e.Value, err = readValue(r.Body, r.ContentLength)
	}
	if err != nil {
		return err
	}
	if err := checkMetadata(e.Metadata); err != nil {
		return err
	}
	if err := n.Put(key, e); err != nil {
		return err
	}
	return doneEmpty(w)
}

// multipartValue reads the parts value and metadata.
func multipartValue(body io.Reader, boundary string) (value, metadata []byte, err error) {
	parts := multipart.NewReader(body, boundary)
	seen := false
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) && seen {
			return value, metadata, nil
		}
		if err != nil {
			return nil, nil, unread(err, &problem{http.StatusBadRequest, codeMalformed,
				"could not parse the form: want a part value"})
		}
		switch part.FormName() {
		case "value":
			if value, err = readValue(part, -1); err != nil {
				return nil, nil, err
			}
			seen = true
		case "metadata":
			if metadata, err = io.ReadAll(io.LimitReader(part, maxMetadata+1)); err != nil {
				return nil, nil, unread(err, errGone)
			}
		}
	}
}

// headerShortPages asks for pages of fewer keys than the API takes as a limit: a test of a client that must follow
// them.
const headerShortPages = "Storespec-Short-Pages"

func (s *Service) restList(n *Namespace, w http.ResponseWriter, r *http.Request) error {
	query, least := r.URL.Query(), minListREST
	if r.Header.Get(headerShortPages) != "" {
		least = 1
	}
	found, cursor, err := s.page(n, query, "limit", least)
	if err != nil {
		return err
	}
	body := append(make([]byte, 0, 160+64*len(found)), `{"success":true,"errors":[],"messages":[],"result":`...)
	body = append(appendKeys(body, found, false), `,"result_info":{"count":`...)
	body = append(strconv.AppendInt(body, int64(len(found)), 10), `,"cursor":`...)
	return writeBody(w, http.StatusOK, append(appendText(body, cursor), `}}`...))
}
