package cache

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/storespec/storespec/internal/run/companion"
	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/scenario"
)

// Words returns the steps that give a target a Redis and disturb it.
func Words() []scenario.Step {
	return []scenario.Step{
		scenario.On(`a fresh target with a Redis`, `Given a fresh target with a Redis`, startWithRedis),
		scenario.On(`Redis is down`, `When Redis is down`, redisIsDown),
		scenario.On(`Redis hangs`, `When Redis hangs`,
			func(_ context.Context, stage *scenario.Stage) error {
				return toRedis(stage, (*companion.Redis).Suspend)
			}).Waits(),
		scenario.On(`Redis goes on`, `When Redis goes on`,
			func(_ context.Context, stage *scenario.Stage) error { return toRedis(stage, (*companion.Redis).Resume) }),
		scenario.On(`(\w+) sends GET ([/{]\S*) until Redis is asked again`,
			`When Ben sends GET /api/notes/1 until Redis is asked again`, asksUntilRedisIsAsked).Sends(2),
	}
}

// timeout is how long a configurable server waits for Redis: with the 100 ms that suit a cache, a busy machine would
// decide which reads it saves.
const timeout = "2s"

// startWithRedis gives a cold start's lane a Redis, which ends with the lane.
func startWithRedis(ctx context.Context, storage *scenario.Storage) error {
	storage.Hurry()
	r := &companion.Redis{}
	err := storage.StartCold(ctx, 1, lane.Special{With: []lane.Companion{r}, Env: func() map[string]string {
		return map[string]string{"REDIS_URL": r.URL(), "REDIS_TIMEOUT": timeout}
	}})
	return scenario.SkipFor(err, companion.ErrNoRedis)
}

// Redis returns the Redis of the scenario's target.
func Redis(stage *scenario.Stage) (*companion.Redis, error) {
	r, ok := lane.CompanionOf[*companion.Redis](stage.Lane())
	if !ok {
		return nil, errors.New("the scenario has no Redis")
	}
	return r, nil
}

// redisIsDown kills it, so that it loses all its data.
func redisIsDown(_ context.Context, stage *scenario.Stage) error {
	return toRedis(stage, (*companion.Redis).Close)
}

func toRedis(stage *scenario.Stage, do func(*companion.Redis) error) error {
	r, err := Redis(stage)
	if err != nil {
		return err
	}
	return scenario.SkipFor(do(r), companion.ErrCannotHang)
}

// asksUntilRedisIsAsked repeats a request until the target uses Redis: a server may well avoid a failed cache for a
// while.
func asksUntilRedisIsAsked(ctx context.Context, stage *scenario.Stage, requests *scenario.Requests, name,
	path string) error {
	r, err := Redis(stage)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, companion.RedisWithin)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		before, err := r.Commands(ctx)
		if err != nil {
			return err
		}
		if err := requests.Sends(ctx, name, http.MethodGet, path, ""); err != nil {
			return err
		}
		after, err := r.Commands(ctx)
		if err != nil || after > before+1 { // one is the command that read the count before
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("the server did not ask Redis within %s", companion.RedisWithin)
		}
	}
}
