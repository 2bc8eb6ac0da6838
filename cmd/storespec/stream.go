package main

import (
	"bytes"
	"cmp"
	"path/filepath"
	"time"

	"github.com/storespec/storespec/internal/host/atomicfile"
	"github.com/storespec/storespec/internal/host/shell"
	"github.com/storespec/storespec/internal/results/events"
	"github.com/storespec/storespec/internal/verify"
)

// streamName is the file name of the event stream in the directory of verify --report.
const streamName = "run.ndjson"

// createStream makes sure, before anything is started, that the event stream of --report can be written; nil without
// that flag.
func (o *verifyOptions) createStream() (*atomicfile.File, error) {
	if o.directory == "" {
		return nil, nil
	}
	return atomicfile.Create(filepath.Join(o.directory, streamName))
}

// encoded returns the event stream of runs.
func (o *verifyOptions) encoded(loaded []*verify.Catalogue, runs []events.Run) (text []byte, _ error) {
	var documents []verify.Document
	for _, catalogue := range loaded {
		documents = append(documents, catalogue.Documents...)
	}
	stream := events.Stream{Runs: runs, Header: o.header()}
	var buffer bytes.Buffer
	err := events.Write(&buffer, stream, documents, time.Now())
	return buffer.Bytes(), err
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
		Faults: o.faults, Orders: o.orders, Seed: o.seed, Replay: o.replay, OnlyFailed: o.failed.only,
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
