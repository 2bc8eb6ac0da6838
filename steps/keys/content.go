package keys

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/scenario/budget"
	"github.com/storespec/storespec/internal/wire"
)

// keyHasItems compares the list of texts that a key holds with a table of one column, in any order.
func keyHasItems(ctx context.Context, stage *scenario.Stage, names *scenario.Names, key string,
	table *godog.Table) error {
	content, err := value(ctx, stage, names, &key)
	if err != nil {
		return err
	}
	var list []any
	if err := decode(content, &list); err != nil {
		return fmt.Errorf("the key %s does not hold a JSON list: %w", key, err)
	}
	if err := names.HasItems(list, table); err != nil {
		return matching.Placed(err, "the key %s", key)
	}
	return nil
}

// keysLike writes values that never expire. {i} is the index, from 0, in both.
func keysLike(ctx context.Context, stage *scenario.Stage, names *scenario.Names, count int, key string,
	content *godog.DocString) error {
	return names.Counting(count, func(int) error {
		name, text := key, content.Content
		if err := names.WriteOut(&name, &text); err != nil {
			return err
		}
		return stage.Lane().Data.PutBlob(ctx, name, []byte(text))
	})
}

// noCallHolds searches the keys of all calls, and what writes sent, whether it is still there or not.
func noCallHolds(ctx context.Context, names *scenario.Names, storage *scenario.Storage, requests *scenario.Requests,
	text string) error {
	if err := names.WriteOut(&text); err != nil {
		return err
	}
	if err := storage.Settle(ctx); err != nil {
		return err
	}
	for _, call := range storage.Calls() {
		if holds(call, text) {
			requests.Complain(call)
			return scenario.RestsOn(fmt.Errorf("a storage call holds %q: %s", text, budget.Describe(call)), call)
		}
	}
	return nil
}

func holds(call wire.Call, text string) bool {
	for _, one := range append([]wire.Call{call}, call.Inner...) {
		if strings.Contains(strings.Join(one.Key, "/"), text) {
			return true
		}
	}
	return strings.Contains(call.Prefix, text) || bytes.Contains(call.Content, []byte(text))
}
