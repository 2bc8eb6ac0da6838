package actions_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"

	"github.com/storespec/storespec/reference/actions"
)

// blobs are the names and contents of a container.
func blobs(t *testing.T, config actions.Config, name string) map[string]string {
	t.Helper()
	client, err := container.NewClientFromConnectionString(config.BlobConnection, name, &container.ClientOptions{
		ClientOptions: azcore.ClientOptions{Transport: &http.Client{Transport: config.Storage}},
	})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for pages := client.NewListBlobsFlatPager(nil); pages.More(); {
		page, err := pages.NextPage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, blob := range page.Segment.BlobItems {
			answer, err := client.NewBlobClient(*blob.Name).DownloadStream(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			data, err := io.ReadAll(answer.Body)
			if err != nil {
				t.Fatal(err)
			}
			found[*blob.Name] = string(data)
		}
	}
	return found
}

func TestWhatIsReplacedIsArchivedFirst(t *testing.T) {
	h := startHost(t, map[string]string{"ACTIONS_HISTORY_CONTAINER": "history"})
	for version := 1; version <= 3; version++ {
		body := fmt.Sprintf(`{"owner":"O","name":"N.x","version":%d}`, version)
		for range 2 { // the second time nothing changes
			if a := h.ask(t, "POST", "/api/ActionsUpsert", body); a.status >= 300 {
				t.Fatalf("%d %s", a.status, a.body)
			}
		}
	}
	h.ask(t, "POST", "/api/ActionsUpsert/batch", `{"records":[{"owner":"O","name":"N.x","version":4}]}`)
	kept := blobs(t, h.config, "history")
	for version := 1; version <= 3; version++ {
		found := 0
		for name, content := range kept {
			if strings.HasPrefix(name, "history/o/n~2Ex/") &&
				strings.Contains(content, fmt.Sprintf(`"version":%d,`, version)) {
				found++
			}
		}
		if found != 1 || len(kept) != 3 {
			t.Errorf("version %d: %d times among %v", version, found, kept)
		}
	}
}

// purge runs a purge that looks at everything written up to now.
func (h *host) purge(ctx context.Context, options actions.PurgeOptions) (actions.PurgeReport, error) {
	options.OlderThan, options.Container = time.Hour, "archive"
	later := func() time.Time { return time.Now().Add(2 * time.Hour) }
	return actions.Purge(ctx, h.config, options, later, h.newID, slog.New(slog.DiscardHandler))
}

func TestPurgeDeletesWhatIsNoLongerLive(t *testing.T) {
	h := startHost(t, nil)
	for i := range 5 {
		h.ask(t, "POST", "/api/ActionsUpsert", fmt.Sprintf(`{"owner":"o","name":"it's %d"}`, i))
	}
	live, err := actions.ReadLive(strings.NewReader("\ufeff{\"owner\":\"O\",\"name\":\"it's " +
		"1\"}\n\n{\"owner\":\"o\",\"name\":\"IT'S 3\",\"x\":1}"))
	if err != nil || live.Len() != 2 {
		t.Fatal(live, err)
	}
	if _, err := actions.ReadLive(strings.NewReader("{\"owner\":\"o\",\"name\":\"x\"}\n\ufeff" +
		"{\"owner\":\"o\",\"name\":\"y\"}")); err == nil ||
		!strings.HasPrefix(err.Error(), "line 2: it begins with a byte") {
		t.Errorf("two joined files: %v", err)
	}
	report := func(options actions.PurgeOptions) string {
		t.Helper()
		r, err := h.purge(t.Context(), options)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(r.Old, r.Stale, r.Archived, r.Deleted, r.Changed, len(r.Archives))
	}
	if got := report(actions.PurgeOptions{}); got != "5 0 0 0 0 0" {
		t.Errorf("without a word on what is gone: %s", got)
	}
	if got := report(actions.PurgeOptions{Live: live, DryRun: true}); got != "5 3 0 0 0 0" {
		t.Errorf("a dry run: %s", got)
	}
	if got := report(actions.PurgeOptions{Live: live}); got != "5 3 3 3 0 1" {
		t.Errorf("with what is live: %s", got)
	}
	left := h.ask(t, "GET", "/api/actions/list", "")
	if left.header.Get("X-Actions-Count") != "2" || !strings.Contains(left.body, "it's 1") ||
		!strings.Contains(left.body, "it's 3") {
		t.Errorf("left are %s", left.body)
	}
	for _, archive := range blobs(t, h.config, "archive") {
		for _, line := range strings.Split(strings.TrimSpace(archive), "\n") {
			if a := h.ask(t, "POST", "/api/ActionsUpsert", line); a.status != 201 {
				t.Errorf("an archived record comes back as %d %s", a.status, a.body)
			}
		}
	}
	if got := report(actions.PurgeOptions{Unchanged: true}); got != "5 5 5 5 0 1" {
		t.Errorf("all that is unchanged: %s", got)
	}
}

// TestAPurgeThatIsKilled ends the way to the store at every call that a purge makes, before the store has done it and
// after; then purges again.
func TestAPurgeThatIsKilled(t *testing.T) {
	live, err := actions.ReadLive(strings.NewReader(`{"owner":"o","name":"live"}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, done := range []bool{false, true} {
		for n, killed := 0, true; killed; n++ {
			h := startHost(t, nil)
			for _, name := range []string{"a", "live", "z"} {
				h.ask(t, "POST", "/api/ActionsUpsert", fmt.Sprintf(`{"owner":"o","name":%q}`, name))
			}
			storage, calls := h.config.Storage, &atomic.Int64{}
			h.config.Storage = ending{storage, calls, int64(n), done}
			_, err := h.purge(t.Context(), actions.PurgeOptions{Live: live})
			if killed = calls.Load() > int64(n); killed != (err != nil) {
				t.Fatalf("killed at call %d of %d: %v", n, calls.Load(), err)
			}
			h.config.Storage = storage
			if _, err := h.purge(t.Context(), actions.PurgeOptions{Live: live}); err != nil {
				t.Fatalf("after call %d: %v", n, err)
			}
			if a := h.ask(t, "GET", "/api/actions/list", ""); a.header.Get("X-Actions-Count") != "1" ||
				!strings.Contains(a.body, `"live"`) {
				t.Errorf("after call %d there is %s", n, a.body)
			}
			archived := fmt.Sprint(blobs(t, h.config, "archive"))
			for _, name := range []string{"a", "z"} {
				if !strings.Contains(archived, fmt.Sprintf(`"name":%q`, name)) {
					t.Errorf("after call %d %s is in no archive: %s", n, name, archived)
				}
			}
			if strings.Contains(archived, `"live"`) {
				t.Errorf("after call %d what is live is archived: %s", n, archived)
			}
			if !killed && n < 5 { // container, query, archive, two deletions
				t.Errorf("a purge of two rows made %d calls", n)
			}
		}
	}
}

// ending is a store that is gone after so many calls; done: it has carried out the next one.
type ending struct {
	http.RoundTripper
	calls *atomic.Int64
	after int64
	done  bool
}

func (e ending) RoundTrip(r *http.Request) (*http.Response, error) {
	n := e.calls.Add(1)
	if n <= e.after {
		return e.RoundTripper.RoundTrip(r)
	}
	if n == e.after+1 && e.done {
		if response, err := e.RoundTripper.RoundTrip(r); err == nil {
			_ = response.Body.Close()
		}
	}
	return nil, errors.New("killed")
}

func TestAPurgeThatOnlyLooksMakesNothing(t *testing.T) {
	h := startHost(t, nil)
	if _, err := h.purge(t.Context(), actions.PurgeOptions{Unchanged: true}); !errors.Is(err, actions.ErrNoTable) {
		t.Errorf("of a table that is not there: %v", err)
	}
	h.ask(t, "POST", "/api/ActionsUpsert", `{"owner":"o","name":"n"}`)
	h.config.Storage = stopping{h.config.Storage, http.MethodPut, "", func() error { return errors.New("it writes") }}
	for name, options := range map[string]actions.PurgeOptions{"a count": {},
		"a dry run": {Unchanged: true, DryRun: true}} {
		if report, err := h.purge(t.Context(), options); err != nil || report.Old != 1 {
			t.Errorf("%s: %+v %v", name, report, err)
		}
	}
}

// table is the rows past the server.
func table(t *testing.T, config actions.Config) *aztables.Client {
	t.Helper()
	client, err := aztables.NewServiceClientFromConnectionString(config.TableConnection, &aztables.ClientOptions{
		ClientOptions: azcore.ClientOptions{Transport: &http.Client{Transport: config.Storage}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return client.NewClient(config.Table)
}

// A change fails when the old payload is archived already, and then somebody adds a column of his own to the row.
func TestWhatIsArchivedAlreadyDoesNotHoldUpAChange(t *testing.T) {
	h := startHost(t, map[string]string{"ACTIONS_HISTORY_CONTAINER": "history", "STORAGE_MAX_RETRIES": "0"})
	h.ask(t, "POST", "/api/ActionsUpsert", `{"owner":"o","name":"n","version":1}`)
	broken := h.config
	broken.Storage = stopping{h.config.Storage, http.MethodPut, "PartitionKey",
		func() error { return errors.New("away") }}
	if a := startOn(t, broken).ask(t, "POST", "/api/ActionsUpsert",
		`{"owner":"o","name":"n","version":2}`); a.status != 503 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	touched := []byte(`{"PartitionKey":"o","RowKey":"n","Reviewed":true}`)
	if _, err := table(t, h.config).UpdateEntity(t.Context(), touched,
		&aztables.UpdateEntityOptions{UpdateMode: aztables.UpdateModeMerge}); err != nil {
		t.Fatal(err)
	}
	if a := h.ask(t, "POST", "/api/ActionsUpsert", `{"owner":"o","name":"n","version":2}`); a.status != 200 ||
		a.field("updated") != true {
		t.Errorf("%d %s", a.status, a.body)
	}
}

func TestARowWithoutAPayloadIsAnError(t *testing.T) {
	h := startHost(t, nil)
	h.ask(t, "GET", "/api/actions/list", "") // which makes the table
	row := []byte(`{"PartitionKey":"o","RowKey":"n","LastSyncedUtc":"2026-01-02T03:04:05Z",` +
		`"LastSyncedUtc@odata.type":"Edm.DateTime"}`)
	if _, err := table(t, h.config).AddEntity(t.Context(), row, nil); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/api/actions/o/n", "/api/actions/list", "/api/actions/list?owner=o&limit=1"} {
		if a := h.ask(t, "GET", path, ""); a.status != 500 || a.field("errorCode") != "PERSISTENCE_FAILED" {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
	if report, err := h.purge(t.Context(), actions.PurgeOptions{Unchanged: true}); err == nil || report.Deleted != 0 {
		t.Errorf("%+v %v", report, err)
	}
}

func TestPurgeRefusals(t *testing.T) {
	h := startHost(t, nil)
	for name, options := range map[string]actions.PurgeOptions{
		"no age":       {Container: "archive"},
		"no container": {OlderThan: time.Hour},
		"both":         {OlderThan: time.Hour, Container: "archive", Live: &actions.Live{}, Unchanged: true},
	} {
		if _, err := actions.Purge(t.Context(), h.config, options, time.Now, h.newID,
			slog.New(slog.DiscardHandler)); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	for _, lines := range []string{"{\"owner\":\"o\",\"name\":\"n\"}\n{\"owner\":\"o\"}\n", "{}{}",
		"{\"owner\":\"o\",\"name\":\"n\"}\n" + strings.Repeat("x", 11<<20)} {
		if _, err := actions.ReadLive(strings.NewReader(lines)); err == nil ||
			!strings.HasPrefix(err.Error(), "line ") {
			t.Errorf("%.30q: %v", lines, err)
		}
	}
}

// stopping is a store that something happens to before a call of one method on an address that holds a text.
type stopping struct {
	http.RoundTripper
	method, address string
	before          func() error
}

func (s stopping) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == s.method && strings.Contains(r.URL.Path, s.address) {
		if err := s.before(); err != nil {
			return nil, err
		}
	}
	return s.RoundTripper.RoundTrip(r)
}

func TestPurgeKeepsWhatIsWrittenMeanwhile(t *testing.T) {
	h := startHost(t, nil)
	h.ask(t, "POST", "/api/ActionsUpsert", `{"owner":"o","name":"n","v":1}`)
	other := startOn(t, h.config)
	h.config.Storage = stopping{h.config.Storage, http.MethodDelete, "PartitionKey", func() error {
		_, err := other.try("POST", "/api/ActionsUpsert", `{"owner":"o","name":"n","v":2}`)
		return err
	}}
	report, err := h.purge(t.Context(), actions.PurgeOptions{Unchanged: true})
	if err != nil || report.Deleted != 0 || report.Changed != 1 {
		t.Errorf("%+v %v", report, err)
	}
	if a := other.ask(t, "GET", "/api/actions/o/n", ""); a.field("v") != 2.0 {
		t.Errorf("%d %s", a.status, a.body)
	}
}

func TestACrashBetweenArchiveAndDeletionLosesNothing(t *testing.T) {
	h := startHost(t, nil)
	h.ask(t, "POST", "/api/ActionsUpsert", `{"owner":"o","name":"n"}`)
	storage := h.config.Storage
	h.config.Storage = stopping{storage, http.MethodDelete, "PartitionKey",
		func() error { return errors.New("crashed") }}
	if report, err := h.purge(t.Context(), actions.PurgeOptions{Unchanged: true}); err == nil || report.Archived != 1 ||
		report.Deleted != 0 {
		t.Fatalf("%+v %v", report, err)
	}
	h.config.Storage = storage
	if a := h.ask(t, "GET", "/api/actions/o/n", ""); a.status != 200 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	if report, err := h.purge(t.Context(), actions.PurgeOptions{Unchanged: true}); err != nil || report.Deleted != 1 {
		t.Errorf("%+v %v", report, err)
	}
	if kept := blobs(t, h.config, "archive"); len(kept) != 2 {
		t.Errorf("%v", kept)
	}
}
