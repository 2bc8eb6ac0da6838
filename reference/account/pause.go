package account

import (
	"context"
	"math/rand/v2"
	"time"
)

const (
	// A lost round is followed by a random pause of up to 2, 4, 8, … 64 times a round's length, so that concurrent
	// requests spread out, however fast the store is.
	maxPausedRounds = 64
	maxPause        = time.Second
)

// PauseAfter waits, before the next read, for a random time that grows with the number of lost rounds and with the
// length of the last one. Errors: ErrUnavailable when ctx ends first.
func PauseAfter(ctx context.Context, lost int, round time.Duration) error {
	rounds := min(2<<min(lost, 8), maxPausedRounds)
	timer := time.NewTimer(rand.N(min(time.Duration(rounds)*round, maxPause) + 1))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return Failed("waiting for other requests", ctx.Err())
	}
}
