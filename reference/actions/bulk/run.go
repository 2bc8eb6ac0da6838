package bulk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// MemoryLimit is for debug.SetMemoryLimit in a program that loads: with it, 64 MiB are enough for an input of any size.
// The program itself in memory, up to 47 MiB of pages of its file, comes on top; what a load holds of typical records
// is half of the limit.
const MemoryLimit = 16 << 20

const (
	// maxPending limits the text that was read and is not finished; a single line may be longer.
	maxPending = 4 << 20
	// maxLead limits the lines between the first unfinished one and the last one read: the state file must list these
	// if one owner is slow and all others are not.
	maxLead = 50_000
	// saveEvery is how much work a crash may repeat; repeating is harmless, and a save costs a disk write.
	saveEvery = time.Second
	showEvery = 200 * time.Millisecond
	// answerWithin is how long an interrupted load waits for the answers to requests in flight.
	answerWithin = 5 * time.Second
)

// run is a load in progress.
type run struct {
	Options
	client *client
	start  state
	before int64
	began  time.Time
	cancel context.CancelCauseFunc // ends waiting

	noBatch  atomic.Bool  // the server lacks the batch route
	answered atomic.Int64 // requests the server has answered
	hold     hold

	mu      sync.Mutex
	changed sync.Cond // signals any change below
	plan    *plan
	ledger  ledger
	failed  *failedFile
	counts  Counts
	pending int64 // bytes of unfinished text
	readTo  int64
	full    bool // the reader is waiting
	ended   bool // everything has been read
	stopped error
}

// load reads, sends and saves the state, until everything is finished or ctx ends.
func (r *run) load(ctx context.Context, input io.Reader) (Snapshot, error) {
	working, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r.cancel = cancel
	defer context.AfterFunc(working, func() { r.stop(context.Cause(working)) })()
	requests, abandon := context.WithCancel(context.WithoutCancel(ctx))
	defer abandon()
	defer context.AfterFunc(working, func() { time.AfterFunc(answerWithin, abandon) })()

	go r.read(input) // not waited for: a read of standard input may never return
	var workers sync.WaitGroup
	for range max(1, r.Parallel) {
		workers.Go(func() { r.work(working, requests) })
	}
	done := make(chan struct{})
	go func() { workers.Wait(); close(done) }()
	r.keep(done)

	r.mu.Lock()
	err := r.stopped
	if err == nil && (!r.ended || r.pending > 0) {
		err = context.Cause(working) // the workers saw the end of ctx before stop did
	}
	r.mu.Unlock()
	return r.snapshot(), errors.Join(err, r.conclude(err))
}

// read adds the lines of the input, as far as there is room.
func (r *run) read(input io.Reader) {
	lines := newLineReader(input, r.ledger.line, r.ledger.offset)
	finished := r.start.Finished
	for {
		l, err := lines.next()
		if errors.Is(err, io.EOF) {
			r.endOfInput()
			return
		}
		if err != nil {
			r.stop(err)
			return
		}
		if len(finished) > 0 && l.number > finished[0][1] {
			finished = finished[1:]
		}
		known := len(finished) > 0 && l.number >= finished[0][0]
		empty := l.err == nil && len(bytes.TrimSpace(l.text)) == 0
		if !r.enter(l, known || empty) {
			return
		}
	}
}

func (r *run) endOfInput() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = true
	r.changed.Broadcast()
}

