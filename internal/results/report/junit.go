package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/storespec/storespec/internal/results/events"
	"github.com/storespec/storespec/internal/verify"
)

type junitSuites struct {
	XMLName xml.Name     `xml:"testsuites"`
	Suites  []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Seconds  string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	File    string        `xml:"file,attr"`
	Line    int           `xml:"line,attr"`
	Seconds string        `xml:"time,attr"`
	Failure *junitOutcome `xml:"failure"`
	Error   *junitOutcome `xml:"error"`
	Skipped *junitOutcome `xml:"skipped"`
}

type junitOutcome struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// JUnit writes a stream as JUnit XML: a suite for each system, a case for each scenario. Skipped scenarios and known
// failures count as skipped; so do outcomes that do not change the verdict, such as a SHOULD without strict.
func JUnit(w io.Writer, s *events.Stream) error {
	o := Options{Strict: s.Header.Strict, BudgetsWarn: s.Header.BudgetsWarn}
	var doc junitSuites
	for _, run := range s.Runs {
		suite := junitSuite{Name: run.System, Seconds: "0"}
		if reason := cut(run); reason != "" {
			suite.add(junitCase{Class: run.System, Name: "the run", Seconds: "0",
				Error: &junitOutcome{firstLine(reason), reason}})
		}
		if run.Result != nil {
			suite.Seconds = fmt.Sprintf("%.3f", run.Result.Duration.Seconds())
			for rule, result := range run.Result.All() {
				suite.add(o.junitCase(run, rule, result))
			}
		}
		doc.Suites = append(doc.Suites, suite)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	return encoder.Encode(doc)
}

// cut returns why a run has too few results, or "". A pipeline must not mistake it for one in which all rules hold.
func cut(run events.Run) string {
	switch {
	case run.Err != nil:
		return run.Err.Error()
	case run.Result == nil:
		return "nothing could be judged"
	case run.Result.Interrupted:
		return interrupted
	case run.Result.Stopped:
		return stoppedEarly
	}
	return ""
}

func (s *junitSuite) add(c junitCase) {
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

func (o Options) junitCase(run events.Run, rule verify.RuleResult, result verify.ScenarioResult) junitCase {
	c := junitCase{Class: rule.System + "." + rule.ID, Name: result.Name, File: fileOf(run, result), Line: result.Line,
		Seconds: fmt.Sprintf("%.3f", result.Duration.Seconds())}
	first := strings.TrimPrefix(firstLine(result.Reason), string(result.Outcome)+": ")
	told := &junitOutcome{string(result.Outcome) + ": " + first, "\n" + result.Step + "\n" +
		result.Reason + "\n"}
	rule.Outcome = result.Outcome
	switch {
	case result.Outcome == verify.Passed:
	case result.Outcome == verify.Errored:
		c.Error = told
	case broken(result.Outcome) && o.counts(rule):
		c.Failure = told
	default:
		c.Skipped = told
	}
	return c
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
