package kv

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"strconv"
	"sync"

	"github.com/storespec/storespec/internal/wire"
)

// Pretend answers a write as the REST API and the binding's protocol do.
func (Protocol) Pretend(w http.ResponseWriter, req *http.Request, body []byte) {
	if dialectOf(wire.HeadOf(req)) != rest {
		w.WriteHeader(http.StatusOK)
		return
	}
	result := "{}"
	if keys := wholeCall(req, body).Inner; len(keys) > 0 {
		result = `{"successful_key_count":` + strconv.Itoa(len(keys)) + `,"unsuccessful_keys":[]}`
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"success":true,"errors":[],"messages":[],"result":`+result+`}`)
}

// Unconditional changes nothing: Workers KV has no conditions.
func (Protocol) Unconditional(req *http.Request, body []byte) (*http.Request, []byte, bool) {
	return req, body, false
}

// Unfiltered removes the prefix of the keys that are listed.
func (Protocol) Unfiltered(req *http.Request, body []byte) (*http.Request, []byte, bool) {
	call := wholeCall(req, nil)
	if call.Prefix == "" || call.Effect != wire.Reads {
		return req, body, false
	}
	return withParameter(req, "prefix", ""), body, true
}

// Named returns a read of each key that a write names.
func (Protocol) Named(req *http.Request, body []byte) []*http.Request {
	var reads []*http.Request
	for _, key := range written(wholeCall(req, body)) {
		reads = append(reads, getOf(req, key))
	}
	return reads
}

// written returns the keys that a write names.
func written(call wire.Call) (keys []string) {
	if !call.Writes() {
		return nil
	}
	if len(call.Key) > 0 {
		keys = append(keys, call.Key[0])
	}
	for _, one := range call.Inner {
		keys = append(keys, one.Key[0])
	}
	return keys
}

func wholeCall(req *http.Request, body []byte) wire.Call {
	rd := Protocol{}.Decode(wire.HeadOf(req))
	if sink := rd.Request(); sink != nil {
		_, _ = sink.Write(body) // never fails
	}
	return rd.Call()
}

// Lagging answers reads of one key from before the last write; keys that the write added are left out of lists.
func (Protocol) Lagging(_ string, sign func(*http.Request), service http.Handler) http.Handler {
	return &lag{sign: sign, next: service}
}

type lag struct {
	sign func(*http.Request)
	next http.Handler

	mu     sync.Mutex
	former map[string]*wire.Answer // by key: what the last write changed, as it was
}

func (l *lag) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	call, body, err := wire.ReadWhole(Protocol{}, req)
	if err != nil {
		panic(http.ErrAbortHandler) // the client has gone
	}
	req = wire.WithBody(req, body)
	switch {
	case call.Writes():
		l.write(w, req, written(call))
	case call.Class == Get:
		l.read(w, req, call.Key[0])
	case call.Class == List, call.Class == Page:
		l.list(w, req)
	default:
		l.next.ServeHTTP(w, req)
	}
}

// write remembers what a write changes, if it succeeds.
func (l *lag) write(w http.ResponseWriter, req *http.Request, keys []string) {
	former := map[string]*wire.Answer{}
	for _, key := range keys {
		read := getOf(req, key)
		l.sign(read)
		former[key] = wire.Discard(l.next, read)
	}
	answer := wire.AnswerOf(l.next, w, req)
	if answer.Status < http.StatusBadRequest {
		l.mu.Lock()
		l.former = former
		l.mu.Unlock()
	}
	answer.Send(w)
}

func (l *lag) formerly() map[string]*wire.Answer {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.former
}

func (l *lag) read(w http.ResponseWriter, req *http.Request, key string) {
	was := l.formerly()[key]
	if was == nil {
		l.next.ServeHTTP(w, req)
		return
	}
	maps.Copy(w.Header(), was.Header())
	w.WriteHeader(was.Status)
	_, _ = w.Write(was.Body)
}

func (l *lag) list(w http.ResponseWriter, req *http.Request) {
	former := l.formerly()
	answer := wire.AnswerOf(l.next, w, req)
	if answer.Status == http.StatusOK {
		editList(answer, func(key string) bool {
			was := former[key]
			return was == nil || was.Status == http.StatusOK
		})
	}
	answer.Send(w)
}

// editList removes keys from an answer that lists some. It returns false if this is another answer.
func editList(answer *wire.Answer, stays func(key string) bool) bool {
	var page map[string]json.RawMessage
	if json.Unmarshal(answer.Body, &page) != nil {
		return false
	}
	name := "keys"
	if page["result_info"] != nil {
		name = "result"
	}
	var rows []json.RawMessage
	if json.Unmarshal(page[name], &rows) != nil {
		return false
	}
	kept := []json.RawMessage{}
	for _, row := range rows {
		var key struct {
			Name string `json:"name"`
		}
		_ = json.Unmarshal(row, &key) // it was just parsed
		if stays(key.Name) {
			kept = append(kept, row)
		}
	}
	page[name], _ = json.Marshal(kept)
	answer.Body, _ = json.Marshal(page) // both marshal JSON that was just parsed
	answer.Header().Set("Content-Length", strconv.Itoa(len(answer.Body)))
	return true
}
