package main

import (
	"fmt"
	"runtime"
	"strings"
	"time"
)

// kvHeading begins the section of Workers KV.
const kvHeading = "\n## Workers KV\n"

func (r *kvResult) write(b *strings.Builder) {
	fmt.Fprintf(b, "%s\nOf %s, %s. By the REST API, with plain HTTP: %d keys, values of %d bytes, in memory; "+
		"miniflare behind a Worker that\nspeaks the same API (the store `workerd`). In brackets the ratio to the last "+
		"one; the goal is 5.\n\n| operation | clients |", kvHeading, runtime.Version(),
		time.Now().UTC().Format(time.DateOnly), kvPrefixes*kvPerList, kvValue)
	for _, name := range r.peers {
		b.WriteString(" " + name + " |")
	}
	b.WriteString("\n|---|---:|" + strings.Repeat("---:|", len(r.peers)) + "\n")
	for _, s := range r.speeds {
		fmt.Fprintf(b, "| %s | %d |", s.name, s.workers)
		for _, rate := range s.rates {
			fmt.Fprintf(b, " %.0f (%.1f) |", rate, rate/s.rates[len(s.rates)-1])
		}
		b.WriteString("\n")
	}
	b.WriteString("\nFrom the start of the process to its first answer, in ms, at the median:\n\n" +
		"| program | ms |\n|---|---:|\n")
	for _, s := range r.starts {
		fmt.Fprintf(b, "| %s | %.1f |\n", s.name, milliseconds(s.took))
	}
	fmt.Fprintf(b, "\nMemory of `storespec-emulate --kv --data`, in MiB, with keys of %d bytes and values of %d:\n\n"+
		"| keys | resident | ratio | peak |\n|---:|---:|---:|---:|\n", kvKey, kvValue)
	for _, m := range r.memory {
		fmt.Fprintf(b, "| %d | %.0f | %.2f | %.0f |\n", m.keys, m.resident, m.resident/r.memory[0].resident, m.peak)
	}
}
