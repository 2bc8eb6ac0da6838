package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/store/stores"
	"github.com/storespec/storespec/internal/wire"
)

const (
	calendsyncAna  = "550e8400-e29b-41d4-a716-446655440001"
	calendsyncTeam = "550e8400-e29b-41d4-a716-446655440002"
)

// tableHost is a DynamoDB in memory. Commands run in this process, with an environment of their own.
type tableHost struct {
	t   *testing.T
	env map[string]string
	// before is called with the number of each call, from 1, before the store sees it; false: the call fails.
	before func(n int64) bool
	calls  atomic.Int64
}

func newTableHost(t *testing.T) *tableHost {
	t.Helper()
	opened, err := stores.OpenFirst(t.Context(), "dynamodb", store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = opened.Close(context.WithoutCancel(t.Context())) })
	lease, err := opened.Lease(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(lease.Release)
	h := &tableHost{t: t}
	endpoints := map[wire.Service]string{}
	for protocol, upstream := range lease.Upstream() {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if n := h.calls.Add(1); h.before != nil && !h.before(n) {
				w.Header().Set("Content-Type", "application/x-amz-json-1.0")
				w.WriteHeader(http.StatusInternalServerError)
				_, _ = io.WriteString(w,
					`{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":"broken"}`)
				return
			}
			upstream.ServeHTTP(w, r)
		}))
		t.Cleanup(server.Close)
		endpoints[protocol.Service()] = server.URL
	}
	at := lease.Values(endpoints)
	h.env = map[string]string{"AWS_ENDPOINT_URL": at["endpoint"], "AWS_REGION": at["region"],
		"AWS_ACCESS_KEY_ID": at["access-key"], "AWS_SECRET_ACCESS_KEY": at["secret-key"],
		"DYNAMODB_TABLE_NAME": "calendsync", "STORAGE_RETRY_DELAY": "1ms", "STORAGE_MAX_RETRIES": "0"}
	return h
}

// run runs a command, with the number of its calls from 1 on.
func (h *tableHost) run(ctx context.Context, line string) (status int, said string) {
	h.calls.Store(0)
	return runStorespec(ctx, h.env, strings.Fields("dynamodb "+line))
}

// must runs a command that must print something, and end well.
func (h *tableHost) must(line, want string) {
	h.t.Helper()
	h.before = nil
	if status, said := h.run(h.t.Context(), line); status != command.StatusHolds || !strings.Contains(said, want) {
		h.t.Fatalf("%s: status %d, without %q: %s", line, status, want, said)
	}
}

// count returns how many items the table has.
func (h *tableHost) count() string {
	h.t.Helper()
	h.before = nil
	_, said := h.run(h.t.Context(), "deploy --destroy") // without a terminal
	_, said, _ = strings.Cut(said, "with its indexes, ")
	said, _, _ = strings.Cut(said, "\n")
	return said
}

// oldStorage writes a file of a user, a calendar and some entries, and returns its path.
func oldStorage(t *testing.T, entries int) string {
	t.Helper()
	type object = map[string]any
	file := object{"users": []any{object{"id": calendsyncAna, "name": "Ana", "email": "ana@example.com"}},
		"calendars": []any{object{"id": calendsyncTeam, "name": "Team", "color": "#3B82F6"}}}
	list := []any{}
	for n := range entries {
		list = append(list, object{"id": fmt.Sprintf("550e8400-e29b-41d4-a716-%012d", n), "calendarId": calendsyncTeam,
			"title": "Lunch", "date": "2024-01-15", "color": "#3B82F6", "kind": object{"type": "AllDay"}})
	}
	file["entries"] = list
	content, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "old.json")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestADynamodbCommandThatEndsAnywhereIsFinishedByTheNext ends each command before each of its calls: in one round the
