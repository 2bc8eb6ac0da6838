//go:build unix

package main

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/store/storetest"
	"github.com/storespec/storespec/reference/actions"
)

// kept is a reference server with some records in a store in memory.
type kept struct {
	url        string
	connection string
}

func keep(t *testing.T, records ...string) *kept {
	t.Helper()
	lease := storetest.Lease(t)
	config, err := actions.FromEnv(func(name string) string {
		return map[string]string{"ACTIONS_TABLE_CONNECTION": lease.Direct()["connection"]}[name]
	})
	if err != nil {
		t.Fatal(err)
	}
	server, err := actions.New(config, time.Now, rand.Text, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	listening := httptest.NewServer(server)
	t.Cleanup(func() {
		listening.Close()
		server.Close()
	})
	k := &kept{listening.URL, lease.Direct()["connection"]}
	for _, record := range records {
		answer, err := http.Post(k.url+"/api/ActionsUpsert", "application/json", strings.NewReader(record))
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusCreated {
			t.Fatalf("a record was answered %d", answer.StatusCode)
		}
	}
	return k
}

// left is how many records the server still has.
func (k *kept) left(t *testing.T) string {
	t.Helper()
	answer, err := http.Get(k.url + "/api/actions/list")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	return answer.Header.Get("X-Actions-Count")
}

// archived is the text of all archives.
func (k *kept) archived(t *testing.T) string {
	t.Helper()
	client, err := azblob.NewClientFromConnectionString(k.connection, nil)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	for pages := client.NewListBlobsFlatPager("actions-archive", nil); pages.More(); {
		page, err := pages.NextPage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, blob := range page.Segment.BlobItems {
			content, err := client.DownloadStream(t.Context(), "actions-archive", *blob.Name, nil)
			if err != nil {
				t.Fatal(err)
			}
			io.Copy(&text, content.Body)
		}
	}
	return text.String()
}

// purges runs the command, which looks at everything that is older than a millisecond: less than it takes to start.
func purges(t *testing.T, connection string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	t.Setenv("ACTIONS_TABLE_CONNECTION", connection)
	cmd, out, errors := start(t, append([]string{"storespec", "actions", "purge", "--older-than", "1ms"}, args...)...)
	status = ends(t, cmd)
	return status, out.String(), errors.String()
}

func named(name string) string { return fmt.Sprintf(`{"owner":"otter","name":%q}`, name) }

func TestPurgeDeletesWhatIsNotLive(t *testing.T) {
	k := keep(t, named("a"), named("b"), named("c"))
	live := filepath.Join(t.TempDir(), "live.ndjson")
	if err := os.WriteFile(live, []byte(named("b")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		name string
		args []string
		says string
		left string
	}{
		{"a count", nil, `^3 records are older than 1ms; nothing is deleted without --live or --unchanged\n$`, "3"},
		{"a dry run", []string{"--live", live, "--dry-run"},
			`^3 records are older than 1ms, 2 of them are missing from \S+; a dry run: nothing is deleted\n$`, "3"},
		{"a purge", []string{"--live", live},
			`^3 records are older .* missing from \S+; 2 archived, 2 deleted\n  actions-archive/\S+\.ndjson\n$`, "1"},
		{"once more", []string{"--live", live},
			`^1 records are older .* 0 of them are missing from \S+; 0 archived, 0 deleted\n$`, "1"},
		{"all", []string{"--unchanged"},
			`^1 records are older than 1ms; 1 archived, 1 deleted\n  actions-archive/\S+\.ndjson\n$`, "0"},
	} {
		status, stdout, stderr := purges(t, k.connection, step.args...)
		if status != command.StatusHolds || stderr != "" || !regexp.MustCompile(step.says).MatchString(stdout) {
			t.Errorf("%s: exit status %d, it printed %q %q", step.name, status, stdout, stderr)
		}
		if left := k.left(t); left != step.left {
			t.Errorf("%s: %s records are left, not %s", step.name, left, step.left)
		}
	}
	if err := os.WriteFile(live, []byte("\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := purges(t, k.connection, "--live", live); status != command.StatusUsage ||
		!strings.Contains(stderr, "contains no record") {
		t.Errorf("of an empty file: exit status %d, it printed %q", status, stderr)
	}
	if status, stdout, stderr := purges(t, k.connection, "--table", "mistyped"); status != command.StatusUnusable ||
		stdout != "" || stderr != "storespec: there is no table mistyped, so there is nothing to purge; --table or "+
		"ACTIONS_TABLE_NAME names another\n" {
		t.Errorf("of a table that is missing: exit status %d, it printed %q %q", status, stdout, stderr)
	}
	// Nothing is lost: the archives can be loaded.
	archive := filepath.Join(t.TempDir(), "archive.ndjson")
	if err := os.WriteFile(archive, []byte(k.archived(t)), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd, stdout, stderr := start(t, "storespec", "actions", "load", archive, "--url", k.url)
	if got := ends(t, cmd); got != command.StatusHolds || !strings.HasPrefix(stdout.String(), "3 records: 3 created") {
		t.Errorf("exit status %d, it printed %s%s", got, stdout, stderr)
	}
}

// TestPurgeAfterACrash ends the command when the store has done its first deletion.
func TestPurgeAfterACrash(t *testing.T) {
	k := keep(t, named("a"), named("b"), named("c"))
	endpoint := regexp.MustCompile(`TableEndpoint=(http://[^/;]+)`).FindStringSubmatch(k.connection)[1]
	direct, err := url.Parse(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	forward := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(direct)
		r.Out.Host = r.In.Host
	}}
	first, deleted := make(chan struct{}, 1), make(chan struct{})
	first <- struct{}{}
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodDelete {
			forward.ServeHTTP(w, r)
			return
		}
		select {
		case <-first:
			forward.ServeHTTP(httptest.NewRecorder(), r)
			close(deleted)
		default:
		}
		<-r.Context().Done() // the process ends
	}))
	t.Cleanup(proxy.Close)
	t.Setenv("ACTIONS_TABLE_CONNECTION",
		strings.Replace(k.connection, "TableEndpoint="+endpoint, "TableEndpoint="+proxy.URL, 1))
	cmd, stdout, stderr := start(t, "storespec", "actions", "purge", "--older-than", "1ms", "--unchanged")
	select {
	case <-deleted:
	case <-time.After(limit):
		t.Fatal("nothing is deleted")
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	ends(t, cmd)
	if left := k.left(t); left != "2" {
		t.Errorf("%s records are left after the crash; it printed %s%s", left, stdout, stderr)
	}
	status, out, errs := purges(t, k.connection, "--unchanged")
	if status != command.StatusHolds || k.left(t) != "0" {
		t.Errorf("exit status %d, %s records are left, it printed %s%s", status, k.left(t), out, errs)
	}
	archived := k.archived(t)
	for _, name := range []string{"a", "b", "c"} {
		if !strings.Contains(archived, fmt.Sprintf(`"name":%q`, name)) {
			t.Errorf("%s is in no archive:\n%s", name, archived)
		}
	}
}

// TestPurgeAgainAndAgain: the second purge comes without anybody asking, and Ctrl-C ends it.
func TestPurgeAgainAndAgain(t *testing.T) {
	k := keep(t, named("a"))
	t.Setenv("ACTIONS_TABLE_CONNECTION", k.connection)
	cmd := exec.Command("storespec", "actions", "purge", "--older-than", "1ms", "--every", "10ms", "--unchanged")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	part := make([]byte, 4096)
	var text strings.Builder
	for strings.Count(text.String(), "0 archived, 0 deleted") < 2 {
		n, err := out.Read(part)
		if text.Write(part[:n]); err != nil {
			t.Fatalf("it ended: %v, %s", err, &text)
		}
	}
	go io.Copy(io.Discard, out)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if got := ends(t, cmd); got != command.StatusHolds && got != command.StatusInterrupted { // in the midst of a purge
		t.Errorf("exit status %d", got)
	}
}
