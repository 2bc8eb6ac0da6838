package order

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"
)

// op is what a step of the model does: read a key, write what was read so far to it, add to it until no other came
// between (a read and a conditional write, again and again), or read all keys.
type op struct {
	kind string // read, write, add, scan
	key  string
}

// A program is what a request does: stages one after the other, the threads of a stage at once.
type program []stage
type stage []thread
type thread []op

// machine runs programs step by step.
type machine struct {
	store    map[string]string
	version  map[string]int
	requests []*running
}

type running struct {
	program program
	stage   int
	at      []int // the op of each thread of the stage
	read    []int // the version that an add has read, per thread; -1: it has not
	calls   []int // steps made, per thread
	seen    []string
}

func newMachine(programs []program) *machine {
	m := &machine{store: map[string]string{}, version: map[string]int{}}
	for _, p := range programs {
		r := &running{program: p, stage: -1}
		r.advance()
		m.requests = append(m.requests, r)
	}
	return m
}

// advance goes to the next stage when the one under way has ended.
func (r *running) advance() {
	for r.stage < len(r.program) {
		if r.stage >= 0 {
			for i, t := range r.program[r.stage] {
				if r.at[i] < len(t) {
					return
				}
			}
		}
		if r.stage++; r.stage < len(r.program) {
			n := len(r.program[r.stage])
			r.at, r.calls, r.read = make([]int, n), make([]int, n), slices.Repeat([]int{-1}, n)
		}
	}
}

func (m *machine) open() []Move {
	var open []Move
	for i, r := range m.requests {
		if r.stage == len(r.program) {
			continue
		}
		for t := range r.program[r.stage] {
			if r.at[t] < len(r.program[r.stage][t]) {
				open = append(open, Move{i, at(r.stage, t) + "." + strconv.Itoa(r.calls[t])})
			}
		}
	}
	return open
}

func (m *machine) take(move Move) []Touch {
	r := m.requests[move.Request]
	t, _ := strconv.Atoi(strings.Split(move.Call, ".")[1])
	op := r.program[r.stage][t][r.at[t]]
	r.calls[t]++
	touch := Touch{Path: []string{"t", op.key}}
	done := true
	switch op.kind {
	case "read":
		r.seen = append(r.seen, op.key+" "+at(r.stage, t)+":"+m.store[op.key])
	case "write":
		touch.Write = true
		m.write(op.key, strconv.Itoa(move.Request)+"["+at(r.stage, t)+"]")
	case "scan":
		touch.Path = touch.Path[:1]
		r.seen = append(r.seen, fmt.Sprintf("all %s:%v", at(r.stage, t), m.store))
	case "add":
		if done = r.read[t] >= 0; !done {
			r.read[t] = m.version[op.key]
			break
		}
		touch.Write = true
		if done = r.read[t] == m.version[op.key]; done {
			m.write(op.key, m.store[op.key]+"+")
		}
		r.read[t] = -1
	}
	if done {
		r.at[t]++
		r.advance()
	}
	return []Touch{touch}
}

// at names a thread of a stage.
func at(stage, thread int) string { return strconv.Itoa(stage) + "." + strconv.Itoa(thread) }

func (m *machine) write(key, value string) {
	m.store[key] = value
	m.version[key]++
}

// state is all that can be observed at the end: what is stored and what each request has read, in whatever order its
// threads did.
func (m *machine) state() string {
	var text strings.Builder
	for _, key := range slices.Sorted(maps.Keys(m.store)) {
		fmt.Fprintf(&text, "%s=%s ", key, m.store[key])
	}
	for i, r := range m.requests {
		fmt.Fprintf(&text, "%d:%v ", i, slices.Sorted(slices.Values(r.seen)))
	}
	return text.String()
}

// everyState runs every interleaving there is; false: more than limit.
func everyState(programs []program, limit int) (map[string]bool, bool) {
	states, runs := map[string]bool{}, 0
	var from func(prefix []Move) bool
	from = func(prefix []Move) bool {
		m := newMachine(programs)
		for _, move := range prefix {
			m.take(move)
		}
		open := m.open()
		if len(open) == 0 {
			states[m.state()] = true
			runs++
			return runs <= limit
		}
		for _, move := range open {
			if !from(append(slices.Clip(prefix), move)) {
				return false
			}
		}
		return true
	}
	return states, from(nil)
}

// drawPrograms gives two or three small requests.
func drawPrograms(t *rapid.T) []program {
	ops := rapid.Custom(func(t *rapid.T) op {
		return op{rapid.SampledFrom([]string{"read", "write", "add", "scan", "read", "write"}).Draw(t, "kind"),
			rapid.SampledFrom([]string{"x", "y", "z"}).Draw(t, "key")}
	})
	programs := make([]program, rapid.IntRange(2, 3).Draw(t, "requests"))
	for i := range programs {
		steps := 3
		if len(programs) == 3 {
			steps = 2
		}
		for range rapid.IntRange(1, steps).Draw(t, "stages") {
			var s stage
			for range rapid.SampledFrom([]int{1, 1, 1, 2}).Draw(t, "threads") {
				s = append(s, rapid.SliceOfN(ops, 1, 2).Draw(t, "ops"))
			}
			programs[i] = append(programs[i], s)
		}
	}
	return programs
}
