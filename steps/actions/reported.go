package actions

import (
	"context"
	"fmt"
	"net/http"

	"github.com/storespec/storespec/internal/scenario"
)

// reported returns the steps about the answers that clients get about their records.
func reported() []scenario.Step {
	return []scenario.Step{
		scenario.On(`(\d+) records? (?:was|were) reported as updated, unless a failure was reported`,
			`Then 1 record was reported as updated, unless a failure was reported`, reportedUpdated),
	}
}

// reportedUpdated counts the answers to the last request and its repetitions: each of count records was called updated
// once. A client that got a failure instead repeats its request, and may then hear that nothing changed.
func reportedUpdated(_ context.Context, requests *scenario.Requests, last *scenario.RoundTrip, count int) error {
	updated, failed := map[string]int{}, map[string]bool{}
	for _, e := range requests.RoundTrips() {
		if e.Path != last.Path || e.Sent != last.Sent {
			continue
		}
		if e.Status == 0 || e.Status >= http.StatusBadRequest {
			failed[""] = true // of every record
			continue
		}
		for _, result := range results(e) {
			owner, _ := result["owner"].(string)
			name, _ := result["name"].(string)
			record := owner + " / " + name
			if status, _ := result["status"].(fmt.Stringer); status != nil && status.String() >= "400" {
				failed[record] = true
			}
			if result["updated"] != true {
				continue
			}
			if updated[record]++; updated[record] > 1 {
				return fmt.Errorf("%s: the record %s was reported as updated %d times, not once", last, record,
					updated[record])
			}
		}
	}
	switch {
	case len(updated) > count:
		return fmt.Errorf("%s: %d records were reported as updated, not %d", last, len(updated), count)
	case len(updated) < count && !failed[""] && len(updated)+len(failed) < count:
		return fmt.Errorf("%s: %d of the %d records that were written were reported as updated, and no failure", last,
			len(updated), count)
	}
	return nil
}

// results returns the results of an answer to a batch, or the whole answer to one record as the only result.
func results(e *scenario.RoundTrip) []map[string]any {
	list, batch := e.JSON("results").([]any)
	if !batch {
		list = []any{e.Parsed}
	}
	var found []map[string]any
	for _, one := range list {
		if result, ok := one.(map[string]any); ok {
			found = append(found, result)
		}
	}
	return found
}
