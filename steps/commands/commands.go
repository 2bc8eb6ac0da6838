package commands

import (
	"bytes"
	"context"
	"encoding/json"
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

	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/wire"
)

// tools is the state of the commands that a scenario runs. Its zero value is ready to use.
type tools struct {
	directory string // of its files
	status    int
	said      string
	ran       bool
	asked     bool // the command sends requests to the target
	watch     *watch
}

// Printed returns how the last command has ended, and what it has printed.
func (t *tools) Printed() (status int, said string) { return t.status, t.said }

// runs is how the text of a step begins that runs a command of storespec.
const runs = "storespec runs "

// Words returns the steps that run storespec's own commands for a target, with files, and watch what they send.
func Words() []scenario.Step {
	return []scenario.Step{
		scenario.On(`the file (\w+) holds`,
			"Given the file Live holds\n\"\"\"\n{\"owner\":\"octo\",\"name\":\"checkout\"}\n\"\"\"", fileHolds).
			Keeps("$1"),
		scenario.On(`the file (\w+) holds (\d+) lines like (\{.*\})`,
			`Given the file Records holds 100 lines like {"owner":"octo","name":"action-{i}"}`, fileHoldsLines).
			Keeps("$1").Counts(),
		scenario.On(`the file (\S+) contains "([^"]*)"`, `Then the file {Records}.failed contains "octo"`,
			fileContains),
		scenario.On(`storespec runs "([^"]+)"`, `When storespec runs "actions purge --older-than 90d --live {Live}"`,
			runsStorespec),
		scenario.On(`storespec has ended with status (\d+)`, `Then storespec has ended with status 0`, endedWith).
			Reviewed(following(runs, errNotRun)),
		scenario.On(`storespec has printed "([^"]*)"`, `Then storespec has printed "2 hunts removed"`, printed).
			Reviewed(following(runs, errNotRun)),
		scenario.On(`storage goes down after the next (read|write)`, `Given storage goes down after the next write`,
			goesDownAfter),
		scenario.On(`requests are watched by "(\w+)"`, `Given requests are watched by "owner"`, watches).
			Keeps("watched"),
		scenario.On(`at least (\d+) requests were seen, never two of one "\w+" at once`,
			`Then at least 20 requests were seen, never two of one "owner" at once`, neverTwoAtOnce).
			Reviewed(following("requests are watched ", errNotWatched)),
	}
}

var (
	errNotRun     = scenario.Misused("storespec was not run before this step")
	errNotWatched = scenario.Misused("the requests of this scenario are not watched")
)

// following returns a check that an earlier step begins with a text.
func following(begin string, otherwise error) func(*scenario.Draft, *godog.Step, []string) error {
	return func(d *scenario.Draft, _ *godog.Step, _ []string) error {
		if d.Latest(begin) == nil {
			return otherwise
		}
		return nil
	}
}

// fileHolds writes a file whose path is {name}.
func fileHolds(_ context.Context, names *scenario.Names, files *tools, name string, content *godog.DocString) error {
	text, err := names.Written(content.Content)
	if err != nil {
		return err
	}
	return writeFile(names, files, name, text+"\n")
}

func fileHoldsLines(_ context.Context, names *scenario.Names, files *tools, name string, count int, line string) error {
	lines, err := names.Counted(count, line)
	if err != nil {
		return err
	}
	return writeFile(names, files, name, strings.Join(lines, "\n")+"\n")
}

func fileContains(_ context.Context, names *scenario.Names, name, text string) error {
	if err := names.WriteOut(&name, &text); err != nil {
		return err
	}
	content, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("read a file that storespec wrote: %w", err)
	}
	if !bytes.Contains(content, []byte(text)) {
		return fmt.Errorf("the file %s does not contain %q; it holds %s", filepath.Base(name), text,
			matching.Brief(string(content)))
	}
	return nil
}

func writeFile(names *scenario.Names, files *tools, name, text string) (err error) {
	if files.directory == "" {
		if files.directory, err = os.MkdirTemp("", "storespec-files-"); err != nil {
			return fmt.Errorf("make a directory for the scenario's files: %w", err)
		}
	}
	path := filepath.Join(files.directory, name)
	names.Keep(name, path)
	return os.WriteFile(path, []byte(text), 0o600)
}

