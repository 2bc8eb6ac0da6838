package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"github.com/storespec/storespec/internal/scenario"
)

// mostRounds is how often a request is sent that goes on where the one before ended: more of them are one that does not
// move on.
const mostRounds = 100

// sendsOnAndOn sends a request until its answer lacks a member that says where the next one goes on: each sends back
// the one of the answer before.
func sendsOnAndOn(ctx context.Context, people *scenario.People, names *scenario.Names, requests *scenario.Requests,
	name, method, path, body, member string) error {
	path, err := names.Address(path)
	if err != nil {
		return err
	}
	if body, err = names.Written(body); err != nil {
		return err
	}
	var document map[string]any
	if err := json.Unmarshal([]byte(body), &document); err != nil {
		return scenario.Misused("%s is not a JSON object: %v", body, err)
	}
	for range mostRounds {
		e, err := requests.Send(ctx, people.Caller(name), method, path, body)
		if err != nil {
			return err
		}
		if e.Status >= http.StatusBadRequest {
			return e.Blame(fmt.Errorf("%s answered %d", e, e.Status))
		}
		next := e.JSON(member)
		if next == nil || next == "" {
			return nil
		}
		document[member] = next
		sent, err := json.Marshal(document)
		if err != nil {
			return err
		}
		body = string(sent)
	}
	return fmt.Errorf("after %d requests, the answer still has %q", mostRounds, member)
}

// eachMadeAtMost judges all requests of the scenario like the last one.
func eachMadeAtMost(ctx context.Context, storage *scenario.Storage, requests *scenario.Requests,
	e *scenario.RoundTrip, most int) error {
	if err := storage.Settle(ctx); err != nil {
		return err
	}
	var broken []error
	for _, one := range requests.RoundTrips() {
		if made := len(one.Calls()); one.String() == e.String() && made > most {
			calls := one.Calls()
			broken = append(broken, one.Blame(scenario.RestsOn(
				fmt.Errorf("%s made %d storage calls, more than %d", one, made, most), calls...)))
		}
	}
	return errors.Join(broken...)
}

// keepOfHeader keeps the group of a pattern in a header.
func keepOfHeader(_ context.Context, names *scenario.Names, e *scenario.RoundTrip, pattern, header, name string) error {
	matcher, err := regexp.Compile(pattern)
	if err != nil || matcher.NumSubexp() != 1 {
		return scenario.Misused("%q is not a regular expression with one group", pattern)
	}
	found := matcher.FindStringSubmatch(strings.Join(e.Header.Values(header), ", "))
	if found == nil {
		return fmt.Errorf("the header %s of the answer to %s does not match %q", header, e, pattern)
	}
	names.Keep(name, found[1])
	return nil
}
