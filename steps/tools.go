package steps

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/wire"
)

// Tool runs storespec's own command line with an environment. It gives the exit status and what was written.
type Tool func(ctx context.Context, getenv func(string) string, args []string) (status int, said string)

// tools is what a scenario knows of the commands it runs. Its zero value is ready.
type tools struct {
	directory string // of its files
	status    int
	said      string
	ran       bool
	watch     *watch
}

func toolSteps() []Step {
	return []Step{
		{`the file (\w+) holds`, "Given the file Live holds\n\"\"\"\n{\"owner\":\"octo\",\"name\":\"checkout\"}\n\"\"\"",
			func(w *World) any { return w.fileHolds }},
		{`the file (\w+) holds (\d+) lines like (\{.*\})`, `Given the file Records holds 100 lines like {"owner":"octo","name":"action-{i}"}`,
			func(w *World) any { return w.fileHoldsLines }},
		{`the file (\S+) contains "([^"]*)"`, `Then the file {Records}.failed contains "octo"`,
			func(w *World) any { return w.fileContains }},
		{`storespec runs "([^"]+)"`, `When storespec runs "actions purge --older-than 90d --live {Live}"`,
			func(w *World) any { return w.runsStorespec }},
		{`storespec has ended with status (\d+)`, `Then storespec has ended with status 0`,
			func(w *World) any { return w.endedWith }},
		{`storage goes down after the next write`, `Given storage goes down after the next write`,
			func(w *World) any { return w.goesDownAfterWrite }},
		{`requests are watched by "(\w+)"`, `Given requests are watched by "owner"`,
			func(w *World) any { return w.watches }},
		{`at least (\d+) requests were seen, never two of one "\w+" at once`, `Then at least 20 requests were seen, never two of one "owner" at once`,
			func(w *World) any { return w.neverTwoAtOnce }},
	}
}

// fileHolds writes a file whose path is {name}.
func (w *World) fileHolds(name string, content *godog.DocString) error {
	text, err := w.written(content.Content)
	if err != nil {
		return err
	}
	return w.writeFile(name, text+"\n")
}

func (w *World) fileHoldsLines(name string, count int, line string) error {
	lines, err := w.counted(count, line, w.written)
	if err != nil {
		return err
	}
	return w.writeFile(name, strings.Join(lines, "\n")+"\n")
}

func (w *World) fileContains(name, text string) error {
	if err := w.writeOut(&name, &text); err != nil {
		return err
	}
	content, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("read a file that storespec wrote: %w", err)
	}
	if !bytes.Contains(content, []byte(text)) {
		return fmt.Errorf("the file %s does not contain %q; it holds %s", filepath.Base(name), text, brief(string(content)))
	}
	return nil
}

func (w *World) writeFile(name, text string) (err error) {
	if w.tools.directory == "" {
		if w.tools.directory, err = os.MkdirTemp("", "storespec-files-"); err != nil {
			return fmt.Errorf("make a directory for the scenario's files: %w", err)
		}
	}
	w.kept[name] = filepath.Join(w.tools.directory, name)
	return os.WriteFile(w.kept[name], []byte(text), 0o600)
}

// runsStorespec runs a command in the environment of the target. Its storage calls lead through the gateway too.
func (w *World) runsStorespec(line string) error {
	run := w.system().Tool
	if run == nil {
		return fmt.Errorf("%w: this run has no command line", godog.ErrSkip)
	}
	args := strings.Fields(line)
	for i := range args {
		if err := w.writeOut(&args[i]); err != nil {
			return err
		}
	}
	lane := w.active()
	environment := lane.environment(lane.gate)("")
	w.settled = false
	defer lane.Recorder.Command()()
	w.tools.status, w.tools.said = run(w.ctx, func(name string) string { return environment[name] }, args)
	w.tools.ran = true
	return nil
}

func (w *World) endedWith(status int) error {
	if !w.tools.ran {
		return errors.New("storespec was not run before this step")
	}
	if w.tools.status != status {
		return fmt.Errorf("storespec ended with status %d, not %d: %s", w.tools.status, status, w.tools.said)
	}
	return nil
}

// goesDownAfterWrite takes the store away once the next write is done, as for a process that is killed there. Storage is
// back by another step.
func (w *World) goesDownAfterWrite() error {
	lane := w.active()
	var once sync.Once
	lane.gate.Interpose(func(call wire.Call, next http.Handler) http.Handler {
		if !call.Writes() {
			return next
		}
		return wire.Before(func() { once.Do(func() { lane.setDown(true) }) }, next)
	})
	return nil
}

// watch stands between a client and the target and sees which requests are under way at once.
type watch struct {
	server *httptest.Server
	member string

	mu       sync.Mutex
	underWay map[string]int
	seen     int
	twice    string // a value of the member of which there were two
}

// watches opens a way to the target, {watched}. Requests are told apart by a member of the object that they carry, or of
// the objects in its lists.
func (w *World) watches(member string) error {
	address, err := url.Parse(w.active().Target.URL)
	if err != nil {
		return err
	}
	seen := &watch{member: member, underWay: map[string]int{}}
	proxy := httputil.NewSingleHostReverseProxy(address)
	seen.server = httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(io.LimitReader(r.Body, maxAnswer))
		if err != nil {
			out.WriteHeader(http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		defer seen.enter(body)()
		proxy.ServeHTTP(out, r)
	}))
	w.tools.watch, w.kept["watched"] = seen, seen.server.URL
	return nil
}

// enter counts a request, and gives what takes it out again.
func (s *watch) enter(body []byte) (leave func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen++
	values := membersOf(body, s.member)
	for value := range values {
		if s.underWay[value]++; s.underWay[value] > 1 {
			s.twice = value
		}
	}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		for value := range values {
			s.underWay[value]--
		}
	}
}

// membersOf is the texts that a member has in an object, or in the objects of its lists, in small letters: who counts
// requests by them must not be led astray by their spelling.
func membersOf(body []byte, member string) map[string]bool {
	found := map[string]bool{}
	var whole map[string]any
	if json.Unmarshal(body, &whole) != nil {
		return found
	}
	objects := []any{whole}
	for _, value := range whole {
		if list, ok := value.([]any); ok {
			objects = append(objects, list...)
		}
	}
	for _, object := range objects {
		if text, ok := lookup(object, member); ok {
			found[strings.ToLower(strings.TrimSpace(fmt.Sprint(text)))] = true
		}
	}
	return found
}

func (w *World) neverTwoAtOnce(count int) error {
	seen := w.tools.watch
	if seen == nil {
		return errors.New("nobody watches the requests of this scenario")
	}
	seen.mu.Lock()
	defer seen.mu.Unlock()
	switch {
	case seen.twice != "":
		return fmt.Errorf("two requests with the %s %s were under way at once", seen.member, seen.twice)
	case seen.seen < count:
		return fmt.Errorf("%d requests were seen, fewer than %d", seen.seen, count)
	}
	return nil
}

// close ends what the tools of a scenario needed.
func (t *tools) close() error {
	if t.watch != nil {
		t.watch.server.Close()
	}
	if t.directory == "" {
		return nil
	}
	return os.RemoveAll(t.directory)
}
