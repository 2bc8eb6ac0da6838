package objects

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/scenario"
)

// blobHolds compares the whole content of a blob with a text, whose placeholders are replaced. A line break at the end
// of the blob is not compared: a text in a feature does not end with one.
func blobHolds(ctx context.Context, stage *scenario.Stage, names *scenario.Names, name string,
	content *godog.DocString) error {
	want := content.Content
	if err := names.WriteOut(&want); err != nil {
		return err
	}
	name, got, err := readBlob(ctx, stage, names, name)
	if err != nil {
		return err
	}
	if trimmed := strings.TrimSuffix(string(got), "\n"); trimmed != want {
		return matching.Differ("the blob "+name, want, trimmed,
			fmt.Sprintf("the blob %s holds %s, not %s", name, matching.Brief(trimmed), matching.Brief(want)))
	}
	return nil
}

func blobContains(ctx context.Context, stage *scenario.Stage, names *scenario.Names, name, text string) error {
	if err := names.WriteOut(&text); err != nil {
		return err
	}
	name, content, err := readBlob(ctx, stage, names, name)
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
	name, content, err := readBlob(ctx, stage, names, name)
	if err == nil && bytes.Contains(content, []byte(written)) {
		err = fmt.Errorf("the blob %s contains %q", name, text)
	}
	return err
}
