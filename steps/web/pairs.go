package web

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/storespec/storespec/internal/scenario"
)

// lastTwo returns the two newest requests.
func lastTwo(requests *scenario.Requests) (a, b *scenario.RoundTrip, err error) {
	all := requests.RoundTrips()
	if len(all) < 2 {
		return nil, nil, scenario.Misused("fewer than two requests were sent before this step")
	}
	return all[len(all)-2], all[len(all)-1], nil
}

func bothAnswersAre(_ context.Context, requests *scenario.Requests, status int, code string) error {
	a, b, err := lastTwo(requests)
	if err != nil {
		return err
	}
	return errors.Join(a.Is(status, code), b.Is(status, code))
}

func answersAre(_ context.Context, requests *scenario.Requests, first, second int) error {
	a, b, err := lastTwo(requests)
	if err != nil {
		return err
	}
	if a.Status == first && b.Status == second || a.Status == second && b.Status == first {
		return nil
	}
	return fmt.Errorf("%s: the answers were %d and %d, not %d and %d", a, a.Status, b.Status, first, second)
}

func answersEqual(_ context.Context, requests *scenario.Requests) error {
	a, b, err := lastTwo(requests)
	if err != nil {
		return err
	}
	if a.Status != b.Status {
		return fmt.Errorf("the answers to %s differ: status %d and %d", a, a.Status, b.Status)
	}
	left, right := comparable(a), comparable(b)
	if left != right {
		return fmt.Errorf("the answers to %s differ:\n  %s\n  %s", a, left, right)
	}
	return nil
}

// comparable returns the answer's headers and body without what naturally differs between answers.
func comparable(e *scenario.RoundTrip) string {
	header := e.Header.Clone()
	header.Del("Date")
	body := string(e.Body)
	if id, ok := e.JSON(e.System.TraceID).(string); ok && id != "" {
		body = strings.ReplaceAll(body, id, "…")
		for name, values := range header {
			for i := range values {
				header[name][i] = strings.ReplaceAll(values[i], id, "…")
			}
		}
	}
	return fmt.Sprint(header) + " " + body
}
