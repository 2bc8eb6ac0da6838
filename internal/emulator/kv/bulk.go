package kv

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// PutAll is Put for several keys, in one write to the disk. Keys that take no write now are returned, and stay as they
// are. The error is the engine's, and then nothing was written.
func (n *Namespace) PutAll(keys []string, entries []Entry) (tooOften []string, err error) {
	return n.writeAll(keys, func(b *engine.Batch, i int, at []byte) error { return b.Set(at, entries[i].encode()) })
}

// DeleteAll is Delete for several keys, as PutAll is Put.
func (n *Namespace) DeleteAll(keys []string) (tooOften []string, err error) {
	return n.writeAll(keys, func(b *engine.Batch, _ int, at []byte) error { return b.Delete(at) })
}

func (n *Namespace) writeAll(keys []string, apply func(b *engine.Batch, i int, at []byte) error) (
	tooOften []string, err error) {
	space := n.account.Data()
	at := make([][]byte, len(keys))
	for i, key := range keys {
		at[i] = space.Key(nil, key)
	}
	defer n.account.LockAll(at)()
	b := n.engine.NewBatch()
	defer b.Discard()
	for i, key := range keys {
		if !n.weather.mayWrite(key) {
			tooOften = append(tooOften, key)
			continue
		}
		if err := n.remember(space, key); err != nil {
			return nil, err
		}
		if err := apply(b, i, at[i]); err != nil {
			return nil, err
		}
	}
	return tooOften, b.Commit()
}

// remember keeps what a key holds for reads that do not see the write that follows.
func (n *Namespace) remember(space engine.Space, key string) error {
	if !n.weather.lag.On() {
		return nil
	}
	former, err := n.stored(space, key)
	if err == nil {
		n.weather.lag.Wrote(key, former)
	}
	return err
}

// Seed writes a pair, at any time and whatever the write rate is. It may expire soon, unlike one that a client writes:
// a dump is read again later; one that has expired already is left out. The error says what is wrong with it.
func (n *Namespace) Seed(p Pair) error {
	at := p.Expiration
	p.Expiration = ""
	e, err := p.entry(n)
	if err != nil {
		return err
	}
	if at != "" && p.ExpirationTTL == "" {
		seconds, err := at.Int64()
		if err != nil || seconds <= 0 {
			return refused(codeExpiration, "Invalid expiration of %s. Please specify integer greater than 0.", at)
		}
		if e.Expires = time.Unix(seconds, 0); n.live(&e) == nil {
			return nil
		}
	}
	return n.Lay(p.Key, e)
}

// Dump writes all pairs, in the order of their keys, as the REST API's bulk put takes them: a value that is not UTF-8
// is in base64. It sees every write, and does not count as a call. The error is the engine's or the writer's.
func (n *Namespace) Dump(w io.Writer) error {
	space := n.account.Data()
	lower, upper := space.Range()
	before := "[\n"
	err := n.engine.Each(lower, upper, lower, func(raw, value []byte) (bool, error) {
		parts, err := space.Parts(raw)
		if err != nil {
			return false, err
		}
		e, err := decodeEntry(value)
		if err != nil || n.live(e) == nil {
			return err == nil, err
		}
		line, err := pairOf(parts[0], e)
		if err == nil {
			_, err = io.WriteString(w, before)
		}
		if before = ",\n"; err == nil {
			_, err = w.Write(line)
		}
		return true, err
	})
	end := "\n]\n"
	if before == "[\n" {
		end = "[]\n"
	}
	if err == nil {
		_, err = io.WriteString(w, end)
	}
	return err
}

// pairOf returns a pair in one line of JSON.
func pairOf(key string, e *Entry) ([]byte, error) {
	dumped := struct {
		Key        string          `json:"key"`
		Value      string          `json:"value"`
		Base64     bool            `json:"base64,omitempty"`
		Expiration json.Number     `json:"expiration,omitempty"`
		Metadata   json.RawMessage `json:"metadata,omitempty"`
	}{Key: key, Value: string(e.Value), Metadata: e.Metadata}
	if !utf8.Valid(e.Value) {
		dumped.Value, dumped.Base64 = base64.StdEncoding.EncodeToString(e.Value), true
	}
	if !e.Expires.IsZero() {
		dumped.Expiration = json.Number(strconv.FormatInt(e.Expires.Unix(), 10))
	}
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(dumped); err != nil {
		return nil, err
	}
	return bytes.TrimRight(line.Bytes(), "\n"), nil
}

// ReadPairs reads what Dump has written, or any other program in that form.
func ReadPairs(r io.Reader) (pairs []Pair, err error) {
	decoder := json.NewDecoder(r)
	if err := decoder.Decode(&pairs); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more than one JSON value")
	}
	return pairs, nil
}

// answerWritten says how many of n writes were made, and which were not.
func answerWritten(w http.ResponseWriter, n int, tooOften []string, err error) error {
	if err != nil {
		return err
	}
	return done(w, written{n - len(tooOften), append([]string{}, tooOften...)}, nil)
}
