package telemetry

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/companion"
	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/scenario"
)

// spansWithin is the timeout for the last span: exporters send in batches, every five seconds by default.
const spansWithin = 15 * time.Second

// Words returns the steps about a target's own output: spans sent to a collector, and its log.
func Words() []scenario.Step {
	return []scenario.Step{
		scenario.On(`a fresh target with a collector`, `Given a fresh target with a collector`,
			func(ctx context.Context, storage *scenario.Storage) error {
				return startWithCollector(ctx, storage, "")
			}),
		scenario.On(`a fresh target without a collector, though one is running`,
			`Given a fresh target without a collector, though one is running`,
			func(ctx context.Context, storage *scenario.Storage) error {
				return startWithCollector(ctx, storage, companion.DefaultCollector)
			}),
		scenario.On(`the collector gets one span for each request`, `Then the collector gets one span for each request`,
			oneSpanEach),
		scenario.On(`the collector gets nothing, also when the target ends`,
			`Then the collector gets nothing, also when the target ends`, nothingCollected),
		scenario.On(`the log has (\d+) lines? with`,
			"Then the log has 1 line with\n| operation | notes.create |\n| traceId | anything |", logHasLines),
		scenario.On(`the log does not contain "([^"]*)"`, `Then the log does not contain "{Ana.email}"`, logLacks),
		scenario.On(`the log holds no e-mail, session id, token or key`,
			`Then the log holds no e-mail, session id, token or key`, logHoldsNoSecret),
	}
}

// startWithCollector starts a target configured with a collector, unless the collector listens on the default address.
func startWithCollector(ctx context.Context, storage *scenario.Storage, address string) error {
	c := &companion.Collector{Address: address}
	err := storage.StartCold(ctx, 1, lane.Special{With: []lane.Companion{c}, Env: c.Environment})
	return scenario.SkipFor(err, companion.ErrTaken)
}

func oneSpanEach(ctx context.Context, stage *scenario.Stage, requests *scenario.Requests) error {
	c, ok := lane.CompanionOf[*companion.Collector](stage.Lane())
	if !ok {
		return errors.New("the scenario has no collector")
	}
	ctx, cancel := context.WithTimeout(ctx, spansWithin)
	defer cancel()
	secrets := requests.Secrets()
	for _, e := range requests.RoundTrips() {
		spans, more := c.ServerSpans(e.Request.Trace())
		for len(spans) == 0 && ctx.Err() == nil {
			select {
			case <-more:
			case <-ctx.Done():
			}
			spans, more = c.ServerSpans(e.Request.Trace())
		}
		if len(spans) != 1 {
			return fmt.Errorf("%d spans of kind SERVER continue the trace of %s, not one", len(spans), e)
		}
		if what := lane.Leaked(spans[0].String(), secrets); what != "" {
			return fmt.Errorf("the span of %s holds %s", e, what)
		}
	}
	return nil
}

func nothingCollected(ctx context.Context, stage *scenario.Stage) error {
	c, ok := lane.CompanionOf[*companion.Collector](stage.Lane())
	if !ok {
		return errors.New("the scenario has no collector")
	}
	if err := stage.Lane().Target.Stop(ctx); err != nil {
		return err
	}
	if n := c.Received(); n > 0 {
		return fmt.Errorf("the collector got %d requests from a server that was not given it", n)
	}
	return nil
}

func logHoldsNoSecret(ctx context.Context, w *scenario.World) error {
	known, err := w.NoSecretInLog(ctx)
	if !known {
		return fmt.Errorf("%w: storespec did not start this server and does not see its log", godog.ErrSkip)
	}
	return err
}
