package cases

import (
	"net/http"
	"sync"
	"time"
)

// leastBackoff is the shortest pause between two attempts that counts as one on purpose: a client that tries again at
// once is only as slow as the machine. The official SDKs pause for 800 ms or longer where they follow no header.
const leastBackoff = 500 * time.Millisecond

// backoff adds up how long a client of the store waited between the attempts at one call. Its zero value is ready.
type backoff struct {
	mu     sync.Mutex
	start  time.Time // of the attempt in progress; zero: there is none
	ended  time.Time // of the last attempt; zero: there was none, or one is in progress
	waited time.Duration
}

// around measures the time since the last attempt, and passes this one on.
func (b *backoff) around(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		b.began(time.Now())
		defer func() { b.over(time.Now()) }() // also when the connection is cut
		next.ServeHTTP(w, req)
	})
}

func (b *backoff) began(now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if pause := now.Sub(b.ended); !b.ended.IsZero() && pause >= leastBackoff {
		b.waited += pause
	}
	b.start, b.ended = now, time.Time{}
}

func (b *backoff) over(now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.start, b.ended = time.Time{}, now
}

// pause returns how long the client has waited since its last attempt, or how long the attempt in progress has had no
// answer. The other one is 0.
func (b *backoff) pause(now time.Time) (paused, held time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case !b.start.IsZero():
		return 0, now.Sub(b.start)
	case !b.ended.IsZero():
		return now.Sub(b.ended), 0
	}
	return 0, 0
}

func (b *backoff) total() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.waited
}