// runsStorespec runs a command in the environment that the design promises a target. Its storage calls pass through the
// gateway too.
func runsStorespec(ctx context.Context, stage *scenario.Stage, names *scenario.Names, storage *scenario.Storage,
	ran *tools, line string) error {
	run := stage.System().Tool
	if run == nil {
		return fmt.Errorf("%w: this run has no command line", godog.ErrSkip)
	}
	args := strings.Fields(line)
	for i := range args {
		if err := names.WriteOut(&args[i]); err != nil {
			return err
		}
	}
	lane := stage.Lane()
	storage.Unsettle()
	defer lane.Recorder.Command()()
	ran.status, ran.said = run(ctx, lane.Promised(), args)
	ran.ran = true
	ran.asked = strings.Contains(strings.Join(args, " "), "--url ")
	return nil
}

func endedWith(_ context.Context, stage *scenario.Stage, ran *tools, status int) error {
	if !ran.ran {
		return errNotRun
	}
	if ran.status == status {
		return nil
	}
	err := fmt.Errorf("storespec ended with status %d, not %d: %s", ran.status, status, ran.said)
	if stage.System().ToolJudged {
		return err
	}
	if ran.status == misunderstood || ran.status == unusable && !ran.asked {
		return &scenario.ToolError{Err: err}
	}
	return err
}

func printed(_ context.Context, names *scenario.Names, ran *tools, text string) error {
	if !ran.ran {
		return errNotRun
	}
	if err := names.WriteOut(&text); err != nil {
		return err
	}
	if !strings.Contains(ran.said, text) {
		return fmt.Errorf("storespec has not printed %q: %s", text, ran.said)
	}
	return nil
}

// Statuses with which storespec ends if a command line was not understood, and if a server or a store cannot be used.
const misunderstood, unusable = 2, 3

// goesDownAfter makes the store unavailable after the next read or write, as if a process were killed there. Another
// step brings it back.
func goesDownAfter(_ context.Context, stage *scenario.Stage, kind string) error {
	lane, effect := stage.Lane(), map[string]wire.Effect{"read": wire.Reads, "write": wire.Writes}[kind]
	var once sync.Once
	lane.Gate.Interpose(func(call wire.Call, next http.Handler) http.Handler {
		if call.Effect != effect {
			return next
		}
		return wire.Before(func() { once.Do(func() { lane.SetDown(true) }) }, next)
	})
	return nil
}

// watch is a proxy between a client and the target that sees which requests are in progress at the same time.
type watch struct {
	server *httptest.Server
	member string

	mu       sync.Mutex
	underWay map[string]int
	seen     int
	twice    string // a value of the member that two requests had at the same time
}

// watches starts a proxy to the target, {watched}. Requests are distinguished by a member of the object in their body,
// or of the objects in its lists.
func watches(_ context.Context, stage *scenario.Stage, names *scenario.Names, files *tools, member string) error {
	address, err := url.Parse(stage.Lane().Target.URL)
	if err != nil {
		return err
	}
	seen := &watch{member: member, underWay: map[string]int{}}
	proxy := httputil.NewSingleHostReverseProxy(address)
	seen.server = httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(io.LimitReader(r.Body, scenario.MaxAnswer))
		if err != nil {
			out.WriteHeader(http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		defer seen.enter(body)()
		proxy.ServeHTTP(out, r)
	}))
	files.watch = seen
	names.Keep("watched", seen.server.URL)
	return nil
}

// enter counts a request, and returns a function that removes it again.
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

// membersOf returns the texts that a member has in an object, or in the objects of its lists, in lower case, so that
// different spellings of a value count as the same.
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
		if text, ok := matching.Lookup(object, member); ok {
			found[strings.ToLower(strings.TrimSpace(fmt.Sprint(text)))] = true
		}
	}
	return found
}

func neverTwoAtOnce(_ context.Context, files *tools, count int) error {
	seen := files.watch
	if seen == nil {
		return errNotWatched
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

// Close releases what the tools of a scenario used.
func (t *tools) Close() error {
	if t.watch != nil {
		t.watch.server.Close()
	}
	if t.directory == "" {
		return nil
	}
	return os.RemoveAll(t.directory)
}
