package namespace

import (
	"context"
	"fmt"
	"time"

	emulated "github.com/storespec/storespec/internal/emulator/kv"
)

// keys is the harness's own access to the keys of an embedded namespace. There is one resource, whatever it is called.
type keys struct{ of *emulated.Namespace }

// Get reads a value; nil if there is none. It sees every write, however far reads lag.
func (k keys) Get(_ context.Context, _, key string) ([]byte, error) {
	e, err := k.of.Peek(key)
	if err != nil || e == nil {
		return nil, err
	}
	return append([]byte{}, e.Value...), nil // never nil: an empty value exists
}

// Expires returns when a key expires, by the namespace's own clock; zero: never.
func (k keys) Expires(_ context.Context, _, key string) (at, now time.Time, err error) {
	e, err := k.of.Peek(key)
	if err == nil && e == nil {
		err = fmt.Errorf("there is no key %s", key)
	}
	if err != nil {
		return time.Time{}, time.Time{}, err
	}
	return e.Expires, k.of.Now(), nil
}

// metadata is the one property of a key: JSON.
const metadata = "metadata"

// Properties reads the metadata of a key; nil if there is no such key.
func (k keys) Properties(_ context.Context, _, key string) (map[string]string, error) {
	e, err := k.of.Peek(key)
	if err != nil || e == nil {
		return nil, err
	}
	found := map[string]string{}
	if e.Metadata != nil {
		found[metadata] = string(e.Metadata)
	}
	return found, nil
}

// SetProperties writes a key with its value and other metadata.
func (k keys) SetProperties(_ context.Context, _, key string, values map[string]string) error {
	e, err := k.of.Peek(key)
	if err == nil && e == nil {
		err = fmt.Errorf("there is no key %s", key)
	}
	if err != nil {
		return err
	}
	changed := emulated.Entry{Value: e.Value, Expires: e.Expires}
	if text := values[metadata]; text != "" {
		changed.Metadata = []byte(text)
	}
	return k.of.Lay(key, changed)
}

// List returns all keys.
func (k keys) List(context.Context, string) ([]string, error) {
	return k.of.Keys()
}

// Put writes a value that never expires.
func (k keys) Put(_ context.Context, _, key string, content []byte) error {
	return k.of.Lay(key, emulated.Entry{Value: content})
}

// Delete deletes a key.
func (k keys) Delete(_ context.Context, _, key string) error { return k.of.Remove(key) }
