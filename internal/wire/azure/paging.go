package azure

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/emulator/azureauth"
	"github.com/storespec/storespec/internal/wire"
)

const (
	// largestPage is the most rows that a query may ask for. A larger $top is passed on for the service to refuse.
	largestPage = 1000
	// withheld is the prefix of an empty page's continuation token; the token of its query follows.
	withheld = "storespec-withheld-"

	nextPartitionKey = "NextPartitionKey"
	nextRowKey       = "NextRowKey"
	continuation     = "X-Ms-Continuation-"
)

// ShortPages passes all calls on to a table service, queries with a smaller $top, which no signature covers. A query by
// both keys has at most one row, and is passed on unchanged (REST document "Query Timeout and Pagination").
func (Tables) ShortPages(pages wire.Pages, service http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		call := decode(Table, wire.HeadOf(req)).call
		if call.Operation == queryEntities && call.Class != PointRead {
			shortPage(pages, w, req, service)
		} else {
			service.ServeHTTP(w, req)
		}
	})
}

func shortPage(p wire.Pages, w http.ResponseWriter, req *http.Request, service http.Handler) {
	query := req.URL.RawQuery
	partition, _ := azureauth.Lookup(query, nextPartitionKey)
	row, _ := azureauth.Lookup(query, nextRowKey)
	from, again := strings.CutPrefix(partition, withheld)
	if again {
		query = withParameter(query, nextPartitionKey, from)
		query = withParameter(query, nextRowKey, strings.TrimPrefix(row, withheld))
	}
	asked, some := azureauth.Lookup(query, "$top")
	if top, err := strconv.Atoi(asked); !some || err == nil && top > p.Rows && top <= largestPage {
		query = withParameter(query, "$top", strconv.Itoa(p.Rows))
	}
	req = withQuery(req, query)
	if !p.Empty || again {
		service.ServeHTTP(w, req)
		return
	}
	// The service is asked anyway: it decides whether the query can be answered, and in which form.
	whole := wire.AnswerOf(service, w, req)
	if withholdRows(whole) {
		whole.Header().Set(continuation+nextPartitionKey, withheld+partition)
		whole.Header().Set(continuation+nextRowKey, withheld+row)
	}
	whole.Send(w)
}

// withholdRows removes the rows from a query's answer; it returns false if this is not such an answer.
func withholdRows(a *wire.Answer) bool {
	var page map[string]json.RawMessage
	if a.Status != http.StatusOK || json.Unmarshal(a.Body, &page) != nil || page[jsonList] == nil {
		return false
	}
	page[jsonList] = json.RawMessage("[]")
	a.Body, _ = json.Marshal(page) // marshals JSON that was just parsed
	a.Header().Set("Content-Length", strconv.Itoa(len(a.Body)))
	return true
}

// withParameter returns a raw query with a parameter set to a value, or removed if the value is empty. Everything else
// in it stays as sent.
func withParameter(raw, name, value string) string {
	var parts []string
	for part := range strings.SplitSeq(raw, "&") {
		if _, named := azureauth.Lookup(part, name); !named && part != "" {
			parts = append(parts, part)
		}
	}
	if value != "" {
		spelled := strings.ReplaceAll(url.QueryEscape(value), "+", "%20") // which every service reads alike
		parts = append(parts, url.QueryEscape(name)+"="+spelled)
	}
	return strings.Join(parts, "&")
}

// withQuery returns a copy of a request with a different raw query.
func withQuery(req *http.Request, query string) *http.Request {
	other, address := req.WithContext(req.Context()), *req.URL
	address.RawQuery = query
	other.URL = &address
	if path, _, _ := strings.Cut(req.RequestURI, "?"); path != "" {
		other.RequestURI = path + "?" + query
	}
	return other
}
