package trace

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/wire"
)

// Text shows a run to people.
type Text struct {
	live, ready io.Writer
	began       time.Time
	err         error // the first
}

// NewText writes calls and the summary to live, and what to start the program with to ready. Each call has the time
// since began at which it arrived.
func NewText(live, ready io.Writer, began time.Time) *Text {
	return &Text{live: live, ready: ready, began: began}
}

// Ready writes addresses and a connection string to paste, or what else a store is reached by; the last line is for
// scripts.
func (t *Text) Ready(values map[string]string) error {
	if values["connection"] == "" {
		for _, name := range slices.Sorted(maps.Keys(values)) {
			if _, err := fmt.Fprintf(t.ready, "%-13s %s\n", name, values[name]); err != nil {
				return err
			}
		}
		_, err := fmt.Fprintln(t.ready, "ready")
		return err
	}
	_, err := fmt.Fprintf(t.ready, "tables      %s\nblobs       %s\nconnection  %s\nready\n", values["tables"],
		values["blobs"], values["connection"])
	return err
}

// shownWidth is how many bytes of a call's keys or filter a line shows: a filter may have 32 KiB.
const shownWidth = 200

// Call writes a line.
func (t *Text) Call(call wire.Call) error {
	where := clean(call.Place())
	if len(where) > shownWidth {
		where = strings.ToValidUTF8(where[:shownWidth], "") + "…"
	}
	status := "no answer"
	if call.Status != 0 {
		status = strings.TrimSpace(fmt.Sprint(call.Status, " ", call.ErrorCode))
	}
	if n := len(call.Inner); n > 0 {
		status += fmt.Sprintf(", %d operations", n)
	}
	if call.Entities > 1 {
		status += fmt.Sprintf(", %d found", call.Entities)
	}
	if call.Unprocessed > 0 {
		status += fmt.Sprintf(", %d left", call.Unprocessed)
	}
	if call.Capacity != nil {
		status += ", " + units(*call.Capacity)
	}
	t.write("storespec %12s %9s  %s: %s\n", "+"+milliseconds(call.Start.Sub(t.began)), milliseconds(call.Duration),
		call.Describe(where), status)
	return t.err
}

// units formats units of capacity.
func units(n float64) string {
	if n == 1 {
		return "1 unit"
	}
	return fmt.Sprintf("%g units", n)
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
}

// shownKinds keeps a run with hundreds of different operations readable. JSON contains them all.
const shownKinds = 20

// Summary writes counts, the kinds of operations, and finally suspicions, where they are noticed.
func (t *Text) Summary(s Summary) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "\nstorespec trace: %s in %s", several(s.Calls, "storage call"), s.Took.Round(time.Millisecond))
	if retries := s.Attempts - s.Calls; retries > 0 {
		fmt.Fprintf(&b, ", %d retried", retries)
	}
	if s.Failed > 0 {
		fmt.Fprintf(&b, ", %d failed (%d without an answer)", s.Failed, s.Unanswered)
	}
	if s.Capacity > 0 {
		fmt.Fprintf(&b, ", %s of capacity", units(s.Capacity))
	}
	b.WriteString("\n")
	for i, kind := range s.Kinds {
		if i == shownKinds {
			fmt.Fprintf(&b, "and %s of fewer calls\n", several(len(s.Kinds)-i, "other sort"))
			break
		}
		kind.write(&b)
	}
	guessed := false
	for _, one := range s.Suspicions {
		one.write(&b, s.Threshold)
		guessed = guessed || one.Suspect == NPlusOne && one.By == ByPause
	}
	if guessed {
		b.WriteString("by pause: these calls carry no trace, so one operation may be several requests; a server that " +
			"passes traceparent on shows which (storespec help trace-guide)\n")
	}
	if s.Calls > 0 && len(s.Suspicions) == 0 {
		fmt.Fprintf(&b, "nothing suspicious: no table scan, and no operation with %d keys asked for one by one\n",
			s.Threshold)
	}
	t.write("%s", b.String())
	return t.err
}

func (k *Kind) write(b *bytes.Buffer) {
	like := ""
	if k.Operations > 1 {
		like = "most calls: "
	}
	fmt.Fprintf(b, "%s by %s (%s%s)\n", several(k.Operations, "operation"), k.By, like, k.Example)
	for _, line := range k.Lines {
		each := fmt.Sprint(line.Least)
		if line.Most > line.Least {
			each += fmt.Sprintf("–%d", line.Most)
		}
		if k.Operations > 1 {
			each += fmt.Sprintf(" each, %d in all", line.Total)
		}
		if line.Failed > 0 {
			each += fmt.Sprintf(", %d failed", line.Failed)
		}
		if line.Capacity > 0 {
			each += ", " + units(line.Capacity)
		}
		fmt.Fprintf(b, "  %-44s %s, %s\n", line.Place, each, milliseconds(line.Storage))
	}
}

func (s *Suspicion) write(b *bytes.Buffer, threshold int) {
	what := several(s.Most, "time") + " in one operation"
	if s.Suspect == NPlusOne {
		what = fmt.Sprintf("%d different keys in one operation (suspicious from %d)", s.Most, threshold)
	}
	fmt.Fprintf(b, "%s: %s: %s: %s; in %s\n", s.Suspect, s.Place, what, s.Worst, several(s.Operations, "operation"))
	for _, example := range s.Examples {
		if example != "" {
			fmt.Fprintf(b, "  such as %s\n", example)
		}
	}
}

func (p Place) String() string { return wire.Describe(p.Service, p.Class, clean(p.Resource)) }

// several formats a number and its noun.
func several(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprint(n, " ", noun)
}

func (t *Text) write(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.live, format, args...)
	}
}
