package companion

import (
	"errors"
	"os"
	"os/exec"
	"testing"

	"github.com/gomodule/redigo/redis"
)

// needRedis returns the path of redis-server. Without one it skips, but not in CI, where that is a mistake.
func needRedis(t *testing.T) string {
	t.Helper()
	binary, err := exec.LookPath("redis-server")
	if err == nil {
		return binary
	}
	if os.Getenv("CI") == "true" {
		t.Fatal("redis-server is not in PATH: .ci/setup.sh installs it")
	}
	t.Skip("redis-server is not in PATH")
	return ""
}

// What is asked of a Redis to watch it must not look like a target that asks it.
func TestCommandsOfARedis(t *testing.T) {
	needRedis(t)
	r := &Redis{}
	if _, err := r.Start(t.Context()); err != nil {
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
	target, err := redis.DialContext(t.Context(), "tcp", r.address)
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	if _, err := target.Do("SET", "key", "value"); err != nil {
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

// Of a redis-server that ends at its start, another is started.
func TestRedisWhosePortIsTakenStartsAtAnother(t *testing.T) {
	binary := needRedis(t)
	for _, c := range []struct {
		name, ends string
		err        error
	}{
		{"once", "mkdir once 2>/dev/null || exec " + binary + ` "$@"`, nil},
		{"always", "", errRedisEnded},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			script := "#!/bin/sh\necho . >> starts\n" + c.ends + "\nexit 1\n"
			if err := os.WriteFile("redis-server", []byte(script), 0o755); err != nil {
				t.Fatal(err)
			}
			here, err := os.Getwd()
			if err != nil {
				t.Fatal(err)
			}
			t.Setenv("PATH", here+string(os.PathListSeparator)+os.Getenv("PATH"))
			r := &Redis{}
			if _, err := r.Start(t.Context()); !errors.Is(err, c.err) {
				t.Errorf("error %v, want %v", err, c.err)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
			starts, err := os.ReadFile("starts")
			if want := map[bool]int{true: 2, false: redisStarts}[c.err == nil]; err != nil || len(starts) != 2*want {
				t.Errorf("it was started %d times, want %d: %v", len(starts)/2, want, err)
			}
		})
	}
}
