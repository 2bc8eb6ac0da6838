package steps

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/cucumber/godog"
)

// actionSteps reads the rows of the system actions: what is stored of a record is a text, or that text compressed.
func actionSteps() []Step {
	return []Step{
		{`the record (\S+) / (\S+) is stored as`, "Then the record octo / checkout is stored as\n\"\"\"\n{\"name\":\"checkout\",\"owner\":\"octo\"}\n\"\"\"",
			func(w *World) any { return w.recordIs }},
		{`the record (\S+) / (\S+) is stored whole, as one of these requests`, `Then the record octo / checkout is stored whole, as one of these requests`,
			func(w *World) any { return w.recordIsOneOfThese }},
		{`every record that the answer calls updated is stored`, `Then every record that the answer calls updated is stored`,
			func(w *World) any { return w.updatedAreStored }},
	}
}

// record reads what is stored of a record, and holds its hash to it (CAN-2): SHA-256 in hex or base64.
func (w *World) record(partition, key string) ([]byte, error) {
	if err := w.writeOut(&partition, &key); err != nil {
		return nil, err
	}
	found, err := w.active().data.row(w.ctx, w.system().Names["actions"], partition, key)
	if err != nil {
		return nil, err
	}
	if found == nil {
		return nil, fmt.Errorf("there is no row %s / %s", partition, key)
	}
	payload, err := found.payload()
	if err != nil {
		return nil, fmt.Errorf("the row %s / %s: %w", partition, key, err)
	}
	sum := sha256.Sum256(payload)
	switch hash, _ := found["PayloadHash"].(string); hash {
	case hex.EncodeToString(sum[:]), base64.StdEncoding.EncodeToString(sum[:]):
		return payload, nil
	default:
		return nil, fmt.Errorf("PayloadHash of the row %s / %s is %q, not the SHA-256 of what is stored, in hex or base64", partition, key, hash)
	}
}

// payload is the text of PayloadJson, or of the parts PayloadZ0, PayloadZ1 … compressed by gzip (SIZ-1).
func (r row) payload() ([]byte, error) {
	text, plain := r["PayloadJson"].(string)
	if encoding, compressed := r["PayloadEncoding"].(string); plain == compressed || compressed && encoding != "gzip" {
		return nil, errors.New("holds neither a PayloadJson nor a PayloadEncoding gzip, or both")
	}
	if plain {
		return []byte(text), nil
	}
	var packed []byte
	for i := 0; ; i++ {
		text, there := r["PayloadZ"+strconv.Itoa(i)].(string)
		if !there {
			break
		}
		part, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, fmt.Errorf("PayloadZ%d is not binary", i)
		}
		packed = append(packed, part...)
	}
	reader, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("its parts are no gzip: %w", err)
	}
	return io.ReadAll(io.LimitReader(reader, maxAnswer))
}

// recordIs compares byte by byte: the feature file spells the canonical text.
func (w *World) recordIs(partition, key string, document *godog.DocString) error {
	want, err := w.written(document.Content)
	if err != nil {
		return err
	}
	payload, err := w.record(partition, key)
	if err != nil {
		return err
	}
	if string(payload) != want {
		return fmt.Errorf("the record %s / %s is stored as %s, not %s", partition, key, brief(string(payload)), brief(want))
	}
	return nil
}

// recordIsOneOfThese is for writers at once: what is there is the body of one of them, not a mixture.
func (w *World) recordIsOneOfThese(partition, key string) error {
	payload, err := w.record(partition, key)
	if err != nil {
		return err
	}
	var stored any
	if err := json.Unmarshal(payload, &stored); err != nil {
		return fmt.Errorf("the record %s / %s is stored as what is no JSON", partition, key)
	}
	for _, e := range w.exchanges {
		var sent any
		if json.Unmarshal([]byte(e.sent), &sent) == nil && reflect.DeepEqual(sent, stored) {
			return nil
		}
	}
	return fmt.Errorf("the record %s / %s is stored as %s, which nobody sent", partition, key, brief(string(payload)))
}

// updatedAreStored holds the answer to a batch to what is there, whatever else it says; a batch that failed says nothing.
func (w *World) updatedAreStored() error {
	e, err := w.last()
	if err != nil || e.status >= http.StatusInternalServerError {
		return err
	}
	results, _ := e.json("results").([]any)
	if len(results) == 0 {
		return fmt.Errorf("%s answered without results", e)
	}
	for _, one := range results {
		result, _ := one.(map[string]any)
		owner, _ := result["owner"].(string)
		name, _ := result["name"].(string)
		if result["updated"] != true {
			continue
		}
		if _, missing := w.record(strings.ToLower(owner), strings.ToLower(name)); missing != nil {
			err = errors.Join(err, fmt.Errorf("%s is called updated: %w", name, missing))
		}
	}
	return err
}
