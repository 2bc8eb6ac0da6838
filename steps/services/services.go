package services

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/run/companion"
	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/scenario"
)

// Words returns the steps that script a service and look at what it was sent.
func Words() []scenario.Step {
	return []scenario.Step{
		scenario.On(`the service (\w+) answers (\w+) (/\S*) with (\d{3})(?: (\S.*))?`,
			`Given the service google answers POST /token with 200 {"access_token":"a"}`, answers(false)).Literal(5),
		scenario.On(`the service (\w+) answers (\w+) (/\S*) then with (\d{3})(?: (\S.*))?`,
			`Given the service google answers POST /token then with 503 {"error":"busy"}`, answers(true)).Literal(5),
		scenario.On(`the service (\w+) gives (\w+) (/\S*) no answer`,
			`Given the service google gives POST /token no answer`,
			func(_ context.Context, stage *scenario.Stage, names *scenario.Names, name, method, path string) error {
				return script(stage, names, name, method, path, companion.ServiceAnswer{HangUp: true}, false)
			}),
		scenario.On(`the service (\w+) was asked (\d+) times? for (\w+) (/\S*)`,
			`Then the service google was asked 1 time for POST /token`, wasAsked),
		scenario.On(`the service (\w+) was sent "([^"]+)"`, `Then the service telegram was sent "EVT-"`, wasSent).
			Literal(2),
		scenario.On(`the service (\w+) was not sent "([^"]+)"`, `Then the service telegram was not sent "{Secret}"`,
			wasNotSent).Literal(2),
		scenario.On(`what matches "([^"]+)" in what the service (\w+) was sent is called (\w+)`,
			`And what matches "EVT-([0-9A-Z]{8})" in what the service telegram was sent is called Ref`, keepSent).
			Literal(1).Keeps("$3"),
	}
}

func answers(again bool) any {
	return func(_ context.Context, stage *scenario.Stage, names *scenario.Names, name, method, path string, status int,
		body string) error {
		if err := names.WriteOut(&body); err != nil {
			return err
		}
		return script(stage, names, name, method, path, companion.ServiceAnswer{Status: status, Body: body}, again)
	}
}

func script(stage *scenario.Stage, names *scenario.Names, name, method, path string, answer companion.ServiceAnswer,
	again bool) error {
	path, err := names.Expand(path)
	if err != nil {
		return err
	}
	s, err := service(stage, name)
	if err == nil {
		s.Answers(method, path, answer, again)
	}
	return err
}

// service returns a service of the lane by its name.
func service(stage *scenario.Stage, name string) (*companion.Service, error) {
	for _, one := range lane.CompanionsOf[*companion.Service](stage.Lane()) {
		if one.Name() == name {
			return one, nil
		}
	}
	return nil, fmt.Errorf("the design names no service %s: list it under services in its system.yaml", name)
}

func wasAsked(ctx context.Context, stage *scenario.Stage, names *scenario.Names, name string, times int, method,
	path string) error {
	path, err := names.Expand(path)
	if err != nil {
		return err
	}
	s, err := service(stage, name)
	if err != nil {
		return err
	}
	if got := s.Sent(method, path); len(got) != times {
		return fmt.Errorf("the service %s was asked %d times for %s %s, not %d", name, len(got), method, path, times)
	}
	return nil
}

func isSent(stage *scenario.Stage, names *scenario.Names, name, text string) (bool, error) {
	if err := names.WriteOut(&text); err != nil {
		return false, err
	}
	s, err := service(stage, name)
	if err != nil {
		return false, err
	}
	for _, request := range s.Sent("", "") {
		if strings.Contains(request, text) {
			return true, nil
		}
	}
	return false, nil
}

// sentWithin is how long what is sent after an answer may take.
const sentWithin = 2 * time.Second

func wasSent(ctx context.Context, stage *scenario.Stage, names *scenario.Names, name, text string) error {
	for until := time.Now().Add(sentWithin); ; {
		was, err := isSent(stage, names, name, text)
		if was || err != nil {
			return err
		}
		if time.Now().After(until) || ctx.Err() != nil {
			return fmt.Errorf("the service %s was not sent %q", name, text)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func wasNotSent(_ context.Context, stage *scenario.Stage, names *scenario.Names, name, text string) error {
	was, err := isSent(stage, names, name, text)
	if err == nil && was {
		err = fmt.Errorf("the service %s was sent %q", name, text)
	}
	return err
}
