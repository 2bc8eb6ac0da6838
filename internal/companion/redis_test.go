package companion

import (
	"errors"
	"os"
	"testing"

	goredis "github.com/redis/go-redis/v9"
)

// What is asked of a Redis to watch it must not look like a target that asks it.
func TestCommandsOfARedis(t *testing.T) {
	r := &Redis{}
	_, err := r.Start(t.Context())
	if errors.Is(err, ErrNoRedis) && os.Getenv("CI") != "true" { // there it is a mistake
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	last := -1
	for range 3 {
		got, err := r.Commands(t.Context())
		if err != nil || last >= 0 && got != last+1 {
			t.Fatalf("%d commands after %d: %v", got, last, err)
		}
		last = got
	}
	target := goredis.NewClient(&goredis.Options{Addr: r.address})
	defer target.Close()
	if err := target.Set(t.Context(), "key", "value", 0).Err(); err != nil {
		t.Fatal(err)
	}
	if got, err := r.Commands(t.Context()); err != nil || got <= last+1 {
		t.Errorf("%d commands after %d and another's: %v", got, last, err)
	}
	for range 2 { // redisIsDown, and the end of the lane
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	if got, err := r.Commands(t.Context()); err == nil {
		t.Errorf("a Redis that is down has carried out %d commands", got)
	}
}
