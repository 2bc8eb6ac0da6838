package report

import (
	"encoding/xml"
	"fmt"
	"io"

	"github.com/storespec/storespec/internal/source"
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

// JUnit writes a report as JUnit XML: a suite for each system, a case for each scenario. Skipped scenarios and known
// failures count as skipped; so do outcomes that do not change the verdict, such as a SHOULD without strict.
func JUnit(w io.Writer, r *Report) error {
	var doc junitSuites
	for _, run := range r.Runs {
		suite := junitSuite{Name: run.System, Seconds: "0"}
		if reason := run.cut(); reason != "" {
			suite.add(junitCase{Class: run.System, Name: "the run", Seconds: "0",
				Error: &junitOutcome{source.FirstLine(reason), reason}})
		}
		if run.Result != nil {
			suite.Seconds = fmt.Sprintf("%.3f", run.Result.Duration.Seconds())
		}
		for rule, result := range run.Result.All() {
			suite.add(newJUnitCase(run, rule.Rule, result))
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

func newJUnitCase(run *Run, rule verify.Rule, result verify.ScenarioResult) junitCase {
	c := junitCase{Class: rule.System + "." + rule.ID, Name: result.Name, File: run.fileOf(result), Line: result.Line,
		Seconds: fmt.Sprintf("%.3f", result.Duration.Seconds())}
	outcome := &junitOutcome{string(result.Outcome) + ": " + firstReason(result), "\n" + result.Step + "\n" +
		result.Reason + "\n"}
	switch {
	case result.Outcome == verify.Passed:
	case result.Outcome == verify.Errored:
		c.Error = outcome
	case run.Fails(rule, result.Outcome):
		c.Failure = outcome
	default:
		c.Skipped = outcome
	}
	return c
}
