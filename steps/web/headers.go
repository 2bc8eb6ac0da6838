package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/cucumber/godog"
	"golang.org/x/net/http/httpguts"

	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/scenario"
)

// Headers returns the steps about several headers of a request, or of an answer.
func Headers() []scenario.Step {
	return []scenario.Step{
		scenario.On(`(\w+) sends `+scenario.MethodAndPath+scenario.MayHaveBody+` with the headers`,
			"When Ana sends PUT /api/notes/milk {\"text\":\"Buy milk\"} with the headers\n| If-Match | {Version} |\n"+
				"| X-Reason | a typo |", sendsWithHeaders).Checked(areHeaders),
		scenario.On(`the answer has the headers`,
			"Then the answer has the headers\n| Content-Type | application/json |\n"+
				"| ETag | anything |\n| X-Served-From | absent |", answerHasHeaders).Checked(areHeaders),
		scenario.On(`the header (\S+) of the answer contains "([^"]+)"`,
			`Then the header Cache-Control of the answer contains "max-age="`, headerContains).Literal(1),
	}
}

// areHeaders refuses a table whose first column has a name that no header can have, or one twice.
func areHeaders(table *godog.Table) error {
	var wrong []error
	seen := map[string]bool{}
	for i, row := range table.Rows {
		name := row.Cells[0].Value
		switch {
		case !httpguts.ValidHeaderFieldName(name):
			wrong = append(wrong, &scenario.CellError{Row: i, Err: fmt.Errorf("%q is not the name of a header", name)})
		case seen[http.CanonicalHeaderKey(name)]:
			wrong = append(wrong, &scenario.CellError{Row: i, Err: fmt.Errorf("the header %s is named twice", name)})
		}
		seen[http.CanonicalHeaderKey(name)] = true
	}
	return errors.Join(wrong...)
}

// sendsWithHeaders sends a request with headers beside those that say who sends it, or in their place.
func sendsWithHeaders(ctx context.Context, people *scenario.People, names *scenario.Names,
	requests *scenario.Requests, name, method, path, body string,
	table *godog.Table) error {
	given, err := names.Pairs(table)
	if err != nil {
		return err
	}
	var set []scenario.Header
	for _, header := range given {
		if !httpguts.ValidHeaderFieldValue(header.Value) {
			return &scenario.MisuseError{Reason: fmt.Sprintf("the header %s cannot hold %q", header.Name, header.Value)}
		}
		set = append(set, scenario.Header(header))
	}
	return sendsWith(ctx, people, names, requests, name, method, path, body, set...)
}

// answerHasHeaders compares headers of the answer: the lines of one that stands more than once are one text, with
// commas.
func answerHasHeaders(_ context.Context, names *scenario.Names, e *scenario.RoundTrip, table *godog.Table) error {
	expected, err := names.Pairs(table)
	if err != nil {
		return err
	}
	of := func(name string) any {
		if values := e.Header.Values(name); len(values) > 0 {
			return strings.Join(values, ", ")
		}
		return matching.Missing{}
	}
	var wrong []error
	for _, want := range expected {
		if err := matching.Matches(of(want.Name), want.Value, of); err != nil {
			wrong = append(wrong, matching.Placed(err, "the header %s of the answer to %s", want.Name, e))
		}
	}
	return errors.Join(wrong...)
}

func headerContains(_ context.Context, names *scenario.Names, e *scenario.RoundTrip, name, text string) error {
	if err := names.WriteOut(&text); err != nil {
		return err
	}
	if got := strings.Join(e.Header.Values(name), ", "); !strings.Contains(got, text) {
		return fmt.Errorf("the answer to %s has the header %s %q, which does not contain %q", e, name, got, text)
	}
	return nil
}
