package reference_test

import (
	"io/fs"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/storespec/storespec/features"
	"github.com/storespec/storespec/reference"
	"github.com/storespec/storespec/reference/actions"
	"github.com/storespec/storespec/reference/c4lendar"
	"github.com/storespec/storespec/reference/calendsync"
	"github.com/storespec/storespec/reference/familyscheduler"
	"github.com/storespec/storespec/reference/lovehunt"
	"github.com/storespec/storespec/reference/web"
)

// The account is Azurite's well-known one; opening a server makes no call.
const connection = "DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=Zm9v;" +
	"BlobEndpoint=http://127.0.0.1:1/devstoreaccount1;TableEndpoint=http://127.0.0.1:1/devstoreaccount1"

// server is a reference server, with its table of routes and the contract it keeps.
type server struct {
	http.Handler
	routes   []web.Route
	contract string
}

// servers are all of them, by the folder of the system's features.
func servers(t *testing.T) map[string]server {
	t.Helper()
	log, id := slog.New(slog.DiscardHandler), func() string { return "" }
	scheduler, err := familyscheduler.New(familyscheduler.Config{TablesConnection: connection,
		BlobsConnection: connection, Container: "state"}, time.Now, id, log)
	if err != nil {
		t.Fatal(err)
	}
	records, err := actions.New(actions.Config{TableConnection: connection, BlobConnection: connection,
		Table: "actions"}, time.Now, id, log)
	if err != nil {
		t.Fatal(err)
	}
	hunts, err := lovehunt.New(lovehunt.Config{Connection: connection, Container: "lovehunt", Phase: "tables-only"},
		time.Now, log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = hunts.Close() })
	const place, key = "http://127.0.0.1:1", "0123456789abcdef0123456789abcdef"
	calendar, err := c4lendar.New(c4lendar.Config{API: place, EncryptionKey: key, PublicURL: place, TelegramURL: place},
		time.Now, id, log)
	if err != nil {
		t.Fatal(err)
	}
	ofTable, err := calendsync.FromEnv(func(name string) string {
		return map[string]string{"AWS_ENDPOINT_URL": place, "AWS_REGION": "a", "AWS_ACCESS_KEY_ID": "b",
			"AWS_SECRET_ACCESS_KEY": key}[name]
	})
	if err != nil {
		t.Fatal(err)
	}
	shared := calendsync.New(ofTable, time.Now, id, log)
	t.Cleanup(func() { _ = shared.Close() })
	return map[string]server{
		"familyscheduler": {scheduler, scheduler.Routes(), reference.Contract("familyscheduler")},
		"actions":         {records, records.Routes(), reference.Contract("actions")},
		"lovehunt":        {hunts, hunts.Routes(), reference.Contract("lovehunt")},
		"c4lendar":        {calendar, calendar.Routes(), reference.Contract("c4lendar")},
		"calendsync":      {shared, shared.Routes(), reference.Contract("calendsync")},
	}
}

// contracted matches the paths that contracts have, where a server has others for people.
var contracted = regexp.MustCompile(`^/($|metrics$|readyz$|api/|oauth/|telegram-webhook$)`)

// TestTheRoutesAreThoseOfTheContract: somebody who ports a server reads both side by side. Beside the contract a server
// may have pages for people.
func TestTheRoutesAreThoseOfTheContract(t *testing.T) {
	for system, server := range servers(t) {
		var have []string
		for _, route := range server.routes {
			if contracted.MatchString(route.Path) {
				have = append(have, route.Method+" "+route.Path)
			}
		}
		if want := operations(t, server.contract); !slices.Equal(have, want) {
			t.Errorf("%s has the routes\n%s\nand the contract, in this order\n%s", system, strings.Join(have, "\n"),
				strings.Join(want, "\n"))
		}
	}
}

// TestAnAddressHasOneSpelling: one with an empty part, or with dots for one, is answered as any unknown address is, and
// not with a redirect, which no contract has.
func TestAnAddressHasOneSpelling(t *testing.T) {
	for system, server := range servers(t) {
		ask := func(method, address string) (int, string, string) {
			w := httptest.NewRecorder()
			server.ServeHTTP(w, httptest.NewRequest(method, "http://localhost"+address, nil))
			return w.Code, w.Header().Get("Content-Type"), w.Header().Get("Location")
		}
		for _, route := range server.routes {
			status, form, _ := ask(route.Method, "/nowhere")
			if status != http.StatusNotFound || form == "" {
				t.Fatalf("%s: an unknown address is answered %d, as %q", system, status, form)
			}
			wrong := []string{"/" + route.Path, "/." + route.Path, "/nowhere/.." + route.Path}
			if at := strings.LastIndex(route.Path, "/"); at > 0 {
				wrong = append(wrong, route.Path[:at]+"/"+route.Path[at:], route.Path[:at]+"/."+route.Path[at:])
			}
			for _, address := range wrong {
				if got, as, to := ask(route.Method, address); got != status || as != form || to != "" {
					t.Errorf("%s: %s %s is answered %d, as %q, and leads to %q", system, route.Method, address, got,
						as, to)
				}
			}
		}
	}
}

