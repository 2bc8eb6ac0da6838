package target

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/run/waiting"
)

var seconds = regexp.MustCompile(`\d+ of`)

// waitingFor starts a target until it is given up on, and returns the error and what the run said that it waits for,
// with N for how long.
func waitingFor(t *testing.T, target Target, l Launch) (said string, failed error) {
	t.Helper()
	board := &waiting.Board{}
	l.Waits = board
	ended := make(chan error)
	go func() {
		_, err := target.Start(t.Context(), l)
		ended <- err
	}()
	for {
		select {
		case failed = <-ended:
			if left := board.At(time.Now().Add(time.Hour)); left != "" {
				t.Errorf("afterwards it still says %q", left)
			}
			return said, failed
		case <-time.After(time.Millisecond):
			if now := board.At(time.Now().Add(waiting.Notable)); now != "" {
				said = seconds.ReplaceAllString(now, "N of")
			}
		}
	}
}

func TestWhatAServerThatIsNotReadyDoesInstead(t *testing.T) {
	starting := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer starting.Close()
	said, _ := waitingFor(t, URL(starting.URL, nil), Launch{Ready: "/up", Within: 13 * time.Second / 10,
		Env: func(string) map[string]string { return nil }})
	if want := "the server is not ready, N of 1 s: it answered 503; asked: GET " + starting.URL + "/up"; said != want {
		t.Errorf("it said %q, not %q", said, want)
	}
}

func TestAServerThatListensElsewhereIsFound(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux says who listens where")
	}
	var port string
	said, failed := waitingFor(t, Command([]string{os.Args[0]}), Launch{Ready: "/up", Within: 2 * time.Second,
		Env: func(given string) map[string]string {
			port = given
			return map[string]string{"TARGET_TEST_MODE": "elsewhere"}
		}})
	text := failed.Error()
	_, at, _ := strings.Cut(text, "listening at 127.0.0.1:")
	if at = strings.TrimSpace(at); at == "" {
		t.Fatalf("it did not listen: %s", text)
	}
	if want := "nothing listens on port " + port + "; it listens on " + at; !strings.Contains(text, want) {
		t.Errorf("the error does not say %q: %s", want, text)
	}
	if want := "the server is not ready, N of 2 s: connection refused; it listens on " + at +
		"; asked: GET http://127.0.0.1:" + port + "/up"; said != want {
		t.Errorf("it said %q, not %q", said, want)
	}
}

func TestBriefly(t *testing.T) {
	for text, want := range map[string]string{"Get \"http://x\": EOF": "EOF", "EOF": "EOF"} {
		if got := briefly(errors.New(text)); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
