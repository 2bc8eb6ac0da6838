package objects

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/store"
)

// Keys returns the steps that look at keys and their values directly, write them, and make the store behave as a
// distant one.
func Keys() []scenario.Step {
	return []scenario.Step{
		scenario.On(`the key (\S+) has`, "Then the key note:{Milk} has\n| text | Milk |", key.has),
		scenario.On(`the key (\S+) is`, "Given the key note:{Milk} is\n\"\"\"\n{\"text\":\"Milk\"}\n\"\"\"", key.is),
		scenario.On(`the key (\S+) holds`, "Then the key note:{Milk} holds\n\"\"\"\nBuy milk\n\"\"\"", key.holds),
		scenario.On(`the key (\S+) has the metadata`, "Then the key note:{Milk} has the metadata\n| owner | Ana |",
			hasMetadata),
		scenario.On(`the key (\S+) is given the metadata`,
			"Given the key note:{Milk} is given the metadata\n\"\"\"\n{\"owner\":\"Ana\"}\n\"\"\"", isGivenMetadata),
		scenario.On(`the key (\S+) lists, in this order`,
			"Then the key recent:{Ana} lists, in this order\n| text |\n| Milk |", lists(true)).Rows(),
		scenario.On(`the key (\S+) lists`, "Then the key chats:{Ana} lists\n| text |\n| Milk |",
			lists(false)).Rows(),
		scenario.On(`the key (\S+) has the items`, "Then the key chats:{Ana} has the items\n| {Family} |", hasItems).
			Cells(scenario.EveryCell),
		scenario.On(`there are (\d+) keys (\S+) like`,
			"Given there are 1001 keys note:{i} like\n\"\"\"\n{\"text\":\"Milk\"}\n\"\"\"", keysLike).Counts(),
		scenario.On(`there is no key (\S+)`, `Then there is no key note:{Milk}`, key.isMissing),
		scenario.On(`the key (\S+) expires in (\d+) days`, `Then the key note:{Milk} expires in 90 days`, expires),
		scenario.On(`the key (\S+) never expires`, `Then the key note:{Milk} never expires`, neverExpires),
		scenario.On(`the keys with the prefix (\S+) are`, "Then the keys with the prefix note: are\n| note:{Milk} |",
			keysAre),
		scenario.On(`there is no key with the prefix (\S+)`, `Then there is no key with the prefix note:`,
			func(ctx context.Context, stage *scenario.Stage, names *scenario.Names, prefix string) error {
				return keysAre(ctx, stage, names, prefix, &godog.Table{})
			}),
		scenario.On(`no value of the store contains "([^"]+)"`, `Then no value of the store contains "{Secret}"`,
			noValueContains).Literal(1),
		scenario.On(`no storage call of the scenario holds "([^"]+)"`,
			`Then no storage call of the scenario holds "{Secret}"`, noCallHolds).Literal(1),
		scenario.On(`reads lag (\d+) calls? behind writes`, `Given reads lag 3 calls behind writes`,
			func(_ context.Context, stage *scenario.Stage, calls int) error {
				return simulate(stage, func(s store.Simulation) { s.Lag(calls) })
			}),
		scenario.On(`index updates arrive (\d+) calls? late`, `Given index updates arrive 3 calls late`,
			func(_ context.Context, stage *scenario.Stage, calls int) error {
				return simulate(stage, func(s store.Simulation) { s.Lag(calls) })
			}),
		scenario.On(`a key takes one write a second`, `Given a key takes one write a second`,
			func(_ context.Context, stage *scenario.Stage) error {
				limiter, ok := stage.Lane().Lease.Simulation().(store.WriteLimiter)
				if !ok {
					return scenario.SkipFor(errCannot, errCannot)
				}
				limiter.LimitWrites(true)
				return nil
			}),
		scenario.On(`the store's clock is (\d+) (day|minute)s? ahead`, `Given the store's clock is 91 days ahead`,
			func(_ context.Context, stage *scenario.Stage, count int, unit string) error {
				each := map[string]time.Duration{"day": 24 * time.Hour, "minute": time.Minute}[unit]
				return simulate(stage, func(s store.Simulation) { s.Advance(time.Duration(count) * each) })
			}),
	}
}

// simulate makes the store behave as a distant one; a store that cannot skips the scenario.
func simulate(stage *scenario.Stage, do func(store.Simulation)) error {
	s := stage.Lane().Lease.Simulation()
	if s == nil {
		return scenario.SkipFor(errCannot, errCannot)
	}
	do(s)
	return nil
}

