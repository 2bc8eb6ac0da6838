package web

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/scenario"
)

// route is one line of the table of gated routes: an example of a well-formed request.
type route struct {
	name string // method and path
	send string // a query that starts with ?, or a JSON body
}

// gated is the table of gated routes of a scenario.
type gated struct{ routes []route }

// Clone copies the table to the worlds of cases: the step that sets it is not run again there.
func (g *gated) Clone() any { return &gated{g.routes} }

// Routes returns the steps that call the routes in a table that a feature gates.
func Routes() []scenario.Step {
	return []scenario.Step{
		scenario.On(scenario.RouteTable, "Given the gated routes\n| route | request |\n| POST /api/chat | "+
			"{\"groupId\":\"{group}\",\"message\":\"What is next?\"} |", gatedRoutes).Checked(checkRoutes).
			Cells(func(*godog.Table) []string { return nil }), // each is judged where it is called
		scenario.On(`(\w+) calls `+scenario.MethodAndPath+` for (\w+)`, `When Ben calls POST /api/chat for Family`,
			func(ctx context.Context, people *scenario.People, names *scenario.Names, requests *scenario.Requests,
				known *gated, name, method, path, group string) error {
				return calls(ctx, people, names, requests, known, name, method+" "+path, group, extras{})
			}).Literal(3).Keeps(aGroup).Reviewed(isCallable),
		scenario.On(`(\w+) calls `+scenario.MethodAndPath+` for (\w+) with (\{.*\})`,
			`When Ben calls POST /api/chat for Family with {"email":"{Ana.email}"}`,
			func(ctx context.Context, people *scenario.People, names *scenario.Names, requests *scenario.Requests,
				known *gated, name, method, path, group, extra string) error {
				return calls(ctx, people, names, requests, known, name, method+" "+path, group, extras{members: extra})
			}).Literal(3, 5).Keeps(aGroup).Reviewed(isCallable),
		scenario.On(`(\w+) calls `+scenario.MethodAndPath+` for (\w+) with the query (\{.*\})`,
			`When Nobody calls POST /api/chat for Family with the query {"email":"{Ana.email}"}`,
			func(ctx context.Context, people *scenario.People, names *scenario.Names, requests *scenario.Requests,
				known *gated, name, method, path, group, query string) error {
				return calls(ctx, people, names, requests, known, name, method+" "+path, group, extras{query: query})
			}).Literal(3, 5).Keeps(aGroup).Reviewed(isCallable),
	}
}

// aGroup is the placeholder in the table for what the step that calls the route names.
const aGroup = "group"

var aRoute = regexp.MustCompile(`^` + scenario.MethodAndPath + `$`)

// checkRoutes checks the table of gated routes as written in the file, placeholders included.
func checkRoutes(table *godog.Table) error {
	if len(table.Rows) == 0 || len(table.Rows[0].Cells) != 2 {
		return errors.New("the table of gated routes needs the columns route and request")
	}
	var wrong []error
	for i, row := range routesIn(table) {
		filled := scenario.Placeholder.ReplaceAllString(row.send, "0")
		var members map[string]any
		switch {
		case !aRoute.MatchString(row.name):
			wrong = append(wrong, &scenario.CellError{Row: i + 1,
				Err: fmt.Errorf("the gated route %q is not like GET /api/notes/{group}", row.name)})
		case filled != "" && !strings.HasPrefix(filled, "?") && json.Unmarshal([]byte(filled), &members) != nil:
			wrong = append(wrong, &scenario.CellError{Row: i + 1, Column: 1, Err: fmt.Errorf("the request %q of the "+
				"gated route %s is neither a query, which begins with ?, nor a JSON object", row.send, row.name)})
		}
	}
	return errors.Join(wrong...)
}

func routesIn(table *godog.Table) (routes []route) {
	for _, line := range table.Rows[1:] {
		routes = append(routes, route{line.Cells[0].Value, line.Cells[1].Value})
	}
	return routes
}

