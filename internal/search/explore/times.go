package explore

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

var timePattern = regexp.MustCompile(
	`\d{4}-\d\d-\d\d[T ]\d\d(?::|%3[Aa])\d\d(?::|%3[Aa])\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?`)

// epochs compares two whole numbers that may be times since 1970, in seconds or milliseconds.
func (p *pairing) epochs(l, r string) bool {
	left, lOK := epoch(l)
	right, rOK := epoch(r)
	return lOK && rOK && p.times(left, right)
}

// instant is a time as exact as it was written.
type instant struct {
	time.Time
	exact time.Duration
}

// epoch reads a time since 1970 that lies in this century.
func epoch(text string) (instant, bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	const from, to = 1_500_000_000, 4_000_000_000
	switch {
	case err != nil:
		return instant{}, false
	case n >= from && n < to:
		return instant{time.Unix(n, 0), time.Second}, true
	case n >= from*1000 && n < to*1000:
		return instant{time.UnixMilli(n), time.Millisecond}, true
	}
	return instant{}, false
}

// cutTimes takes the times out of a text.
func cutTimes(text string) (found []instant, rest string) {
	if !strings.Contains(text, ":") && !strings.Contains(text, "%3") {
		return nil, text
	}
	rest = timePattern.ReplaceAllStringFunc(text, func(match string) string {
		clean := strings.NewReplacer("%3A", ":", "%3a", ":", " ", "T").Replace(match)
		if !strings.HasSuffix(clean, "Z") && len(clean) < len("2006-01-02T15:04:05+00:00") {
			clean += "Z"
		}
		at, err := time.Parse(time.RFC3339Nano, clean)
		if err != nil {
			return match
		}
		exact := time.Second
		if _, fraction, ok := strings.Cut(clean, "."); ok && strings.Trim(fraction, "0Z") != "" {
			exact = time.Millisecond
		}
		found = append(found, instant{at, exact})
		return "\x00"
	})
	return found, rest
}

// clock knows when each step of a walk began on one side.
type clock struct{ marks []time.Time }

func (c *clock) mark() { c.marks = append(c.marks, time.Now()) }

// steps returns the first and the last step in which a time can lie; ok is false if it lies in none.
func (c *clock) steps(at instant, now time.Time) (from, to int, ok bool) {
	slack := at.exact + 2*time.Millisecond
	if len(c.marks) == 0 || at.Before(c.marks[0].Add(-slack)) || at.After(now.Add(slack)) {
		return 0, 0, false
	}
	from, to = -1, 0
	for i, mark := range c.marks {
		if mark.Add(-slack).After(at.Time) {
			break
		}
		to = i
		if i+1 == len(c.marks) || c.marks[i+1].Add(slack).After(at.Time) {
			if from < 0 {
				from = i
			}
		}
	}
	return max(0, from), to, true
}

// outsideTolerance is how much two times may differ that lie outside of the walk: each was derived from the time of a
// step, and the sides are not at the same step at the same moment.
const outsideTolerance = 3 * time.Second

// times reports whether two times belong together: both were made in the same step, or both lie outside of the walk and
// equally far from it.
func (p *pairing) times(left, right instant) bool {
	if left.Equal(right.Time) {
		return true
	}
	// A whole second may have been written by a server that writes milliseconds as well.
	left.exact = max(left.exact, right.exact)
	right.exact = left.exact
	now := time.Now()
	lFrom, lTo, lIn := p.clocks[0].steps(left, now)
	rFrom, rTo, rIn := p.clocks[1].steps(right, now)
	if lIn && rIn {
		pair := [2]int64{left.UnixMilli(), right.UnixMilli()}
		if p.timeless {
			p.moments[pair] = true
		}
		return lFrom <= rTo && rFrom <= lTo || p.moments[pair]
	}
	return lIn == rIn && left.Sub(right.Time).Abs() <= outsideTolerance
}
