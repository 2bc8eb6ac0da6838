//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/storespec/storespec/internal/dev/load"
)

const (
	workersEach = 2 // of each service
	kills       = 5 // in the first half; the second half is one process, so that growth shows
)

// emulate is an emulator that was started.
type emulate struct {
	cmd *exec.Cmd
	at  load.Addresses
}

// startEmulate starts one on a data directory, and waits until it is ready.
func startEmulate(ctx context.Context, samples, data string) (*emulate, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	e := &emulate{cmd: exec.CommandContext(ctx, self, childWord, samples, "emulate", data)}
	e.at, err = load.Start(e.cmd)
	return e, err
}

// kill ends it without a warning.
func (e *emulate) kill() error {
	if err := e.cmd.Process.Kill(); err != nil {
		return err
	}
	_ = e.cmd.Wait() // says that it was killed
	return nil
}

// soakEmulate loads an emulator that keeps its data on disk.
func soakEmulate(ctx context.Context, s surroundings) (r result, err error) {
	began := time.Now()
	samples, data := filepath.Join(s.dir, "emulate.samples"), filepath.Join(s.dir, "data")
	ledgers := map[string][]*ledger{}
	for _, name := range []string{"tables", "blobs", "KV", "DynamoDB"} {
		for w := range workersEach {
			ledgers[name] = append(ledgers[name], newLedger(fmt.Sprintf("w%d", w)))
		}
	}
	defer func() { r.took = time.Since(began) }()
	for i := range kills + 1 {
		last := i == kills
		slice := s.time / 2 / kills
		if last {
			slice = s.time / 2
		}
		n, err := loaded(ctx, samples, data, ledgers, slice, last)
		r.operations += n
		if err != nil {
			return r, err
		}
	}
	// What the last one acknowledged before its orderly end is there as well.
	if _, err := loaded(ctx, samples, data, ledgers, 0, true); err != nil {
		return r, err
	}
	full, err := soakFullDisk(ctx, s)
	r.note = fmt.Sprintf("killed %d times, nothing lost; %s", kills, full)
	if err != nil {
		return r, err
	}
	all, err := readSamples(samples)
	if err != nil {
		return r, err
	}
	r.growth = judge(all)
	return r, r.growth.problem()
}

// loaded starts an emulator, reads everything that its predecessors acknowledged, loads it, and kills it, or ends it if
// it is the last one. It returns how many requests were answered.
func loaded(ctx context.Context, samples, data string, ledgers map[string][]*ledger, slice time.Duration, last bool) (
	n int, err error) {
	e, err := startEmulate(ctx, samples, data)
	if err != nil {
		return 0, err
	}
	services, closeAll, err := services(e.at)
	if err != nil {
		return 0, errors.Join(err, interrupt(e.cmd))
	}
	defer closeAll()
	var (
		done     atomic.Int64
		ending   atomic.Bool
		workers  sync.WaitGroup
		mu       sync.Mutex
		problems []error
	)
	for name := range ledgers {
		if err := services[name].prepare(ctx); err != nil {
			return 0, errors.Join(fmt.Errorf("%s: %w", name, err), interrupt(e.cmd))
		}
	}
	began := time.Now()
	for name, of := range ledgers {
		for _, l := range of {
			workers.Go(func() {
				err := l.settle(ctx, services[name])
				for err == nil && (!last || !ending.Load()) {
					if err = l.step(ctx, services[name]); err == nil {
						done.Add(1)
					}
				}
				// When the emulator is killed, requests break off.
				if _, gone := errors.AsType[lost](err); err != nil && (gone || last || !ending.Load()) {
					mu.Lock()
					problems = append(problems, fmt.Errorf("%s: %w", name, err))
					mu.Unlock()
				}
			})
		}
	}
	select {
	case <-ctx.Done():
	case <-time.After(slice):
	}
	ending.Store(true)
	if last {
		workers.Wait()
		err = interrupt(e.cmd)
	} else {
		err = e.kill()
		workers.Wait()
	}
	say("  %d requests in %s", done.Load(), time.Since(began).Round(time.Second))
	return int(done.Load()), errors.Join(append(problems, err, ctx.Err())...)
}
