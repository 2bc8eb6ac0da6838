package kv

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/emulator/patience"
)

// The protocol with which workerd reaches a binding outside it:
//
//	GET    /{key}?urlencoded=true[&cache_ttl=]                      the value; its metadata in CF-KV-Metadata; 404
//	PUT    /{key}?urlencoded=true[&expiration=][&expiration_ttl=]   CF-KV-Metadata
//	DELETE /{key}?urlencoded=true
//	GET    /?[key_count_limit=][&prefix=][&cursor=]   {keys: [{name, expiration?, metadata?}], list_complete, cursor}
//	POST   /bulk/get {keys, type?, withMetadata?, cacheTtl?}        {key: value}
//
// A list has metadata as a text with JSON. Errors have no form but their status; the text is for people.
const (
	headerMetadata   = "CF-KV-Metadata"
	headerExpiration = "CF-Expiration"
)

// binding answers a request of a Worker's runtime.
func (s *Service) binding(n *Namespace, w http.ResponseWriter, r *http.Request) error {
	path := r.URL.EscapedPath()
	query := r.URL.Query()
	switch {
	case !strings.HasPrefix(path, "/"):
		return &problem{http.StatusNotFound, 0, "Not Found"}
	case path == "/bulk/get" && r.Method == http.MethodPost:
		return bindingBulkGet(n, w, r)
	case path == "/" && r.Method == http.MethodGet:
		return s.bindingList(n, w, query)
	case strings.Contains(path[1:], "/"):
		return &problem{http.StatusNotFound, 0, "Not Found"}
	}
	key, err := url.PathUnescape(path[1:])
	if err != nil {
		return badRequest("Could not URL-decode key name")
	}
	if err := checkKey(key); err != nil {
		return err
	}
	switch r.Method {
	case http.MethodGet:
		return bindingGet(n, w, key, query)
	case http.MethodPut:
		return bindingPut(n, w, r, key, query)
	case http.MethodDelete:
		return n.Delete(key)
	}
	return &problem{http.StatusMethodNotAllowed, 0, "Method Not Allowed"}
}

func checkCacheTTL(given string) *problem {
	if n, err := strconv.Atoi(given); given != "" && (err != nil || n < minCacheTTL) {
		return badRequest("Invalid cache_ttl of %s. Cache TTL must be at least %d.", given, minCacheTTL)
	}
	return nil
}

func bindingGet(n *Namespace, w http.ResponseWriter, key string, query url.Values) error {
	if err := checkCacheTTL(query.Get("cache_ttl")); err != nil {
		return err
	}
	e, err := n.Get(key)
	if err != nil {
		return err
	}
	if e == nil {
		return &problem{http.StatusNotFound, codeNoKey, "Not Found"}
	}
	if e.Metadata != nil {
		w.Header().Set(headerMetadata, string(e.Metadata))
	}
	return writeValue(w, e, headerExpiration)
}

func bindingPut(n *Namespace, _ http.ResponseWriter, r *http.Request, key string, query url.Values) error {
	expires, wrong := expiry(n.Now(), query.Get("expiration"), query.Get("expiration_ttl"))
	if wrong != nil {
		return wrong
	}
	var metadata []byte
	if given := r.Header.Get(headerMetadata); given != "" {
		metadata = []byte(given)
	}
	if err := checkMetadata(metadata); err != nil {
		return err
	}
	value, err := readValue(r.Body, r.ContentLength)
	if err != nil {
		return err
	}
	return n.Put(key, Entry{Value: value, Metadata: metadata, Expires: expires})
}

// readValue reads a body of at most maxValue bytes; length is what the head says, -1 if nothing.
func readValue(body io.Reader, length int64) ([]byte, error) {
	if err := checkValue(length); err != nil {
		return nil, err
	}
	value, err := io.ReadAll(io.LimitReader(body, maxValue+1))
	if err != nil {
		return nil, unread(err, errGone)
	}
	if err := checkValue(int64(len(value))); err != nil {
		return nil, err
	}
	return value, nil
}

