package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/storespec/storespec/internal/source"
	"github.com/storespec/storespec/internal/verify"
)

// GitHub writes an annotation for each scenario that did not pass, and for a run with too few results, as a workflow
// command (docs.github.com, "Workflow commands for GitHub Actions").
func GitHub(w io.Writer, r *Report) error {
	var text strings.Builder
	for _, run := range r.Runs {
		unprepared, missing := map[string]int{}, map[string]int{} // scenarios, of each cause
		for _, cause := range run.Causes {
			if unprepared[cause.First] = cause.Scenarios; cause.Missing != "" {
				missing[cause.Missing] = cause.Scenarios
			}
		}
		if reason := run.cut(); reason != "" {
			fmt.Fprintf(&text, "::error title=%s::%s\n", property(run.System), data(reason))
		}
		for rule, result := range run.Result.All() {
			if !broken(result.Outcome) {
				continue
			}
			also := ""
			if result.Outcome == verify.NotPrepared || result.Missing != nil {
				n := unprepared[rule.Where(result)]
				if result.Missing != nil {
					n = missing[result.Missing.Route]
					delete(missing, result.Missing.Route)
				}
				if n == 0 {
					continue // it is reported at the first scenario that has the same cause
				}
				also = "\n" + several(n, "scenario") + " could not be prepared for this reason"
				if result.Missing != nil {
					also = fmt.Sprintf("\n%s: %s", result.Missing, several(n, "scenario"))
				}
			}
			level := "error"
			if !run.counts(rule.Rule, result.Outcome) {
				level = "warning"
			}
			at := ""
			if run.Asked.Features != "" { // the built-in rules are not files of the repository
				at = fmt.Sprintf("file=%s,line=%d,", property(run.fileOf(result)), result.Line)
			}
			fmt.Fprintf(&text, "::%s %stitle=%s::%s\n", level, at,
				property(fmt.Sprintf("%s %s: %s", rule.ID, result.Outcome, rule.Name)),
				data(result.Name+"\n"+result.Reason+also))
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}

func data(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}

func property(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(text))
}

// Summary writes a Markdown table for the summary of a GitHub job.
func Summary(w io.Writer, r *Report) error {
	var b strings.Builder
	for _, run := range r.Runs {
		fmt.Fprintf(&b, "### %s: %s\n\n", run.System, run.Outcome)
		if reason := run.cut(); reason != "" {
			fmt.Fprintf(&b, "%s\n\n", cell(source.FirstLine(reason)))
		}
		if run.Asked.OnlyFailed {
			fmt.Fprintf(&b, "only scenarios %s\n\n", failedBefore)
		}
		if run.Result == nil {
			continue
		}
		fmt.Fprintf(&b, "%s\n\n", outcomeCounts("rule", run.Result.RuleCounts(), uncolored))
		rows := ""
		for _, rule := range run.Result.Rules {
			if broken(rule.Outcome) {
				rows += fmt.Sprintf("| %s | %s | %s |\n", rule.ID, rule.Outcome, cell(rule.Name))
			}
		}
		if rows != "" {
			b.WriteString("| rule | outcome | what it says |\n|---|---|---|\n" + rows + "\n")
		}
		b.WriteString(causesTable(run))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// causesTable returns a Markdown table of what the scenarios of a run have in common that did not pass; "" if that is
// nothing.
func causesTable(run *Run) string {
	list := run.shared()
	if len(list) == 0 {
		return ""
	}
	text := "| scenarios | outcome | cause | rules |\n|---|---|---|---|\n"
	for _, cause := range list {
		text += fmt.Sprintf("| %d | %s | %s | %s |\n", cause.Scenarios, cause.Outcome, cell(cause.Reason), cause.Of())
	}
	if text += "\n"; run.Mapping != "" {
		text += run.aboutMapping + "\n\n```yaml\n" + run.Mapping + "```\n\n"
	}
	return text
}

// cell escapes a text so that it neither ends a table cell nor contains markup.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;", "`", "\\`").Replace(text)
}

// Badge writes how many rules hold, in the format of shields.io's endpoint badge.
func Badge(w io.Writer, r *Report) error {
	kept, all := 0, 0
	for _, run := range r.Runs {
		if run.Result != nil {
			kept, all = kept+run.Result.RuleCounts()[verify.Passed], all+len(run.Result.Rules)
		}
	}
	color := "red"
	switch r.Outcome {
	case verify.Passed:
		color = "brightgreen"
	case verify.KnownFailing, verify.Skipped, verify.Unfinished:
		color = "yellow"
	}
	return json.NewEncoder(w).Encode(map[string]any{"schemaVersion": 1, "label": "storespec",
		"message": fmt.Sprintf("%d of %d rules", kept, all), "color": color})
}
