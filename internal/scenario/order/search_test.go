package order

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// explore runs a search to its end over the model.
func explore(programs []program, o Options) (states map[string]bool, runs [][]Move, tally Tally) {
	return exploreCutting(programs, o, func() int { return 0 })
}

// exploreCutting is explore, but that each run is first cut short after some steps, in which one request did nothing.
func exploreCutting(programs []program, o Options, steps func() int) (states map[string]bool, runs [][]Move,
	tally Tally) {
	search := NewSearch(o)
	states = map[string]bool{}
	for run := search.Next(); run != nil; run = search.Next() {
		m := newMachine(programs)
		if cut := steps(); cut > 0 {
			for range cut {
				open := slices.DeleteFunc(m.open(), func(m Move) bool { return m.Request == 0 })
				if len(open) == 0 {
					break
				}
				run.Took(m.take(run.Choose(open)))
			}
			run, m = search.Again(run), newMachine(programs)
		}
		for open := m.open(); len(open) > 0; open = m.open() {
			run.Took(m.take(run.Choose(open)))
		}
		search.Done(run)
		var moves []Move
		for _, step := range run.Steps() {
			moves = append(moves, step.Move)
		}
		runs = append(runs, moves)
		if !run.Redundant() {
			states[m.state()] = true
		}
	}
	return states, runs, search.Tally()
}

// The point of the search: with far fewer orders it reaches every state that all interleavings reach.
func TestSearchReachesEveryState(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		programs := drawPrograms(t)
		want := reachable(t, programs, 500)
		got, _, tally := explore(programs, Options{Limit: 3_000})
		if !tally.All || tally.Strayed > 0 {
			t.Fatalf("the search did not come to its end: %+v", tally)
		}
		if !maps.Equal(got, want) {
			t.Fatalf("%d states of %d in %d orders; missing %v", len(got), len(want), tally.Orders, missing(want, got))
		}
	})
}

// A run that was cut short costs no state: the one that repeats it goes on.
func TestARunThatIsCutShortIsRepeated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		programs := drawPrograms(t)
		want := reachable(t, programs, 200)
		got, _, tally := exploreCutting(programs, Options{Limit: 3_000},
			func() int { return rapid.IntRange(0, 4).Draw(t, "cut") })
		if !tally.All || tally.Strayed > 0 || !maps.Equal(got, want) {
			t.Fatalf("%+v: missing %v", tally, missing(want, got))
		}
	})
}

// reachable returns the states of all interleavings; programs with more than most of them are passed over.
func reachable(t *rapid.T, programs []program, most int) map[string]bool {
	states, all := everyState(programs, most)
	if !all {
		t.Skip("too many interleavings to compare with")
	}
	return states
}

func missing(want, got map[string]bool) []string {
	var names []string
	for name := range want {
		if !got[name] {
			names = append(names, name)
		}
	}
	return names
}

func chain(ops ...op) program {
	var p program
	for _, o := range ops {
		p = append(p, stage{thread{o}})
	}
	return p
}

func TestSearchTriesEachOrderOnce(t *testing.T) {
	read := func(key string) op { return op{"read", key} }
	write := func(key string) op { return op{"write", key} }
	add := op{"add", "x"}
	for name, c := range map[string]struct {
		programs []program
		orders   int
	}{
		"nothing in common": {[]program{chain(write("x"), read("y"), write("x")),
			chain(write("z"), read("y"), read("y"))}, 1},
		"two writes":            {[]program{chain(write("x")), chain(write("x"))}, 2},
		"reads only":            {[]program{chain(read("x"), read("x")), chain(read("x"))}, 1},
		"a write among reads":   {[]program{chain(read("x"), read("x")), chain(write("x"))}, 3},
		"three writes":          {[]program{chain(write("x")), chain(write("x")), chain(write("x"))}, 6},
		"a row and a whole":     {[]program{chain(op{kind: "scan"}), chain(write("x"), write("y"))}, 3},
		"two that add":          {[]program{chain(add), chain(add)}, 4},
		"parallel and disjoint": {[]program{{stage{thread{add}, thread{{"add", "y"}}}}, chain(read("z"))}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, tally := explore(c.programs, Options{Limit: 1000})
			if tally.Orders != c.orders || !tally.All || tally.AtLeast != c.orders || tally.Sampled != 0 {
				t.Errorf("%+v, want %d orders, all", tally, c.orders)
			}
		})
	}
}

// What is too much is sampled, and said to be: the same orders for the same seed, others for another.
func TestSearchSamplesBeyondItsLimit(t *testing.T) {
	add := op{"add", "x"}
	programs := []program{chain(add, add, add), chain(add, add, add)}
	_, first, tally := explore(programs, Options{Limit: 40, Seed: 7})
	if tally.All || tally.Sampled != SampleOf(40) || tally.Orders > 40 || tally.AtLeast <= tally.Orders {
		t.Errorf("%+v", tally)
	}
	_, again, _ := explore(programs, Options{Limit: 40, Seed: 7})
	if !reflect.DeepEqual(first, again) {
		t.Error("the same seed gives other orders")
	}
	_, other, _ := explore(programs, Options{Limit: 40, Seed: 8})
	if reflect.DeepEqual(first, other) {
		t.Error("another seed gives the same orders")
	}
}

// A step that was there once and is not there when its order is run again ends neither the search nor its honesty.
func TestSearchCountsWhatStrays(t *testing.T) {
	programs := []program{chain(op{"write", "x"}, op{"write", "x"}), chain(op{"write", "x"})}
	search, runs := NewSearch(Options{Limit: 100}), 0
	for run := search.Next(); run != nil; run = search.Next() {
		m := newMachine(programs)
		for open := m.open(); len(open) > 0; open = m.open() {
			if runs > 0 { // the second request never comes again until the first has ended
				open = slices.DeleteFunc(open, func(move Move) bool { return move.Request == 1 && len(open) > 1 })
			}
			run.Took(m.take(run.Choose(open)))
		}
		search.Done(run)
		runs++
	}
	if tally := search.Tally(); tally.All || tally.Strayed == 0 || runs > 2*patience {
		t.Errorf("%d runs, %+v", runs, tally)
	}
}
