package report

import (
	"encoding/json"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/storespec/storespec/internal/results/events"
	"github.com/storespec/storespec/internal/verify"
)

// GitHub writes an annotation for each scenario that did not pass, and for a run with too few results, as a workflow
// command (docs.github.com, "Workflow commands for GitHub Actions").
func GitHub(w io.Writer, s *events.Stream) error {
	o := Options{Strict: s.Header.Strict, BudgetsWarn: s.Header.BudgetsWarn}
	var text strings.Builder
	for _, run := range s.Runs {
		unprepared, missing := map[string]int{}, map[string]int{} // scenarios, of each cause
		for _, cause := range causes(run.Result) {
			if unprepared[cause.First] = cause.Scenarios; cause.Missing != "" {
				missing[cause.Missing] = cause.Scenarios
			}
		}
		if reason := cut(run); reason != "" {
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
				if also = "\n" + stopped(n); result.Missing != nil {
					also = fmt.Sprintf("\n%s: %s", result.Missing, several(n, "scenario"))
				}
			}
			level := "error"
			if rule.Outcome = result.Outcome; !o.counts(rule) {
				level = "warning"
			}
			at := ""
			if run.Asked.Features != "" { // the built-in rules are no files of the repository
				at = fmt.Sprintf("file=%s,line=%d,", property(fileOf(run, result)), result.Line)
			}
			fmt.Fprintf(&text, "::%s %stitle=%s::%s\n", level, at,
				property(fmt.Sprintf("%s %s: %s", rule.ID, result.Outcome, rule.Name)),
				data(result.Name+"\n"+result.Reason+also))
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// fileOf returns the feature file of a scenario: with the directory that --features named, as a path within the
// repository; or as the built-in rules call it.
func fileOf(run events.Run, result verify.ScenarioResult) string {
	return path.Join(run.Asked.Features, result.File)
}

func data(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}

func property(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(text))
}

func stopped(scenarios int) string {
	return several(scenarios, "scenario") + " could not be prepared for this reason"
}

// Summary writes a Markdown table for the summary of a GitHub job.
func Summary(w io.Writer, s *events.Stream) error {
	o := Options{Strict: s.Header.Strict, BudgetsWarn: s.Header.BudgetsWarn}
	var b strings.Builder
	for _, run := range s.Runs {
		fmt.Fprintf(&b, "### %s: %s\n\n", run.System, o.Outcome(run))
		if reason := cut(run); reason != "" {
			fmt.Fprintf(&b, "%s\n\n", cell(firstLine(reason)))
		}
		if part := onlyFailed(run); part != "" {
			fmt.Fprintf(&b, "only scenarios %s\n\n", part)
		}
		if run.Result == nil {
			continue
		}
		fmt.Fprintf(&b, "%s\n\n", (&text{}).counts("rule", run.Result.RuleCounts()))
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
func causesTable(run events.Run) string {
	rows, list := "", shared(run.Result)
	for _, cause := range list {
		rows += fmt.Sprintf("| %d | %s | %s | %s |\n", cause.Scenarios, cause.Outcome, cell(cause.Reason), cause.Of())
	}
	if rows == "" {
		return ""
	}
	rows = "| scenarios | outcome | cause | rules |\n|---|---|---|---|\n" + rows + "\n"
	if about, lines := mappingOf(run, list); lines != "" {
		rows += about + "\n\n```yaml\n" + lines + "```\n\n"
	}
	return rows
}

// cell escapes a text so that it neither ends a table cell nor contains markup.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;", "`", "\\`").Replace(text)
}

// Badge writes how many rules hold, in the format of shields.io's endpoint badge.
func Badge(w io.Writer, s *events.Stream) error {
	o := Options{Strict: s.Header.Strict, BudgetsWarn: s.Header.BudgetsWarn}
	worst, kept, all := verify.Skipped, 0, 0
	for _, run := range s.Runs {
		worst = verify.Worse(worst, o.Outcome(run))
		if run.Result != nil {
			for outcome, n := range run.Result.RuleCounts() {
				if all += n; outcome == verify.Passed {
					kept += n
				}
			}
		}
	}
	color := "red"
	switch worst {
	case verify.Passed:
		color = "brightgreen"
	case verify.KnownFailing, verify.Skipped, verify.Unfinished:
		color = "yellow"
	}
	return json.NewEncoder(w).Encode(map[string]any{"schemaVersion": 1, "label": "storespec",
		"message": fmt.Sprintf("%d of %d rules", kept, all), "color": color})
}
