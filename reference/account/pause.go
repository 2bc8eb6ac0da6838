package account

import (
	"context"
	"math/rand/v2"
	"time"
)

const (
	// A round that is lost is followed by a pause of some rounds' length, at random: up to 2, 4, 8, … 64 of them, so that
	// a crowd spreads, however fast the store is.
	maxPausedRounds = 64
	maxPause        = time.Second
)

// PauseAfter waits, before what was read is read again, for a random time that grows with the number of lost rounds and
// with how long the last one took. Errors: ErrUnavailable when ctx ends first.
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