func (s *Service) bindingList(n *Namespace, w http.ResponseWriter, query url.Values) error {
	found, cursor, err := s.page(n, query, "key_count_limit", 1)
	if err != nil {
		return err
	}
	body := append(make([]byte, 0, 64+64*len(found)), `{"keys":`...)
	body = strconv.AppendBool(append(appendKeys(body, found, true), `,"list_complete":`...), cursor == "")
	if cursor != "" {
		body = appendText(append(body, `,"cursor":`...), cursor)
	}
	return writeBody(w, http.StatusOK, append(body, `,"cacheStatus":null}`...))
}

// page returns the page of keys that a query asks for, and the cursor of the next; "": it is the last.
func (s *Service) page(n *Namespace, query url.Values, limited string, least int) ([]Listed, string, error) {
	limit, wrong := limitOf(query.Get(limited), limited, least)
	if wrong != nil {
		return nil, "", wrong
	}
	prefix := query.Get("prefix")
	if err := checkLength(prefix); err != nil {
		return nil, "", err
	}
	after, wrong := s.cursors.read(prefix, query.Get("cursor"))
	if wrong != nil {
		return nil, "", wrong
	}
	found, more, err := n.List(prefix, after, limit)
	if err != nil || !more {
		return found, "", err
	}
	return found, s.cursors.issue(prefix, found[len(found)-1].Key), nil
}

// bulkQuery is the body of a bulk get, the same in both dialects.
type bulkQuery struct {
	Keys         []string        `json:"keys"`
	Type         string          `json:"type"`
	WithMetadata bool            `json:"withMetadata"`
	CacheTTL     json.RawMessage `json:"cacheTtl"` // a number, or a text with one
}

// values returns the values that a bulk get asks for, by their keys. Keys that are missing have null.
func (q bulkQuery) values(n *Namespace) (map[string]any, error) {
	switch {
	case q.Type != "" && q.Type != "text" && q.Type != "json":
		return nil, badRequest(`"%s" is not a valid type. Use "json" or "text"`, q.Type)
	case len(q.Keys) > maxBulkGet:
		return nil, badRequest("You can request a maximum of %d keys", maxBulkGet)
	case len(q.Keys) < 1:
		return nil, badRequest("You must request a minimum of 1 key")
	}
	if err := checkCacheTTL(strings.Trim(string(q.CacheTTL), `"`)); err != nil {
		return nil, err
	}
	values, size := map[string]any{}, 0
	for _, key := range q.Keys {
		if err := checkKey(key); err != nil {
			return nil, err
		}
		e, err := n.Get(key)
		if err != nil {
			return nil, err
		}
		if values[key] = any(nil); e == nil {
			continue
		}
		if size += len(e.Value); size > maxBulkAnswer {
			return nil, &problem{http.StatusRequestEntityTooLarge, codeTooLarge,
				"Total size of request exceeds the limit of 25MB"}
		}
		if values[key], err = q.value(e); err != nil {
			return nil, err
		}
	}
	return values, nil
}

func (q bulkQuery) value(e *Entry) (any, error) {
	var value any = string(e.Value)
	if q.Type == "json" {
		if !json.Valid(e.Value) {
			return nil, badRequest("At least one of the requested keys corresponds to a non-json value")
		}
		value = json.RawMessage(e.Value)
	}
	if !q.WithMetadata {
		return value, nil
	}
	metadata := json.RawMessage("null")
	if e.Metadata != nil {
		metadata = e.Metadata
	}
	return map[string]any{"value": value, "metadata": metadata}, nil
}

func bindingBulkGet(n *Namespace, w http.ResponseWriter, r *http.Request) error {
	var q bulkQuery
	if err := json.NewDecoder(io.LimitReader(r.Body, maxBulkGetBody)).Decode(&q); err != nil {
		return unread(err, badRequest("The body is not JSON"))
	}
	values, err := q.values(n)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, values)
}

// errGone says that the client ended the request.
var errGone = errors.New("the client has gone")

// unread returns the problem with a body that could not be read: that it did not come in time, or otherwise the other.
// Cloudflare does not document what it answers to a slow client; 408 is what HTTP has for it.
func unread(err, otherwise error) error {
	if patience.RanOut(err) {
		return &problem{http.StatusRequestTimeout, codeUnavailable, "Request Timeout"}
	}
	return otherwise
}

func writeJSON(w http.ResponseWriter, status int, value any) error {
	body, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return writeBody(w, status, body)
}
