package steps

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/cucumber/godog"
)

// RouteTable is the text of the step whose table lists the routes a feature gates. A rule tagged
// @every-route must have an example for each of them.
const RouteTable = "the gated routes"

// route is one line of the table of gated routes: how a well-formed request looks.
type route struct {
	name string // method and path
	send string // a query that starts with ?, or a JSON body
}

func routeSteps() []Step {
	return []Step{
		{RouteTable, "Given the gated routes\n| route | request |\n| POST /api/chat | {\"groupId\":\"{group}\",\"message\":\"What is next?\"} |",
			func(w *World) any { return w.gatedRoutes }},
		{`(\w+) calls ` + methodAndPath + ` for (\w+)`, `When Ben calls POST /api/chat for Family`,
			func(w *World) any {
				return func(name, method, path, group string) error { return w.calls(name, method+" "+path, group, "") }
			}},
		{`(\w+) calls ` + methodAndPath + ` for (\w+) with (\{.*\})`, `When Ben calls POST /api/chat for Family with {"email":"{Ana.email}"}`,
			func(w *World) any {
				return func(name, method, path, group, extra string) error {
					return w.calls(name, method+" "+path, group, extra)
				}
			}},
	}
}

func (w *World) gatedRoutes(table *godog.Table) error {
	for _, line := range table.Rows[1:] {
		if len(line.Cells) != 2 {
			return fmt.Errorf("the table of gated routes needs the columns route and request")
		}
		w.routes = append(w.routes, route{line.Cells[0].Value, line.Cells[1].Value})
	}
	return nil
}

// calls sends the well-formed request of a gated route, with {group} being the group, and with the
// members of extra put into it.
func (w *World) calls(name, called, group, extra string) error {
	for _, r := range w.routes {
		if r.name != called {
			continue
		}
		w.kept["group"] = w.group(group)
		request, err := w.expand(r.send)
		if err != nil {
			return err
		}
		if extra, err = w.expand(extra); err != nil {
			return err
		}
		method, path, _ := strings.Cut(r.name, " ")
		if query, isQuery := strings.CutPrefix(request, "?"); isQuery {
			if query, err = withQuery(query, extra); err != nil {
				return err
			}
			_, err = w.send(w.caller(name), method, path+"?"+query, "")
			return err
		}
		body, err := withMembers(request, extra)
		if err != nil {
			return fmt.Errorf("the request of %s in the table of gated routes: %w", r.name, err)
		}
		_, err = w.send(w.caller(name), method, path, body)
		return err
	}
	return fmt.Errorf("%s is not in the table of gated routes", called)
}

// withMembers puts the members of the JSON object extra into the JSON object body.
func withMembers(body, extra string) (string, error) {
	if extra == "" {
		return body, nil
	}
	var members map[string]any
	if err := json.Unmarshal([]byte(body), &members); err != nil {
		return "", fmt.Errorf("%q is no JSON object: %w", body, err)
	}
	if err := json.Unmarshal([]byte(extra), &members); err != nil {
		return "", fmt.Errorf("%q is no JSON object: %w", extra, err)
	}
	return mustJSON(members), nil
}

// withQuery sets the members of the JSON object extra as parameters of a query.
func withQuery(query, extra string) (string, error) {
	if extra == "" {
		return query, nil
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return "", fmt.Errorf("%q is no query: %w", query, err)
	}
	var members map[string]string
	if err := json.Unmarshal([]byte(extra), &members); err != nil {
		return "", fmt.Errorf("%q is no JSON object of texts: %w", extra, err)
	}
	for name, value := range members {
		values.Set(name, value)
	}
	return values.Encode(), nil
}
