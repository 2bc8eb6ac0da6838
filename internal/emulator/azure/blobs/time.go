package blobs

import (
	"net/http"
	"strconv"
	"sync/atomic"
	"time"
)

// ticks is a time in units of 100 ns since the year 1, as Azure counts for ETags and snapshots.
type ticks int64

// unixTicks is 1970-01-01 in ticks.
const unixTicks = 621355968000000000

func ticksOf(t time.Time) ticks {
	return ticks(unixTicks + t.Unix()*1e7 + int64(t.Nanosecond())/100)
}

func (t ticks) time() time.Time {
	since := int64(t) - unixTicks
	return time.Unix(since/1e7, since%1e7*100).UTC()
}

// http is the form of Last-Modified and other headers: RFC 1123, whole seconds.
func (t ticks) http() string { return string(t.appendHTTP(make([]byte, 0, len(http.TimeFormat)))) }

func (t ticks) appendHTTP(b []byte) []byte { return t.time().AppendFormat(b, http.TimeFormat) }

// seconds is the time cut to what headers can say; conditions compare at that precision.
func (t ticks) seconds() ticks { return t - t%1e7 }

// snapshotFormat is how snapshots are named.
// https://learn.microsoft.com/rest/api/storageservices/snapshot-blob
const snapshotFormat = "2006-01-02T15:04:05.0000000Z"

func (t ticks) snapshot() string { return t.time().Format(snapshotFormat) }

// parseSnapshot takes what a client names a snapshot by.
func parseSnapshot(s string) (ticks, bool) {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil || t.Year() < 1601 {
		return 0, false
	}
	return ticksOf(t), true
}

// etag is the ETag without quotes, as lists have it.
func (t ticks) etag() string {
	b := t.appendETag(make([]byte, 0, 17))
	return string(b)
}

// quoted is the ETag as headers have it.
func (t ticks) quoted() string {
	b := make([]byte, 1, 19)
	b[0] = '"'
	b = t.appendETag(b)
	return string(append(b, '"'))
}

func (t ticks) appendETag(b []byte) []byte {
	b = append(b, "0x"...)
	start := len(b)
	b = strconv.AppendUint(b, uint64(t), 16)
	for i := start; i < len(b); i++ {
		if b[i] >= 'a' {
			b[i] -= 'a' - 'A'
		}
	}
	return b
}

// clock gives every write a time of its own, so that no two ETags are equal.
type clock struct{ last atomic.Int64 }

// next is now, or the first tick after the last one given.
func (c *clock) next(now time.Time) ticks {
	t := int64(ticksOf(now))
	for {
		last := c.last.Load()
		if t <= last {
			t = last + 1
		}
		if c.last.CompareAndSwap(last, t) {
			return ticks(t)
		}
	}
}
