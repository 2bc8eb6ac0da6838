package objects

import (
	"bytes"
	"context"
	"fmt"

	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/scenario"
)

// Words returns the steps that read, write and delete the blobs of the state container directly.
func Words() []scenario.Step {
	return []scenario.Step{
		scenario.On(`the blob (\S+) is there`,
			`Then the blob familyscheduler/groups/{Family}/appointments/{Dentist}/appointment.json is there`,
			blob.isThere),
		scenario.On(`there is no blob (\S+)`,
			`Then there is no blob familyscheduler/groups/{Family}/appointments/{Dentist}/scan/scan.png`,
			blob.isMissing),
		scenario.On(`the blob (\S+) has`,
			"Then the blob familyscheduler/groups/{Family}/appointments/{Dentist}/appointment.json has\n| desc | "+
				"Dentist |", blob.has),
		scenario.On(`the blob (\S+) holds`,
			"Then the blob notes/{Milk}.csv holds\n\"\"\"\nid;text\n{Milk};Buy milk\n\"\"\"", blob.holds),
		scenario.On(`the blob (\S+) contains "([^"]+)"`, `Then the blob notes/{Milk}.csv contains "Buy milk"`,
			blobContains),
		scenario.On(`the blob (\S+) does not contain "([^"]+)"`,
			`Then the blob notes/{Milk}.csv does not contain "{Ana.email}"`, blobLacks),
		scenario.On(`the blob (\S+) has the properties`, "Then the blob notes/{Milk}.csv has the properties\n"+
			"| Content-Type | text/csv |\n| Cache-Control | absent |\n| metadata owner | {Ana.userKey} |",
			blobHasProperties).Checked(propertiesAreKnown),
		scenario.On(`the blob (\S+) is given the properties`,
			"Given the blob notes/{Milk}.csv is given the properties\n| Content-Type | text/csv |\n"+
				"| metadata owner | {Ana.userKey} |", blobIsGiven).Checked(propertiesAreKnown),
		scenario.On(`the container holds (\d+) blobs?`, `Then the container holds 1 blob`, containerHolds),
		scenario.On(`a blob of the container contains "([^"]*)"`, `Then a blob of the container contains "Dentist"`,
			someBlobContains),
		scenario.On(`the blob (\S+) is`,
			"Given the blob notes/{Milk}.json is\n\"\"\"\n{\"text\":\"Milk\"}\n\"\"\"", blob.is),
		scenario.On(`the blob (\S+) is deleted`,
			`Given the blob familyscheduler/groups/{Family}/appointments/{Dentist}/appointment.json is deleted`,
			blobIsDeleted),
	}
}

func containerHolds(ctx context.Context, stage *scenario.Stage, count int) error {
	names, err := stage.Lane().Data.BlobNames(ctx)
	if err != nil {
		return err
	}
	if err := matching.HoldsSome("the container", "blob", len(names), count); err != nil {
		return fmt.Errorf("%w: %s", err, matching.Brief(names))
	}
	return nil
}

// someBlobContains is for blobs whose names the design does not specify.
func someBlobContains(ctx context.Context, stage *scenario.Stage, known *scenario.Names, text string) error {
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
			return nil
		}
	}
	return fmt.Errorf("none of the %d blobs of the container contains %q", len(names), text)
}

// blobIsDeleted deletes a blob directly in the store.
func blobIsDeleted(ctx context.Context, stage *scenario.Stage, names *scenario.Names, name string) error {
	if err := names.WriteOut(&name); err != nil {
		return err
	}
	return stage.Lane().Data.DropBlob(ctx, name)
}
