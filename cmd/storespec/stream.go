package main

import (
	"io"
	"path/filepath"
	"time"

	"github.com/storespec/storespec/internal/events"
	"github.com/storespec/storespec/internal/shell"
	"github.com/storespec/storespec/internal/verify"
)

// streamName is the event stream's in the directory of verify --report.
const streamName = "run.ndjson"

// runStream is the event stream of verify --report. A nil one is written nowhere.
type runStream struct {
	*output
	header    events.Header
	documents []verify.Document
}

// stream makes sure, before anything is started, that the event stream can be written.
func (o *verifyOptions) stream(loaded []*verify.Catalogue) (*runStream, error) {
	if o.directory == "" {
		return nil, nil
	}
	file, err := create(filepath.Join(o.directory, streamName))
	if err != nil {
		return nil, err
	}
	s := &runStream{output: file, header: events.Header{Version: buildVersion(), Strict: o.strict, BudgetsWarn: o.budgets == "warn"}}
	for _, catalogue := range loaded {
		s.documents = append(s.documents, catalogue.Documents...)
	}
	return s, nil
}

func (s *runStream) abandon() {
	if s != nil {
		s.output.abandon()
	}
}

func (s *runStream) write(runs []events.Run) error {
	if s == nil {
		return nil
	}
	return s.put(func(w io.Writer) error {
		return events.Write(w, events.Stream{Header: s.header, Runs: runs}, s.documents, time.Now())
	})
}

// asked is what a stream says that a run was asked to do.
func (o *verifyOptions) asked(catalogue *verify.Catalogue) events.Asked {
	started := "command"
	switch {
	case o.url != "":
		started = "url"
	case o.isReference():
		started = "in process"
	}
	asked := events.Asked{
		Suite: catalogue.Suite, Started: started, Rules: o.rules, Tags: o.tags, Without: o.without,
		Faults: o.faults, Orders: o.orders, Seed: o.seed, Replay: o.replay,
		Flags: again(o.flags, catalogue), Command: shell.Masked(o.command), Features: o.inRepository,
	}
	if o.shard.Count > 0 {
		asked.Shard = &o.shard
	}
	return asked
}

// inRepository is a directory as a path from the root of the repository, with slashes; workspace is that root, or "" for the
// working directory. The way to a directory outside of it begins with "..".
func inRepository(directory, workspace string) string {
	if directory == "" {
		return ""
	}
	from, err := filepath.Abs(workspace)
	if err != nil {
		return filepath.ToSlash(directory)
	}
	to, err := filepath.Abs(directory)
	if err == nil {
		to, err = filepath.Rel(from, to)
	}
	if err != nil { // on another drive
		return filepath.ToSlash(directory)
	}
	return filepath.ToSlash(to)
}
