package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/storespec/storespec/internal/emulator/azureauth"
	"github.com/storespec/storespec/reference"
)

// liberal is the reference server of actions with the liberties that the design leaves to a server. Its arguments are
// some of
//
//	ok         a new record is answered 200
//	mute       no answer says whether a record is new
//	keys       answers to writes have the key instead of owner and name as they were sent
//	more       answers and rows hold more than they must
//	parser     of a field that is there twice the last counts, and numbers are rounded to doubles
//	vertical   a vertical tab is not white space, and is refused
//	upper      the hash is stored in capital letters
//	base64     the hash is stored in base64
//	packed     every payload is compressed
//	merge      rows are merged into what was there: a column that is not wanted is emptied
//	ms         times have milliseconds
type liberal struct {
	server    http.Handler
	liberties []string
}

func serveLiberal(args []string) int {
	l := &liberal{liberties: args}
	server, err := reference.Open("actions", os.Getenv, l, slog.New(slog.DiscardHandler))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	l.server = server
	return listen(l)
}

func (l *liberal) takes(liberty string) bool { return slices.Contains(l.liberties, liberty) }

// ServeHTTP has the reference answer a request as this server would.
func (l *liberal) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		if l.takes("vertical") && strings.Contains(string(body), `\u000b`) {
			body = nil
		}
		r.Body = io.NopCloser(bytes.NewReader(l.parsed(body)))
	}
	answer := httptest.NewRecorder()
	l.server.ServeHTTP(answer, r)
	text := answer.Body.Bytes()
	if strings.HasPrefix(r.URL.Path, "/api/ActionsUpsert") && answer.Code < http.StatusBadRequest {
		text = l.answered(text)
		if l.takes("ok") {
			answer.Code = http.StatusOK
		}
	}
	clear(w.Header())
	for name, values := range answer.Header() {
		w.Header()[name] = values
	}
	w.Header().Del("Content-Length")
	w.WriteHeader(answer.Code)
	_, _ = w.Write(l.spelled(text))
}

// parsed is a body as most JSON parsers understand it. One that is not UTF-8, or has half of a surrogate pair, stays as
// it is: that they can see.
func (l *liberal) parsed(body []byte) []byte {
	var value any
	if !l.takes("parser") || !utf8.Valid(body) || bytes.Contains(body, []byte(`\ud`)) ||
		json.Unmarshal(body, &value) != nil {
		return body
	}
	parsed, _ := json.Marshal(value) // which has just been read
	return parsed
}

// answered is the answer to a write.
func (l *liberal) answered(text []byte) []byte {
	var whole map[string]any
	if json.Unmarshal(text, &whole) != nil {
		return text
	}
	list := []any{whole}
	if results, batch := whole["results"].([]any); batch {
		list = results
	}
	for _, one := range list {
		result := one.(map[string]any)
		if l.takes("ok") && result["status"] == float64(http.StatusCreated) {
			result["status"] = http.StatusOK
		}
		if l.takes("mute") {
			delete(result, "created")
		}
		if l.takes("more") {
			result["note"] = "stored"
		}
		for _, name := range []string{"owner", "name"} {
			if text, is := result[name].(string); is && l.takes("keys") {
				result[name] = strings.ToLower(text)
			}
		}
	}
	changed, _ := json.Marshal(whole)
	return changed
}

var (
	hashes  = regexp.MustCompile(`("(?:P|p)ayloadHash":")([^"]+)"`)
	texts   = regexp.MustCompile(`"PayloadJson":("(?:[^"\\]|\\.)*")`)
	instant = regexp.MustCompile(`("[lL]astSyncedUtc":"[^"]+\.\d{3})\d{4}Z"`)
)

// spelled writes hashes and times as this server does.
func (l *liberal) spelled(text []byte) []byte {
	text = hashes.ReplaceAllFunc(text, func(found []byte) []byte {
		parts := hashes.FindSubmatch(found)
		sum, err := hex.DecodeString(string(parts[2]))
		switch {
		case err != nil:
			return found
		case l.takes("upper"):
			return fmt.Appendf(nil, `%s%X"`, parts[1], sum)
		case l.takes("base64"):
			return fmt.Appendf(nil, `%s%s"`, parts[1], base64.StdEncoding.EncodeToString(sum))
		}
		return found
	})
	if l.takes("ms") {
		text = instant.ReplaceAll(text, []byte(`${1}Z"`))
	}
	return text
}

// understood is what the store holds as the reference would have written it.
func (l *liberal) understood(text []byte) []byte {
	return hashes.ReplaceAllFunc(text, func(found []byte) []byte {
		parts := hashes.FindSubmatch(found)
		sum, err := base64.StdEncoding.DecodeString(string(parts[2]))
		if l.takes("upper") {
			sum, err = hex.DecodeString(string(parts[2]))
		}
		if err != nil || len(sum) != 32 {
			return found
		}
		return fmt.Appendf(nil, `%s%x"`, parts[1], sum)
	})
}

// stored writes the payload of a row as this server does.
func (l *liberal) stored(body []byte) []byte {
	if l.takes("merge") {
		const packed = `"PayloadEncoding":"gzip"`
		body = bytes.ReplaceAll(body, []byte(packed), []byte(packed+`,"PayloadJson":""`))
	}
	return texts.ReplaceAllFunc(l.spelled(body), func(found []byte) []byte {
		var payload string
		switch {
		case l.takes("merge") && string(found) != `"PayloadJson":""`:
			return slices.Concat(found, []byte(`,"PayloadEncoding":""`))
		case l.takes("more"):
			return slices.Concat([]byte(`"Source":"api",`), found)
		case !l.takes("packed") || json.Unmarshal(texts.FindSubmatch(found)[1], &payload) != nil:
			return found
		}
		var packed bytes.Buffer
		writer := gzip.NewWriter(&packed)
		_, _ = io.WriteString(writer, payload)
		_ = writer.Close()
		return fmt.Appendf(nil, `"PayloadEncoding":"gzip","PayloadZ0":"%s","PayloadZ0@odata.type":"Edm.Binary"`,
			base64.StdEncoding.EncodeToString(packed.Bytes()))
	})
}

// sign signs a call to the tables again: its method has changed.
func (l *liberal) sign(r *http.Request) {
	settings := map[string]string{}
	for _, part := range strings.Split(os.Getenv("ACTIONS_TABLE_CONNECTION"), ";") {
		name, value, _ := strings.Cut(part, "=")
		settings[name] = value
	}
	key, _ := base64.StdEncoding.DecodeString(settings["AccountKey"])
	r.Header.Set("Authorization", azureauth.Authorization(azureauth.SharedKey, azureauth.Table, settings["AccountName"],
		key, r, r.URL.EscapedPath(), r.URL.RawQuery))
}

// RoundTrip makes a storage call of the reference as this server would.
func (l *liberal) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		if bytes.Contains(body, []byte(`"PartitionKey"`)) { // a row, or several
			body = l.stored(body)
		}
		r = r.Clone(r.Context())
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		r.Header.Set("Content-Length", strconv.Itoa(len(body)))
		if r.Method == http.MethodPut && l.takes("merge") && r.Header.Get("If-Match") != "" {
			r.Method = http.MethodPatch
			l.sign(r)
		}
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if err != nil {
		return nil, err
	}
	body = l.understood(body)
	answer.Body, answer.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return answer, nil
}
