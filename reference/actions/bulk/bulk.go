package bulk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

// Options specify what is loaded and where.
type Options struct {
	Path  string    // NDJSON, one record per line; "": read Input
	Input io.Reader // read if there is no Path; such a load cannot be resumed

	URL      string      // the base URL of the server's routes, http or https
	Header   http.Header // sent with each request; never stored in a file
	Parallel int         // concurrent requests, each for different owners; at least 1
	Retries  int         // how often a request that may succeed later is retried

	State   string // state file; "" only without Path
	Restart bool   // start over, whatever the state file says
	Failed  string // file for lines that were not loaded; an older file is replaced

	Problem  func(Problem)  // called once per line that was not loaded, never concurrently
	Resumed  func(Snapshot) // called before the first request of a resumed load
	Progress func(Snapshot) // called about five times a second

	Now  func() time.Time                           // nil: time.Now
	Wait func(context.Context, time.Duration) error // waits between retries; nil: a timer
}

// Counts is the number of lines by result, including those of earlier runs of the same load.
type Counts struct {
	Created   int64 `json:"created"`
	Updated   int64 `json:"updated"`
	Unchanged int64 `json:"unchanged"`
	Failed    int64 `json:"failed"`  // records the server refused
	Bad       int64 `json:"bad"`     // lines that are not records
	TooLong   int64 `json:"tooLong"` // of these, those longer than any server accepts, which are in no file
}

// Records returns how many records were answered.
func (c Counts) Records() int64 { return c.Created + c.Updated + c.Unchanged + c.Failed }

// Problem is a line that was not loaded.
type Problem struct {
	Line   int64
	Reason string // contains nothing of the record
}

// Snapshot is the progress of a load.
type Snapshot struct {
	Counts
	Before  int64         // records finished by earlier runs
	Line    int64         // all lines up to this one are finished
	Done    int64         // finished bytes of the input
	Start   int64         // the byte at which this run began
	Size    int64         // bytes of the input; 0: unknown
	Elapsed time.Duration // of this run
}

// Rate returns the records per second of this run.
func (s Snapshot) Rate() float64 {
	if s.Elapsed <= 0 {
		return 0
	}
	return float64(s.Records()-s.Before) / s.Elapsed.Seconds()
}

// Load loads the input and returns the result; the snapshot is valid even if there is an error. Records that the server
// refuses and lines that are not records are not errors: they are counted, reported to Problem and written to Failed.
//
// Errors: ErrServer, if the server does not answer, or answers only with errors that may be temporary; the context's;
// those of the input and of the files; *StateError. After any of them except the last, the state file says how far the
// load got, and Load with the same options continues there.
func Load(ctx context.Context, o Options) (Snapshot, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Wait == nil {
		o.Wait = wait
	}
	r := &run{Options: o, plan: newPlan(), client: newClient(o.URL, o.Header, o.Parallel, o.Now)}
	r.changed.L = &r.mu
	r.began = r.Now()
	defer r.client.close()
	input, closeInput, err := r.open()
	if err != nil {
		return r.snapshot(), err
	}
	defer closeInput()
	if err := r.client.reachable(ctx); err != nil {
		return r.snapshot(), cmp.Or(ctx.Err(), fmt.Errorf("%w: %w", ErrServer, err))
	}
	// From here on, the files of an earlier load are replaced.
	if r.failed, err = openFailed(r.Failed, r.start.FailedBytes); err != nil {
		return r.snapshot(), err
	}
	defer func() { _ = r.failed.close() }() // it was synced with each state
	if err := r.save(); err != nil {
		return r.snapshot(), err
	}
	if r.start.Line > 0 && r.Resumed != nil {
		r.Resumed(r.snapshot())
	}
	return r.load(ctx, input)
}

// wait waits for d, or until ctx is done.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// open opens the input and, for a file, finds where an earlier run ended.
func (r *run) open() (io.Reader, func(), error) {
	if r.Path == "" {
		return r.Input, func() {}, nil
	}
	file, err := os.Open(r.Path)
	if err != nil {
		return nil, nil, err
	}
	if err := r.resume(file); err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	return file, func() { _ = file.Close() }, nil
}

// resume initializes the run from the state file, and seeks to where the run begins in the input.
func (r *run) resume(file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	r.start = state{Format: stateFormat, Size: info.Size(), Modified: info.ModTime(), URL: r.client.url}
	if r.start.Input, err = identify(file); err != nil {
		return err
	}
	if !r.Restart {
		earlier, err := readState(r.State)
		switch {
		case err != nil:
			return err
		case earlier == nil:
		case earlier.Input != r.start.Input || earlier.Size != r.start.Size ||
			!earlier.Modified.Equal(r.start.Modified):
			return &StateError{r.State, "it belongs to another input, or the input was changed"}
		case earlier.URL != r.start.URL:
			return &StateError{r.State, "it belongs to a load into another server, " + earlier.URL}
		case !hasFailed(r.Failed, earlier.FailedBytes):
			return &StateError{r.State, "the failed records it counts on are not in " + r.Failed + " any more"}
		default:
			r.start = *earlier
		}
	}
	r.counts, r.before = r.start.Counts, r.start.Counts.Records()
	r.ledger = ledger{line: r.start.Line, offset: r.start.Offset}
	r.readTo = r.start.Offset
	_, err = file.Seek(r.start.Offset, io.SeekStart)
	return err
}
