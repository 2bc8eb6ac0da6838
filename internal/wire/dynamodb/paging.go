package dynamodb

import (
	"encoding/json"
	"net/http"

	"github.com/storespec/storespec/internal/wire"
)

// ShortPages passes all calls on, queries and scans with a smaller Limit. DynamoDB ends a page early when it has read
// 1 MiB, and leaves one empty only where a filter drops all that was read, or after the last row, where it did not look
// further than the Limit (Developer Guide, "Paginating table query results"). A short Limit brings about both, so
// pages.Empty asks for nothing more.
func (p Protocol) ShortPages(pages wire.Pages, service http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if operation := operationOf(req); operation != "Query" && operation != "Scan" {
			service.ServeHTTP(w, req)
			return
		}
		req, body := take(req)
		asked, err := parseObject(body)
		limit := 0
		_ = json.Unmarshal(asked.get("Limit"), &limit) // DynamoDB refuses another value
		if err == nil && (!asked.has("Limit") || limit > pages.Rows) {
			req = withBody(req, asked.with("Limit", pages.Rows).bytes())
			p.Of.sign(req)
		}
		service.ServeHTTP(w, req)
	})
}
