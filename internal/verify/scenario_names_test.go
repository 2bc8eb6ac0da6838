package verify

import (
	"io/fs"
	"path"
	"strings"
	"testing"

	gherkin "github.com/cucumber/gherkin/go/v42"
	messages "github.com/cucumber/messages/go/v34"

	"github.com/storespec/storespec/features"
)

// A scenario's name says, like a test's, what it shows: subject, condition, outcome. Fewer than five words cannot.
func TestScenarioNamesAreSentencesOfTheirOwn(t *testing.T) {
	for _, design := range designs(t) {
		files, err := fs.Glob(features.Files, path.Join(design, "*.feature"))
		if err != nil || len(files) == 0 {
			t.Fatalf("the features of %s: %q, %v", design, files, err)
		}
		first := map[string]string{}
		for _, file := range files {
			text, err := fs.ReadFile(features.Files, file)
			if err != nil {
				t.Fatal(err)
			}
			doc, err := gherkin.ParseGherkinDocument(strings.NewReader(string(text)), (&messages.Incrementing{}).NewId)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			for _, rule := range rulesIn(doc.Feature) {
				for _, scenario := range scenariosIn(rule) {
					name := scenario.Name
					if len(strings.Fields(name)) < 5 {
						t.Errorf("%s:%d: fewer than five words do not say what is shown: %q", file,
							scenario.Location.Line, name)
					}
					if other, taken := first[name]; taken {
						t.Errorf("%s:%d: %s has the same name: %q", file, scenario.Location.Line, other, name)
					}
					first[name] = file
				}
			}
		}
	}
}
