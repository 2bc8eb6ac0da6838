package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/store/stores"
	"github.com/storespec/storespec/reference"
)

// TestScript runs testdata/script. Scripts have the conditions [azurite], [dynalite], [dynamodb-local], [ci],
// [container], [emulator-ports], [workerd], [aws-sdk] (of Node) and [boto3] (of the Python in BOTO3), and the commands
// "status", which is exec with the exit status that must come of it, "ready" and "await".
func TestScript(t *testing.T) {
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	opens := map[string]bool{}
	for _, name := range []string{"azurite", "dynalite", "dynamodb-local"} {
		opens[name] = canOpen(t, name)
	}
	workerd := workerdProgram(t, cache)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { taken.Close() }) // scripts run in parallel, after this function
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	nodeSDK, boto3 := sdkOfNode(t, root), pythonWithSDK(t)
	// Once, before the scripts: while they run, a child just forked may hold for a moment what this process listens on.
	emulatorPorts := canListen(t, "127.0.0.1:10000", "127.0.0.1:10001", "127.0.0.1:10002")
	programs := plainPrograms(t)
	modules, builds := goCaches(t)
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_CACHE_HOME", cache) // Azurite is installed there, once
			env.Setenv("ROOT", root)
			env.Setenv("WORKERD", workerd)
			env.Setenv("BOTO3", boto3)
			env.Setenv("PATH", programs+string(filepath.ListSeparator)+env.Getenv("PATH"))
			env.Setenv("STORESPEC", filepath.Join(programs, "storespec")) // for a script without PATH
			env.Setenv("GOMODCACHE", modules)
			env.Setenv("GOCACHE", builds)
			env.Setenv("GOFLAGS", os.Getenv("GOFLAGS")) // what they build shares the cache only with the same flags
			env.Setenv("PUBLISHED_KEY",
				"Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==")
			env.Setenv("TAKEN_PORT", strconv.Itoa(taken.Addr().(*net.TCPAddr).Port))
			return reservePorts(env)
		},
		Condition: func(name string) (bool, error) {
			switch name {
			case "azurite", "dynalite", "dynamodb-local":
				return opens[name], nil
			case "ci":
				return os.Getenv("CI") == "true", nil
			case "container":
				return os.Getenv("STORESPEC_TEST_DOCKER") == "1", nil
			case "workerd":
				return workerd != "", nil
			case "aws-sdk":
				return nodeSDK, nil
			case "boto3":
				return boto3 != "", nil
			case "emulator-ports":
				return emulatorPorts, nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status, "ready": ready,
			"await": await},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// canListen says whether some addresses are free. In CI they must be.
func canListen(t *testing.T, addresses ...string) bool {
	t.Helper()
	for _, address := range addresses {
		listener, err := net.Listen("tcp", address)
		if err != nil {
			if os.Getenv("CI") == "true" {
				t.Error(err)
			}
			t.Logf("lines that need %s are skipped: %v", address, err)
			return false
		}
		_ = listener.Close()
	}
	return true
}

// canOpen says whether this machine can open the store, and installs what that needs. In CI it must.
func canOpen(t *testing.T, name string) bool {
	t.Helper()
	opened, err := stores.Open(t.Context(), store.Options{Name: name})
	if err == nil {
		if err := opened.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Fatal(err)
		}
		return true
	}
	if !errors.Is(err, store.ErrUnavailable) || os.Getenv("CI") == "true" {
		t.Fatal(err)
	}
	t.Logf("scripts that need %s are skipped: %v", name, err)
	return false
}

