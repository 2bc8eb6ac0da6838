package actions

import (
	"context"
	"fmt"
	"time"

	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/steps/cache"
)

// longestCached is the maximum lifetime of a cache entry (CACHE-1).
const longestCached = 300 * time.Second

// cached returns the steps that look into the cache of the system actions.
func cached() []scenario.Step {
	return []scenario.Step{
		scenario.On(`Redis holds at least (\d+) keys?, none for longer than it may`,
			`Then Redis holds at least 1 key, none for longer than it may`, redisHolds),
	}
}

func redisHolds(ctx context.Context, stage *scenario.Stage, count int) error {
	r, err := cache.Redis(stage)
	if err != nil {
		return err
	}
	lives, err := r.Lives(ctx)
	if err != nil {
		return err
	}
	if len(lives) < count {
		return fmt.Errorf("there are %d keys in Redis, fewer than %d", len(lives), count)
	}
	for _, life := range lives {
		if life < 0 || life > longestCached {
			return fmt.Errorf("a key in Redis lives for %d seconds, not at most %d", int(life.Seconds()),
				int(longestCached.Seconds()))
		}
	}
	return nil
}
