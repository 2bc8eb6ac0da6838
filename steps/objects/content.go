package objects

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/scenario"
)

// kind is what a step calls something that a store keeps whole.
type kind string

const (
	blob kind = "blob"
	key  kind = "key"
)

// read reads what is kept under a name, whose placeholders are replaced.
func (k kind) read(ctx context.Context, stage *scenario.Stage, names *scenario.Names, name *string) ([]byte, error) {
	if err := names.WriteOut(name); err != nil {
		return nil, err
	}
	content, err := stage.Lane().Data.Blob(ctx, *name)
	if err == nil && content == nil {
		err = matching.IsMissing(string(k) + " " + *name)
	}
	return content, err
}

func (k kind) isThere(ctx context.Context, stage *scenario.Stage, names *scenario.Names, name string) error {
	_, err := k.read(ctx, stage, names, &name)
	return err
}

func (k kind) isMissing(ctx context.Context, stage *scenario.Stage, names *scenario.Names, name string) error {
	if err := names.WriteOut(&name); err != nil {
		return err
	}
	content, err := stage.Lane().Data.Blob(ctx, name)
	if err == nil && content != nil {
		err = matching.IsThere(string(k) + " " + name)
	}
	return err
}

// has compares members of a JSON object.
func (k kind) has(ctx context.Context, stage *scenario.Stage, names *scenario.Names, name string,
	members *godog.Table) error {
	content, err := k.read(ctx, stage, names, &name)
	if err != nil {
		return err
	}
	var document map[string]any
	if err := decode(content, &document); err != nil {
		return fmt.Errorf("the %s %s does not hold a JSON object: %w", k, name, err)
	}
	expected, err := names.Pairs(members)
	if err != nil {
		return err
	}
	return haveMembers(document, expected, fmt.Sprintf("the %s %s", k, name))
}

// haveMembers compares members of a JSON object, which is at a place.
func haveMembers(document map[string]any, expected []scenario.Pair, place string) error {
	var wrong []error
	for _, member := range expected {
		if err := matching.MatchesMember(document, member.Name, member.Value); err != nil {
			wrong = append(wrong, matching.Placed(err, "%s of %s", member.Name, place))
		}
	}
	return errors.Join(wrong...)
}

func decode(content []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.UseNumber()
	return decoder.Decode(into)
}

// holds compares the whole content with a text, whose placeholders are replaced. A line break at the end of the content
// is not compared: a text in a feature does not end with one.
func (k kind) holds(ctx context.Context, stage *scenario.Stage, names *scenario.Names, name string,
	content *godog.DocString) error {
	want := content.Content
	if err := names.WriteOut(&want); err != nil {
		return err
	}
	held, err := k.read(ctx, stage, names, &name)
	if err != nil {
		return err
	}
	if got := strings.TrimSuffix(string(held), "\n"); got != want {
		place := fmt.Sprintf("the %s %s", k, name)
		return matching.Differ(place, want, got,
			fmt.Sprintf("%s holds %s, not %s", place, matching.Brief(got), matching.Brief(want)))
	}
	return nil
}

// is writes the whole content; placeholders in it are replaced. A key never expires.
func (k kind) is(ctx context.Context, stage *scenario.Stage, names *scenario.Names, name string,
	content *godog.DocString) error {
	text := content.Content
	if err := names.WriteOut(&name, &text); err != nil {
		return err
	}
	return stage.Lane().Data.PutBlob(ctx, name, []byte(text))
}

// properties reads what a table expects, and the properties that are kept with a content.
func (k kind) properties(ctx context.Context, stage *scenario.Stage, names *scenario.Names, name *string,
	table *godog.Table) (expected []scenario.Pair, found map[string]string, err error) {
	if err := names.WriteOut(name); err != nil {
		return nil, nil, err
	}
	if expected, err = names.Pairs(table); err != nil {
		return nil, nil, err
	}
	found, err = stage.Lane().Data.Properties(ctx, *name)
	if err == nil && found == nil {
		err = matching.IsMissing(string(k) + " " + *name)
	}
	return expected, found, err
}

func blobContains(ctx context.Context, stage *scenario.Stage, names *scenario.Names, name, text string) error {
	if err := names.WriteOut(&text); err != nil {
		return err
	}
	content, err := blob.read(ctx, stage, names, &name)
	if err == nil && !bytes.Contains(content, []byte(text)) {
		err = fmt.Errorf("the blob %s does not contain %q", name, text)
	}
	return err
}

func blobLacks(ctx context.Context, stage *scenario.Stage, names *scenario.Names, name, text string) error {
	written := text
	if err := names.WriteOut(&written); err != nil {
		return err
	}
	content, err := blob.read(ctx, stage, names, &name)
	if err == nil && bytes.Contains(content, []byte(written)) {
		err = fmt.Errorf("the blob %s contains %q", name, text)
	}
	return err
}