var errCannot = errors.New("the store has no clock, no lag and no write rate that a scenario could set")

// expiry returns in how long a key expires; zero: never.
func expiry(ctx context.Context, stage *scenario.Stage, names *scenario.Names, key *string) (time.Duration, error) {
	if err := names.WriteOut(key); err != nil {
		return 0, err
	}
	at, now, err := stage.Lane().Data.Expires(ctx, *key)
	if err != nil || at.IsZero() {
		return 0, err
	}
	return at.Sub(now), nil
}

// expires allows for the minutes that a scenario may take.
func expires(ctx context.Context, stage *scenario.Stage, names *scenario.Names, key string, days int) error {
	left, err := expiry(ctx, stage, names, &key)
	want := time.Duration(days) * 24 * time.Hour
	switch {
	case err != nil:
		return err
	case left == 0:
		return fmt.Errorf("the key %s never expires", key)
	case left > want+time.Second || left < want-5*time.Minute:
		return fmt.Errorf("the key %s expires in %s, not in %d days", key, left.Round(time.Second), days)
	}
	return nil
}

func neverExpires(ctx context.Context, stage *scenario.Stage, names *scenario.Names, key string) error {
	left, err := expiry(ctx, stage, names, &key)
	if err == nil && left != 0 {
		err = fmt.Errorf("the key %s expires in %s", key, left.Round(time.Second))
	}
	return err
}

func keysAre(ctx context.Context, stage *scenario.Stage, known *scenario.Names, prefix string,
	table *godog.Table) error {
	if err := known.WriteOut(&prefix); err != nil {
		return err
	}
	var want []string
	for _, row := range table.Rows {
		key := row.Cells[0].Value
		if err := known.WriteOut(&key); err != nil {
			return err
		}
		want = append(want, key)
	}
	names, err := stage.Lane().Data.BlobNames(ctx)
	if err != nil {
		return err
	}
	got := slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(name, prefix) })
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		return fmt.Errorf("the keys with the prefix %s are %s, not %s", prefix, matching.Brief(got),
			matching.Brief(want))
	}
	return nil
}

func noValueContains(ctx context.Context, stage *scenario.Stage, known *scenario.Names, text string) error {
	if err := known.WriteOut(&text); err != nil {
		return err
	}
	names, err := stage.Lane().Data.BlobNames(ctx)
	if err != nil {
		return err
	}
	for _, name := range names {
		content, err := stage.Lane().Data.Blob(ctx, name)
		if err != nil {
			return err
		}
		if bytes.Contains(content, []byte(text)) {
			return fmt.Errorf("the key %s holds %q", name, text)
		}
	}
	return nil
}

// jsonList reads the JSON list that a key holds.
func jsonList(ctx context.Context, stage *scenario.Stage, names *scenario.Names, name *string) (list []any, _ error) {
	content, err := key.read(ctx, stage, names, name)
	if err != nil {
		return nil, err
	}
	if err := decode(content, &list); err != nil {
		return nil, fmt.Errorf("the key %s does not hold a JSON list: %w", *name, err)
	}
	return list, nil
}

// hasItems compares the list of texts that a key holds with a table of one column, in any order.
func hasItems(ctx context.Context, stage *scenario.Stage, names *scenario.Names, name string,
	table *godog.Table) error {
	list, err := jsonList(ctx, stage, names, &name)
	if err != nil {
		return err
	}
	if err := names.HasItems(list, table); err != nil {
		return matching.Placed(err, "the key %s", name)
	}
	return nil
}

// lists compares the list of objects that a key holds with a table whose header names members.
func lists(ordered bool) any {
	return func(ctx context.Context, stage *scenario.Stage, names *scenario.Names, name string,
		table *godog.Table) error {
		list, err := jsonList(ctx, stage, names, &name)
		if err != nil {
			return err
		}
		expected, err := names.Table(table)
		if err == nil {
			err = matching.HoldsSome("the key "+name, "item", len(list), len(expected))
		}
		switch {
		case err != nil:
		case !ordered:
			_, err = matching.Pair(list, expected)
		default:
			for i, row := range expected {
				if _, err = matching.Nearest(list[i:i+1], row); err != nil {
					break
				}
			}
		}
		if err != nil {
			return fmt.Errorf("the key %s holds %s: %w", name, matching.Cut(names.Shown(matching.MustJSON(list))), err)
		}
		return nil
	}
}
