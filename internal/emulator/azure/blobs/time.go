package blobs

import (
	"net/http"
	"strconv"
	"time"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// ticks is a time in units of 100 ns since the year 1, as Azure counts for ETags and snapshots.
type ticks int64

// clock gives the times of writes.
type clock = azure.Clock[ticks]

func ticksOf(t time.Time) ticks { return ticks(azure.Ticks(t)) }

func (t ticks) time() time.Time {
	since := int64(t) - azure.UnixTicks
	return time.Unix(since/1e7, since%1e7*100).UTC()
}

// http returns the format of Last-Modified and other headers: RFC 1123, whole seconds.
func (t ticks) http() string { return string(t.appendHTTP(make([]byte, 0, len(http.TimeFormat)))) }

func (t ticks) appendHTTP(b []byte) []byte { return t.time().AppendFormat(b, http.TimeFormat) }

// seconds returns the time truncated to the precision of headers, at which conditions compare.
func (t ticks) seconds() ticks { return t - t%1e7 }

// snapshotFormat is the format of a snapshot's name. https://learn.microsoft.com/rest/api/storageservices/snapshot-blob
const snapshotFormat = "2006-01-02T15:04:05.0000000Z"

func (t ticks) snapshot() string { return t.time().Format(snapshotFormat) }

// parseSnapshot parses the name of a snapshot.
func parseSnapshot(s string) (ticks, bool) {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil || t.Year() < 1601 {
		return 0, false
	}
	return ticksOf(t), true
}

// etag returns the ETag without quotes, as in lists.
func (t ticks) etag() string {
	b := t.appendETag(make([]byte, 0, 17))
	return string(b)
}

// quoted returns the ETag as in headers.
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