// TestTheRulesOfARouteAreThoseThatAskIt: a rule named beside a route exists, and its scenarios ask the route; a route
// of the API that some rule asks names one of them.
func TestTheRulesOfARouteAreThoseThatAskIt(t *testing.T) {
	for system, server := range servers(t) {
		rules := texts(t, system)
		for _, route := range server.routes {
			asked := route.Path
			if prefix, _, parameters := strings.Cut(route.Path, "{"); parameters {
				asked = prefix
			}
			api := strings.HasPrefix(asked, "/api/")
			for _, id := range route.Rules {
				switch text, known := rules[id]; {
				case !known:
					t.Errorf("%s %s: the features of %s have no rule %s", route.Method, route.Path, system, id)
				case api && !strings.Contains(text, asked):
					t.Errorf("%s %s: no scenario of %s asks it", route.Method, route.Path, id)
				}
			}
			for id, text := range rules {
				if api && len(route.Rules) == 0 && strings.Contains(text, asked) {
					t.Errorf("%s %s names no rule, and %s asks it", route.Method, route.Path, id)
				}
			}
		}
	}
}

// TestEveryRuleThatTheSourceNamesExists also where a comment names it.
func TestEveryRuleThatTheSourceNamesExists(t *testing.T) {
	known := texts(t, "familyscheduler")
	maps.Copy(known, texts(t, "actions"))
	maps.Copy(known, texts(t, "lovehunt"))
	maps.Copy(known, texts(t, "c4lendar"))
	maps.Copy(known, texts(t, "calendsync"))
	named := 0
	err := fs.WalkDir(os.DirFS("."), ".", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(file) != ".go" {
			return err
		}
		source, err := os.ReadFile(file)
		for _, id := range ruleID.FindAllString(string(source), -1) {
			if named++; known[id] == "" {
				t.Errorf("%s names %s: the features have no such rule", file, id)
			}
		}
		return err
	})
	if err != nil || named == 0 {
		t.Errorf("%d rules are named: %v", named, err)
	}
}

// ruleID also finds an id without its system, which nobody can look up.
var ruleID = regexp.MustCompile(`\b(?:[A-Z]{2}-)?(?:ADM|APP|APT|AUD|BAT|BUD|BULK|CACHE|CAN|CHG|CON|DASH|ERR|` +
	`FLAG|GATE|GRP|HIST|HUNT|ID|IDX|KEY|LAT|LIST|LOG|MEM|MET|MIG|MON|ORG|PAGE|PRV|PUR|RET|SCH|SIZ|` +
	`SRV|USE|VAL|VER)-\d+\b`)

// operations are the methods and paths of an OpenAPI document, in its order.
func operations(t *testing.T, contract string) []string {
	t.Helper()
	var document struct{ Paths yaml.Node }
	if err := yaml.Unmarshal([]byte(contract), &document); err != nil {
		t.Fatal(err)
	}
	var found []string
	paths := document.Paths.Content
	for i := 0; i < len(paths); i += 2 {
		methods := paths[i+1].Content
		for j := 0; j < len(methods); j += 2 {
			if method := strings.ToUpper(methods[j].Value); method != "PARAMETERS" {
				found = append(found, method+" "+paths[i].Value)
			}
		}
	}
	if len(found) == 0 {
		t.Fatal("the contract has no paths")
	}
	return found
}

// texts are the rules of a system's features by their ids: from the tag to the next rule's, with the Background of the
// feature.
func texts(t *testing.T, system string) map[string]string {
	t.Helper()
	files, err := fs.Glob(features.Files, system+"/*.feature")
	if err != nil || len(files) == 0 {
		t.Fatalf("no features of %s: %v", system, err)
	}
	rules := map[string]string{}
	for _, file := range files {
		text, err := fs.ReadFile(features.Files, file)
		if err != nil {
			t.Fatal(err)
		}
		tags := regexp.MustCompile(`(?m)^\s*@((?:CB|CS|FS|GA|LH)-[A-Z]+-\d+)\b`).FindAllSubmatchIndex(text, -1)
		for i, tag := range tags {
			end := len(text)
			if i+1 < len(tags) {
				end = tags[i+1][0]
			}
			rules[string(text[tag[2]:tag[3]])] = string(text[:tags[0][0]]) + string(text[tag[0]:end])
		}
	}
	return rules
}
