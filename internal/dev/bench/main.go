// Command bench measures the emulator next to its peers and writes docs/notes/benchmarks.md: a server whose
// answers are fixed, which is what client, network stack and machine allow at most; storespec-emulate
// in memory with signatures checked; and where Node is, in memory too, Azurite, miniflare for Workers KV, and dynalite
// for DynamoDB. All are processes of their own, on the same machine as the client, measured in turns within one run:
// the ratios count, since machines differ and are never quiet.
//
// It is not part of the product, and never fails for a slow result: people read the page. Run it by make bench from the
// module's root. Open measure.go first, then peers.go (what is measured) and work.go (with which requests); kv.go
// is the same for Workers KV.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	switch {
	case len(os.Args) == 2 && os.Args[1] == "fixed":
		exit(serveFixed(ctx))
		return
	case len(os.Args) == 3 && os.Args[1] == "fixed" && os.Args[2] == "kv":
		exit(serveKVFixed(ctx))
		return
	}
	if len(os.Args) == 3 && os.Args[1] == "fixed-items" {
		exit(serveFixedItems(os.Args[2]))
		return
	}
	out := flag.String("out", filepath.Join("docs", "notes", "benchmarks.md"), "file to write")
	slot := flag.Duration("slot", 700*time.Millisecond, "how long one peer is measured at a time")
	rows := flag.Int("rows", 1_000_000, "up to how many rows one partition grows")
	alone := flag.Bool("alone", false, "leave Azurite, miniflare and dynalite out")
	built := flag.String("programs", "", "directory with storespec and storespec-emulate; without it they are built")
	only := flag.String("only", "", "measure kv or dynamodb alone, and leave the rest of the file as it is")
	flag.Parse()
	exit(run(ctx, settings{out: *out, slot: *slot, rows: *rows, alone: *alone, only: *only, programs: *built}))
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// settings are the flags.
type settings struct {
	out  string
	slot time.Duration
	rows int

	alone    bool
	only     string // empty: everything
	programs string
}

// result is everything that was measured.
type result struct {
	peers  []string
	speeds []speed
	growth []grown
	starts []start
	memory []memory
	lease  lease
	kv     kvResult

	itemPeers  []string // of DynamoDB
	itemSpeeds []speed
	itemGrowth []grown
	itemStarts []start
	itemMemory []memory
}

func run(ctx context.Context, s settings) error {
	work, err := os.MkdirTemp("", "storespec-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	programs, err := build(ctx, s.programs, work)
	if err != nil {
		return err
	}
	var r result
	switch s.only {
	case "":
	case "kv":
		if r.kv, err = measureKV(ctx, s, programs); err != nil {
			return err
		}
		return replaceSection(s.out, kvHeading, r.kv.write)
	case "dynamodb":
		if err := measureItems(ctx, s, programs, &r); err != nil {
			return err
		}
		return replaceSection(s.out, itemsHeading, r.writeItems)
	default:
		return fmt.Errorf("-only %s is neither kv nor dynamodb", s.only)
	}
	if r.kv, err = measureKV(ctx, s, programs); err != nil {
		return err
	}
	if r.starts, err = measureStarts(ctx, s, programs); err != nil {
		return err
	}
	if r.lease, err = measureLease(ctx); err != nil {
		return err
	}
	if err := measureItems(ctx, s, programs, &r); err != nil {
		return err
	}
	if err := measurePeers(ctx, s, programs, &r); err != nil {
		return err
	}
	if r.growth, err = measureGrowth(ctx, s, programs); err != nil {
		return err
	}
	return write(s.out, &r)
}

// say reports progress.
func say(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
