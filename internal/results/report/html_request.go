package report

import (
	"fmt"
	"strings"

	"github.com/storespec/storespec/internal/host/shell"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/verify"
)

// pageRequest is a request and its answer.
type pageRequest struct {
	Person, Line, Took  string
	Status              int
	Blamed              bool // the scenario failed by it
	Short               bool // only its line is shown
	Headers             []string
	Body, Answer, Wrote string
	Calls               int
	Groups              []callGroup // of its storage calls
	Unsure              bool        // some of the calls may belong to an earlier request
	Curl, Script        string      // commands that send it again, if it is the one that failed
}

// newPageRequest returns a request with the names that the scenario has for ids.
func newPageRequest(r scenario.Exchange, names func(string) string, blamed bool) *pageRequest {
	shown := &pageRequest{Person: r.Person, Line: names(line(r)), Status: r.Status,
		Took: milli(r.Duration), Blamed: blamed, Body: pretty(names(r.Body)), Answer: pretty(names(r.Answer)),
		Wrote: names(r.Wrote), Calls: len(r.Calls), Groups: groupsOf(r)}
	for _, header := range r.Set {
		shown.Headers = append(shown.Headers, names(header))
	}
	for _, call := range r.Calls {
		shown.Unsure = shown.Unsure || call.Unsure
	}
	return shown
}

// line is the first line of a request: with a mapping, also the one that the server was sent.
func line(r scenario.Exchange) string {
	text := r.Method + " " + r.Path + r.Query
	if r.As != "" {
		text += ", as " + r.As
	}
	return text
}

// repeat adds the commands that send the request again.
func (w *ruleWriter) repeat(shown *pageRequest, r scenario.Exchange, result *verify.ScenarioResult) {
	shown.Curl = w.run.curl(r, result.Script)
	if r.Body != scenario.LeftOut {
		shown.Body, shown.Headers = "", nil // the command has them
	}
	if result.Script != "" {
		shown.Script = "sh " + shell.Word(result.Script)
	}
}

// brief describes a request of a scenario that passed in one line: no one looks for anything in it.
func brief(r scenario.Exchange) string {
	r.Path, r.Query = shortened(r.Path), ""
	text := fmt.Sprintf("%s sent %s: %d, %s", r.Person, line(r), r.Status, milli(r.Duration))
	var calls []string
	for _, group := range groupsOf(scenario.Exchange{Calls: r.Calls}) {
		if n := group.Seen; n > 1 {
			group.What += fmt.Sprintf(" ×%d", n)
		}
		calls = append(calls, group.What)
	}
	if len(calls) == 0 {
		return text + "; no storage call"
	}
	return text + "; " + strings.Join(calls, ", ")
}
