package waiting

import (
	"testing"
	"time"
)

func TestTheEstimateFollowsWhatTheFirstCasesTook(t *testing.T) {
	reported, first := 0, Estimate{}
	m := Meter{First: func(e Estimate) { reported, first = reported+1, e }}
	m.Expect(4, 2)
	if e, ok := m.Estimate(); ok {
		t.Errorf("before anything was seen it is %v", e)
	}
	m.Begin(40)
	for range enoughCases - 1 {
		m.Done(3 * time.Second)
	}
	if e, ok := m.Estimate(); ok {
		t.Errorf("after a few cases of the first step it is %v", e)
	}
	m.Done(3 * time.Second)
	e, ok := m.Estimate()
	want := Estimate{Steps: 4, Cases: 160, Each: 3 * time.Second, Abreast: 2, Left: 140 * 3 * time.Second / 2}
	if !ok || e != want {
		t.Errorf("then it is %+v, not %+v", e, want)
	}
	if got, want := e.String(), "about 4 min: some 160 cases in 4 steps, 3s each, 2 at the same time"; got != want {
		t.Errorf("it says %q, not %q", got, want)
	}
	if reported != 1 || first != e {
		t.Errorf("the first estimate was reported %d times, as %v", reported, first)
	}
}

func TestTheEstimateFollowsTheSteps(t *testing.T) {
	m := Meter{}
	m.Expect(4, 2)
	m.Begin(10)
	for range 6 {
		m.Done(3 * time.Second)
	}
	m.End(4) // with a case that makes the others meaningless
	if e, _ := m.Estimate(); e.Cases != 24 || e.Left != 18*3*time.Second/2 {
		t.Errorf("after the first step it is %+v", e)
	}
	for range 3 {
		m.Begin(6)
	}
	for range 18 {
		m.Done(3 * time.Second)
	}
	if left := m.Left(); left != 0 {
		t.Errorf("at the end %s are left", left)
	}
}

func TestAMeterThatDoesNotKnowTheStepsSaysNothing(t *testing.T) {
	for _, m := range []*Meter{nil, {}} {
		m.Begin(10)
		m.Done(time.Second)
		m.End(1)
		if left := m.Left(); left != 0 {
			t.Errorf("%s are left", left)
		}
	}
	var none *Meter
	none.Expect(1, 1)
}

func TestRoughTimes(t *testing.T) {
	for d, want := range map[time.Duration]string{
		700 * time.Millisecond:        "1 s",
		99 * time.Second:              "99 s",
		100 * time.Second:             "2 min",
		7*time.Minute + time.Second:   "7 min",
		130*time.Minute + time.Second: "2 h 10 min",
	} {
		if got := Roughly(d); got != want {
			t.Errorf("%s is %q, not %q", d, got, want)
		}
	}
}
