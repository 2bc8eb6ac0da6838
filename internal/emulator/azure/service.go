package azure

import (
	"encoding/base64"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// ServiceOptions are the dependencies of a service behind a front.
type ServiceOptions struct {
	// Engine holds the rows, and its directory of files the large bodies; it is also the engine of the requests'
	// accounts.
	Engine *engine.Engine
	// Now is the clock for timestamps; nil means time.Now.
	Now func() time.Time
	// Log receives why a request could not be served, without any of its data; nil: nothing is logged.
	Log func(format string, args ...any)
}

// WithDefaults fills in the fields that may be nil.
func (o ServiceOptions) WithDefaults() ServiceOptions {
	if o.Log == nil {
		o.Log = func(string, ...any) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Times are counted in ticks of 100 ns since the year 1, the resolution of ETags, snapshots and
// Edm.DateTime.
const (
	SecondTicks = int64(time.Second / 100)
	UnixTicks   = 62135596800 * SecondTicks // 1970
)

// Ticks returns a time in ticks.
func Ticks(t time.Time) int64 { return UnixTicks + t.Unix()*SecondTicks + int64(t.Nanosecond())/100 }

// Clock gives every write a distinct time, so that no two ETags are equal. T counts ticks.
type Clock[T ~int64] struct{ last atomic.Int64 }

// Next returns now, or the first tick after the last one returned.
func (c *Clock[T]) Next(now T) T {
	for {
		last := c.last.Load()
		next := max(int64(now), last+1)
		if c.last.CompareAndSwap(last, next) {
			return T(next)
		}
	}
}

// EncodeToken encodes a continuation token or a marker: opaque to clients, and ASCII without anything that an address
// would have to escape, whatever the text contains. The format is Azure's.
// https://learn.microsoft.com/rest/api/storageservices/query-timeout-and-pagination
func EncodeToken(version, text string) string {
	encoded := base64.RawURLEncoding.EncodeToString([]byte(text))
	return version + strconv.Itoa(len(encoded)) + "!" + encoded
}

// DecodeToken decodes a token of that version; ok is false if it is invalid.
func DecodeToken(version, token string) (text string, ok bool) {
	rest, versioned := strings.CutPrefix(token, version)
	length, encoded, cut := strings.Cut(rest, "!")
	decoded, err := base64.RawURLEncoding.DecodeString(encoded)
	return string(decoded), versioned && cut && length == strconv.Itoa(len(encoded)) && err == nil
}