func status(ts *testscript.TestScript, neg bool, args []string) {
	want, err := -1, errors.New("usage: status N command...")
	if len(args) >= 2 && !neg {
		want, err = strconv.Atoi(args[0])
	}
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, not %d; it wrote:\n%s%s", got, want, ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}

// ready waits until the server at a port is healthy.
func ready(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: ready PORT")
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(2 * time.Millisecond) {
		answer, err := http.Get("http://127.0.0.1:" + args[0] + "/api/health")
		if err == nil {
			_ = answer.Body.Close()
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("no server is ready: %v", err)
		}
	}
}

// serveReference is the reference server of familyscheduler as a program of its own: the black box. With the only
// argument "actions" or "c4lendar" it is that of the design. It stands for the program storespec-reference too.
func serveReference(args []string) int {
	system := "familyscheduler"
	if len(args) == 1 && slices.Contains([]string{"actions", "c4lendar", "lovehunt"}, args[0]) {
		system = args[0]
	}
	handler, err := reference.Open(system, os.Getenv, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return listen(demanding(handler))
}

// demanding is a server that stands behind a gate of its own, by the environment: DEMAND_KEY is asked for in the header
// X-Functions-Key, DEMAND_READY is the only route that says when the server is ready. DEMAND_DROP is a route whose
// work is done, but of every two connections with a request for it the first is dropped instead of an answer.
// DEMAND_CRASH is a route of which every second request fails, and says why in its answer and in the log; with
// DEMAND_CRASHED every one but the first, once its work is done. DEMAND_PRINT is the route whose session is printed
// 30 ms after its answer, DEMAND_CHAT is printed again and again. DEMAND_DIGEST is a header of answers with the SHA-256
// of the request's body. DEMAND_BREACH is a route that answers against the contract. Of DEMAND_WITHOUT there are no
// routes. A groupId must have the form DEMAND_IDS, a regular expression. With DEMAND_UNTRACED the server's storage
// calls carry no trace.
func demanding(server http.Handler) http.Handler {
	key, ready, drop := os.Getenv("DEMAND_KEY"), os.Getenv("DEMAND_READY"), os.Getenv("DEMAND_DROP")
	crash, without := os.Getenv("DEMAND_CRASH"), os.Getenv("DEMAND_WITHOUT")
	form := regexp.MustCompile(os.Getenv("DEMAND_IDS"))
	stays := os.Getenv("DEMAND_CRASHED") != ""
	var dropped, crashed atomic.Int64
	if chat := os.Getenv("DEMAND_CHAT"); chat != "" {
		go func() {
			for range time.Tick(time.Millisecond) {
				fmt.Fprintln(os.Stderr, strings.Repeat(chat+" ", 20))
			}
		}()
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if os.Getenv("DEMAND_UNTRACED") != "" {
			r.Header.Del("Traceparent")
		}
		if digest := os.Getenv("DEMAND_DIGEST"); digest != "" {
			body, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(body))
			w.Header().Set(digest, fmt.Sprintf("%x", sha256.Sum256(body)))
		}
		if r.URL.Path == os.Getenv("DEMAND_PRINT") {
			session := r.Header.Get("X-Session-Id")
			defer time.AfterFunc(30*time.Millisecond, func() { fmt.Fprintln(os.Stderr, "answered", session) })
		}
		switch {
		case crash != "" && r.URL.Path == crash && (crashed.Add(1)%2 == 0 || crashed.Load() > 1 && stays):
			if stays {
				server.ServeHTTP(httptest.NewRecorder(), r)
			}
			session := r.Header.Get("X-Session-Id")
			fmt.Fprintf(os.Stderr, "Error: out of cheese for %s\n    at make (cheese.js:7)\n", session)
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusInternalServerError)
			_ = json.NewEncoder(w).Encode(map[string]string{"error": "internal", "detail": "out of cheese",
				"sessionId": session})
		case r.URL.Path == os.Getenv("DEMAND_BREACH"):
			server.ServeHTTP(httptest.NewRecorder(), r)
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"ok":true,"groups":"none"}`)
		case r.URL.Path == ready: // also without the key, so that a server that is not given it starts
		case key != "" && r.Header.Get("X-Functions-Key") != key:
			w.WriteHeader(http.StatusUnauthorized)
		case !hasGroupID(r, form):
			w.WriteHeader(http.StatusBadRequest)
		case ready != "" && r.URL.Path == "/api/health":
			w.WriteHeader(http.StatusServiceUnavailable)
		case without != "" && strings.HasPrefix(r.URL.Path, without):
			http.NotFound(w, r)
		case drop != "" && r.URL.Path == drop && dropped.Add(1)%2 == 1:
			server.ServeHTTP(httptest.NewRecorder(), r)
			panic(http.ErrAbortHandler)
		default:
			server.ServeHTTP(w, r)
		}
	})
}

// hasGroupID says whether the groupId of a request, if it has one, has a form.
func hasGroupID(r *http.Request, form *regexp.Regexp) bool {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return false
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	said := struct{ GroupID string }{r.URL.Query().Get("groupId")}
	return len(body) > 0 && json.Unmarshal(body, &said) != nil || said.GroupID == "" || form.MatchString(said.GroupID)
}

// serveScripted is a server without a store. Its arguments:
//
//	die        ends at once
//	ask        asks the storage service at STORE, and ends
//	silent     answers 200 to everything
//	insecure WHERE  fails as an SDK does that refuses plain http, and says so in its answer or in its log
//	clock HOW  asks the storage service at STORE, and answers the time at and the day; HOW is utc, local-time (as
//	           if it were UTC) or local-day
//	hang FILE  answers its health route, and for anything else writes its process id to FILE and waits
//	kill FILE  ends the process whose id FILE holds, and answers 200 to everything
//	deaf FILE  writes its process id to FILE and never becomes ready
func serveScripted(args []string) int {
	announce := func() {
		if err := os.WriteFile(args[1]+".new", fmt.Append(nil, os.Getpid()), 0o644); err == nil {
			_ = os.Rename(args[1]+".new", args[1]) // whole or not there
		}
	}
	switch args[0] {
	case "die":
		fmt.Fprintln(os.Stderr, "no configuration was found by ops@mail.example.com in",
			os.Getenv("AZURE_TABLES_CONNECTION_STRING"))
		return 4
	case "ask":
		answer, err := http.Get(os.Getenv("STORE") + "/Tables")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		_ = answer.Body.Close()
		return 0
	case "deaf":
		announce()
		select {}
	}
	return listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if args[0] == "hang" && r.URL.Path != "/api/health" {
			announce()
			select {}
		}
		if args[0] == "kill" && r.URL.Path != "/api/health" {
			kill(args[1])
		}
		w.Header().Set("Content-Type", "application/json")
		if args[0] == "insecure" && r.URL.Path != "/api/health" {
			const why = "Error: Cannot connect to http://the.store/ while allowInsecureConnection is false."
			w.WriteHeader(http.StatusInternalServerError)
			if args[1] == "log" {
				fmt.Fprintln(os.Stderr, why)
				fmt.Fprint(w, `{}`)
				return
			}
			_ = json.NewEncoder(w).Encode(map[string]string{"detail": why})
			return
		}
		if args[0] == "clock" {
			fmt.Fprint(w, clock(args[1]))
			return
		}
		fmt.Fprint(w, `{"ok":true}`)
	}))
}

// clock asks the storage service, and answers with the time in some way, as JSON.
func clock(how string) string {
	if answer, err := http.Get(os.Getenv("STORE") + "/Tables"); err == nil {
		_ = answer.Body.Close()
	}
	at, day := time.Now().UTC(), time.Now().UTC()
	switch how {
	case "local-time":
		at = at.Local()
	case "local-day":
		day = day.Local()
	}
	return fmt.Sprintf(`{"at":%q,"day":%q}`, at.Format("2006-01-02T15:04:05Z"), day.Format(time.DateOnly))
}

// kill ends the process whose id a file holds, once.
func kill(file string) {
	content, err := os.ReadFile(file)
	if err != nil || os.Remove(file) != nil {
		return // it was done before
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(content)))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	if process, err := os.FindProcess(pid); err == nil {
		_ = process.Kill()
	}
}

func listen(handler http.Handler) int {
	server := &http.Server{Addr: net.JoinHostPort("127.0.0.1", os.Getenv("PORT")), Handler: handler,
		ReadHeaderTimeout: 10 * time.Second}
	fmt.Fprintln(os.Stderr, server.ListenAndServe())
	return 1
}
