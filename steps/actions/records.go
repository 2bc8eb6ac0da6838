package actions

import (
	"bytes"
	"compress/gzip"
	"context"
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

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/scenario"
)

// records returns the steps that read the rows of the system actions: a record is stored as text, or as that text
// compressed.
func records() []scenario.Step {
	return []scenario.Step{
		scenario.On(`the record (\S+) / (\S+) is stored as`,
			"Then the record octo / checkout is stored as\n\"\"\"\n{\"name\":\"checkout\",\"owner\":\"octo\"}\n\"\"\"",
			recordIs),
		scenario.On(`the record (\S+) / (\S+) is stored whole, as one of these requests`,
			`Then the record octo / checkout is stored whole, as one of these requests`, recordIsOneOfThese),
		scenario.On(`every record that the answer calls updated is stored`,
			`Then every record that the answer calls updated is stored`, updatedAreStored),
	}
}

// record reads a stored record and checks it against its hash (CAN-2): SHA-256 in hex or base64.
func record(ctx context.Context, stage *scenario.Stage, names *scenario.Names, partition, key string) ([]byte, error) {
	if err := names.WriteOut(&partition, &key); err != nil {
		return nil, err
	}
	found, err := stage.Lane().Data.Row(ctx, stage.System().Names["actions"], partition, key)
	if err != nil {
		return nil, err
	}
	if found == nil {
		return nil, fmt.Errorf("there is no row %s / %s", partition, key)
	}
	payload, err := payload(found)
	if err != nil {
		return nil, fmt.Errorf("the row %s / %s: %w", partition, key, err)
	}
	sum := sha256.Sum256(payload)
	hash, _ := found["PayloadHash"].Is.(string)
	if strings.EqualFold(hash, hex.EncodeToString(sum[:])) || hash == base64.StdEncoding.EncodeToString(sum[:]) {
		return payload, nil
	}
	return nil, fmt.Errorf("PayloadHash of the row %s / %s is %q, not the SHA-256 of what is stored, in hex or base64",
		partition, key, hash)
}

// payload returns the text of PayloadJson, or of the gzip-compressed parts PayloadZ0, PayloadZ1 … (SIZ-1). A server
// that merges rows cannot take a column away: one that is empty counts as absent.
func payload(r lane.Row) ([]byte, error) {
	text, _ := r["PayloadJson"].Is.(string)
	encoding, _ := r["PayloadEncoding"].Is.(string)
	if plain := text != ""; plain == (encoding != "") || !plain && encoding != "gzip" {
		return nil, errors.New("holds neither a PayloadJson nor a PayloadEncoding gzip, or both")
	}
	if text != "" {
		return []byte(text), nil
	}
	var packed []byte
	for i := 0; ; i++ {
		text, there := r["PayloadZ"+strconv.Itoa(i)].Is.(string)
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
		return nil, fmt.Errorf("its parts are not gzip: %w", err)
	}
	return io.ReadAll(io.LimitReader(reader, scenario.MaxAnswer))
}

// recordIs compares byte by byte: the feature file contains the canonical text.
func recordIs(ctx context.Context, stage *scenario.Stage, names *scenario.Names, partition, key string,
	document *godog.DocString) error {
	want, err := names.Written(document.Content)
	if err != nil {
		return err
	}
	payload, err := record(ctx, stage, names, partition, key)
	if err != nil {
		return err
	}
	if string(payload) != want {
		return fmt.Errorf("the record %s / %s is stored as %s, not %s", partition, key, matching.Brief(string(payload)),
			matching.Brief(want))
	}
	return nil
}

// recordIsOneOfThese is for simultaneous writers: the stored record is the body of one of them, not a mixture.
func recordIsOneOfThese(ctx context.Context, stage *scenario.Stage, names *scenario.Names,
	requests *scenario.Requests, partition, key string) error {
	payload, err := record(ctx, stage, names, partition, key)
	if err != nil {
		return err
	}
	var stored any
	if err := json.Unmarshal(payload, &stored); err != nil {
		return fmt.Errorf("the record %s / %s is not stored as JSON", partition, key)
	}
	for _, e := range requests.RoundTrips() {
		var sent any
		if json.Unmarshal([]byte(e.Sent), &sent) == nil && reflect.DeepEqual(sent, stored) {
			return nil
		}
	}
	return fmt.Errorf("the record %s / %s is stored as %s, which nobody sent", partition, key,
		matching.Brief(string(payload)))
}

// updatedAreStored checks the answer to a batch against what is stored, whatever else it says; an answer of 5xx claims
// nothing.
func updatedAreStored(ctx context.Context, stage *scenario.Stage, names *scenario.Names,
	e *scenario.RoundTrip) (err error) {
	if e.Status >= http.StatusInternalServerError {
		return nil
	}
	results, _ := e.JSON("results").([]any)
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
		if _, missing := record(ctx, stage, names, strings.ToLower(owner), strings.ToLower(name)); missing != nil {
			err = errors.Join(err, fmt.Errorf("%s is called updated: %w", name, missing))
		}
	}
	return err
}
