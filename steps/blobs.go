package steps

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/cucumber/godog"
)

func blobSteps() []Step {
	return []Step{
		{`the blob (\S+) is there`, `Then the blob familyscheduler/groups/{Family}/appointments/{Dentist}/appointment.json is there`,
			func(w *World) any { return w.blobIsThere }},
		{`there is no blob (\S+)`, `Then there is no blob familyscheduler/groups/{Family}/appointments/{Dentist}/scan/scan.png`,
			func(w *World) any { return w.blobIsMissing }},
		{`the blob (\S+) has`, "Then the blob familyscheduler/groups/{Family}/appointments/{Dentist}/appointment.json has\n| desc | Dentist |",
			func(w *World) any { return w.blobHas }},
		{`the container holds (\d+) blobs?`, `Then the container holds 1 blob`,
			func(w *World) any { return w.containerHolds }},
		{`a blob of the container contains "([^"]*)"`, `Then a blob of the container contains "Dentist"`,
			func(w *World) any { return w.someBlobContains }},
		{`the blob (\S+) is deleted`, `Given the blob familyscheduler/groups/{Family}/appointments/{Dentist}/appointment.json is deleted`,
			func(w *World) any { return w.blobIsDeleted }},
	}
}

func (w *World) readBlob(name string) (string, []byte, error) {
	name, err := w.expand(name)
	if err != nil {
		return "", nil, err
	}
	content, err := w.active().data.blob(w.ctx, name)
	if err == nil && content == nil {
		err = isMissing("blob " + name)
	}
	return name, content, err
}

func (w *World) blobIsThere(name string) error {
	_, _, err := w.readBlob(name)
	return err
}

func (w *World) blobIsMissing(name string) error {
	name, err := w.expand(name)
	if err != nil {
		return err
	}
	content, err := w.active().data.blob(w.ctx, name)
	if err == nil && content != nil {
		err = isThere("blob " + name)
	}
	return err
}

func (w *World) blobHas(name string, members *godog.Table) error {
	name, content, err := w.readBlob(name)
	if err != nil {
		return err
	}
	var document map[string]any
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.UseNumber()
	if err := decoder.Decode(&document); err != nil {
		return fmt.Errorf("the blob %s is no JSON object: %w", name, err)
	}
	expected, err := w.pairs(members)
	if err != nil {
		return err
	}
	var wrong []error
	for _, member := range expected {
		found, ok := lookup(document, member.name)
		if !ok {
			found = missing{}
		}
		if err := matches(found, member.value, func(sibling string) any { return document[sibling] }); err != nil {
			wrong = append(wrong, placed(err, "%s of the blob %s", member.name, name))
		}
	}
	return errors.Join(wrong...)
}

func (w *World) containerHolds(count int) error {
	names, err := w.active().data.blobNames(w.ctx)
	if err != nil {
		return err
	}
	if err := holdsSome("the container", "blob", len(names), count); err != nil {
		return fmt.Errorf("%w: %s", err, brief(names))
	}
	return nil
}

// someBlobContains is for blobs whose names the design leaves open.
func (w *World) someBlobContains(text string) error {
	if err := w.writeOut(&text); err != nil {
		return err
	}
	names, err := w.active().data.blobNames(w.ctx)
	if err != nil {
		return err
	}
	for _, name := range names {
		content, err := w.active().data.blob(w.ctx, name)
		if err != nil {
			return err
		}
		if bytes.Contains(content, []byte(text)) {
			return nil
		}
	}
	return fmt.Errorf("none of the %d blobs of the container contains %q", len(names), text)
}

// blobIsDeleted takes a blob away, past the target.
func (w *World) blobIsDeleted(name string) error {
	name, err := w.expand(name)
	if err != nil {
		return err
	}
	return w.active().data.dropBlob(w.ctx, name)
}
