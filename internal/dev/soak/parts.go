//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/storespec/storespec/reference"
)

// part is a program under load.
type part struct {
	name string
	run  func(ctx context.Context, s surroundings) (result, error)
}

// surroundings are what a part is given.
type surroundings struct {
	dir     string // for its files
	program string // storespec
	time    time.Duration
}

// result is what a part's row says; the zero value is that of a part that could not be run.
type result struct {
	operations int
	took       time.Duration
	growth     growth
	note       string
}

func (r result) row(name string) string {
	return fmt.Sprintf("| %s | %d | %s | %s | %s | %s | %s |", name, r.operations, r.took.Round(time.Second),
		r.growth.memory.in(1<<20), r.growth.descriptors.in(1), r.growth.goroutines.in(1), r.note)
}

func parts() []part {
	list := []part{{"emulate", soakEmulate}}
	for _, system := range reference.Names() {
		list = append(list, part{system, func(ctx context.Context, s surroundings) (result, error) {
			return soakReference(ctx, s, system)
		}})
	}
	return list
}

func names() (all []string) {
	for _, p := range parts() {
		all = append(all, p.name)
	}
	return all
}

// soakReference walks through a reference server that is a process of its own, compared with one in the process that
// walks.
func soakReference(ctx context.Context, s surroundings, system string) (r result, err error) {
	self, err := os.Executable()
	if err != nil {
		return r, err
	}
	samples := filepath.Join(s.dir, system+".samples")
	var output, problems bytes.Buffer
	cmd := exec.CommandContext(ctx, s.program, "explore", system, "--no-config", "--json", "--reference",
		"--parallel", "1", "--minutes", fmt.Sprint(s.time.Minutes()), "--", self, childWord, samples, system)
	cmd.Stdout, cmd.Stderr = &output, &problems
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = time.Minute
	began := time.Now()
	failed := cmd.Run()
	r.took = time.Since(began)
	var walked struct{ Steps int }
	if err := json.Unmarshal(output.Bytes(), &walked); err != nil {
		return r, errors.Join(failed, fmt.Errorf("explore: %w\n%s", err, problems.Bytes()))
	}
	r.operations = walked.Steps
	if failed != nil {
		failed = fmt.Errorf("explore: %w\n%s%s", failed, problems.Bytes(), output.Bytes())
	}
	all, err := readSamples(samples)
	if err != nil {
		return r, errors.Join(failed, err)
	}
	r.growth = judge(all)
	return r, errors.Join(failed, r.growth.problem())
}

// interrupt ends a process that soak has started, and waits for it.
func interrupt(cmd *exec.Cmd) error {
	return errors.Join(cmd.Process.Signal(syscall.SIGTERM), cmd.Wait())
}
