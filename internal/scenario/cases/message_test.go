package cases

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storespec/storespec/internal/run/proof"
)

// One bug breaks many cases, whose messages differ in ids; the message of the family shows each bug once.
func TestTheMessageShowsEachFailureOnce(t *testing.T) {
	failed := func(name, message string) Failure {
		return Failure{Name: name, Step: "the answer is 200", Err: errors.New(message),
			Replay: proof.Replay{Case: name}}
	}
	token := func(name string) string { return proof.Replay{Case: name}.String() }
	for _, test := range []struct {
		name   string
		failed []Failure
		want   string
	}{
		{"alike", []Failure{failed("a", "GET /g/grp-1a answered 500"), failed("b", "GET /g/grp-2b answered 500"),
			failed("c", "GET /g/grp-3c answered 404")},
			"3 of 9 faults broke it\n" +
				"- a: the answer is 200: GET /g/grp-1a answered 500\n  again: --replay " + token("a") + "\n" +
				"  and 1 more like it\n" +
				"- c: the answer is 200: GET /g/grp-3c answered 404\n  again: --replay " + token("c")},
		{"more than are shown", []Failure{failed("a", "answered 500"), failed("b", "answered 501"),
			failed("c", "answered 502"), failed("d", "answered 503"), failed("e", "answered 503")},
			"5 of 9 faults broke it\n" +
				"- a: the answer is 200: answered 500\n  again: --replay " + token("a") + "\n" +
				"- b: the answer is 200: answered 501\n  again: --replay " + token("b") + "\n" +
				"- c: the answer is 200: answered 502\n  again: --replay " + token("c") + "\n" +
				"- and 2 more"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := &Error{Kind: "fault", Run: 9, Failed: test.failed}
			if diff := cmp.Diff(test.want, err.Error()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
