package keys

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/scenario"
)

// keyHolds compares the whole value of a key with a text, whose placeholders are replaced. A line break at the end of
// the value is not compared: a text in a feature does not end with one.
func keyHolds(ctx context.Context, stage *scenario.Stage, names *scenario.Names, key string,
	content *godog.DocString) error {
	want := content.Content
	if err := names.WriteOut(&want); err != nil {
		return err
	}
	held, err := value(ctx, stage, names, &key)
	if err != nil {
		return err
	}
	if got := strings.TrimSuffix(string(held), "\n"); got != want {
		return matching.Differ("the key "+key, want, got,
			fmt.Sprintf("the key %s holds %s, not %s", key, matching.Brief(got), matching.Brief(want)))
	}
	return nil
}

// metadata is the name of the JSON that a store of keys keeps with a value.
const metadata = "metadata"

// keyHasMetadata compares members of the metadata of a key.
func keyHasMetadata(ctx context.Context, stage *scenario.Stage, names *scenario.Names, key string,
	members *godog.Table) error {
	if err := names.WriteOut(&key); err != nil {
		return err
	}
	expected, err := names.Pairs(members)
	if err != nil {
		return err
	}
	found, err := stage.Lane().Data.Properties(ctx, key)
	if err == nil && found == nil {
		err = matching.IsMissing("key " + key)
	}
	if err != nil {
		return err
	}
	document := map[string]any{}
	if text, is := found[metadata]; is {
		if err := decode([]byte(text), &document); err != nil {
			return fmt.Errorf("the metadata of the key %s is not a JSON object: %w", key, err)
		}
	}
	var wrong []error
	for _, member := range expected {
		if err := matching.MatchesMember(document, member.Name, member.Value); err != nil {
			wrong = append(wrong, matching.Placed(err, "%s of the metadata of the key %s", member.Name, key))
		}
	}
	return errors.Join(wrong...)
}

// keyIsGiven sets the metadata of a key that is there; its value and its expiry stay.
func keyIsGiven(ctx context.Context, stage *scenario.Stage, names *scenario.Names, key string,
	content *godog.DocString) error {
	text := content.Content
	if err := names.WriteOut(&key, &text); err != nil {
		return err
	}
	if !json.Valid([]byte(text)) {
		return &scenario.MisuseError{Reason: fmt.Sprintf("the metadata for the key %s is not JSON", key)}
	}
	return stage.Lane().Data.SetProperties(ctx, key, map[string]string{metadata: text})
}
