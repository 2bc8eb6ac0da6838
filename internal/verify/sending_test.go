package verify

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/store"
)

// Names are put into the path of every step that sends, and {i} where it sends many.
func TestNamesInThePathsOfRequests(t *testing.T) {
	for name, test := range map[string]struct {
		step string
		want []string
	}{
		"one after the other": {`Nobody sends 2 times one after the other PUT /notes/{Note}/{i} {"n":{i}}`,
			[]string{`PUT /notes/n%2F1/0 {"n":0}`, `PUT /notes/n%2F1/1 {"n":1}`}},
		"one after the other, no body": {`Nobody sends 2 times one after the other DELETE /notes/{i}`,
			[]string{"DELETE /notes/0 ", "DELETE /notes/1 "}},
		"at once": {`Nobody sends 2 times at once DELETE /notes/{Note}/{i}`,
			[]string{"DELETE /notes/n%2F1/0 ", "DELETE /notes/n%2F1/1 "}},
		"under a key": {`Nobody sends DELETE /notes/{Note} with the key First`,
			[]string{"DELETE /notes/n%2F1 "}},
		"two at the same moment": {`Nobody and Nobody send DELETE /notes/{Note} at the same moment`,
			[]string{"DELETE /notes/n%2F1 ", "DELETE /notes/n%2F1 "}},
		"a large body": {`Nobody sends PUT /notes/{Note} with a body of 11 bytes`,
			[]string{`PUT /notes/n%2F1 {"text":""}`}},
		"a list": {`Nobody sends PUT /notes/{Note} with 1 items in "all" like {"n":{i}}`,
			[]string{`PUT /notes/n%2F1 {"all":[{"n":0}]}`}},
	} {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			var got []string
			o := options(t, open(t, store.Options{Name: "embedded"}), func(_ http.ResponseWriter, r *http.Request) {
				sent := make([]byte, r.ContentLength)
				_, _ = r.Body.Read(sent) // a short one is reported below
				mu.Lock()
				defer mu.Unlock()
				got = append(got, r.Method+" "+r.URL.EscapedPath()+" "+string(sent))
			}, "Given Note stands for \"n/1\"\nWhen "+test.step+"\nThen the answer is 200")
			o.Storeless = true
			result, err := Run(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			if outcome := result.Rules[0].Outcome; outcome != Passed {
				t.Errorf("it %s: %s", outcome, result.Rules[0].Results[0].Reason)
			}
			slices.Sort(got)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
		})
	}
}

// Somebody who sends two of the requests has two answers, and a step that asks for theirs asks for neither.
func TestOnePersonInARaceTwice(t *testing.T) {
	o := options(t, open(t, store.Options{Name: "embedded"}), http.NotFound, `When these run at the same time
| who    | method | path |
| Nobody | GET    | /a   |
| Nobody | GET    | /b   |
Then where Nobody was answered 200, the row Things a / b has
| n | 1 |`)
	o.Storeless = true
	o.Target = target.Reference("nothing",
		func(func(string) string, http.RoundTripper, io.Writer) (target.Handler, error) { return nothing{}, nil })
	result, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if got := result.Rules[0].Results[0]; got.Outcome == Passed ||
		!strings.Contains(got.Reason, "Nobody sent 2 of these requests") {
		t.Errorf("it %s: %s", got.Outcome, got.Reason)
	}
}

// nothing is a server that answers everything without its store.
type nothing struct{}

func (nothing) ServeHTTP(http.ResponseWriter, *http.Request) {}

func (nothing) Close() error { return nil }
