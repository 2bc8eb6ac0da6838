package compare

import (
	"bytes"
	"os"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storespec/storespec/internal/results/events"
)

// What is expected was written by the storespec that wrote the stream, before format 2.
func TestComparisonOfFormat1(t *testing.T) {
	const file = "../events/testdata/format1.ndjson"
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/format1.txt")
	if err != nil {
		t.Fatal(err)
	}
	after := first(before, `"class":"point read","operation":"Query Entities","resource":"Groups"`,
		`"class":"table scan","operation":"Query Entities","resource":"Groups"`)
	after = first(after, `"class":"read","operation":"Get Blob","resource":"state"`,
		`"class":"list","operation":"List Blobs","resource":"state"`)
	found, err := Streams(format1(t, before), format1(t, after))
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := found.Text(&got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("compared otherwise than before (-want +got):\n%s", diff)
	}
}

// first puts another text in place of the first one in each line.
func first(text []byte, old, replacement string) []byte {
	line := regexp.MustCompile(`(?m)^(.*?)` + regexp.QuoteMeta(old))
	return line.ReplaceAll(text, []byte("${1}"+replacement))
}

func format1(t *testing.T, text []byte) *events.Stream {
	t.Helper()
	stream, err := events.Read("format1", bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return stream
}
