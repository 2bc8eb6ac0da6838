package web

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/scenario"
)

// Pace returns the steps about how long answers take. They are for rules that are SHOULD: how long depends on the
// machine, which the steps take off as far as they can tell.
func Pace() []scenario.Step {
	return []scenario.Step{
		scenario.On(`(\w+) sends (\d+) times, with (\S+) before each, `+scenario.MethodAndPath+scenario.MayHaveBody,
			`When Ana sends 20 times, with /api/health before each, POST /api/notes {"text":"note {i}"}`, sendsPaced).
			Counts().Sends(several),
		scenario.On(`half of these answers took less than (\d+) ms, beyond a round trip for each call`,
			`Then half of these answers took less than 50 ms, beyond a round trip for each call`, tookLess).
			Reviewed(paced),
	}
}

// pace is what sendsPaced has sent: pairs of a request that makes no storage call, and one that is judged.
type pace struct{ idle, judged []*scenario.RoundTrip }

var errNotPaced = scenario.Misused("no requests were sent each after another one before this step")

// paced checks that an earlier step sends what tookLess judges.
func paced(d *scenario.Draft, _ *godog.Step, _ []string) error {
	if last := d.LatestSender(); last == nil || !strings.Contains(last.Text, " before each, ") {
		return errNotPaced
	}
	return nil
}

// sendsPaced sends a request many times, with a GET that makes no storage call before each: both meet the same load of
// the machine. {i} is the index, from 0.
func sendsPaced(ctx context.Context, people *scenario.People, names *scenario.Names, requests *scenario.Requests,
	sent *pace, name string, count int, idle, method, path, body string) error {
	each, err := countedRequests(names, count, method, path, body)
	if err != nil {
		return err
	}
	caller := people.Caller(name)
	*sent = pace{}
	send := func(r scenario.Request) (*scenario.RoundTrip, error) {
		e, err := requests.Send(ctx, caller, r.Method, r.Path, r.Body)
		if err == nil && e.Status >= http.StatusBadRequest {
			err = e.Blame(fmt.Errorf("%s answered %d", e, e.Status))
		}
		return e, err
	}
	for _, r := range each {
		before, err := send(scenario.Request{Method: http.MethodGet, Path: idle})
		if err != nil {
			return err
		}
		judged, err := send(r)
		if err != nil {
			return err
		}
		sent.idle, sent.judged = append(sent.idle, before), append(sent.judged, judged)
	}
	return nil
}

func tookLess(ctx context.Context, storage *scenario.Storage, sent *pace, milliseconds int) error {
	if len(sent.judged) == 0 {
		return errNotPaced
	}
	if err := storage.Settle(ctx); err != nil {
		return err
	}
	var idle, took []time.Duration
	var calls []int
	for i, e := range sent.judged {
		idle, took, calls = append(idle, sent.idle[i].Took()), append(took, e.Took()), append(calls, len(e.Calls()))
	}
	roundTrip := median(idle)
	beyond := beyondRoundTrips(took, calls, roundTrip)
	if most := time.Duration(milliseconds) * time.Millisecond; beyond >= most {
		first := sent.judged[0]
		return first.Blame(fmt.Errorf("half of the %d requests like %s took %s or more beyond a round trip for each "+
			"call, not less than %s; they took %s, a round trip %s", len(took), first, rounded(beyond), most,
			rounded(median(took)), rounded(roundTrip)))
	}
	return nil
}

// beyondRoundTrips returns the median of what requests took longer than a round trip for each of them and for each of
// their storage calls.
func beyondRoundTrips(took []time.Duration, calls []int, roundTrip time.Duration) time.Duration {
	left := make([]time.Duration, len(took))
	for i := range took {
		left[i] = took[i] - time.Duration(1+calls[i])*roundTrip
	}
	return median(left)
}

func median(all []time.Duration) time.Duration { return slices.Sorted(slices.Values(all))[len(all)/2] }

func rounded(d time.Duration) time.Duration { return d.Round(100 * time.Microsecond) }