// isCallable checks that a step calls a route of the table, for something that has a name, and that each placeholder
// of the route and its request is known there.
func isCallable(d *scenario.Draft, _ *godog.Step, said []string) error {
	var found *route
	called := said[1] + " " + said[2]
	if step := d.Latest(scenario.RouteTable); step != nil {
		found = routeOf(routesIn(step.Argument.DataTable), called)
	}
	if found == nil {
		return notGated(called)
	}
	if err := d.Knows("{" + said[3] + "}"); err != nil {
		return err
	}
	for _, text := range append([]string{found.name, found.send}, said[4:]...) {
		if err := d.Knows(text, aGroup); err != nil {
			return fmt.Errorf("the gated route %s: %w", called, err)
		}
	}
	return nil
}

func routeOf(routes []route, name string) *route {
	i := slices.IndexFunc(routes, func(r route) bool { return r.name == name })
	if i < 0 {
		return nil
	}
	return &routes[i]
}

func notGated(route string) error {
	return scenario.Misused("%s is not in the table of gated routes", route)
}

func gatedRoutes(_ context.Context, known *gated, table *godog.Table) error {
	known.routes = append(known.routes, routesIn(table)...)
	return nil
}

// extras are JSON objects whose members are added to the request of a gated route: where its fields stand, or to the
// query in any case. "" adds nothing.
type extras struct{ members, query string }

// calls sends the well-formed request of a gated route, with {group} replaced by the group, and with extras.
func calls(ctx context.Context, people *scenario.People, names *scenario.Names, requests *scenario.Requests,
	known *gated, name, called, group string, more extras) error {
	r := routeOf(known.routes, called)
	if r == nil {
		return notGated(called)
	}
	id, given := names.Kept(group)
	if !given {
		return fmt.Errorf("{%s} %w", group, scenario.ErrNoName)
	}
	names.Keep(aGroup, id)
	method, path, _ := strings.Cut(r.name, " ")
	path, err := names.Address(path)
	if err != nil {
		return err
	}
	body := r.send
	if err := names.WriteOut(&body, &more.members, &more.query); err != nil {
		return err
	}
	query, isQuery := strings.CutPrefix(body, "?")
	switch {
	case isQuery, body == "" && method == http.MethodGet:
		body = ""
		query, err = withQuery(query, more.members)
	case body != "" || more.members != "":
		query = ""
		body, err = withMembers(cmp.Or(body, "{}"), more.members)
	}
	if err == nil {
		query, err = withQuery(query, more.query)
	}
	if err != nil {
		return fmt.Errorf("the request of %s in the table of gated routes: %w", r.name, err)
	}
	_, err = requests.Send(ctx, people.Caller(name), method, withParameters(path, query), body)
	return err
}

// withParameters adds a query to a path that may have one.
func withParameters(path, query string) string {
	switch {
	case query == "":
		return path
	case strings.Contains(path, "?"):
		return path + "&" + query
	}
	return path + "?" + query
}

// withMembers adds the members of the JSON object extra to the JSON object body.
func withMembers(body, extra string) (string, error) {
	if extra == "" {
		return body, nil
	}
	var members map[string]any
	if err := json.Unmarshal([]byte(body), &members); err != nil {
		return "", scenario.Misused("%q is not a JSON object: %v", body, err)
	}
	if err := json.Unmarshal([]byte(extra), &members); err != nil {
		return "", scenario.Misused("%q is not a JSON object: %v", extra, err)
	}
	return matching.MustJSON(members), nil
}

// withQuery sets the members of the JSON object extra as parameters of a query.
func withQuery(query, extra string) (string, error) {
	if extra == "" {
		return query, nil
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return "", scenario.Misused("%q is not a query: %v", query, err)
	}
	var members map[string]string
	if err := json.Unmarshal([]byte(extra), &members); err != nil {
		return "", scenario.Misused("%q is not a JSON object of texts: %v", extra, err)
	}
	for name, value := range members {
		values.Set(name, value)
	}
	return values.Encode(), nil
}
