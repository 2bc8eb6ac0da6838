package actions

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/scenario"
)

func TestWhatWasReportedAsUpdated(t *testing.T) {
	const one, two = `{"owner":"o","name":"a","updated":true}`, `{"owner":"o","name":"b","status":200,"updated":true}`
	const same = `{"owner":"o","name":"a","updated":false}`
	const busy = `{"owner":"o","name":"a","status":503,"updated":false}`
	type answer struct {
		status int
		body   string
	}
	for name, c := range map[string]struct {
		answers []answer
		count   int
		holds   bool
	}{
		"one record":                        {[]answer{{201, one}}, 1, true},
		"no answer said so":                 {[]answer{{200, same}}, 1, false},
		"said on the second try":            {[]answer{{503, "{}"}, {200, one}}, 1, true},
		"lost with a failure":               {[]answer{{503, "{}"}, {200, same}}, 1, true},
		"lost with no answer":               {[]answer{{0, ""}, {200, same}}, 1, true},
		"said twice":                        {[]answer{{200, one}, {200, one}}, 1, false},
		"more than were sent":               {[]answer{{200, `{"results":[` + one + `,` + two + `]}`}}, 1, false},
		"a batch":                           {[]answer{{200, `{"results":[` + one + `,` + two + `]}`}}, 2, true},
		"half a batch":                      {[]answer{{200, `{"results":[` + same + `,` + two + `]}`}}, 2, false},
		"half a batch, and a failed record": {[]answer{{200, `{"results":[` + busy + `,` + two + `]}`}}, 2, true},
	} {
		t.Run(name, func(t *testing.T) {
			sent := scenario.Begin(nil, &lane.Lane{}, nil).Requests
			// of another request, which counts for nothing
			sent.Sent(&scenario.RoundTrip{Path: "/other", Status: 200, Parsed: map[string]any{"updated": true}})
			var last *scenario.RoundTrip
			for _, a := range c.answers {
				last = &scenario.RoundTrip{Path: "/upsert", Sent: "record", Status: a.status, Parsed: parsed(t, a.body)}
				sent.Sent(last)
			}
			if err := reportedUpdated(t.Context(), sent, last, c.count); (err == nil) != c.holds {
				t.Errorf("%v", err)
			}
		})
	}
}

// parsed returns JSON as an answer's body is read: numbers keep their spelling.
func parsed(t *testing.T, text string) any {
	t.Helper()
	if text == "" {
		return nil
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return value
}