// enter adds a line once there is room; skip: it needs no work. It returns false when no more lines are wanted.
func (r *run) enter(l line, skip bool) bool {
	var (
		read record
		bad  error
	)
	if !skip {
		read, bad = readRecord(l)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.stopped == nil && (r.pending > 0 && r.pending+int64(len(l.text)) > maxPending || r.ledger.lead() >= maxLead) {
		r.full = true
		r.changed.Broadcast()
		r.changed.Wait()
	}
	r.full = false
	if r.stopped != nil {
		return false
	}
	r.ledger.read(l.end)
	r.readTo = l.end
	switch {
	case skip:
		r.ledger.finish(l.number)
	case bad != nil:
		if r.refuseLocked(l.number, l.text, bad.Error()) {
			r.counts.Bad++
			if errors.Is(bad, errTooLong) {
				r.counts.TooLong++
			}
			r.ledger.finish(l.number)
		}
	default:
		r.pending += int64(len(l.text))
		r.plan.add(read)
		if r.plan.ready >= maxBatch {
			r.changed.Broadcast()
		}
	}
	return true
}

// work sends batches until there are no more.
func (r *run) work(ctx, requests context.Context) {
	for {
		records, owners := r.next()
		if len(records) == 0 {
			return
		}
		r.deliver(ctx, requests, records)
		r.mu.Lock()
		r.plan.release(owners)
		r.changed.Broadcast()
		r.mu.Unlock()
	}
}

// next waits for a full batch, or for what there is if no more can come; none: everything is done, or the load was
// stopped.
func (r *run) next() ([]record, []*owner) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.stopped == nil {
		if r.plan.ready >= maxBatch || r.plan.ready > 0 && (r.ended || r.full) {
			return r.plan.take()
		}
		if r.ended && r.plan.queued == 0 {
			break
		}
		r.changed.Wait()
	}
	return nil, nil
}

// stop ends the load early; the first reason counts.
func (r *run) stop(why error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stopLocked(why)
}

func (r *run) stopLocked(why error) {
	if r.stopped == nil {
		r.stopped = why
	}
	r.cancel(why)
	r.changed.Broadcast()
}

// fail finishes records that the server does not accept.
func (r *run) fail(records []record, status int, code string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer r.changed.Broadcast()
	for _, one := range records {
		r.failLocked(one, status, code)
	}
}

func (r *run) failLocked(one record, status int, code string) {
	reason := "no answer"
	if status > 0 {
		reason = strings.TrimSpace(fmt.Sprintf("answered %d %s", status, code))
	}
	if r.refuseLocked(one.line, one.text, reason) {
		r.finishLocked(one, &r.counts.Failed)
	}
}

// refuseLocked stores and reports a line that was not loaded, and reports whether it could be stored: if not, the load
// ends, and the line has yet to be loaded.
func (r *run) refuseLocked(number int64, text []byte, reason string) bool {
	if text != nil { // otherwise it was too long to be kept
		if err := r.failed.add(text); err != nil {
			r.stopLocked(err)
			return false
		}
	}
	if r.Problem != nil {
		r.Problem(Problem{number, reason})
	}
	return true
}

func (r *run) finishLocked(one record, count *int64) {
	*count++
	r.pending -= int64(len(one.text))
	r.ledger.finish(one.line)
}

// keep saves the state and shows the progress until the workers are done.
func (r *run) keep(done <-chan struct{}) {
	show, save := time.NewTicker(showEvery), time.NewTicker(saveEvery)
	defer show.Stop()
	defer save.Stop()
	for {
		select {
		case <-done:
			return
		case <-show.C:
			if r.Progress != nil {
				r.Progress(r.snapshot())
			}
		case <-save.C:
			if err := r.save(); err != nil {
				r.stop(err)
			}
		}
	}
}

// save writes the state file, after the failed file it relies on.
func (r *run) save() error {
	r.mu.Lock()
	err := r.failed.sync()
	now := r.start
	now.Line, now.Offset, now.Finished = r.ledger.line, r.ledger.offset, r.ledger.finished()
	now.Counts, now.FailedBytes = r.counts, r.failed.length
	r.mu.Unlock()
	if err != nil || r.Path == "" {
		return err
	}
	return now.write(r.State)
}

// conclude leaves the state for the next run, or no state if everything is finished.
func (r *run) conclude(stopped error) error {
	if stopped != nil || r.Path == "" {
		return r.save()
	}
	if err := r.failed.sync(); err != nil {
		return err
	}
	if err := os.Remove(r.State); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the state of what is done: %w", err)
	}
	return nil
}

func (r *run) snapshot() Snapshot {
	r.mu.Lock()
	defer r.mu.Unlock()
	return Snapshot{
		Counts: r.counts, Before: r.before, Line: r.ledger.line, Done: r.readTo - r.pending, Start: r.start.Offset,
		Size: r.start.Size, Elapsed: r.Now().Sub(r.began),
	}
}
