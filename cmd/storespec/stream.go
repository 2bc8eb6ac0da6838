package main

import (
	"cmp"
	"io"
	"path/filepath"
	"time"

	"github.com/storespec/storespec/internal/atomicfile"
	"github.com/storespec/storespec/internal/events"
	"github.com/storespec/storespec/internal/shell"
	"github.com/storespec/storespec/internal/verify"
)

// streamName is the file name of the event stream in the directory of verify --report.
const streamName = "run.ndjson"

// runStream is the event stream of verify --report. A nil one is not written anywhere.
type runStream struct {
	*atomicfile.File
	header    events.Header
	documents []verify.Document
}

// stream makes sure, before anything is started, that the event stream can be written.
func (o *verifyOptions) stream(loaded []*verify.Catalogue) (*runStream, error) {
	if o.directory == "" {
		return nil, nil
	}
	file, err := atomicfile.Create(filepath.Join(o.directory, streamName))
	if err != nil {
		return nil, err
	}
	s := &runStream{File: file,
		header: events.Header{Version: buildVersion(), Strict: o.strict, BudgetsWarn: o.budgets == "warn"}}
	for _, catalogue := range loaded {
		s.documents = append(s.documents, catalogue.Documents...)
	}
	return s, nil
}

func (s *runStream) abandon() {
	if s != nil {
		s.Abandon()
	}
}

func (s *runStream) write(runs []events.Run) error {
	if s == nil {
		return nil
	}
	return s.Put(func(w io.Writer) error {
		return events.Write(w, events.Stream{Header: s.header, Runs: runs}, s.documents, time.Now())
	})
}

// asked returns what a stream records as the options of a run.
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
		Flags: again(o.flags, catalogue), Features: o.inRepository,
	}
	if o.commandIn == "" { // else a run that repeats this one has it from the project file too
		asked.Command = shell.Masked(o.command)
	}
	if o.shard.Count > 0 {
		asked.Shard = &o.shard
	}
	return asked
}

// inRepository returns a directory as a path from the root of the repository, with slashes; workspace is that root, or
// "" for the working directory. The path of a directory outside it begins with "..".
func inRepository(directory, workspace string) string {
	if directory == "" {
		return ""
	}
	from, fromErr := filepath.Abs(workspace)
	to, toErr := filepath.Abs(directory)
	if relative, err := filepath.Rel(from, to); cmp.Or(fromErr, toErr, err) == nil { // not on another drive
		directory = relative
	}
	return filepath.ToSlash(directory)
}
