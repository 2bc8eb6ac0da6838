package kv

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/wire"
)

// withheld begins the cursor of an empty page; that of its list follows.
const withheld = "storespec-withheld-"

// HeaderShortPages asks storespec's own service for pages of fewer keys than the REST API takes as a limit (10).
const HeaderShortPages = "Storespec-Short-Pages"

// ShortPages passes all calls on, lists with a smaller limit. Workers KV may end a page anywhere, and leave it empty
// (Cloudflare's document "List keys": keys that have expired or were deleted are read over).
func (Protocol) ShortPages(pages wire.Pages, service http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		a, ok := addressOf(wire.HeadOf(req))
		if class := a.class(); ok && (class == List || class == Page) {
			shortPage(pages, a, w, req, service)
			return
		}
		service.ServeHTTP(w, req)
	})
}

func shortPage(p wire.Pages, a address, w http.ResponseWriter, req *http.Request, service http.Handler) {
	limit := "key_count_limit"
	if a.dialect == rest {
		limit = "limit"
	}
	cursor, again := strings.CutPrefix(a.query.Get("cursor"), withheld)
	if again {
		req = withParameter(req, "cursor", cursor)
	}
	if asked := a.query.Get(limit); asked == "" || tooMany(asked, p.Rows) {
		req = withParameter(req, limit, strconv.Itoa(p.Rows))
		req.Header = req.Header.Clone()
		req.Header.Set(HeaderShortPages, "1")
	}
	if !p.Empty || again {
		service.ServeHTTP(w, req)
		return
	}
	// The service is asked anyway: it decides whether the list can be answered.
	whole := wire.AnswerOf(service, w, req)
	if whole.Status == http.StatusOK && editList(whole, func(string) bool { return false }) {
		goOn(whole, withheld+cursor)
	}
	whole.Send(w)
}

// tooMany reports whether a limit is a valid one, and above rows.
func tooMany(asked string, rows int) bool {
	n, err := strconv.Atoi(asked)
	return err == nil && n > rows && n <= 1000
}

// goOn gives an answer the cursor of a list that is not complete.
func goOn(answer *wire.Answer, cursor string) {
	var page map[string]json.RawMessage
	_ = json.Unmarshal(answer.Body, &page) // it was just marshaled
	quoted, _ := json.Marshal(cursor)
	if page["result_info"] != nil {
		page["result_info"] = json.RawMessage(`{"count":0,"cursor":` + string(quoted) + `}`)
	} else {
		page["cursor"], page["list_complete"] = quoted, json.RawMessage("false")
	}
	answer.Body, _ = json.Marshal(page)
	answer.Header().Set("Content-Length", strconv.Itoa(len(answer.Body)))
}
