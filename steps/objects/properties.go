package objects

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/source"
)

// metadata begins the name of one of a blob's metadata.
const metadata = "metadata "

// named are the properties that blobs have besides metadata ("Set Blob Properties").
var named = []string{"Content-Type", "Content-Encoding", "Content-Language", "Content-Disposition", "Cache-Control"}

// propertiesAreKnown refuses a table that names what no blob has.
func propertiesAreKnown(table *godog.Table) error {
	var wrong []error
	for i, row := range table.Rows {
		name := row.Cells[0].Value
		if of, is := strings.CutPrefix(name, metadata); is && of != "" || slices.Contains(named, name) {
			continue
		}
		meant := source.Meant(name, named)
		if meant == "" {
			meant = "; known: " + strings.Join(named, ", ") + ", and \"metadata NAME\""
		}
		wrong = append(wrong, &scenario.CellError{Row: i, Err: fmt.Errorf("a blob has no property %q%s", name, meant)})
	}
	return errors.Join(wrong...)
}

// blobHasProperties compares properties of a blob; the case of the names of metadata is not looked at.
func blobHasProperties(ctx context.Context, stage *scenario.Stage, names *scenario.Names, name string,
	table *godog.Table) error {
	expected, found, err := blob.properties(ctx, stage, names, &name, table)
	if err != nil {
		return err
	}
	of := func(property string) any {
		if strings.HasPrefix(property, metadata) {
			property = strings.ToLower(property)
		}
		if value, is := found[property]; is {
			return value
		}
		return matching.Missing{}
	}
	var wrong []error
	for _, want := range expected {
		if err := matching.Matches(of(want.Name), want.Value, of); err != nil {
			wrong = append(wrong, matching.Placed(err, "%s of the blob %s", want.Name, name))
		}
	}
	return errors.Join(wrong...)
}

// blobIsGiven sets properties of a blob that is there. "absent" takes one away.
func blobIsGiven(ctx context.Context, stage *scenario.Stage, names *scenario.Names, name string,
	table *godog.Table) error {
	if err := names.WriteOut(&name); err != nil {
		return err
	}
	given, err := names.Pairs(table)
	if err != nil {
		return err
	}
	values := map[string]string{}
	for _, property := range given {
		if values[property.Name] = property.Value; property.Value == "absent" {
			values[property.Name] = ""
		}
	}
	return stage.Lane().Data.SetProperties(ctx, name, values)
}
