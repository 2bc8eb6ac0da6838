package order

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// An order that was written down runs again as it ran.
func TestMovesRunAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		programs := drawPrograms(t)
		search := NewSearch(Options{Limit: 1})
		run, m := search.Next(), newMachine(programs)
		for open := m.open(); len(open) > 0; open = m.open() {
			move := run.Choose(open)
			if rapid.Bool().Draw(t, "other") { // any order will do
				move = rapid.SampledFrom(open).Draw(t, "move")
				run.taken[len(run.taken)-1].Move = move
			}
			run.Took(m.take(move))
		}
		text := Moves(run.Steps())
		fixed, err := ParseMoves(text, len(programs))
		if err != nil {
			t.Fatal(err)
		}
		again := newMachine(programs)
		var made []Move
		for open := again.open(); len(open) > 0; open = again.open() {
			move := fixed.Choose(open)
			fixed.Took(again.take(move))
			made = append(made, move)
		}
		same := slices.EqualFunc(made, run.Steps(), func(move Move, step Step) bool { return move == step.Move })
		if !same || fixed.Strayed() || again.state() != m.state() {
			t.Fatalf("%s: %v, strayed %t, %q for %q", text, made, fixed.Strayed(), again.state(), m.state())
		}
	})
}

func TestMovesThatAreNone(t *testing.T) {
	for text, want := range map[string]string{
		"": "empty", "abz": `the request "z"`, "a0": "no 0th call", "a99999999999999999999": "th call", "A": `"A"`,
		"2a": `"2"`, "ab c": `" "`,
	} {
		if _, err := ParseMoves(text, 2); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestMovesThatCannotBeFollowed(t *testing.T) {
	for text, calls := range map[string]int{"ab": 1, "a": 2, "a2": 1, "aa": 1} {
		fixed, err := ParseMoves(text, 2)
		if err != nil {
			t.Fatal(err)
		}
		for range calls {
			fixed.Choose([]Move{{0, "x"}})
		}
		if !fixed.Strayed() {
			t.Errorf("%s was followed by %d steps of the first request", text, calls)
		}
	}
}

func FuzzParseMoves(f *testing.F) {
	f.Add("aab2b1", 2)
	f.Fuzz(func(t *testing.T, text string, requests int) {
		fixed, err := ParseMoves(text, requests)
		if err == nil && len(fixed.moves) == 0 {
			t.Errorf("%q is not an order", text)
		}
	})
}
