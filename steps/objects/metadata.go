package objects

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/scenario/budget"
	"github.com/storespec/storespec/internal/wire"
)

// metadataOfKey is the name of the JSON that a store of keys keeps with a value.
const metadataOfKey = "metadata"

// hasMetadata compares members of the metadata of a key.
func hasMetadata(ctx context.Context, stage *scenario.Stage, names *scenario.Names, name string,
	members *godog.Table) error {
	expected, found, err := key.properties(ctx, stage, names, &name, members)
	if err != nil {
		return err
	}
	document := map[string]any{}
	if text, is := found[metadataOfKey]; is {
		if err := decode([]byte(text), &document); err != nil {
			return fmt.Errorf("the metadata of the key %s is not a JSON object: %w", name, err)
		}
	}
	return haveMembers(document, expected, "the metadata of the key "+name)
}

// isGivenMetadata sets the metadata of a key that is there; its value and its expiry stay.
func isGivenMetadata(ctx context.Context, stage *scenario.Stage, names *scenario.Names, key string,
	content *godog.DocString) error {
	text := content.Content
	if err := names.WriteOut(&key, &text); err != nil {
		return err
	}
	if !json.Valid([]byte(text)) {
		return &scenario.MisuseError{Reason: fmt.Sprintf("the metadata for the key %s is not JSON", key)}
	}
	return stage.Lane().Data.SetProperties(ctx, key, map[string]string{metadataOfKey: text})
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
