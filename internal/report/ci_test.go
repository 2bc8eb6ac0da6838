package report

import (
	"strings"
	"testing"
)

func TestForPipelines(t *testing.T) {
	for _, test := range []struct {
		name  string
		write func(*strings.Builder) error
		want  []string
	}{
		{"JUnit", func(b *strings.Builder) error { return JUnit(b, rich()) }, []string{
			`<testsuite name="familyscheduler" tests="10" failures="5" errors="1" skipped="3" time="12.345">`, `classname="familyscheduler.FS-GATE-4"`, `<skipped message="skipped: storespec did not start this target">`}},
		{"GitHub", func(b *strings.Builder) error { return GitHub(b, rich(), "features/") }, []string{
			"::error file=features/familyscheduler/gating.feature,line=12,title=FS-GATE-4 failed%3A A removed member is refused::chat%0APOST /api/chat answered 200, not 403 not_allowed\n",
			"::warning file=features/familyscheduler/gating.feature,line=12,title=FS-SRV-7"}},
		{"summary", func(b *strings.Builder) error { return Summary(b, rich()) }, []string{"### familyscheduler: error\n", "| FS-GATE-4 | failed | A removed member is refused |\n"}},
		{"badge", func(b *strings.Builder) error { return Badge(b, rich()) }, []string{`{"color":"red","label":"storespec","message":"1 of 6 rules","schemaVersion":1}`}},
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
