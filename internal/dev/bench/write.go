package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// write writes the results as a page of the documentation.
func write(file string, r *result) error {
	var b strings.Builder
	b.WriteString("# Benchmarks of the emulator\n\n" +
		"Written by `make bench`. Client and server share the machine's cores; the client is the official Go SDK " +
		"without retries;\n" +
		"rows have 250 bytes; signatures are checked; everything is in memory. The server with fixed answers reads " +
		"each request and\n" +
		"forgets it: it is what client and network stack allow at most. The servers take turns within one run, and " +
		"the median counts.\n" +
		"Ratios are what to compare: absolute figures differ from machine to machine and from day to day.\n\n")
	fmt.Fprintf(&b, "Machine: %s. %s. %s.\n\n", machine(), runtime.Version(), time.Now().UTC().Format(time.DateOnly))
	b.WriteString("## Operations a second\n\nIn brackets the ratio to fixed answers.\n\n")
	writeSpeeds(&b, r.peers, r.speeds)
	b.WriteString("\n## One partition that grows\n\nThe median of one operation after the other, and its ratio to " +
		"1,000 rows.\n\n| rows | point get | upsert | insert |\n|---:|---:|---:|---:|\n")
	for _, g := range r.growth {
		first := r.growth[0]
		fmt.Fprintf(&b, "| %d | %s | %s | %s |\n", g.rows, costs(g.get, first.get), costs(g.upsert, first.upsert),
			costs(g.insert, first.insert))
	}
	b.WriteString("\n## Start\n\nFrom the start of the process to its first answer; of Azurite, until the harness " +
		"may use it, once.\n\n| program | ms |\n|---|---:|\n")
	for _, s := range r.starts {
		fmt.Fprintf(&b, "| %s | %.1f |\n", s.name, milliseconds(s.took))
	}
	b.WriteString("\n## Memory\n\nOf the process after 50,000 rows and 1,000 blobs of 1 KiB, in MiB.\n\n| program | " +
		"resident | peak |\n|---|---:|---:|\n")
	for _, m := range r.memory {
		fmt.Fprintf(&b, "| %s | %.0f | %.0f |\n", m.name, m.resident, m.peak)
	}
	fmt.Fprintf(&b, "\n## Lanes\n\nLeasing a lane of the embedded store that holds 100 rows of somebody else, until "+
		"it is empty: %.3f ms at the median, %.3f ms at worst, of 500.\n",
		milliseconds(r.lease.median), milliseconds(r.lease.worst))
	r.kv.write(&b)
	r.writeItems(&b)
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

// byHand begins what is not measured by this program, and stays at the end of the page.
const byHand = "\n## Whole runs, soak and scale\n"

// replaceSection replaces one section of the page. It ends where the next one begins, or is put at the end.
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

// itemsHeading begins the section of DynamoDB.
const itemsHeading = "\n## DynamoDB\n"

// writeItems writes what was measured of DynamoDB.
func (r *result) writeItems(b *strings.Builder) {
	fmt.Fprintf(b, "%s\nOf %s, %s, with AWS's SDK for Go; the items have 250 bytes. Operations a second, in "+
		"brackets the ratio to fixed answers:\n\n", itemsHeading, runtime.Version(),
		time.Now().UTC().Format(time.DateOnly))
	writeSpeeds(b, r.itemPeers, r.itemSpeeds)
	b.WriteString("\nFrom the start of the process to its first answer, in ms, at the median:\n\n" +
		"| program | ms |\n|---|---:|\n")
	for _, s := range r.itemStarts {
		fmt.Fprintf(b, "| %s | %.1f |\n", s.name, milliseconds(s.took))
	}
	b.WriteString("\nOne partition that grows, the median of one operation after the other, and its ratio to 1,000 " +
		"items:\n\n| items | get | put |\n|---:|---:|---:|\n")
	for _, g := range r.itemGrowth {
		first := r.itemGrowth[0]
		fmt.Fprintf(b, "| %d | %s | %s |\n", g.rows, costs(g.get, first.get), costs(g.upsert, first.upsert))
	}
	b.WriteString("\nMiB after 50,000 items:\n\n| program | resident | peak |\n|---|---:|---:|\n")
	for _, m := range r.itemMemory {
		fmt.Fprintf(b, "| %s | %.0f | %.0f |\n", m.name, m.resident, m.peak)
	}
}

func writeSpeeds(b *strings.Builder, peers []string, speeds []speed) {
	b.WriteString("| operation | goroutines |")
	for _, name := range peers {
		b.WriteString(" " + name + " |")
	}
	b.WriteString("\n|---|---:|" + strings.Repeat("---:|", len(peers)) + "\n")
	for _, s := range speeds {
		fmt.Fprintf(b, "| %s | %d |", s.name, s.workers)
		for _, rate := range s.rates {
			fmt.Fprintf(b, " %.0f (%.2f) |", rate, rate/s.rates[0])
		}
		b.WriteString("\n")
	}
}

func costs(d, first time.Duration) string {
	return fmt.Sprintf("%.0f µs (%.2f)", float64(d)/float64(time.Microsecond), float64(d)/float64(first))
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// machine describes the processor and the system, as far as they are known.
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
