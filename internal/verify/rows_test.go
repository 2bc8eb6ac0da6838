package verify

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/store"
)

// An undefined name is a mistake of the rule, and nothing is said about the server.
func TestANameThatNamesNothingIsNoFailure(t *testing.T) {
	o := options(t, open(t, store.Options{Name: "embedded"}), func(http.ResponseWriter, *http.Request) {},
		"When Nobody sends GET /notes/{Nota}\nThen the answer is 200")
	o.Storeless = true
	result, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if got := result.Rules[0].Results[0]; got.Outcome != Errored ||
		!strings.HasPrefix(got.Reason, "{Nota} names nothing in this scenario; it knows now, ") {
		t.Errorf("it %s: %s", got.Outcome, got.Reason)
	}
}

// A step that names a person can use what belongs to them, also in what stands below it.
func TestAStepThatNamesAPersonKnowsThem(t *testing.T) {
	var asked []string
	for _, steps := range []string{
		"When Ana sends GET /notes/{Ana.userKey}\nThen the answer is 200",
		"When Ana sends POST /notes/{Ana.userKey} with the body\n\"\"\"\n{\"of\":\"{Ana.userKey}\"}\n\"\"\"\n" +
			"Then the answer is 200",
		"When these run at the same time\n| who | method | path |\n| Ana | GET | /notes/{Ana.userKey} |\n" +
			"| Ben | GET | /notes/{Ben.userKey} |\nThen all answers are 200",
	} {
		o := options(t, open(t, store.Options{Name: "embedded"}), func(_ http.ResponseWriter, r *http.Request) {
			asked = append(asked, r.URL.Path)
		}, steps)
		o.Storeless = true
		result, err := Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if got := result.Rules[0].Results[0]; got.Outcome != Passed {
			t.Errorf("%s\n%s: %s", steps, got.Outcome, got.Reason)
		}
	}
	for _, path := range asked {
		if path == "/notes/" || strings.Contains(path, "{") {
			t.Errorf("asked for %s", path)
		}
	}
}

// A report shows the answer by which a scenario failed, whatever its status, and no other.
func TestTheAnswerThatFailedIsShown(t *testing.T) {
	o := options(t, open(t, store.Options{Name: "embedded"}), func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"path":%q,"token":"hidden"}`, r.URL.Path)
	}, "When Ana sends GET /first\nThen the answer is 200\n"+
		"When Ana sends GET /second\nThen the answer has\n| path | /third |",
		"When Ana sends GET /first\nThen the answer is 200")
	o.Storeless = true
	result, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"[ {\"path\":\"/second\",\"token\":\"{token}\"}]", "[]"} {
		var answers []string
		for _, r := range result.Rules[0].Results[i].Requests {
			answers = append(answers, r.Answer)
		}
		if got := fmt.Sprint(answers); got != want {
			t.Errorf("scenario %d: the answers %s, not %s", i, got, want)
		}
	}
}

// One step writes many rows; their count may be in a key or in a column.
func TestRowsThatAreAlike(t *testing.T) {
	o := options(t, open(t, store.Options{Name: "embedded"}), func(http.ResponseWriter, *http.Request) {},
		`Given there are 3 rows Shares friend-{i} / list like
| n      | number {i} |
| status | active     |
And there are 2 rows Shares friends / list-{i} like
| status | active |
When Nobody sends GET /
Then the table Shares holds 5 rows
And the row Shares friend-2 / list has
| n      | number 2 |
| status | active   |
And the partition friends of Shares holds, in this order
| RowKey |
| list-0 |
| list-1 |`)
	o.Storeless = true
	result, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if got := result.Rules[0].Results[0]; got.Outcome != Passed {
		t.Errorf("it %s: %s", got.Outcome, got.Reason)
	}
}
