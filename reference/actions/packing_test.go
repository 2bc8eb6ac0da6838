package actions

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/storespec/storespec/reference/account"
)

func TestRowsAreReadAsTheyWereWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Repeat(rapid.StringN(1, 50, -1).Draw(t, "text"), rapid.IntRange(1, 4000).Draw(t, "times"))
		payload, err := json.Marshal(map[string]string{"t": text})
		if err != nil {
			t.Fatal(err)
		}
		written := &row{
			key: key{"o", "it's"}, etag: `W/"1"`, synced: time.Unix(1_700_000_000, 123_456_700).UTC(), hash: "h",
			payload: payload, writeID: "w",
		}
		data, err := written.columns()
		if err != nil {
			t.Fatal(err)
		}
		var columns map[string]any
		if err := json.Unmarshal(data, &columns); err != nil {
			t.Fatal(err)
		}
		if plain, _ := columns[columnPayload].(string); (plain != "") != (units(payload) <= maxText) ||
			(columns[columnEncoding] == nil) != (plain != "") {
			t.Fatalf("%d units are a text of %d bytes and %v", units(payload), len(plain),
				columns[columnEncoding])
		}
		read, err := decodeRow(data, written.etag)
		if err != nil || fmt.Sprint(read) != fmt.Sprint(written) {
			t.Fatalf("%v", err)
		}
	})
}

func TestARowBeyondTheLimitIsTooLarge(t *testing.T) {
	noise := make([]byte, 1<<20)
	state := uint64(1)
	for i := range noise {
		state = state*6364136223846793005 + 1442695040888963407
		noise[i] = byte(state >> 56)
	}
	if _, err := (&row{payload: noise[:1<<20-5000]}).columns(); err != nil {
		t.Errorf("below: %v", err)
	}
	if _, err := (&row{payload: noise}).columns(); !errors.Is(err, account.ErrTooLarge) {
		t.Errorf("beyond: %v", err)
	}
}

func TestMalformedRows(t *testing.T) {
	for name, entity := range map[string]string{
		"another type":         `{"PayloadHash":1}`,
		"an unknown encoding":  `{"PayloadEncoding":"br"}`,
		"no parts":             `{"PayloadEncoding":"gzip"}`,
		"a part of a text":     `{"PayloadEncoding":"gzip","PayloadZ0":7}`,
		"a part that is not":   `{"PayloadEncoding":"gzip","PayloadZ0":"aGVsbG8="}`,
		"a part that ends":     `{"PayloadEncoding":"gzip","PayloadZ0":"H4sIAAAAAAAA/w=="}`,
		"an invalid time":      `{"LastSyncedUtc":"yesterday"}`,
		"something not JSON":   `{`,
		"a binary that is not": `{"PayloadEncoding":"gzip","PayloadZ0":"%"}`,
	} {
		if _, err := decodeRow([]byte(entity), ""); !errors.Is(err, errCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Whatever the records are, no limit is passed, none is lost, and with room for two in each no two transactions could
// be one.
func TestTransactionsAreFew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(100, 1_400_000), 0, 100).Draw(t, "sizes")
		var items []*item
		for i, size := range sizes {
			it := &item{next: &row{}, entity: make([]byte, size)}
			it.key = key{[]string{"a", "b"}[i%2], fmt.Sprint(i)}
			items = append(items, it)
		}
		placed := map[*item]bool{}
		total := map[string][]int{}
		for _, group := range transactions(items) {
			size := envelope
			for _, it := range group {
				if it.key.partition != group[0].key.partition || placed[it] {
					t.Fatal("a record is in two transactions, or two owners are in one")
				}
				placed[it] = true
				size += it.sent()
			}
			if len(group) > maxBatch || size > maxTransaction {
				t.Fatalf("%d records, %d bytes", len(group), size)
			}
			total[group[0].key.partition] = append(total[group[0].key.partition], size)
		}
		if len(placed) != len(items) {
			t.Fatalf("%d of %d records", len(placed), len(items))
		}
		for owner, sizes := range total {
			for i := range sizes {
				for j := range i {
					if sizes[i]+sizes[j]-envelope <= maxTransaction && len(sizes) > 1 {
						t.Fatalf("two transactions of %s could be one: %v", owner, sizes)
					}
				}
			}
		}
	})
}
