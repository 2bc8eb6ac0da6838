package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/storespec/storespec/internal/events"
	"github.com/storespec/storespec/internal/verify"
)

// GitHub writes an annotation for each scenario that did not pass, and for a run that says too little, as a workflow
// command (docs.github.com, "Workflow commands for GitHub Actions").
func GitHub(w io.Writer, s *events.Stream) error {
	o := Options{Strict: s.Header.Strict, BudgetsWarn: s.Header.BudgetsWarn}
	var text strings.Builder
	for _, run := range s.Runs {
		if reason := cut(run); reason != "" {
			fmt.Fprintf(&text, "::error title=%s::%s\n", property(run.System), data(reason))
		}
		if run.Result == nil {
			continue
		}
		for _, rule := range run.Result.Rules {
			for _, result := range rule.Results {
				if !broken(result.Outcome) {
					continue
				}
				level, one := "error", rule
				if one.Outcome = result.Outcome; !o.counts(one) {
					level = "warning"
				}
				fmt.Fprintf(&text, "::%s file=%s,line=%d,title=%s::%s\n", level, property(path.Join(cmp.Or(run.Asked.Features, "features"), result.File)), result.Line,
					property(fmt.Sprintf("%s %s: %s", rule.ID, result.Outcome, rule.Name)), data(result.Name+"\n"+result.Reason))
			}
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

// Summary writes a table for the summary of a GitHub job, in Markdown.
func Summary(w io.Writer, s *events.Stream) error {
	o := Options{Strict: s.Header.Strict, BudgetsWarn: s.Header.BudgetsWarn}
	var text strings.Builder
	for _, run := range s.Runs {
		fmt.Fprintf(&text, "### %s: %s\n\n", run.System, o.Outcome(run))
		if reason := cut(run); reason != "" {
			fmt.Fprintf(&text, "%s\n\n", cell(firstLine(reason)))
		}
		if run.Result == nil {
			continue
		}
		fmt.Fprintf(&text, "%s\n\n", newText().counts("rule", run.Result.RuleCounts()))
		rows := ""
		for _, rule := range run.Result.Rules {
			if broken(rule.Outcome) {
				rows += fmt.Sprintf("| %s | %s | %s |\n", rule.ID, rule.Outcome, cell(rule.Name))
			}
		}
		if rows != "" {
			text.WriteString("| rule | outcome | what it says |\n|---|---|---|\n" + rows + "\n")
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// cell is a text that ends no cell and is no markup.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;", "`", "\\`").Replace(text)
}

// Badge writes how many rules hold, as shields.io's endpoint badge reads it.
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
	return json.NewEncoder(w).Encode(map[string]any{"schemaVersion": 1, "label": "storespec", "message": fmt.Sprintf("%d of %d rules", kept, all), "color": color})
}
