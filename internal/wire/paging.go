package wire

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
)

// Pages says how short the pages are in which a table service answers queries. The zero value leaves that to the service.
type Pages struct {
	Rows  int  // of a page, at most
	Empty bool // before each page comes one without a row
}

// Paging makes a table service end the pages of a query early: with fewer rows than were asked for, or none, and a
// continuation. A service may do so with any page, but an emulator never does (REST document "Query Timeout and
// Pagination"). Nothing is kept between two calls, so each attempt at a page is answered alike, whichever gateway it comes
// by. Its zero value changes nothing. It is safe for concurrent use.
type Paging struct{ pages atomic.Pointer[Pages] }

// Set holds for the queries that arrive from now on.
func (p *Paging) Set(pages Pages) { p.pages.Store(&pages) }

// Pages is what was set last.
func (p *Paging) Pages() Pages {
	if pages := p.pages.Load(); pages != nil {
		return *pages
	}
	return Pages{}
}

const (
	// largestPage is the most rows that a query may ask for. The service refuses a larger $top, and is left to.
	largestPage = 1000
	// withheld begins the continuation of an empty page; what follows is the one that its query came with.
	withheld = "storespec-withheld-"

	nextPartitionKey = "NextPartitionKey"
	nextRowKey       = "NextRowKey"
	continuation     = "X-Ms-Continuation-"
)

// Handler passes all calls on to a table service, queries with a smaller $top: no signature covers it. A query of both
// keys has one row at most, and is passed on as it is.
func (p *Paging) Handler(service http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		pages := p.Pages()
		if pages.Rows > 0 {
			if call := decode(headOf(Table, req)).call; call.Operation == "Query Entities" && call.Class != PointRead {
				pages.answer(w, req, service)
				return
			}
		}
		service.ServeHTTP(w, req)
	})
}

func (p Pages) answer(w http.ResponseWriter, req *http.Request, service http.Handler) {
	query := req.URL.RawQuery
	partition, _ := queryValue(query, nextPartitionKey)
	row, _ := queryValue(query, nextRowKey)
	from, again := strings.CutPrefix(partition, withheld)
	if again {
		query = withParameter(query, nextPartitionKey, from)
		query = withParameter(query, nextRowKey, strings.TrimPrefix(row, withheld))
	}
	asked, some := queryValue(query, "$top")
	if top, err := strconv.Atoi(asked); !some || err == nil && top > p.Rows && top <= largestPage {
		query = withParameter(query, "$top", strconv.Itoa(p.Rows))
	}
	req = withQuery(req, query)
	if !p.Empty || again {
		service.ServeHTTP(w, req)
		return
	}
	// The service is asked all the same: it says whether the query can be answered, and in which form.
	whole := &wholeAnswer{header: w.Header(), status: http.StatusOK}
	service.ServeHTTP(whole, req)
	if whole.withholdRows() {
		whole.header.Set(continuation+nextPartitionKey, withheld+partition)
		whole.header.Set(continuation+nextRowKey, withheld+row)
	}
	w.WriteHeader(whole.status)
	_, _ = w.Write(whole.body)
}

// withholdRows takes the rows out of an answer to a query; false: it is none.
func (a *wholeAnswer) withholdRows() bool {
	var page map[string]json.RawMessage
	if a.status != http.StatusOK || json.Unmarshal(a.body, &page) != nil || page[jsonList] == nil {
		return false
	}
	page[jsonList] = json.RawMessage("[]")
	a.body, _ = json.Marshal(page) // of JSON that was just read
	a.header.Set("Content-Length", strconv.Itoa(len(a.body)))
	return true
}

// withParameter is a raw query in which a parameter has a value, or is not there when that is empty. All else in it stays
// as it was sent.
func withParameter(raw, name, value string) string {
	var parts []string
	for part := range strings.SplitSeq(raw, "&") {
		if _, named := queryValue(part, name); !named && part != "" {
			parts = append(parts, part)
		}
	}
	if value != "" {
		spelled := strings.ReplaceAll(url.QueryEscape(value), "+", "%20") // which every service reads alike
		parts = append(parts, url.QueryEscape(name)+"="+spelled)
	}
	return strings.Join(parts, "&")
}

// withQuery is a copy of a request with another raw query.
func withQuery(req *http.Request, query string) *http.Request {
	other, address := req.WithContext(req.Context()), *req.URL
	address.RawQuery = query
	other.URL = &address
	if path, _, _ := strings.Cut(req.RequestURI, "?"); path != "" {
		other.RequestURI = path + "?" + query
	}
	return other
}
