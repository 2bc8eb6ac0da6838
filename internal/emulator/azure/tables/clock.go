package tables

import (
	"strings"
	"sync/atomic"
	"time"
)

// ticks count 100 ns since the year 1, the resolution of Edm.DateTime.
type ticks int64

const (
	tick         = 100 * time.Nanosecond
	unixTicks    = ticks(62135596800 * int64(time.Second/tick)) // 1970
	minDateTime  = ticks(50491123200 * int64(time.Second/tick)) // 1601, the least the service takes
	maxDateTime  = ticks(315537897600*int64(time.Second/tick)) - 1
	timeLayout   = "2006-01-02T15:04:05.9999999Z"
	secondTicks  = ticks(time.Second / tick)
	dateTimeSize = len("2006-01-02T15:04:05.9999999Z")
)

func ticksOf(t time.Time) ticks {
	return unixTicks + ticks(t.Unix())*secondTicks + ticks(t.Nanosecond())/100
}

func (t ticks) time() time.Time {
	since := t - unixTicks
	seconds := since / secondTicks
	if since%secondTicks < 0 {
		seconds-- // before 1970
	}
	return time.Unix(int64(seconds), int64(since-seconds*secondTicks)*100).UTC()
}

// appendTime writes the service's form of a time: as many of seven fractional digits as are needed.
func (t ticks) appendTime(dst []byte) []byte { return t.time().AppendFormat(dst, timeLayout) }

// clock gives timestamps. It never gives one twice, so that every write has a new ETag.
type clock struct{ last atomic.Int64 }

func (c *clock) next(now time.Time) ticks {
	want := int64(ticksOf(now))
	for {
		last := c.last.Load()
		if want <= last {
			want = last + 1
		}
		if c.last.CompareAndSwap(last, want) {
			return ticks(want)
		}
	}
}

const (
	etagStart = `W/"datetime'`
	etagEnd   = `'"`
)

// appendETag writes the ETag of an entity, which is its Timestamp with colons percent-encoded.
func (t ticks) appendETag(dst []byte) []byte {
	dst = append(dst, etagStart...)
	return append(t.appendEscaped(dst), etagEnd...)
}

func (t ticks) appendEscaped(dst []byte) []byte {
	var raw [dateTimeSize]byte
	for _, c := range t.appendTime(raw[:0]) {
		if c == ':' {
			dst = append(dst, "%3A"...)
		} else {
			dst = append(dst, c)
		}
	}
	return dst
}

// condition is an If-Match header.
type condition struct {
	present bool
	any     bool  // *
	at      ticks // 0: an ETag that no entity of this service has
}

// parseCondition reads an If-Match header; false: it is no ETag.
func parseCondition(header string) (condition, bool) {
	if header == "*" {
		return condition{present: true, any: true}, true
	}
	tag := strings.TrimPrefix(header, "W/")
	if len(tag) < 2 || tag[0] != '"' || strings.IndexByte(tag[1:], '"') != len(tag)-2 {
		return condition{}, false
	}
	c := condition{present: true}
	text, isTime := strings.CutPrefix(header, etagStart)
	if !isTime || !strings.HasSuffix(text, etagEnd) {
		return c, true
	}
	text = strings.NewReplacer("%3A", ":", "%3a", ":").Replace(strings.TrimSuffix(text, etagEnd))
	if t, err := time.Parse(timeLayout, text); err == nil {
		c.at = ticksOf(t)
	}
	return c, true
}

// holds reports whether the condition is met by an entity of that time.
func (c condition) holds(at ticks) bool { return !c.present || c.any || c.at == at }

// parseDateTime reads an Edm.DateTime: with or without a fraction, a zone, seconds or a time.
func parseDateTime(text string) (ticks, bool) {
	for _, layout := range [...]string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return ticksOf(t), true
		}
	}
	return 0, false
}
