package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
)

func TestUsage(t *testing.T) {
	for name, args := range map[string][]string{"no system": nil, "unknown system": {"nope"},
		"two systems": {"familyscheduler", "familyscheduler"}} {
		var stderr bytes.Buffer
		if status := run(t.Context(), args, func(string) string { return "" }, &stderr); status != 2 ||
			!strings.Contains(stderr.String(), "usage:") {
			t.Errorf("%s: status %d, %s", name, status, &stderr)
		}
	}
}

func TestStartErrorsNameTheVariable(t *testing.T) {
	for missing, env := range map[string]map[string]string{
		"PORT":              {},
		"MAGIC_LINK_SECRET": {"PORT": "0"},
	} {
		var stderr bytes.Buffer
		status := run(t.Context(), []string{"familyscheduler"}, func(name string) string { return env[name] }, &stderr)
		if status != 1 || !strings.Contains(stderr.String(), missing+" is not set") {
			t.Errorf("without %s: status %d, %s", missing, status, &stderr)
		}
	}
}

// running is the program under way.
type running struct {
	url   string
	stop  context.CancelFunc // what a signal does
	ended chan int           // its exit status
}

// start runs the program with a storage account at an address, and more in its environment.
func start(t *testing.T, args []string, storage string, more map[string]string) *running {
	t.Helper()
	connection := "DefaultEndpointsProtocol=http;AccountName=acc;AccountKey=a2V5;TableEndpoint=" + storage +
		"/acc;BlobEndpoint=" + storage + "/acc;"
	env := map[string]string{
		"PORT": "0", "AZURE_TABLES_CONNECTION_STRING": connection, "AzureWebJobsStorage": connection,
		"MAGIC_LINK_SECRET": "a-secret-that-nobody-guesses", "MAGIC_LINK_OUTBOX": t.TempDir(), "BUILD_SHA": "abc",
	}
	maps.Copy(env, more)
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(stop)
	logs, stderr := io.Pipe()
	r := &running{stop: stop, ended: make(chan int, 1)}
	go func() {
		r.ended <- run(ctx, args, func(name string) string { return env[name] }, stderr)
		_ = stderr.Close()
	}()
	lines := bufio.NewScanner(logs)
	if !lines.Scan() {
		t.Fatal("nothing was logged")
	}
	var listening struct{ Msg, Address string }
	if err := json.Unmarshal(lines.Bytes(), &listening); err != nil || listening.Msg != "listening" {
		t.Fatalf("%s: %v", lines.Text(), err)
	}
	go func() { _, _ = io.Copy(io.Discard, logs) }()
	r.url = "http://" + listening.Address
	return r
}

const nowhere = "http://127.0.0.1:1" // nothing listens there

func TestServesUntilTheSignal(t *testing.T) {
	r := start(t, []string{"familyscheduler"}, nowhere, nil)
	answer, err := http.Get(r.url + "/api/health")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if err != nil || answer.StatusCode != http.StatusOK || !strings.Contains(string(body), `"version":"abc"`) {
		t.Errorf("health: %d %s %v", answer.StatusCode, body, err)
	}
	r.stop()
	if status := <-r.ended; status != 0 {
		t.Errorf("status %d", status)
	}
}

func TestWhatIsUnderWayIsAnsweredAfterTheSignal(t *testing.T) {
	asked, release := make(chan struct{}), make(chan struct{})
	storage := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet { // the session; tables and the container are created before
			close(asked)
			<-release
			w.Header().Set("x-ms-error-code", "BlobNotFound")
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.WriteHeader(http.StatusCreated)
	}))
	defer storage.Close()
	r := start(t, []string{"familyscheduler"}, storage.URL, nil)
	answered := make(chan string, 1)
	go func() {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.url+"/api/me/groups", nil)
		if err != nil {
			answered <- err.Error()
			return
		}
		request.Header.Set("x-session-id", "somebodys-session")
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			answered <- err.Error()
			return
		}
		defer answer.Body.Close()
		answered <- answer.Status
	}()
	<-asked
	r.stop()
	for { // until new connections are refused
		connection, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
		if err != nil {
			break
		}
		_ = connection.Close()
	}
	select {
	case status := <-r.ended:
		t.Fatalf("it ended with %d while a request was under way", status)
	default:
	}
	close(release)
	if got := <-answered; got != "401 Unauthorized" {
		t.Errorf("the request under way got %s", got)
	}
	if status := <-r.ended; status != 0 {
		t.Errorf("status %d", status)
	}
}

// The Functions host starts the command of host.json, names a port, and forwards each request as it came, with headers
// of its own (learn.microsoft.com, "Azure Functions custom handlers").
func TestAsCustomHandlerOfAzureFunctions(t *testing.T) {
	const folder = "../../reference/familyscheduler/functions/"
	var host struct {
		Version    string
		Extensions struct {
			HTTP struct{ RoutePrefix *string }
		}
		CustomHandler struct {
			Description struct {
				DefaultExecutablePath string
				Arguments             []string
			}
			EnableForwardingHTTPRequest bool `json:"enableForwardingHttpRequest"`
		}
	}
	readJSON(t, folder+"host.json", &host)
	handler := host.CustomHandler
	if host.Version != "2.0" || handler.Description.DefaultExecutablePath != "storespec-reference" ||
		!handler.EnableForwardingHTTPRequest {
		t.Errorf("host.json: %+v", host)
	}
	if prefix := host.Extensions.HTTP.RoutePrefix; prefix == nil || *prefix != "" {
		t.Error("host.json: the route prefix is not empty, so that /api would stand twice in front of a route")
	}
	var function struct {
		Bindings []struct {
			Type, Route string
			AuthLevel   string
			Methods     []string
		}
	}
	readJSON(t, folder+"all/function.json", &function)
	if b := function.Bindings; len(b) != 2 || b[0].Type != "httpTrigger" || b[0].Route != "{*path}" ||
		b[0].AuthLevel != "anonymous" || b[1].Type != "http" {
		t.Errorf("function.json: %+v", function)
	}

	r := start(t, handler.Description.Arguments, nowhere,
		map[string]string{"FUNCTIONS_CUSTOMHANDLER_PORT": "0", "PORT": "not a port"})
	for path, want := range map[string]int{"/api/health": 200, "/": 200, "/api/me/groups": 401, "/nothing": 404} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Host = "family.azurewebsites.net"
		request.Header.Set("X-Azure-Functions-InvocationId", "4e3c2f36-7d6a-4a0c-b8b0-0e5a5a9a2f5d")
		request.Header.Set("X-Forwarded-For", "203.0.113.7:51234")
		request.Header.Set("X-Forwarded-Proto", "https")
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("%s: %d, want %d", path, answer.StatusCode, want)
		}
	}
	r.stop()
	if status := <-r.ended; status != 0 {
		t.Errorf("status %d", status)
	}
}

func readJSON(t *testing.T, file string, into any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}
