package tools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/reference/actions/bulk"
)

// loadOptions holds the command line of actions load.
type loadOptions struct {
	url      string
	headers  []string
	parallel int
	retries  int
	state    string
	failed   string
	restart  bool

	path   string      // "": standard input
	header http.Header // parsed from headers
}

func (c commands) loadCommand() *cobra.Command {
	var o loadOptions
	cmd := &cobra.Command{
		Use:   "load FILE.ndjson --url URL",
		Short: "Load records into a server, fast and resumable",
		Long: `load sends the records of a file, one JSON object per line, to a server's batch route: for many owners at
once, but never two requests at a time for one owner. A record that is already stored costs no write, so
loading a file twice does no harm.

Ctrl-C stops it, and the same command resumes where it stopped, also after a crash: FILE.ndjson.state records
the progress. Standard input (-) cannot be resumed.

Lines that are not records, and records that the server refuses, are reported by number and written to
FILE.ndjson.failed, to be corrected and loaded; all others are loaded. Requests that are throttled or not
answered are sent again, after longer and longer waits, and not before the server's Retry-After.

Exit status: 0 all records are in, 1 some are not, 2 the command was not understood, 3 the server or a file
could not be used, 130 interrupted.`,
		Example: `  storespec actions load actions.ndjson --url http://localhost:7071
  storespec actions load actions.ndjson.failed --url http://localhost:7071
  zcat crawl.gz | storespec actions load - --url https://example.org --header 'X-Functions-Key: …' --parallel 16`,
		Args: command.Takes("FILE.ndjson"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(args[0]); err != nil {
				return err
			}
			return c.load(cmd.Context(), o)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.url, "url", "", "`URL` of the server, such as http://localhost:7071")
	flags.StringArrayVar(&o.headers, "header", nil,
		"`'Name: value'` to send with each request; it is not written to any file (repeatable)")
	flags.IntVar(&o.parallel, "parallel", 8, "send `N` requests at once, each for different owners")
	flags.IntVar(&o.retries, "retries", 7, "send a request that may succeed later up to `N` times more")
	flags.StringVar(&o.state, "state", "", "`FILE` that records the progress (default FILE.ndjson.state)")
	flags.StringVar(&o.failed, "failed", "",
		"`FILE` for the lines that were not loaded (default FILE.ndjson.failed, or stdin.failed); it is overwritten")
	flags.BoolVar(&o.restart, "restart", false, "start with the first line, even if an earlier load was not finished")
	return cmd
}

// check rejects invalid options and fills in the derived ones.
func (o *loadOptions) check(input string) (err error) {
	address, _ := url.Parse(o.url)
	switch {
	case o.url == "":
		return command.Misused("no server is named", "--url URL, such as http://localhost:7071")
	case !command.IsAddress(o.url):
		return command.Misused(fmt.Sprintf("--url %s is not an http address", o.url), "such as http://localhost:7071")
	case address.User != nil:
		return command.Misused("--url contains a user name or a password, which the state file would keep",
			"send it with --header")
	}
	if err := cmp.Or(command.Between("parallel", o.parallel, 1, 64),
		command.Between("retries", o.retries, 0, 20)); err != nil {
		return err
	}
	if o.header, err = command.ReadHeaders(o.headers); err != nil {
		return err
	}
	if input == "-" {
		return o.checkStream()
	}
	info, err := os.Stat(input)
	if err != nil {
		return command.Misused(err.Error(), "a file with one JSON object per line, or - for standard input")
	}
	if !info.Mode().IsRegular() {
		return command.Misused(input+" is not a file", "storespec actions load - < "+input+" reads a pipe")
	}
	o.path, o.state, o.failed = input, cmp.Or(o.state, input+".state"), cmp.Or(o.failed, input+".failed")
	return apart(info, o.state, o.failed)
}

func (o *loadOptions) checkStream() error {
	if o.state != "" || o.restart {
		return command.Misused("standard input cannot be resumed, so --state and --restart have no effect",
			"load a file")
	}
	o.failed = cmp.Or(o.failed, "stdin.failed")
	input, _ := os.Stdin.Stat() // the load reports a closed one
	return writable("--failed", o.failed, input)
}

// apart rejects files that would overwrite each other.
func apart(input os.FileInfo, state, failed string) error {
	if err := cmp.Or(writable("--state", state, input), writable("--failed", failed, input)); err != nil {
		return err
	}
	if filepath.Clean(state) == filepath.Clean(failed) {
		return command.Misused("--state and --failed name the same file", "name a different file for each")
	}
	return nil
}

// writable rejects an output path that is the input or not a regular file, since it would be replaced.
func writable(flag, path string, input os.FileInfo) error {
	info, err := os.Stat(path)
	if err == nil && (os.SameFile(input, info) || !info.Mode().IsRegular()) {
		return command.Misused(fmt.Sprintf("%s %s is the input, or not a regular file", flag, path),
			"name another file")
	}
	return nil
}

// load runs the load, reports the result and returns the exit status as an error.
func (c commands) load(ctx context.Context, o loadOptions) error {
	if c.Program && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(bulk.MemoryLimit)
	}
	told := &loadTeller{w: c.Stderr, watched: c.OnTerminal(), input: cmp.Or(o.path, "standard input")}
	got, err := bulk.Load(ctx, bulk.Options{
		Path: o.path, Input: os.Stdin, URL: o.url, Header: o.header, Parallel: o.parallel, Retries: o.retries,
		State: o.state, Restart: o.restart, Failed: o.failed,
		Problem: told.problem, Resumed: told.resumed, Progress: told.progress,
	})
	told.end()
	if misfit := (*bulk.StateError)(nil); errors.As(err, &misfit) {
		return command.Misused(err.Error(), "--restart begins with the first line; --state FILE names another file")
	}
	if got.Records() > 0 || got.Bad > 0 || err == nil {
		fmt.Fprintln(c.Stdout, summary(got))
	}
	lost := got.Failed + got.Bad
	switch {
	case got.TooLong > 0:
		fmt.Fprintf(c.Stderr, "%d lines were not loaded: %d are in %s, %d were too long to keep\n", lost,
			lost-got.TooLong, o.failed, got.TooLong)
	case lost > 0:
		fmt.Fprintf(c.Stderr, "%d lines were not loaded: they are in %s\n", lost, o.failed)
	}
	switch {
	case err != nil && ctx.Err() != nil:
		fmt.Fprintln(c.Stderr, "storespec: interrupted: "+o.onward())
		return command.Ended(command.StatusInterrupted)
	case err != nil:
		if got.Records() > 0 {
			err = fmt.Errorf("%w\n%s", err, o.onward())
		}
		return fmt.Errorf("load into %s: %w", o.url, err)
	case lost > 0:
		return command.Ended(command.StatusBroken)
	}
	return nil
}

// onward returns how to finish an unfinished load.
func (o *loadOptions) onward() string {
	if o.path == "" {
		return "standard input cannot be resumed; load it again: records that are already stored cost no write"
	}
	return "run the same command again to resume (" + o.state + ")"
}

// summary returns one line on the outcome of the records.
func summary(s bulk.Snapshot) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%d records: %d created, %d updated, %d unchanged, %d failed", s.Records(), s.Created, s.Updated,
		s.Unchanged, s.Failed)
	if s.Bad > 0 {
		fmt.Fprintf(&text, "; %d lines are not records", s.Bad)
	}
	if s.Before > 0 {
		fmt.Fprintf(&text, "; %d by earlier runs", s.Before)
	}
	fmt.Fprintf(&text, "; %.1f s, %.0f records a second", s.Elapsed.Seconds(), s.Rate())
	return text.String()
}
