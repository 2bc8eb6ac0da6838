package target

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// TestMain lets the test binary be its own child: TARGET_TEST_MODE says what it plays.
func TestMain(m *testing.M) {
	switch os.Getenv("TARGET_TEST_MODE") {
	case "":
		os.Exit(m.Run())
	case "serve":
		fmt.Println("serving", os.Getenv("GREETING"))
		http.HandleFunc("/ready", func(http.ResponseWriter, *http.Request) {})
		fmt.Println(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
	case "late": // asks who has its port, and binds it once that is known
		base := "http://127.0.0.1:" + os.Getenv("PORT")
		if answer, err := http.Get(base + "/asked"); err == nil {
			answer.Body.Close()
		}
		http.HandleFunc("/ready", func(http.ResponseWriter, *http.Request) {})
		fmt.Println(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
		if os.Getenv("STAYS") != "" {
			select {}
		}
	case "elsewhere": // as a server does that does not know PORT
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			os.Exit(1)
		}
		fmt.Println("listening at", listener.Addr())
		fmt.Println(http.Serve(listener, http.NotFoundHandler()))
	case "die":
		fmt.Fprintln(os.Stderr, "no such storage account")
		os.Exit(4)
	}
}

// launch is one with the same environment at every port.
func launch(env map[string]string, ready string) Launch {
	return Launch{Env: func(string) map[string]string { return env }, Ready: ready}
}

func TestCommandServesAndEnds(t *testing.T) {
	instance, err := Command([]string{os.Args[0]}).Start(t.Context(),
		launch(map[string]string{"TARGET_TEST_MODE": "serve", "GREETING": "hello"}, "/ready"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(instance.Output(), "serving hello") {
		t.Errorf("output %q: the environment did not reach the command", instance.Output())
	}
	if err := instance.Stop(context.Background()); err != nil {
		t.Error(err)
	}
	if !instance.Exited() || instance.Exit() == "" {
		t.Errorf("after Stop: exited %v, %q", instance.Exited(), instance.Exit())
	}
}

func TestCommandThatDiesTellsItsOutput(t *testing.T) {
	_, err := Command([]string{os.Args[0]}).Start(t.Context(),
		launch(map[string]string{"TARGET_TEST_MODE": "die"}, "/ready"))
	var start *StartError
	if !errors.As(err, &start) {
		t.Fatalf("error %v is not a StartError", err)
	}
	for _, want := range []string{"exit status 4", "no such storage account", os.Args[0]} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q lacks %q", err, want)
		}
	}
}

func TestCommandThatDoesNotExist(t *testing.T) {
	_, err := Command([]string{"no-such-server"}).Start(t.Context(), launch(nil, "/ready"))
	var start *StartError
	if !errors.As(err, &start) || !strings.Contains(err.Error(), "no-such-server") {
		t.Errorf("error %v does not name the command", err)
	}
}

func TestWaitingEndsWithTheContext(t *testing.T) {
	busy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter,
		_ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer busy.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var given map[string]string
	_, err := URL(busy.URL+"/", func(env map[string]string) { given = env }).Start(ctx,
		launch(map[string]string{"NAME": "value"}, "/ready"))
	var start *StartError
	if !errors.As(err, &start) {
		t.Fatalf("error %v is not a StartError", err)
	}
	if given["NAME"] != "value" {
		t.Errorf("the owner got %v", given)
	}
}

func TestEnvironmentKnowsThePort(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // what it is started with is all that counts
	_, own, _ := strings.Cut(server.URL, "127.0.0.1:")
	for address, want := range map[string]string{server.URL: own, "http://localhost/": "80", "https://localhost": "443",
		"https://localhost:8443": "8443"} {
		var port string
		_, _ = URL(address, nil).Start(ctx, Launch{Env: func(p string) map[string]string { port = p; return nil }})
		if port != want {
			t.Errorf("%s listens at %q, not %q", address, port, want)
		}
	}
	var port string
	instance, err := Command([]string{os.Args[0]}).Start(t.Context(),
		Launch{Ready: "/ready", Env: func(p string) map[string]string {
			port = p
			return map[string]string{"TARGET_TEST_MODE": "serve"}
		}})
	if err != nil {
		t.Fatal(err)
	}
	if instance.URL != "http://127.0.0.1:"+port {
		t.Errorf("the command serves %s, its environment says %s", instance.URL, port)
	}
	if err := instance.Stop(t.Context()); err != nil {
		t.Error(err)
	}
}

type closing struct {
	http.Handler
	closed bool
}

func (c *closing) Close() error { c.closed = true; return nil }

func TestReferenceRunsInThisProcess(t *testing.T) {
	handler := &closing{}
	var given http.RoundTripper
	open := func(getenv func(string) string, storage http.RoundTripper, log io.Writer) (Handler, error) {
		io.WriteString(log, "opened\n")
		given = storage
		name := getenv("NAME")
		if name == "" {
			return nil, errors.New("NAME is not set")
		}
		handler.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, name) })
		return handler, nil
	}
	instance, err := Reference("reference", open).Start(t.Context(), launch(map[string]string{"NAME": "value"}, "/"))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.Get(instance.URL)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(answer.Body)
	if err != nil || string(body) != "value" {
		t.Errorf("answer %q, %v; want value", body, err)
	}
	answer.Body.Close()
	if instance.Exited() {
		t.Error("it counts as ended while it serves")
	}
	if err := instance.Stop(t.Context()); err != nil || !handler.closed || !instance.Exited() {
		t.Errorf("Stop: %v, handler closed %v, exited %v", err, handler.closed, instance.Exited())
	}

	if text, mark, known := instance.OutputSince(0); text != "opened\n" || mark != 7 || !known {
		t.Errorf("it logged %q up to %d, known %v", text, mark, known)
	}
	if text, _, _ := instance.OutputSince(7); text != "" {
		t.Errorf("after that it logged %q", text)
	}

	if given != nil {
		t.Error("it got a transport without asking for one")
	}
	if instance, err = Reference("reference", open).Over(http.DefaultTransport).Start(t.Context(),
		launch(map[string]string{"NAME": "value"}, "/")); err != nil {
		t.Fatal(err)
	}
	if err := instance.Stop(t.Context()); err != nil || given != http.DefaultTransport {
		t.Errorf("Stop: %v; the transport is %v", err, given)
	}

	if _, err := Reference("reference", open).Start(t.Context(), launch(nil, "/")); err == nil ||
		!strings.Contains(err.Error(), "NAME is not set") {
		t.Errorf("error %v does not say what is missing", err)
	}
}
