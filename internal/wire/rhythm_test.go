package wire

import (
	"testing"
	"time"
)

func TestLearn(t *testing.T) {
	for name, test := range map[string]struct {
		at                []int // milliseconds
		poll              bool
		shortest, longest time.Duration
	}{
		"never":             {nil, false, 0, 0},
		"twice":             {[]int{0, 100}, false, 0, 0},
		"again and again":   {[]int{0, 110, 200}, true, 90 * time.Millisecond, 110 * time.Millisecond},
		"all at once":       {[]int{0, 1, 2, 3}, false, 0, 0},
		"with a repetition": {[]int{0, 1, 2, 100}, false, 0, 0},
		"on a busy machine": {[]int{0, 100, 110, 200}, true, 10 * time.Millisecond, 100 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			var times []time.Time
			for _, ms := range test.at {
				times = append(times, time.UnixMilli(int64(ms)))
			}
			p, ok := learn(times)
			if ok != test.poll || ok && (p.shortest != test.shortest || p.longest != test.longest) {
				t.Errorf("%t, %+v", ok, p)
			}
		})
	}
}

// Wherever between two polls a request reads the same, one of the two reads that follow each other is not due.
func TestAReadOfARequestIsNeverTakenForAPoll(t *testing.T) {
	const interval = 100
	for phase := 1; phase < interval; phase++ {
		p := &poll{shortest: interval * time.Millisecond, last: time.UnixMilli(0)}
		own := p.comes(time.UnixMilli(int64(phase)))
		next := p.comes(time.UnixMilli(interval))
		if own && next {
			t.Errorf("a read %d ms after a poll, and the next poll, are both due", phase)
		}
	}
	p := &poll{shortest: interval * time.Millisecond, last: time.UnixMilli(0)}
	for _, at := range []int64{100, 201, 299, 500, 570} { // some late, and the one after it early
		if !p.comes(time.UnixMilli(at)) {
			t.Errorf("the poll at %d ms was not due", at)
		}
	}
}
