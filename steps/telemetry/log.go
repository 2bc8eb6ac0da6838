package telemetry

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/scenario"
)

const (
	// writtenWithin is how long after the last answer a line of the log may come.
	writtenWithin = 2 * time.Second
	// lookEvery is how often the log is searched for it.
	lookEvery = 10 * time.Millisecond
)

// logHasLines looks for count lines that are JSON objects with the members of the table. What comes too late to be seen
// is not counted.
func logHasLines(ctx context.Context, w *scenario.World, count int, table *godog.Table) error {
	expected, err := w.Names.Pairs(table)
	if err != nil {
		return err
	}
	deadline := time.Now().Add(writtenWithin)
	for {
		lines, known := w.LogLines()
		if !known {
			return fmt.Errorf("%w: storespec did not start this server and does not see its log", godog.ErrSkip)
		}
		objects, found := 0, 0
		for _, line := range lines {
			var object map[string]any
			if json.Unmarshal([]byte(line), &object) != nil {
				continue
			}
			objects++
			if hasAll(object, expected) {
				found++
			}
		}
		switch {
		case found == count:
			return nil
		case found > count, time.Now().After(deadline):
			return fmt.Errorf("%d lines of the log have this, not %d; it has %d lines of JSON", found, count, objects)
		}
		select {
		case <-time.After(lookEvery):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func hasAll(object map[string]any, expected []scenario.Pair) bool {
	for _, pair := range expected {
		if matching.MatchesMember(object, pair.Name, pair.Value) != nil {
			return false
		}
	}
	return true
}

// logLacks waits until everything should have arrived: a line that comes too late would not be missed.
func logLacks(ctx context.Context, w *scenario.World, text string) error {
	if err := w.Names.WriteOut(&text); err != nil {
		return err
	}
	if _, err := w.NoSecretInLog(ctx); err != nil {
		return err
	}
	lines, known := w.LogLines()
	if !known {
		return fmt.Errorf("%w: storespec did not start this server and does not see its log", godog.ErrSkip)
	}
	for _, line := range lines {
		if strings.Contains(line, text) {
			return fmt.Errorf("the log contains %q", text)
		}
	}
	return nil
}
