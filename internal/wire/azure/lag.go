package azure

import (
	"encoding/json"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/storespec/storespec/internal/wire"
)

// lag answers reads of a table or a container from before the last write to it.
type lag struct {
	service  wire.Service
	resource string
	sign     func(*http.Request)
	next     http.Handler
	named    func(*http.Request, []byte) []*http.Request
	forms    []string // of answers that hold rows, by the Accept that asks for them; one empty: there is one form

	mu     sync.Mutex
	former map[string]map[string]*wire.Answer // by key and form: what the last write changed, as it was
}

// Lagging answers reads of one entity, and queries: in their answers, entities that the last write changed are as they
// were, and those that it inserted are missing. Those that it deleted are not put back.
func (t Tables) Lagging(resource string, sign func(*http.Request), service http.Handler) http.Handler {
	return &lag{service: Table, resource: resource, sign: sign, next: service, named: t.Named,
		forms: []string{jsonWithout, jsonMinimal, jsonFull}}
}

// Lagging answers reads of one blob; lists are passed on.
func (b Blobs) Lagging(resource string, sign func(*http.Request), service http.Handler) http.Handler {
	return &lag{service: Blob, resource: resource, sign: sign, next: service, named: b.Named, forms: []string{""}}
}

func (l *lag) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	protocol := map[wire.Service]wire.Protocol{Table: Tables{}, Blob: Blobs{}}[l.service]
	call, body, err := wire.ReadWhole(protocol, req)
	if err != nil {
		panic(http.ErrAbortHandler) // the client has gone
	}
	req = wire.WithBody(req, body)
	switch {
	case call.Resource != l.resource:
		l.next.ServeHTTP(w, req)
	case call.Writes():
		l.write(w, req, body)
	case call.Effect == wire.Reads:
		l.read(w, req, call)
	default:
		l.next.ServeHTTP(w, req)
	}
}

// write remembers what a write changes, if it succeeds.
func (l *lag) write(w http.ResponseWriter, req *http.Request, body []byte) {
	former := map[string]map[string]*wire.Answer{}
	for _, read := range l.named(req, body) {
		key := named(decode(l.service, wire.HeadOf(read)).call)
		former[key] = map[string]*wire.Answer{}
		for _, form := range l.forms {
			asked := read.Clone(read.Context())
			if form != "" {
				asked.Header.Set("Accept", form)
			}
			l.sign(asked)
			former[key][form] = wire.Discard(l.next, asked)
		}
	}
	answer := wire.AnswerOf(l.next, w, req)
	if answer.Status < http.StatusBadRequest {
		l.mu.Lock()
		l.former = former
		l.mu.Unlock()
	}
	answer.Send(w)
}

func named(call wire.Call) string { return strings.Join(call.Key, "\x00") }

// read answers a read from before the last write.
func (l *lag) read(w http.ResponseWriter, req *http.Request, call wire.Call) {
	l.mu.Lock()
	former := l.former
	l.mu.Unlock()
	form := l.formOf(req)
	whole := call.Filter == "" && (call.Class == PointRead || call.Class == Read || call.Class == Head)
	if was := former[named(call)][form]; was != nil && whole {
		header := w.Header()
		maps.Copy(header, was.Header())
		speak(header, req)
		w.WriteHeader(was.Status)
		if req.Method != http.MethodHead {
			_, _ = w.Write(was.Body)
		}
		return
	}
	answer := wire.AnswerOf(l.next, w, req)
	if l.service == Table && answer.Status == http.StatusOK && len(former) > 0 {
		l.rewind(answer, func(key string) *wire.Answer { return former[key][form] })
	}
	answer.Send(w)
}

// formOf returns the form of the answer that a read asks for.
func (l *lag) formOf(req *http.Request) string {
	accept := strings.ToLower(req.Header.Get("Accept"))
	for _, form := range l.forms {
		if _, level, found := strings.Cut(form, ";"); found && strings.Contains(accept, level) {
			return form
		}
	}
	if len(l.forms) > 1 {
		return jsonMinimal // what the service answers if it is not asked for a form
	}
	return ""
}

// rewind replaces the entities in an answer that were different before.
func (l *lag) rewind(answer *wire.Answer, was func(key string) *wire.Answer) {
	var page map[string]json.RawMessage
	var rows, kept []json.RawMessage
	if json.Unmarshal(answer.Body, &page) != nil || json.Unmarshal(page[jsonList], &rows) != nil {
		return
	}
	for _, row := range rows {
		var key struct{ PartitionKey, RowKey string }
		_ = json.Unmarshal(row, &key) // it was just parsed
		switch before := was(key.PartitionKey + "\x00" + key.RowKey); {
		case before == nil:
			kept = append(kept, row)
		case before.Status == http.StatusOK:
			kept = append(kept, entityOf(before.Body))
		}
	}
	if kept == nil {
		kept = []json.RawMessage{}
	}
	page[jsonList], _ = json.Marshal(kept)
	answer.Body, _ = json.Marshal(page) // both marshal JSON that was just parsed
	answer.Header().Set("Content-Length", strconv.Itoa(len(answer.Body)))
}

// entityOf returns the answer to a point read as a query would list it.
func entityOf(body []byte) json.RawMessage {
	var entity map[string]json.RawMessage
	if json.Unmarshal(body, &entity) != nil {
		return body
	}
	delete(entity, "odata.metadata")
	listed, _ := json.Marshal(entity) // marshals JSON that was just parsed
	return listed
}
