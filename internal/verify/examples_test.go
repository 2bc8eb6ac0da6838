package verify

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/storespec/storespec/features"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/reference"
	"github.com/storespec/storespec/steps"
)

// ownWords is a feature that uses few steps.
const ownWords = `Feature: F

  @NOTES-A-1
  Rule: R
    > It is so.

    Scenario Outline: <who>
      Given Milk is a new id
      And the row Notes {<who>.userKey} / {Milk} is
        | text | Buy \| sell |
        | done | true |
      When <who> sends GET /notes/{Milk}
      And Nobody sends GET /notes
      And Bob sends POST /notes {"text":"a","of":{"b":"c"}}
      Then the answer is 200

      Examples:
        | who |
        | Zoe |
`

// translated returns examples of steps, and what they are in the words of that feature.
func translated() [][2]string {
	return [][2]string{
		// used by the feature
		{"Then the answer is 200", "Then the answer is 200"},
		{`When Ana sends POST /api/group/rename {"groupId":"{Family}","groupName":"Smiths"}`,
			`When Bob sends POST /notes {"text":"a","of":{"b":"c"}}`},
		// in its words
		{"Then there is no row GroupMembers {Family} / {Ben.userKey}",
			"Then there is no row Notes {Zoe.userKey} / {Milk}"},
		{"Then the row GroupMembers {Family} / {Ben.userKey} has\n| status | active |\n| joinedAt | a time |",
			"Then the row Notes {Zoe.userKey} / {Milk} has\n| text | Buy \\| sell |\n| done | true |"},
		{"Then the partition {Family} of AppointmentsIndex holds, in this order\n| RowKey | startTime |",
			"Then the partition {Zoe.userKey} of Notes holds, in this order\n| text | done |"},
		{`Given "updatedAt" of the row Groups group / {Family} is called Before`,
			`Given "text" of the row Notes {Zoe.userKey} / {Milk} is called Before`},
		{"Then the storage calls are at most\n| service | call | on | count |\n" +
			"| table | partition query | UserGroups | 1 |",
			"Then the storage calls are at most\n| service | call | on | count |\n" +
				"| table | partition query | Notes | 1 |"},
		{`When Ben sends POST /api/group/create {"groupName":"Choir"}, and any one storage call fails for good`,
			`When Bob sends POST /notes {"text":"a","of":{"b":"c"}}, and any one storage call fails for good`},
		{`When Ben is refused GET /api/group/meta?groupId={Family}, and any one storage call fails`,
			`When Bob is refused GET /notes/{Milk}, and any one storage call fails`},
		{"Given there are 16 rows UserGroups {Ana.userKey} / group-{i} like\n| status | active |",
			"Given there are 16 rows Notes {Zoe.userKey} / group-{i} like\n| text | Buy \\| sell |"},
		{"Then these tables exist\n| Groups |\n| UserGroups |", "Then these tables exist\n| Notes |"},
		{"Given Ana is a person", "Given Zoe is a person"},
		{"Then GroupMembers was read", "Then Notes was read"},
		{"Then for each row GroupMembers <group> / <user> there is the row Groups group / <group>",
			"Then for each row Notes <group> / <user> there is the row Notes group / <group>"},
		// for which the feature has no words
		{"When Ana sends PUT /api/notes/milk with the header If-Match \"{Version}\" with the body\n" +
			"\"\"\"\n{not JSON\n\"\"\"",
			"When Zoe sends PUT /api/notes/milk with the header If-Match \"{Milk}\" with the body\n" +
				"\"\"\"\n{not JSON\n\"\"\""},
		{`Then the service google was asked 1 time for POST /token`,
			`Then the service google was asked 1 time for POST /token`},
	}
}

func TestExamplesHaveTheWordsOfTheFeatures(t *testing.T) {
	c, err := Load(fstest.MapFS{"notes/a.feature": {Data: []byte(ownWords)}}, system.System{Name: "notes"})
	if err != nil {
		t.Fatal(err)
	}
	examples := Examples(c)
	byOriginal := map[string]string{}
	for _, theme := range steps.Themes() {
		for _, step := range theme.Steps {
			byOriginal[step.Example] = examples[step.Pattern]
		}
	}
	for _, pair := range translated() {
		if got, known := byOriginal[pair[0]]; got != pair[1] {
			t.Errorf("%s\nbecame %s\nwant   %s (known: %v)", pair[0], got, pair[1], known)
		}
	}
}

// TestExamplesOfEveryDesignAreSteps holds what is written to be a step of the same kind, whatever the words are.
func TestExamplesOfEveryDesignAreSteps(t *testing.T) {
	vocabulary := scenario.NewVocabulary(steps.Themes())
	for _, name := range reference.Names() {
		c, err := Load(features.Files, system.System{Name: name, Tags: []string{AnyTag}})
		if err != nil {
			t.Fatal(err)
		}
		for pattern, example := range Examples(c) {
			_, text, _ := strings.Cut(example, " ")
			text, _, _ = strings.Cut(text, "\n")
			if _, step, found := vocabulary.Described(text); !found || step.Pattern != pattern {
				t.Errorf("%s: %q is not a step like %q", name, example, pattern)
			}
		}
	}
	if diff := cmp.Diff(map[string]string{}, Examples()); diff != "" {
		t.Errorf("of no catalogue:\n%s", diff)
	}
}
