package services

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/run/companion"
	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/scenario"
)

// OpenAI returns the steps that script a target's OpenAI-compatible server and count its calls.
func OpenAI() []scenario.Step {
	return []scenario.Step{
		scenario.On(`OpenAI answers "([^"]*)" with (\d+) tokens in and (\d+) out`,
			`Given OpenAI answers "Lunch at noon." with 30 tokens in and 7 out`,
			func(_ context.Context, stage *scenario.Stage, reply string, in, out int) error {
				return with(stage, func(o *companion.OpenAI) { o.Replies(200, reply, in, out) })
			}).Literal(1),
		scenario.On(`OpenAI fails with (\d+)`, `Given OpenAI fails with 500`,
			func(_ context.Context, stage *scenario.Stage, status int) error {
				return with(stage, func(o *companion.OpenAI) { o.Replies(status, "", 0, 0) })
			}),
		scenario.On(`OpenAI answers without a completion`, `Given OpenAI answers without a completion`,
			func(_ context.Context, stage *scenario.Stage) error {
				return with(stage, func(o *companion.OpenAI) { o.Spoil(companion.Incomplete) })
			}),
		scenario.On(`OpenAI answers with the body (\{.*\})`, `Given OpenAI answers with the body {"choices":[]}`,
			func(_ context.Context, stage *scenario.Stage, body string) error {
				return with(stage, func(o *companion.OpenAI) { o.RepliesWith(body) })
			}).Literal(1),
		scenario.On(`OpenAI takes (\d+) milliseconds to answer`, `Given OpenAI takes 500 milliseconds to answer`,
			func(_ context.Context, stage *scenario.Stage, milliseconds int) error {
				return with(stage,
					func(o *companion.OpenAI) { o.SlowDown(time.Duration(milliseconds) * time.Millisecond) })
			}),
		scenario.On(`OpenAI hangs up`, `Given OpenAI hangs up`, func(_ context.Context, stage *scenario.Stage) error {
			return with(stage, func(o *companion.OpenAI) { o.Spoil(companion.HangsUp) })
		}),
		scenario.On(`OpenAI was asked (\d+) times?`, `Then OpenAI was asked 1 time`, asked),
		scenario.On(`OpenAI was sent "([^"]+)"`, `Then OpenAI was sent "{FamilyAppointment0}"`, openAISent(true)),
		scenario.On(`OpenAI was not sent "([^"]+)"`, `Then OpenAI was not sent "{FamilyAppointment0}"`,
			openAISent(false)),
	}
}

func asked(_ context.Context, stage *scenario.Stage, times int) error {
	var got int
	if err := with(stage, func(o *companion.OpenAI) { got = o.Calls() }); err != nil {
		return err
	}
	if got != times {
		return fmt.Errorf("OpenAI was asked %d times, not %d", got, times)
	}
	return nil
}

// openAISent searches everything that the target sent.
func openAISent(want bool) any {
	return func(_ context.Context, stage *scenario.Stage, names *scenario.Names, text string) error {
		searched := text
		if err := names.WriteOut(&searched); err != nil {
			return err
		}
		var was bool
		err := with(stage, func(o *companion.OpenAI) { was = strings.Contains(o.Sent(), searched) })
		switch {
		case err == nil && want && !was:
			return fmt.Errorf("OpenAI was not sent %q", text)
		case err == nil && !want && was:
			return fmt.Errorf("OpenAI was sent %q", text)
		}
		return err
	}
}

// with calls do with the target's OpenAI-compatible server.
func with(stage *scenario.Stage, do func(*companion.OpenAI)) error {
	server, ok := lane.CompanionOf[*companion.OpenAI](stage.Lane())
	if !ok {
		return errors.New("the design names no companion openai")
	}
	do(server)
	return nil
}
