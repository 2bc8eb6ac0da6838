package azure_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"

	"github.com/storespec/storespec/internal/store/storetest"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

// paged is a table behind a gateway whose pages can be made short.
type paged struct {
	*wire.Paging
	table *aztables.Client
	rec   *wire.Recorder
	gate  *wire.Gateway
}

// pagedTable has so many rows in one partition.
func pagedTable(t *testing.T, rows int, partition string) paged {
	t.Helper()
	lease := storetest.Lease(t)
	p := paged{Paging: &wire.Paging{}, rec: wire.NewRecorder()}
	var err error
	p.gate, err = wire.NewGateway(p.rec, p.Handlers(lease.Upstream()), wire.GatewayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.gate.Close(); err != nil {
			t.Error(err)
		}
	})
	service, err := aztables.NewServiceClientFromConnectionString(lease.Values(p.gate.Endpoints())["connection"],
		nil)
	if err != nil {
		t.Fatal(err)
	}
	p.table = service.NewClient("Rows")
	if _, err := p.table.CreateTable(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		row := fmt.Sprintf(`{"PartitionKey":%q,"RowKey":"%d","Kind":"k & %d"}`, partition, i, i%2)
		if _, err := p.table.AddEntity(t.Context(), []byte(row), nil); err != nil {
			t.Fatal(err)
		}
	}
	p.rec.Reset()
	return p
}

// list reads a query to its end and gives how many rows each page had.
func (p paged) list(ctx context.Context, options aztables.ListEntitiesOptions) (pages []int, err error) {
	for pager := p.table.NewListEntitiesPager(&options); pager.More(); {
		page, err := pager.NextPage(ctx)
		if err != nil {
			return pages, err
		}
		pages = append(pages, len(page.Entities))
	}
	return pages, nil
}

func TestPagesAreShort(t *testing.T) {
	p := pagedTable(t, 5, "it's & p")
	own := new("PartitionKey eq 'it''s & p'")
	for name, c := range map[string]struct {
		pages   wire.Pages
		options aztables.ListEntitiesOptions
		want    []int
	}{
		"as the store has them": {wire.Pages{}, aztables.ListEntitiesOptions{Filter: own}, []int{5}},
		"two rows":              {wire.Pages{Rows: 2}, aztables.ListEntitiesOptions{Filter: own}, []int{2, 2, 1}},
		"an empty one before each": {wire.Pages{Rows: 2, Empty: true}, aztables.ListEntitiesOptions{Filter: own},
			[]int{0, 2, 0, 2, 0, 1}},
		"of a whole table": {wire.Pages{Rows: 3, Empty: true}, aztables.ListEntitiesOptions{},
			[]int{0, 3, 0, 2}},
		"a larger $top": {wire.Pages{Rows: 4},
			aztables.ListEntitiesOptions{Filter: own, Top: new(int32(1000))}, []int{4, 1}},
		"a smaller $top": {wire.Pages{Rows: 4},
			aztables.ListEntitiesOptions{Filter: own, Top: new(int32(3))}, []int{3, 2}},
		"of nothing": {wire.Pages{Rows: 4, Empty: true},
			aztables.ListEntitiesOptions{Filter: new("PartitionKey eq 'none'")}, []int{0, 0}},
		"of what lies among others": {wire.Pages{Rows: 2, Empty: true},
			aztables.ListEntitiesOptions{Filter: new(*own + " and Kind eq 'k & 1'")}, []int{0, 2, 0, 0}},
		"a query of both keys": {wire.Pages{Rows: 1, Empty: true},
			aztables.ListEntitiesOptions{Filter: new(*own + " and RowKey eq '3'")}, []int{1}},
		"of a few columns, in a form": {wire.Pages{Rows: 3, Empty: true}, aztables.ListEntitiesOptions{Filter: own,
			Select: new("RowKey"), Format: new(aztables.MetadataFormatFull)}, []int{0, 3, 0, 2}},
	} {
		t.Run(name, func(t *testing.T) {
			p.Set(c.pages)
			p.rec.Reset()
			got, err := p.list(t.Context(), c.options)
			if err != nil || !slices.Equal(got, c.want) {
				t.Fatalf("pages of %v rows, %v; want %v", got, err, c.want)
			}
			if err := p.rec.Settle(t.Context()); err != nil {
				t.Fatal(err)
			}
			calls := p.rec.Calls()
			if len(calls) != len(c.want) {
				t.Fatalf("%d calls were recorded for %d pages", len(calls), len(c.want))
			}
			for i, call := range calls {
				if call.Entities != c.want[i] || call.Attempts != 1 || (call.Class == azure.Page) != (i > 0) {
					t.Errorf("call %d is recorded as %+v", i, call)
				}
			}
		})
	}
}

