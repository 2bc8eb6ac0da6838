//go:build linux

package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// every is how often a program writes a sample.
const every = 2 * time.Second

// sample is what a process held at one time, after a garbage collection.
type sample struct {
	pid         int
	memory      int // bytes that are resident
	descriptors int
	goroutines  int
}

// take looks at this process.
func take() (s sample, err error) {
	runtime.GC() // so that garbage does not look like a leak
	s = sample{pid: os.Getpid(), goroutines: runtime.NumGoroutine()}
	status, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return s, err
	}
	var size int
	if _, err := fmt.Sscan(string(status), &size, &s.memory); err != nil {
		return s, fmt.Errorf("/proc/self/statm: %w", err)
	}
	s.memory *= os.Getpagesize()
	open, err := os.ReadDir("/proc/self/fd")
	s.descriptors = len(open)
	return s, err
}

func (s sample) line() string {
	return fmt.Sprintln(s.pid, s.memory, s.descriptors, s.goroutines)
}

// readSamples reads what a program has written, and its successors after kills.
func readSamples(file string) (all []sample, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var s sample
		if _, err := fmt.Sscan(lines.Text(), &s.pid, &s.memory, &s.descriptors, &s.goroutines); err != nil {
			return nil, fmt.Errorf("%s: %q: %w", file, lines.Text(), err)
		}
		all = append(all, s)
	}
	return all, lines.Err()
}

// change is the median of something early and late in a process's life.
type change struct{ early, late int }

// in returns both in a unit.
func (c change) in(unit int) string { return fmt.Sprintf("%d → %d", c.early/unit, c.late/unit) }

// growth is how a process changed from the second fifth of its samples to the last one. The first fifth is left out:
// caches fill, and connections are made.
type growth struct{ memory, descriptors, goroutines change }

// fewest is how many samples are needed to speak of growth.
const fewest = 10

// judge looks at the process with the most samples.
func judge(all []sample) growth {
	of := map[int][]sample{}
	var longest []sample
	for _, s := range all {
		of[s.pid] = append(of[s.pid], s)
		if len(of[s.pid]) > len(longest) {
			longest = of[s.pid]
		}
	}
	if len(longest) < fewest {
		return growth{}
	}
	fifth := len(longest) / 5
	early, late := longest[fifth:2*fifth], longest[len(longest)-fifth:]
	median := func(of func(sample) int) change {
		middle := func(some []sample) int {
			values := make([]int, len(some))
			for i, s := range some {
				values[i] = of(s)
			}
			slices.Sort(values)
			return values[len(values)/2]
		}
		return change{middle(early), middle(late)}
	}
	return growth{
		memory:      median(func(s sample) int { return s.memory }),
		descriptors: median(func(s sample) int { return s.descriptors }),
		goroutines:  median(func(s sample) int { return s.goroutines }),
	}
}

// problem says what grew by a quarter, and by more than what comes and goes.
func (g growth) problem() error {
	if g == (growth{}) {
		return fmt.Errorf("fewer than %d samples: too short to see growth", fewest)
	}
	var problems []string
	for _, of := range []struct {
		name  string
		c     change
		noise int
	}{{"memory", g.memory, 16 << 20}, {"descriptors", g.descriptors, 16}, {"goroutines", g.goroutines, 16}} {
		if of.c.late-of.c.early > max(of.noise, of.c.early/4) {
			problems = append(problems, fmt.Sprintf("%s grew from %d to %d", of.name, of.c.early, of.c.late))
		}
	}
	if len(problems) == 0 {
		return nil
	}
	return errors.New(strings.Join(problems, "; "))
}
