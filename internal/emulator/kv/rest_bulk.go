package kv

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
)

// Pair is one of a bulk put, in the form of the REST API.
type Pair struct {
	Key           string          `json:"key"`
	Value         string          `json:"value"`
	Base64        bool            `json:"base64"`
	Expiration    json.Number     `json:"expiration"`
	ExpirationTTL json.Number     `json:"expiration_ttl"`
	Metadata      json.RawMessage `json:"metadata"`
}

func (p Pair) entry(n *Namespace) (e Entry, err error) {
	if err := checkKey(p.Key); err != nil {
		return e, err
	}
	e.Value = []byte(p.Value)
	if p.Base64 {
		if e.Value, err = base64.StdEncoding.DecodeString(p.Value); err != nil {
			return e, refused(codeMalformed, "a value is not base64")
		}
	}
	if len(p.Metadata) > 0 && string(p.Metadata) != "null" {
		e.Metadata = p.Metadata
	}
	if err := checkValue(int64(len(e.Value))); err != nil {
		return e, err
	}
	if err := checkMetadata(e.Metadata); err != nil {
		return e, err
	}
	expires, wrong := expiry(n.Now(), string(p.Expiration), string(p.ExpirationTTL))
	if wrong != nil {
		return e, wrong
	}
	e.Expires = expires
	return e, nil
}

// written is what a bulk write answers.
type written struct {
	Done   int      `json:"successful_key_count"`
	Failed []string `json:"unsuccessful_keys"`
}

// restBulkPut writes all pairs or, if one is invalid, none. A key that takes no write now is named in the answer.
func restBulkPut(n *Namespace, w http.ResponseWriter, r *http.Request) error {
	var pairs []Pair
	if err := decodeBody(r, maxBulkBytes, &pairs); err != nil {
		return err
	}
	if len(pairs) > maxBulkWrite {
		return badRequest("a bulk put has at most %d pairs", maxBulkWrite)
	}
	keys, entries := make([]string, len(pairs)), make([]Entry, len(pairs))
	for i, p := range pairs {
		var err error
		if entries[i], err = p.entry(n); err != nil {
			return err
		}
		keys[i] = p.Key
	}
	tooOften, err := n.PutAll(keys, entries)
	return answerWritten(w, len(pairs), tooOften, err)
}

func restBulkDelete(n *Namespace, w http.ResponseWriter, r *http.Request) error {
	var keys []string
	if err := decodeBody(r, maxBulkBytes, &keys); err != nil {
		return err
	}
	if len(keys) > maxBulkWrite {
		return badRequest("a bulk delete has at most %d keys", maxBulkWrite)
	}
	for _, key := range keys {
		if err := checkKey(key); err != nil {
			return err
		}
	}
	tooOften, err := n.DeleteAll(keys)
	return answerWritten(w, len(keys), tooOften, err)
}

func restBulkGet(n *Namespace, w http.ResponseWriter, r *http.Request) error {
	var q bulkQuery
	if err := decodeBody(r, maxBulkGetBody, &q); err != nil {
		return err
	}
	values, err := q.values(n)
	if err != nil {
		return err
	}
	return done(w, map[string]any{"values": values}, nil)
}