func TestOnlyListsArePaged(t *testing.T) {
	p := pagedTable(t, 2, "p")
	p.Set(wire.Pages{Rows: 1, Empty: true})
	if _, err := p.table.GetEntity(t.Context(), "p", "1", nil); err != nil {
		t.Errorf("an entity by its address: %v", err)
	}
	change := []aztables.TransactionAction{{ActionType: aztables.TransactionTypeInsertMerge,
		Entity: []byte(`{"PartitionKey":"p","RowKey":"7"}`)}}
	if _, err := p.table.SubmitTransaction(t.Context(), change, nil); err != nil {
		t.Errorf("a transaction: %v", err)
	}
	if _, err := p.table.Delete(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	_, err := p.list(t.Context(), aztables.ListEntitiesOptions{})
	if failed, ok := errors.AsType[*azcore.ResponseError](err); !ok || failed.ErrorCode != "TableNotFound" {
		t.Errorf("a query of a table that is gone: %v, want the store's own refusal", err)
	}
}

// An SDK that repeats a call is given the same page.
func TestAPageIsTheSameAtEachAttempt(t *testing.T) {
	p := pagedTable(t, 3, "p")
	p.Set(wire.Pages{Rows: 1, Empty: true})
	var failed sync.Map // by address
	p.gate.Interpose(func(_ wire.Call, next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			answer := next
			if _, again := failed.LoadOrStore(req.RequestURI, true); !again {
				answer = wire.Unheard(next, wire.Refused(wire.Broken))
			}
			answer.ServeHTTP(w, req)
		})
	})
	got, err := p.list(t.Context(), aztables.ListEntitiesOptions{})
	if want := []int{0, 1, 0, 1, 0, 1}; err != nil || !slices.Equal(got, want) {
		t.Errorf("pages of %v rows, %v; want %v", got, err, want)
	}
	if err := p.rec.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, call := range p.rec.Calls() {
		if call.Attempts != 2 {
			t.Errorf("%d attempts at %+v", call.Attempts, call)
		}
	}
}

// What a client sends is passed on as it was sent, except $top and a continuation of an empty page.
func TestWhatIsPassedOnOfAQuery(t *testing.T) {
	var got, sent string
	service := azure.Tables{}.ShortPages(wire.Pages{Rows: 2}, http.HandlerFunc(
		func(_ http.ResponseWriter, r *http.Request) { got, sent = r.URL.RawQuery, r.RequestURI }))
	const withheld = "storespec-withheld-"
	for query, want := range map[string]string{
		"":                                   "%24top=2",
		"$filter=A%20eq%20';'&$select=A":     "$filter=A%20eq%20';'&$select=A&%24top=2",
		"$top=2&x=y":                         "$top=2&x=y",
		"%24TOP=3&x=y":                       "x=y&%24top=2",
		"$top=1001":                          "$top=1001",
		"$top=many":                          "$top=many",
		"$top=":                              "$top=",
		"$top=9&NextPartitionKey=1!4!cA%2B-": "NextPartitionKey=1!4!cA%2B-&%24top=2",
		"$top=1&NextPartitionKey=" + withheld + "a%20b%2Bc&NextRowKey=" + withheld: "$top=1&NextPartitionKey=a%20b%2Bc",
		"$top=1&NextPartitionKey=" + withheld + "&NextRowKey=" + withheld:          "$top=1",
	} {
		service.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/acc/T()?"+query, nil))
		if got != want || sent != "/acc/T()?"+want {
			t.Errorf("%q: passed on as %q, in the request line as %q; want %q", query, got, sent, want)
		}
	}
}

// An answer without rows is not a page.
func TestOnlyRowsAreWithheld(t *testing.T) {
	short := wire.Pages{Rows: 1, Empty: true}
	for body, want := range map[string]string{
		`{"odata.metadata":"m","value":[{"a":1}]}`: `{"odata.metadata":"m","value":[]}`,
		`{"other":[]}`: `{"other":[]}`,
		`<feed/>`:      `<feed/>`,
	} {
		answer := httptest.NewRecorder()
		azure.Tables{}.ShortPages(short, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("x-ms-continuation-NextPartitionKey", "next")
			w.Header().Set("Content-Length", strconv.Itoa(len(body)))
			_, _ = io.WriteString(w, body)
		})).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/acc/T()", nil))
		if answer.Body.String() != want || answer.Header().Get("Content-Length") != strconv.Itoa(len(want)) {
			t.Errorf("%s became %s, of length %s", body, answer.Body, answer.Header().Get("Content-Length"))
		}
		if next := answer.Header().Get("x-ms-continuation-NextPartitionKey"); strings.HasPrefix(next,
			"storespec-") != (body != want) {
			t.Errorf("%s goes on at %q", body, next)
		}
	}
}
