package namespace

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
)

// Properties reads the metadata of a key; nil if there is no such key.
func (r *remote) Properties(ctx context.Context, _, key string) (map[string]string, error) {
	content, err := r.call(ctx, http.MethodGet, "/metadata/"+url.PathEscape(key), nil, nil)
	if isMissing(err) {
		return nil, nil
	}
	var said answer
	if err == nil {
		err = json.Unmarshal(content, &said)
	}
	if err != nil {
		return nil, fmt.Errorf("get the metadata of a key: %w", err)
	}
	found := map[string]string{}
	if text := string(said.Result); text != "" && text != "null" {
		found[metadata] = text
	}
	return found, nil
}

// SetProperties writes a key with its value, its expiry and other metadata.
func (r *remote) SetProperties(ctx context.Context, resource, key string, values map[string]string) error {
	value, err := r.Get(ctx, resource, key)
	if err == nil && value == nil {
		err = fmt.Errorf("there is no key %s", key)
	}
	if err != nil {
		return err
	}
	expires, _, err := r.Expires(ctx, resource, key)
	if err != nil {
		return err
	}
	query := url.Values{}
	if !expires.IsZero() {
		query.Set("expiration", strconv.FormatInt(expires.Unix(), 10))
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	err = form.WriteField("value", string(value))
	if text := values[metadata]; text != "" {
		err = errors.Join(err, form.WriteField(metadata, text))
	}
	if err := errors.Join(err, form.Close()); err != nil {
		return err
	}
	_, err = r.callWith(ctx, http.MethodPut, at(key), query, body.Bytes(), form.FormDataContentType())
	if err != nil {
		return fmt.Errorf("put a key: %w", err)
	}
	return nil
}
