// Command bench compares the emulator with its peers and writes docs/notes/benchmarks.md. The peers are a server whose
// answers are fixed, which is the most that client, network stack and machine allow; and, where Node is installed,
// Azurite, miniflare for Workers KV and dynalite for DynamoDB. All keep their data in memory, and check signatures if
// they can. Each is a process of its own, on the same machine as the client, and they take turns within one run: the
// ratios count, since machines differ and are never quiet.
//
// It is not part of the product, and never fails because a result is slow: people read the page. Run it by make bench,
// from the module's root. Open service.go first (how a service is measured), then azure.go, dynamodb.go and kv.go (with
// which requests) and peers.go (the programs).
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/dev/load"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if len(os.Args) == 2 && os.Args[1] == "fixed" {
		exit(serveFixed(ctx))
		return
	}
	var b bench
	flag.StringVar(&b.out, "out", filepath.Join("docs", "notes", "benchmarks.md"), "file to write")
	flag.DurationVar(&b.slot, "slot", 700*time.Millisecond, "how long one peer is measured at a time")
	flag.IntVar(&b.rows, "rows", 1_000_000, "up to how many rows one partition grows")
	flag.BoolVar(&b.alone, "alone", false, "leave Azurite, miniflare and dynalite out")
	flag.StringVar(&b.programs, "programs", "", "directory with storespec and storespec-emulate; default: build them")
	flag.StringVar(&b.only, "only", "", "measure kv or dynamodb alone, and leave the rest of the file as it is")
	flag.Parse()
	exit(b.run(ctx))
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// bench is one run, by its flags.
type bench struct {
	out      string
	slot     time.Duration
	rows     int
	alone    bool
	programs string // the directory with the programs under test
	only     string // empty: everything
}

// section is a part of the page that can be measured alone.
type section struct {
	name, heading string
	measure       func(context.Context) (*measured, error)
	write         func(*strings.Builder, *measured)
}

func (b *bench) run(ctx context.Context) error {
	sections := []section{{"kv", kvHeading, b.measureKV, writeKV},
		{"dynamodb", itemsHeading, b.measureItems, writeItems}}
	only := slices.IndexFunc(sections, func(s section) bool { return s.name == b.only })
	if only < 0 && b.only != "" {
		return fmt.Errorf("-only %s is neither kv nor dynamodb", b.only)
	}
	work, err := os.MkdirTemp("", "storespec-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	if b.programs == "" {
		say("building")
		if err := load.Build(ctx, work, "./cmd/storespec", "./cmd/storespec-emulate"); err != nil {
			return err
		}
	}
	b.programs = cmp.Or(b.programs, work)
	if only >= 0 {
		one := sections[only]
		m, err := one.measure(ctx)
		if err != nil {
			return err
		}
		return replaceSection(b.out, one.heading, func(text *strings.Builder) { one.write(text, m) })
	}
	azure, err := b.measureAzure(ctx)
	if err != nil {
		return err
	}
	leasing, err := measureLease(ctx)
	if err != nil {
		return err
	}
	text := &strings.Builder{}
	writeAzure(text, azure, leasing)
	for _, one := range sections {
		m, err := one.measure(ctx)
		if err != nil {
			return err
		}
		one.write(text, m)
	}
	return save(b.out, text)
}

// say reports progress.
func say(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
