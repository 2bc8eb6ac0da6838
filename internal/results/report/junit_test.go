package report

import (
	"encoding/xml"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/results/events"
	"github.com/storespec/storespec/internal/verify"
)

// XML 1.0 has no place for most control characters, for U+FFFE and U+FFFF and for half of a surrogate pair (section
// 2.2).
func TestJUnitIsXMLWhateverAServerAnswers(t *testing.T) {
	odd := "a\x00b\x01c\x08d\x0be\x0cf\x1bg\x1fh\ufffei\uffffj\xed\xa0\x80k\xffl"
	const mended = "a�b�c�d�e�f�g�h�i�j���k�l"
	kept := "tab\tquote\"<&>]]>\u0085\U0001f600"
	run := mixed()
	failed := &run.Result.Rules[1].Results[0]
	failed.Name, failed.Step, failed.Reason = "name "+odd, "step "+odd, odd+"\n"+kept
	run.System += odd
	stream := &events.Stream{Runs: []events.Run{run, {System: "other", Err: errorText(odd)}}}

	var text strings.Builder
	if err := JUnit(&text, New(stream)); err != nil {
		t.Fatal(err)
	}
	var got junitSuites
	decoder := xml.NewDecoder(strings.NewReader(text.String()))
	if err := decoder.Decode(&got); err != nil {
		t.Fatalf("it is not XML: %v\n%s", err, text.String())
	}
	if want := run.System[:len(run.System)-len(odd)] + mended; got.Suites[0].Name != want {
		t.Errorf("the suite is %q, want %q", got.Suites[0].Name, want)
	}
	told := got.Suites[0].Cases[1]
	if told.Name != "name "+mended || told.Failure.Message != string(verify.Failed)+": "+mended {
		t.Errorf("the case is %q: %q", told.Name, told.Failure.Message)
	}
	if want := "\nstep " + mended + "\n" + mended + "\n" + kept + "\n"; told.Failure.Text != want {
		t.Errorf("the failure is %q, want %q", told.Failure.Text, want)
	}
	if got := got.Suites[1].Cases[0].Error.Message; got != mended {
		t.Errorf("the error is %q", got)
	}
}

type errorText string

func (e errorText) Error() string { return string(e) }
