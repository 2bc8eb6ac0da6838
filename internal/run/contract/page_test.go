package contract_test

import (
	"flag"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/storespec/storespec/features"
	"github.com/storespec/storespec/internal/run/contract"
	"github.com/storespec/storespec/reference"
)

var update = flag.Bool("update", false, "write the contract pages instead of comparing them")

// load is the contract of a system whose reference server is here.
func load(t *testing.T, system string) *contract.Contract {
	t.Helper()
	loaded, err := contract.Load([]byte(reference.Contract(system)))
	if err != nil {
		t.Fatalf("%s: %v", system, err)
	}
	return loaded
}

func TestThePagesSayWhatTheContractsSay(t *testing.T) {
	for _, system := range reference.Names() {
		file := filepath.Join("..", "..", "..", "docs", "designs", system+"-contract.md")
		source := "[openapi.yaml](../../reference/" + system + "/openapi.yaml)"
		page := load(t, system).Page(source)
		if *update {
			if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		written, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if string(written) != page {
			t.Errorf("%s is not what the contract says: run go test ./internal/run/contract -update", file)
		}
	}
}

// parameter is a part of a path that stands for anything, as regexp.QuoteMeta leaves it.
var parameter = regexp.MustCompile(`\\\{[^}]*\\\}`)

// Each route that takes anything from outside must be among the hostile requests.
func TestEveryRouteIsSentHostileRequests(t *testing.T) {
	for _, system := range reference.Names() {
		var rows []string
		names, err := fs.Glob(features.Files, system+"/*.feature")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := features.Files.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			rows = append(rows, strings.Split(string(text), "\n")...)
		}
		for _, route := range load(t, system).Routes() {
			// they take nothing
			if slices.Contains([]string{"GET /", "GET /api/health", "GET /api/actions/stats", "GET /api/v2/app",
				"GET /api/v2/health", "GET /metrics", "GET /readyz",
				"GET /api/calendars", "GET /api/calendars/me"}, route) {
				continue
			}
			asked := parameter.ReplaceAllLiteralString(regexp.QuoteMeta(route), `[^/ ?|]+`)
			sent := regexp.MustCompile(`\| ` + asked + `[ ?].*\| 4\d\d `)
			if !slices.ContainsFunc(rows, sent.MatchString) {
				t.Errorf("%s: no hostile request is sent to %s", system, route)
			}
		}
	}
}

// What holding answers to a contract costs: each is checked while scenarios run, and the document is loaded once per
// run.
func BenchmarkLoad(b *testing.B) {
	text := []byte(reference.Contract("familyscheduler"))
	for b.Loop() {
		if _, err := contract.Load(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	loaded, err := contract.Load([]byte(reference.Contract("familyscheduler")))
	if err != nil {
		b.Fatal(err)
	}
	group := `{"groupId":"family","groupName":"Family","myStatus":"active","invitedAt":null,` +
		`"joinedAt":"2026-06-01T07:00:00.000Z","removedAt":null,"updatedAt":"2026-06-01T07:00:00.000Z"}`
	answer := contract.Answer{
		Method: "GET", Path: "/api/me/groups", Status: 200, Header: http.Header{"Content-Type": {"application/json"}},
		Body: []byte(`{"ok":true,"traceId":"0af7651916cd43dd8448eb211c80319c","groups":[` +
			strings.Repeat(group+",", 9) + group + `]}`),
	}
	for b.Loop() {
		if err := loaded.Check(answer); err != nil {
			b.Fatal(err)
		}
	}
}
