package actions

import (
	"testing"

	"pgregory.net/rapid"
)

func TestCursorsComeBackOnlyWhereTheyWereGiven(t *testing.T) {
	place := rapid.StringMatching(`[^\n]*`)
	rapid.Check(t, func(t *rapid.T) {
		given := cursor{
			table:     rapid.StringMatching(`[A-Za-z0-9]{3,10}`).Draw(t, "table"),
			partition: rapid.StringMatching(`[a-z' ]{0,5}`).Draw(t, "owner"),
			position:  position{place.Draw(t, "partition"), place.Draw(t, "row")},
		}
		back := cursor{table: given.table, partition: given.partition}
		if err := back.read(given.String()); err != nil || back != given {
			t.Fatalf("%+v came back as %+v (%v)", given, back, err)
		}
		for _, other := range []cursor{{table: given.table + "x", partition: given.partition},
			{table: given.table, partition: given.partition + "x"}} {
			if err := other.read(given.String()); err == nil {
				t.Fatalf("a cursor of %+v is taken by %+v", given, other)
			}
		}
		tampered := []byte(given.String())
		at := rapid.IntRange(0, len(tampered)-1).Draw(t, "at")
		if c := rapid.SampledFrom([]byte("AZaz09-_=\n ")).Draw(t, "by"); c != tampered[at] {
			tampered[at] = c
			if err := back.read(string(tampered)); err == nil {
				t.Fatalf("%q is taken for %q", tampered, given)
			}
		}
	})
}

func FuzzCursor(f *testing.F) {
	f.Add(cursor{table: "actions", position: position{"1!8!YQ--", "1!4!Yg--"}}.String())
	f.Add("AAAA")
	f.Fuzz(func(t *testing.T, text string) {
		c := cursor{table: "actions"}
		if err := c.read(text); err == nil && c.String() != text {
			t.Fatalf("%q is another spelling of %q", text, c.String())
		}
	})
}
