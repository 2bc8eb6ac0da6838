package scenario

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/storespec/storespec/internal/run/matching"
)

const (
	longestAnswer = 1000 // characters of an answer's body that a report shows: an error and the start of its stack
	mostLines     = 20   // lines of a server's output: half of them from its beginning, where some runtimes say why
	// handedOver is how long a server's output may take from its runtime to storespec when the server has answered.
	handedOver = 50 * time.Millisecond
)

// AwaitOutput waits for what the targets wrote about requests that they could not answer, which reports show.
func (w *World) AwaitOutput() {
	if w.log.Lags() && slices.ContainsFunc(w.Requests.exchanges, func(e *RoundTrip) bool { return e.crashed() }) {
		time.Sleep(handedOver)
	}
}

// crashed reports whether a server's output may say what happened.
func (e *RoundTrip) crashed() bool {
	return e.Status == 0 || e.Status >= http.StatusInternalServerError
}

// AnswerTo returns the body of the answer to one of Exchanges, by its number from 1, for the report of a scenario that
// failed by it.
func (r *Report) AnswerTo(number int) string {
	if r.shown != nil {
		r = r.shown
	}
	if number < 1 || number > len(r.requests.exchanges) {
		return ""
	}
	return r.answered(r.requests.exchanges[number-1])
}

// refusal returns the body of an answer that refuses a request or says that it failed, for reports.
func (r *Report) refusal(e *RoundTrip) string {
	if e.Status < http.StatusBadRequest {
		return ""
	}
	return r.answered(e)
}

// answered returns the body of an answer, for reports.
func (r *Report) answered(e *RoundTrip) string {
	if len(e.Body) == 0 {
		return ""
	}
	text := string(e.Body)
	if e.Parsed != nil {
		text = matching.MustJSON(r.withoutSecrets(e.Parsed))
	}
	if !utf8.ValidString(text) {
		return fmt.Sprintf("(%d bytes that are not text)", len(e.Body))
	}
	if runes := []rune(r.requests.hide(text)); len(runes) > longestAnswer {
		return string(runes[:longestAnswer]) + "…"
	}
	return r.requests.hide(text)
}

// wrote returns what the target wrote while it worked on a request that it could not answer, for reports: until the
// next request after it.
func (r *Report) wrote(e *RoundTrip) string {
	if !e.crashed() || e.instance == nil {
		return ""
	}
	text, now, _ := e.instance.OutputSince(e.from)
	until := now
	for _, later := range r.requests.exchanges {
		if later.instance == e.instance && later.start.After(e.start.Add(e.duration)) {
			until = min(until, later.from)
		}
	}
	text = text[:max(0, len(text)-int(now-until))]
	lines := strings.Split(strings.TrimSpace(r.requests.hide(text)), "\n")
	if over := len(lines) - mostLines; over > 0 {
		lines = slices.Concat(lines[:mostLines/2], []string{fmt.Sprintf("… %d more lines …", over)},
			lines[mostLines/2+over:])
	}
	return strings.Join(lines, "\n")
}

// hide removes from a text of the server everything that Scrub removes, and every value that no log may hold.
func (r *Requests) hide(text string) string {
	if text == "" {
		return ""
	}
	text = r.names.Scrub(text)
	secrets := r.Secrets()
	values := slices.SortedFunc(maps.Keys(secrets), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b)) // one may contain another
	})
	for _, value := range values {
		text = strings.ReplaceAll(text, value, "<"+secrets[value]+">")
	}
	return text
}
