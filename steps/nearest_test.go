package steps

import (
	"strings"
	"testing"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/scenario"
)

func TestAStepThatNothingReadsIsToldWithItsNearest(t *testing.T) {
	vocabulary := scenario.NewVocabulary(Themes())
	for _, test := range []struct{ name, text, first string }{
		{"a misspelt word", "the anser is 404", "the answer is 200"},
		{"another article", "the storage calls are at the most", "the storage calls are at most"},
		{"a word too few", "Ana GET /notes", "Ana sends GET /api/me/groups"},
		{"a word too many", "nothing was ever written", "nothing was written"},
		{"another tense", `Ben sends POST /notes {"text":"a b c"}, and any storage call fails`,
			`Ben sends POST /api/group/join {"groupId":"{Family}"}, and any one storage call fails`},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := vocabulary.Check(system.System{}, &godog.Step{Text: test.text})
			if err == nil {
				t.Fatal("the step was read")
			}
			lines := strings.Split(err.Error(), "\n")
			if len(lines) < 2 || !strings.HasSuffix(lines[0], "; did you mean") ||
				strings.TrimSpace(lines[1]) != test.first {
				t.Errorf("it says %q, want %q first", err, test.first)
			}
		})
	}
	t.Run("nothing like it", func(t *testing.T) {
		err := vocabulary.Check(system.System{},
			&godog.Step{Text: "the moon is made of green cheese and orbits twice daily"})
		if err == nil || !strings.HasSuffix(err.Error(), "; storespec steps lists them all") {
			t.Errorf("it says %v", err)
		}
	})
}
