package selftest

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/storespec/storespec/internal/host/process"
	"github.com/storespec/storespec/internal/host/shell"
	"github.com/storespec/storespec/internal/prove/selftest/server"
)

//go:embed design server/server.mjs
var files embed.FS

// endWithin bounds a case: the slowest takes some 20 s, and ten times as long on a machine that is that busy.
const endWithin = 4 * time.Minute

// Serve runs the server of the kit (server.Run).
func Serve(ctx context.Context, words []string, getenv func(string) string, log io.Writer) error {
	return server.Run(ctx, words, getenv, log)
}

// Kit runs cases. It is safe for concurrent use.
type Kit struct {
	program   []string // storespec
	directory string   // holds files
}

// Open writes what cases need into a new directory for temporary files. program is storespec itself.
func Open(program string) (*Kit, error) {
	directory, err := os.MkdirTemp("", "storespec-selftest-")
	if err == nil {
		err = os.CopyFS(directory, files)
	}
	if err != nil {
		return nil, fmt.Errorf("write the servers of the self-test: %w", err)
	}
	return &Kit{[]string{program}, directory}, nil
}

// Close removes what Open has written.
func (k *Kit) Close() error { return os.RemoveAll(k.directory) }

// Result is what came of a case.
type Result struct {
	Name    string   `json:"name"`
	Shows   string   `json:"shows"`
	Skipped string   `json:"skipped,omitempty"` // why it could not be run; "": it was
	Differs []string `json:"differs,omitempty"` // what is not as expected
	Command string   `json:"command"`           // the command line, for people
	Report  string   `json:"-"`                 // what storespec wrote for people
}

// RunAll runs cases, so many at once, and yields their results in order. It ends at the first error of Run.
func (k *Kit) RunAll(ctx context.Context, cases []Case, atOnce int) iter.Seq2[Result, error] {
	return func(yield func(Result, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		type ended struct {
			result Result
			err    error
		}
		results := make([]chan ended, len(cases))
		for i := range results {
			results[i] = make(chan ended, 1)
		}
		var next atomic.Int64
		var workers sync.WaitGroup
		defer workers.Wait()
		defer cancel()
		for range atOnce {
			workers.Go(func() {
				for i := next.Add(1) - 1; i < int64(len(cases)); i = next.Add(1) - 1 {
					result, err := k.Run(ctx, cases[i])
					results[i] <- ended{result, err}
				}
			})
		}
		for _, one := range results {
			if e := <-one; !yield(e.result, e.err) || e.err != nil {
				return
			}
		}
	}
}

// Run runs a case. The error is that of ctx, or says that storespec could not be started.
func (k *Kit) Run(ctx context.Context, c Case) (Result, error) {
	result := Result{Name: c.Name, Shows: c.Shows, Command: k.commandLine(c)}
	if ctx.Err() != nil {
		return result, ctx.Err()
	}
	for _, need := range c.needs {
		if result.Skipped = need(); result.Skipped != "" {
			return result, nil
		}
	}
	limited, cancel := context.WithTimeout(ctx, endWithin)
	defer cancel()
	var document, report bytes.Buffer
	child, err := process.Start(k.command(c), process.Options{Stdout: &document, Stderr: &report})
	if err != nil {
		return result, err
	}
	select {
	case <-child.Done():
	case <-limited.Done():
		err = errors.Join(child.Stop(context.WithoutCancel(ctx)), ctx.Err())
		result.Differs = append(result.Differs, fmt.Sprintf("storespec did not end within %s", endWithin))
	}
	result.Report = report.String()
	result.Differs = append(result.Differs, c.want.compare(child.Status(), document.Bytes(), result.Report)...)
	return result, err
}

// command returns the command line of a case.
func (k *Kit) command(c Case) []string {
	line := append(slices.Clone(k.program), "verify", "items", "--features", filepath.Join(k.directory, "design"),
		"--parallel", "1", "--json")
	line = append(append(line, c.flags...), "--")
	if c.node {
		return append(append(line, "node", filepath.Join(k.directory, "server", "server.mjs")), c.words...)
	}
	return append(append(append(line, k.program...), "selftest", "serve"), c.words...)
}

// commandLine returns the command line of a case for people.
func (k *Kit) commandLine(c Case) string {
	words := k.command(c)
	for i, word := range words {
		words[i] = shell.Word(word)
	}
	return strings.Join(words, " ")
}

// compare says how a verdict differs from what is wanted. document is the result as JSON, report the text for people.
func (v verdict) compare(status int, document []byte, report string) (differs []string) {
	if status != v.status {
		differs = append(differs, fmt.Sprintf("exit status %d, not %d", status, v.status))
	}
	got, err := outcomes(document)
	if err != nil {
		return append(differs, err.Error())
	}
	for _, name := range []string{stores, reads, misses} {
		want := "" // nothing was judged
		if v.outcomes != nil {
			want = "passed"
			if other, named := v.outcomes[name]; named {
				want = other
			}
		}
		if got[name] != want {
			differs = append(differs, fmt.Sprintf("%s: %s, not %s", name, orNone(got[name]), orNone(want)))
		}
	}
	for _, pattern := range v.says {
		if !regexp.MustCompile(pattern).MatchString(report) {
			differs = append(differs, fmt.Sprintf("the report does not say %q", pattern))
		}
	}
	return differs
}

func orNone(outcome string) string {
	if outcome == "" {
		return "not judged"
	}
	return outcome
}

// outcomes reads the outcome of each scenario from storespec's JSON document.
func outcomes(document []byte) (map[string]string, error) {
	var read struct {
		Systems []struct {
			Rules []struct {
				Scenarios []struct{ Name, Outcome string }
			}
		}
	}
	if err := json.Unmarshal(document, &read); err != nil {
		return nil, fmt.Errorf("storespec wrote no JSON document: %w", err)
	}
	found := map[string]string{}
	for _, system := range read.Systems {
		for _, rule := range system.Rules {
			for _, scenario := range rule.Scenarios {
				found[scenario.Name] = scenario.Outcome
			}
		}
	}
	return found, nil
}