// store fails from there on, in the other the user presses Ctrl-C.
func TestADynamodbCommandThatEndsAnywhereIsFinishedByTheNext(t *testing.T) {
	const entries = 130 // more than one batch of each kind
	old := oldStorage(t, entries)
	migrate := "migrate " + old + " --owner " + calendsyncAna
	seed := "seed --highlighted-day 2024-06-15 --count 30 --calendar-id " + calendsyncTeam
	for _, test := range []struct {
		line     string
		before   []string // commands that lead there
		finished string   // what the same command prints a third time
		items    string   // then
	}{
		{"deploy --force", nil, "exists already, in the shape of the design; nothing was changed", "0 items"},
		{migrate, []string{"deploy --force"}, "0 items written, 133 existed already", "134 items"},
		{seed, []string{"deploy --force", migrate}, "0 entries written, 30 existed already", "164 items"},
		{"deploy --force --destroy", []string{"deploy --force", migrate}, "does not exist; nothing was changed", ""},
	} {
		name, _, _ := strings.Cut(test.line, " ")
		for _, how := range []string{"fails", "interrupted"} {
			t.Run(strings.ReplaceAll(name+" "+how, " ", "-"), func(t *testing.T) {
				for call := int64(1); ; call++ {
					h := newTableHost(t)
					for _, line := range test.before {
						h.must(line, "")
					}
					ctx, cancel := context.WithCancel(t.Context())
					h.before = func(n int64) bool {
						if n < call {
							return true
						}
						if how == "interrupted" {
							cancel()
						}
						return false
					}
					status, said := h.run(ctx, test.line)
					cancel()
					if status == command.StatusHolds {
						if call < 3 {
							t.Errorf("only %d calls", call-1)
						}
						return
					}
					h.endedWell(how, status, said)
					h.must(test.line, "")
					h.must(test.line, test.finished)
					if got := h.count(); got != test.items {
						t.Errorf("ended before call %d: %q, not %q", call, got, test.items)
					}
				}
			})
		}
	}
}

// endedWell checks what a command says that did not come to its end.
func (h *tableHost) endedWell(how string, status int, said string) {
	h.t.Helper()
	switch {
	case how == "fails" && (status != command.StatusUnusable || !strings.Contains(said, "storage unavailable")),
		how == "interrupted" && (status != command.StatusInterrupted ||
			!strings.Contains(said, "storespec: interrupted: ")),
		how == "interrupted" && !strings.Contains(said, "again"):
		h.t.Errorf("%s: status %d: %s", how, status, said)
	}
	if strings.Contains(said, h.env["AWS_SECRET_ACCESS_KEY"]) {
		h.t.Errorf("it prints a secret: %s", said)
	}
}

func TestDynamodbRepairFinishesADeletion(t *testing.T) {
	h := newTableHost(t)
	h.must("deploy --force", "is created")
	h.must("migrate "+oldStorage(t, 3)+" --owner "+calendsyncAna, "6 items written")
	client := dynamoDBClientOf(h.env)
	if err := deleteItem(t.Context(), client, "CAL#"+calendsyncTeam); err != nil {
		t.Fatal(err)
	}
	h.must("repair", "4 items removed") // the membership, three entries
	h.must("repair", "0 items removed")
	if got := h.count(); got != "2 items" { // Ana, and what guards her address
		t.Errorf("left are %s", got)
	}
}

// Scenarios run commands in an environment of their own: it alone counts, whatever directory they run in.
func TestDynamodbCommandsTakeTheEnvironmentTheyAreGiven(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile(".env.local", []byte("this is not a variable\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"AWS_ENDPOINT_URL", "AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY",
		"DYNAMODB_TABLE_NAME"} {
		t.Setenv(name, "not-this")
	}
	h := newTableHost(t)
	h.env["DYNAMODB_TABLE_NAME"] = "storespec-lane1"
	h.must("deploy --force", "table     storespec-lane1\n")
	delete(h.env, "AWS_REGION")
	status, said := h.run(t.Context(), "repair")
	if status != command.StatusUsage || !strings.Contains(said, ".env.local:1: ") {
		t.Errorf("status %d: %s", status, said)
	}
}

// dynamoDBClientOf is a client in an environment of its own.
func dynamoDBClientOf(env map[string]string) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{BaseEndpoint: aws.String(env["AWS_ENDPOINT_URL"]), Region: env["AWS_REGION"],
		Credentials: credentials.NewStaticCredentialsProvider(env["AWS_ACCESS_KEY_ID"],
			env["AWS_SECRET_ACCESS_KEY"], "")})
}

// deleteItem deletes an item of the table, by its two keys, which are equal.
func deleteItem(ctx context.Context, client *dynamodb.Client, key string) error {
	_, err := client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String("calendsync"),
		Key: map[string]types.AttributeValue{"PK": textAttribute(key), "SK": textAttribute(key)}})
	return err
}
