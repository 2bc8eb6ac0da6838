package waiting

import (
	"fmt"
	"sync"
	"time"
)

// Meter estimates how long the cases of a run will still take: faults and orders, of which one step has many. The
// number of a step's cases is known only when it has begun; that of the others is taken to be like it. The zero value
// is ready to use; a nil Meter counts nothing. It is safe for concurrent use.
type Meter struct {
	First func(Estimate) // called once, when there is an estimate; nil: it is not shown
	once  sync.Once

	mu      sync.Mutex
	steps   int           // with many cases, in the whole run; 0: unknown
	begun   int           // of them
	ended   int           // of them
	known   int           // cases of those that have begun
	done    int           // of these cases
	took    time.Duration // for these, added up over all that run at the same time
	abreast int           // how many run at the same time
}

// Expect says how many steps with many cases the run has, and how many cases run at the same time.
func (m *Meter) Expect(steps, abreast int) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.steps, m.abreast = steps, max(abreast, 1)
}

// Begin notes that a step with so many cases begins.
func (m *Meter) Begin(cases int) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.begun, m.known = m.begun+1, m.known+cases
}

// Done notes that a case has taken so long.
func (m *Meter) Done(took time.Duration) {
	if m == nil {
		return
	}
	m.mu.Lock()
	m.done, m.took = m.done+1, m.took+took
	m.mu.Unlock()
	m.tellFirst()
}

// tellFirst reports the first estimate, once.
func (m *Meter) tellFirst() {
	if m.First == nil {
		return
	}
	if e, ok := m.Estimate(); ok {
		m.once.Do(func() { m.First(e) })
	}
}

// End notes that a step ends, with so many of its cases not run.
func (m *Meter) End(left int) {
	if m == nil {
		return
	}
	m.mu.Lock()
	m.ended, m.known = m.ended+1, m.known-left
	m.mu.Unlock()
	m.tellFirst()
}

// Estimate is what a Meter expects of a run.
type Estimate struct {
	Steps, Cases int           // in the whole run
	Each         time.Duration // what one case takes
	Abreast      int
	Left         time.Duration
}

// enoughCases is how many cases must have ended for an estimate, unless all of one step have: the kinds of faults
// differ much in how long they take, and those of one call are about so many.
const enoughCases = 20

// Estimate returns what is expected by what has been seen so far. ok is false while that is too little, and if it is
// not known how many steps there are.
func (m *Meter) Estimate() (e Estimate, ok bool) {
	if m == nil {
		return e, false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.steps == 0 || m.done == 0 || m.ended == 0 && m.done < enoughCases {
		return e, false
	}
	steps := max(m.steps, m.begun)
	e = Estimate{Steps: steps, Cases: m.known * steps / m.begun, Each: m.took / time.Duration(m.done),
		Abreast: m.abreast}
	e.Left = e.Each * time.Duration(max(e.Cases-m.done, 0)) / time.Duration(m.abreast)
	return e, true
}

// Left returns the estimated time that the cases still take; 0 if that is unknown.
func (m *Meter) Left() time.Duration {
	e, _ := m.Estimate()
	return e.Left
}

// String describes the estimate of a run: where it comes from, and how long that is.
func (e Estimate) String() string {
	return fmt.Sprintf("about %s: some %d cases in %d steps, %s each, %d at the same time", Roughly(e.Left), e.Cases,
		e.Steps, e.Each.Round(10*time.Millisecond), e.Abreast)
}

// Roughly formats a duration that is not known exactly: "40 s", "7 min", "2 h 10 min".
func Roughly(d time.Duration) string {
	switch minutes := int(d.Round(time.Minute).Minutes()); {
	case d < 100*time.Second:
		return fmt.Sprintf("%d s", int(d.Round(time.Second).Seconds()))
	case minutes < 100:
		return fmt.Sprintf("%d min", minutes)
	default:
		return fmt.Sprintf("%d h %d min", minutes/60, minutes%60/10*10)
	}
}
