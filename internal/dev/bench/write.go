package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// The sections of the page. What follows byHand is not measured by this program, and stays at the end of the page.
const (
	kvHeading    = "\n## Workers KV\n"
	itemsHeading = "\n## DynamoDB\n"
	byHand       = "\n## Whole runs, soak and scale\n"
)

// writeAzure writes the beginning of the page.
func writeAzure(b *strings.Builder, m *measured, l leasing) {
	b.WriteString("# Benchmarks of the emulator\n\n" +
		"Written by `make bench`. Client and server share the machine's cores; the client is the official Go SDK " +
		"without retries;\n" +
		"rows have 250 bytes; signatures are checked; everything is in memory. The server with fixed answers reads " +
		"each request and\n" +
		"forgets it: it is the most that client and network stack allow. The servers take turns within one run, and " +
		"the median counts.\n" +
		"Ratios are what to compare: absolute figures differ from machine to machine and from day to day.\n\n")
	fmt.Fprintf(b, "Machine: %s. %s.\n\n", machine(), today())
	b.WriteString("## Operations a second\n\nIn brackets the ratio to fixed answers.\n\n")
	m.writeSpeeds(b, 0)
	b.WriteString("\n## One partition that grows\n\nThe median of one operation after the other, and its ratio to " +
		"1,000 rows.\n\n")
	m.writeGrowth(b, "rows", "point get", "upsert", "insert")
	b.WriteString("\n## Start\n\nFrom the start of the process to its first answer; of Azurite, until the harness " +
		"may use it, once.\n\n")
	m.writeStarts(b)
	b.WriteString("\n## Memory\n\nOf the process after 50,000 rows and 1,000 blobs of 1 KiB, in MiB.\n\n")
	m.writeMemory(b)
	fmt.Fprintf(b, "\n## Lanes\n\nLeasing a lane of the embedded store that holds 100 rows of an earlier user, until "+
		"it is empty: %.3f ms at the median, %.3f ms at worst, of 500.\n",
		milliseconds(l.median), milliseconds(l.worst))
}

func writeKV(b *strings.Builder, m *measured) {
	fmt.Fprintf(b, "%s\nOf %s. By the REST API, with plain HTTP: %d keys, values of %d bytes, in memory; "+
		"miniflare behind a Worker that\nspeaks the same API (the store `workerd`). In brackets the ratio to the last "+
		"one; the goal is 5.\n\n", kvHeading, today(), kvPrefixes*kvPerList, kvValue)
	m.writeSpeeds(b, len(m.peers)-1)
	b.WriteString("\nFrom the start of the process to its first answer, in ms, at the median:\n\n")
	m.writeStarts(b)
	fmt.Fprintf(b, "\nMemory of `storespec-emulate --kv --data`, in MiB, with keys of %d bytes and values of %d:\n\n",
		kvKey, kvValue)
	heading(b, "keys", "resident", "ratio", "peak")
	for _, one := range m.memory {
		fmt.Fprintf(b, "| %s | %.0f | %.2f | %.0f |\n", one.name, one.resident, one.resident/m.memory[0].resident,
			one.peak)
	}
}

func writeItems(b *strings.Builder, m *measured) {
	fmt.Fprintf(b, "%s\nOf %s, with AWS's SDK for Go; the items have 250 bytes. Operations a second, in "+
		"brackets the ratio to fixed answers:\n\n", itemsHeading, today())
	m.writeSpeeds(b, 0)
	b.WriteString("\nFrom the start of the process to its first answer, in ms, at the median:\n\n")
	m.writeStarts(b)
	b.WriteString("\nOne partition that grows, the median of one operation after the other, and its ratio to 1,000 " +
		"items:\n\n")
	m.writeGrowth(b, "items", "get", "put")
	b.WriteString("\nMiB after 50,000 items:\n\n")
	m.writeMemory(b)
}

func today() string { return runtime.Version() + ", " + time.Now().UTC().Format(time.DateOnly) }

// heading writes the head of a table.
func heading(b *strings.Builder, columns ...string) {
	b.WriteString("| " + strings.Join(columns, " | ") + " |\n|---|" + strings.Repeat("---:|", len(columns)-1) + "\n")
}

// writeSpeeds writes operations a second, each with its ratio to one of the peers.
func (m *measured) writeSpeeds(b *strings.Builder, to int) {
	heading(b, slices.Concat([]string{"operation", "goroutines"}, m.peers)...)
	for _, s := range m.speeds {
		fmt.Fprintf(b, "| %s | %d |", s.name, s.workers)
		for _, rate := range s.rates {
			fmt.Fprintf(b, " %.0f (%.2f) |", rate, rate/s.rates[to])
		}
		b.WriteString("\n")
	}
}

func (m *measured) writeGrowth(b *strings.Builder, columns ...string) {
	heading(b, columns...)
	for _, g := range m.growth {
		fmt.Fprintf(b, "| %d |", g.rows)
		for i, took := range g.took {
			fmt.Fprintf(b, " %.0f µs (%.2f) |", float64(took)/float64(time.Microsecond),
				float64(took)/float64(m.growth[0].took[i]))
		}
		b.WriteString("\n")
	}
}

func (m *measured) writeStarts(b *strings.Builder) {
	heading(b, "program", "ms")
	for _, s := range m.starts {
		fmt.Fprintf(b, "| %s | %.1f |\n", s.name, milliseconds(s.took))
	}
}

func (m *measured) writeMemory(b *strings.Builder) {
	heading(b, "program", "resident", "peak")
	for _, one := range m.memory {
		fmt.Fprintf(b, "| %s | %.0f | %.0f |\n", one.name, one.resident, one.peak)
	}
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// save writes the page.
func save(file string, b *strings.Builder) error {
	former, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, kept, found := strings.Cut(string(former), byHand); found {
		b.WriteString(byHand + kept)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(b.String()), 0o644)
}

// replaceSection writes one section of the page again. It ends where the next one begins, or is put at the end.
func replaceSection(file, heading string, write func(b *strings.Builder)) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	before, after, _ := strings.Cut(string(content), heading)
	_, next, more := strings.Cut(after, "\n## ")
	var b strings.Builder
	b.WriteString(strings.TrimRight(before, "\n") + "\n")
	write(&b)
	if more {
		b.WriteString("\n## " + next)
	}
	return os.WriteFile(file, []byte(b.String()), 0o644)
}

// machine describes the processor and the system, as far as they tell.
func machine() string {
	text := fmt.Sprintf("%d cores, %s/%s", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH)
	if content, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(content)) {
			if name, value, _ := strings.Cut(line, ":"); strings.TrimSpace(name) == "model name" {
				text += ", " + strings.TrimSpace(value)
				break
			}
		}
	}
	if version, err := exec.Command("node", "--version").Output(); err == nil {
		text += ", Node " + strings.TrimSpace(string(version))
	}
	return text
}
