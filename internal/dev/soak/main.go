//go:build linux

// Command soak lets programs work for a long time and looks for what grows or gets lost: the emulator with a data
// directory, under mixed load from the SDKs of Azure and AWS, killed (SIGKILL) every few minutes and once out of disk
// space; and each of the reference servers, under the walks of "storespec explore". Every program is a process of its
// own that writes down, every few seconds, its memory, descriptors and goroutines.
//
// It fails if descriptors, goroutines or memory grow, if a write that was acknowledged is lost, or if a walk finds
// something. Run it by make soak from the module's root; MINUTES says how long all parts together take.
//
// Open parts.go first (what is run), then emulate.go (the load and the kills), ledger.go (what must not be lost) and
// sample.go (what must not grow).
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/storespec/storespec/internal/dev/load"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if len(os.Args) > 2 && os.Args[1] == childWord {
		exit(child(ctx, os.Args[2], os.Args[3:]))
		return
	}
	minutes := flag.Float64("minutes", 60, "how long all parts together take, in minutes")
	only := flag.String("only", "", "run only these parts, separated by commas")
	rows := flag.Int("rows", 0, "instead, fill one table with so many rows, and print what they cost")
	flag.Parse()
	if *rows > 0 {
		exit(inTemporary(func(dir string) error { return scale(ctx, dir, *rows) }))
		return
	}
	exit(run(ctx, *minutes, *only))
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

// run runs the parts that are asked for.
func run(ctx context.Context, minutes float64, only string) error {
	chosen, err := choose(only)
	if err != nil {
		return err
	}
	if flag.NArg() > 0 || minutes <= 0 {
		return fmt.Errorf("usage: soak [--minutes N] [--only %s]; got %q", strings.Join(names(), ","), os.Args[1:])
	}
	return inTemporary(func(dir string) error { return runAll(ctx, minutes, chosen, dir) })
}

// inTemporary calls a function with a directory that is removed afterwards.
func inTemporary(do func(dir string) error) error {
	dir, err := os.MkdirTemp("", "soak-")
	if err != nil {
		return err
	}
	return errors.Join(do(dir), os.RemoveAll(dir))
}

// runAll runs parts one after the other, each for its share of the minutes, and prints a row for each.
func runAll(ctx context.Context, minutes float64, chosen []part, dir string) error {
	if err := load.Build(ctx, dir, "./cmd/storespec"); err != nil {
		return err
	}
	share := time.Duration(minutes / float64(len(chosen)) * float64(time.Minute))
	fmt.Println("| program | operations | time | memory, MiB | descriptors | goroutines | |")
	fmt.Println("|---|---:|---:|---:|---:|---:|---|")
	var problems []error
	for _, p := range chosen {
		say("%s, for %s", p.name, share.Round(time.Second))
		r, err := p.run(ctx, surroundings{dir: dir, program: filepath.Join(dir, "storespec"), time: share})
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", p.name, err))
		}
		fmt.Println(r.row(p.name))
		if ctx.Err() != nil {
			return errors.Join(append(problems, errors.New("interrupted"))...)
		}
	}
	return errors.Join(problems...)
}

// choose returns the parts with the names in a list; all for an empty one.
func choose(list string) (chosen []part, err error) {
	if list == "" {
		return parts(), nil
	}
	for name := range strings.SplitSeq(list, ",") {
		i := slices.IndexFunc(parts(), func(p part) bool { return p.name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no part %q; there are %s", name, strings.Join(names(), ", "))
		}
		chosen = append(chosen, parts()[i])
	}
	return chosen, nil
}

// say reports progress on standard error.
func say(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "%s "+format+"\n", append([]any{time.Now().Format(time.TimeOnly)}, args...)...)
}
