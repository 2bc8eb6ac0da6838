package report

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/results/events"
)

// The golden files of this test were written by the storespec that wrote the stream, before format 2.
func TestReportsOfFormat1(t *testing.T) {
	const file = "../events/testdata/format1.ndjson"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := events.Read(file, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var people, programs bytes.Buffer
	if err := Text(&people, New(stream).Runs[0], Look{}); err != nil {
		t.Fatal(err)
	}
	if err := JSON(&programs, New(stream)); err != nil {
		t.Fatal(err)
	}
	golden(t, "format1.txt", people.String())
	golden(t, "format1.json", programs.String())

	var rewritten, before, after bytes.Buffer
	if err := events.Write(&rewritten, *stream, nil, time.Unix(0, 0)); err != nil {
		t.Fatal(err)
	}
	again, err := events.Read("again", &rewritten)
	if err != nil {
		t.Fatal(err)
	}
	if err := HTML(&before, New(stream), Extras{}); err != nil {
		t.Fatal(err)
	}
	if err := HTML(&after, New(again), Extras{}); err != nil {
		t.Fatal(err)
	}
	if before.String() != after.String() {
		t.Error("the page of a stream differs when the stream was written as format 2")
	}
	for _, want := range []string{"table point read on Groups", "blob write on state", "table transaction on Appoint"} {
		if !strings.Contains(before.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}
