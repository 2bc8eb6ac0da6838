package report

import (
	"errors"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/results/events"
)

func TestForPipelines(t *testing.T) {
	for _, test := range []struct {
		name  string
		write func(*strings.Builder) error
		want  []string
	}{
		{"JUnit", func(b *strings.Builder) error { return JUnit(b, New(rich())) }, []string{
			`<testsuite name="familyscheduler" tests="10" failures="5" errors="1" skipped="3" time="12.345">`,
			`classname="familyscheduler.FS-GATE-4"`,
			`<skipped message="skipped: storespec did not start this server">`}},
		{"GitHub", func(b *strings.Builder) error { return GitHub(b, New(rich())) }, []string{
			"::error title=FS-GATE-4 failed%3A A removed " +
				"member is refused::chat%0APOST /api/chat answered 200, not 403 not_allowed\n",
			"::warning title=FS-SRV-7"}},
		{"summary", func(b *strings.Builder) error { return Summary(b, New(rich())) },
			[]string{"### familyscheduler: error\n", "| FS-GATE-4 | failed | A removed member is refused |\n"}},
		{"badge", func(b *strings.Builder) error { return Badge(b, New(rich())) },
			[]string{`{"color":"red","label":"storespec","message":"1 of 6 rules","schemaVersion":1}`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var b strings.Builder
			if err := test.write(&b); err != nil {
				t.Fatal(err)
			}
			for _, want := range test.want {
				if !strings.Contains(b.String(), want) {
					t.Errorf("%q is not in\n%s", want, b.String())
				}
			}
		})
	}
}

// A job that was cut short is not green.
func TestAnInterruptedRunIsAnErrorForPipelines(t *testing.T) {
	run := mixed()
	run.Result.Rules = run.Result.Rules[:1] // it passed
	run.Result.Interrupted = true
	stream := of(Options{}, "", run)
	var junit, annotations, summary strings.Builder
	if err := errors.Join(JUnit(&junit, stream), GitHub(&annotations, stream), Summary(&summary, stream)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<testsuite name="familyscheduler" tests="2" failures="0" errors="1" skipped="0" time="12.345">`,
		`<error message="interrupted, so there is no verdict on the other scenarios">`,
	} {
		if !strings.Contains(junit.String(), want) {
			t.Errorf("%q is not in\n%s", want, junit.String())
		}
	}
	if want := "### familyscheduler: unfinished\n\ninterrupted, so there is no verdict on the other scenarios\n\n1 " +
		"rule: 1 passed\n\n"; summary.String() != want {
		t.Errorf("got %q, want %q", summary.String(), want)
	}
	if want := "::error title=familyscheduler::interrupted, so there is no verdict on the other " +
		"scenarios\n"; annotations.String() != want {
		t.Errorf("got %q, want %q", annotations.String(), want)
	}
}

// The files of a team's own rules are named as the repository has them; the built-in ones are in no repository.
func TestFilesAreThoseOfTheRepository(t *testing.T) {
	stream := rich()
	for features, want := range map[string][2]string{
		"": {`file="familyscheduler/gating.feature" line="12"`, "::error title=FS-GATE-4"},
		"spec/storage": {`file="spec/storage/familyscheduler/gating.feature" line="12"`,
			"::error file=spec/storage/familyscheduler/gating.feature,line=12,title=FS-GATE-4"},
	} {
		stream.Runs[0].Asked.Features = features
		var junit, github strings.Builder
		if err := errors.Join(JUnit(&junit, New(stream)), GitHub(&github, New(stream))); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(junit.String(), want[0]) {
			t.Errorf("features %q: JUnit's XML lacks %s", features, want[0])
		}
		if !strings.Contains(github.String(), want[1]) {
			t.Errorf("features %q: the annotations lack %s:\n%s", features, want[1], github.String())
		}
	}
}

// A workflow command ends at its line, and a property at a comma or a colon.
func TestWorkflowCommandsAreEscaped(t *testing.T) {
	run := mixed()
	run.Asked.Features = "50%, a:b"
	run.Result.Rules = run.Result.Rules[1:2]
	run.Result.Rules[0].Name = "100%, always: yes\r\n::error::"
	run.Result.Rules[0].Results = run.Result.Rules[0].Results[:1]
	run.Result.Rules[0].Results[0].Reason = "at 5%, so: no\r\n::error::x"
	var b strings.Builder
	if err := GitHub(&b, of(Options{}, "", run)); err != nil {
		t.Fatal(err)
	}
	const want = "::error file=50%25%2C a%3Ab/familyscheduler/gating.feature,line=12,title=FS-GATE-4 failed%3A " +
		"100%25%2C always%3A yes%0D%0A%3A%3Aerror%3A%3A" +
		"::chat%0Aat 5%25, so: no%0D%0A::error::x\n"
	if b.String() != want {
		t.Errorf("got  %s\nwant %s", b.String(), want)
	}
}

// Why a run could not begin is said in a line; the annotation has all of it.
func TestSummaryOfARunThatDidNotBegin(t *testing.T) {
	var summary strings.Builder
	if err := Summary(&summary, of(Options{}, "", events.Run{System: "notes",
		Err: errors.New("the server | ended\nit wrote:\n# much")})); err != nil {
		t.Fatal(err)
	}
	if want := "### notes: error\n\nthe server \\| ended\n\n"; summary.String() != want {
		t.Errorf("got %q, want %q", summary.String(), want)
	}
}
