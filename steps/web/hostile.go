package web

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/scenario"
)

// Hostile returns the steps that send many malformed requests, each of which must be refused.
func Hostile() []scenario.Step {
	return []scenario.Step{
		scenario.On(`(\w+)`+scenario.EachOfThese,
			"Then Ana is refused each of these, and nothing is written\n| what | request | body | answer |\n| a name "+
				"of 61 letters | POST /api/group/create | {\"groupName\":\"{61×a}\"} | 400 bad_request |", refused).
			Sends(several).Cells(hostile),
	}
}

// hostile returns the cells of the columns request and body.
func hostile(table *godog.Table) (texts []string) {
	for _, row := range table.Rows[min(1, len(table.Rows)):] {
		for _, cell := range row.Cells[min(1, len(row.Cells)):min(3, len(row.Cells))] {
			texts = append(texts, cell.Value)
		}
	}
	return texts
}

// refused sends each request of a table and compares each answer: all differences are reported, each with its row's
// name.
func refused(ctx context.Context, people *scenario.People, names *scenario.Names, storage *scenario.Storage,
	requests *scenario.Requests, name string, table *godog.Table) error {
	if len(table.Rows) < 2 || len(table.Rows[0].Cells) != 4 {
		return fmt.Errorf("the table needs the columns what, request, body and answer, and a row")
	}
	first := len(requests.RoundTrips())
	var broken []error
	var left error
	for _, row := range table.Rows[1:] {
		if requests.LeavesOut(row) {
			continue
		}
		err := refuses(ctx, people, names, requests, name, row.Cells[1].Value, row.Cells[2].Value, row.Cells[3].Value)
		if requests.LeaveOut(err) {
			left = err
			continue
		}
		if err != nil {
			broken = append(broken, fmt.Errorf("%s: %w", row.Cells[0].Value, err))
			if _, given := errors.AsType[*lane.UnresponsiveError](err); given {
				break // every further row would also time out
			}
		}
	}
	if left != nil && len(requests.RoundTrips()) == first {
		return left // nothing was left to judge
	}
	if err := storage.Settle(ctx); err != nil {
		return err
	}
	for _, e := range requests.RoundTrips()[first:] {
		broken = append(broken, e.Wrote(e.Calls()))
	}
	return errors.Join(broken...)
}

func refuses(ctx context.Context, people *scenario.People, names *scenario.Names, requests *scenario.Requests, name,
	request, body, answer string) error {
	method, path, _ := strings.Cut(request, " ")
	if err := names.WriteOut(&body); err != nil {
		return err
	}
	path, err := names.Address(path)
	if err != nil {
		return err
	}
	if path, err = scenario.Unfold(path); err != nil {
		return err
	}
	status, code, _ := strings.Cut(answer, " ")
	number, err := strconv.Atoi(status)
	if err != nil {
		return fmt.Errorf("the answer %q is not like 400 bad_request", answer)
	}
	e, err := requests.Send(ctx, people.Caller(name), method, path, body)
	if err != nil {
		return err
	}
	return e.Is(number, code)
}
