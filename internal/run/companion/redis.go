package companion

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/gomodule/redigo/redis"

	"github.com/storespec/storespec/internal/host/port"
)

// RedisWithin is the timeout for the start of a redis-server and for the answer to one command: both take milliseconds.
const RedisWithin = 10 * time.Second

// ErrNoRedis is returned by Start if the machine has no redis-server.
var ErrNoRedis = errors.New("there is no redis-server on the PATH")

// errRedisEnded is returned by start if the server ends before it answers.
var errRedisEnded = errors.New("redis-server ended at its start")

// ErrCannotHang is returned by Suspend if the system has no such signal.
var ErrCannotHang = errors.New("Windows has no signal that makes a process hang") //nolint:staticcheck // a name

// Redis is a redis-server for one scenario, as a child process: a cache that can be taken away. It stores nothing on
// disk.
type Redis struct {
	unscripted
	address   string
	command   *exec.Cmd
	directory string
	ended     chan struct{}
	pool      *redis.Pool // of one connection
}

// redisStarts is how often a redis-server that ends at its start is started again, each time at another port: another
// program may have taken its port.
const redisStarts = 3

// Start starts a redis-server on a free port. Errors: ErrNoRedis.
func (r *Redis) Start(ctx context.Context) (map[string]string, error) {
	binary, err := exec.LookPath("redis-server")
	if err != nil {
		return nil, ErrNoRedis
	}
	for range redisStarts {
		if err = r.start(ctx, binary); !errors.Is(err, errRedisEnded) {
			break
		}
		err = errors.Join(err, r.Close())
	}
	return nil, err
}

// start starts a program at a free port. Close ends what it has started, also after an error. Errors:
// errRedisEnded.
func (r *Redis) start(ctx context.Context, binary string) error {
	reserved, err := port.Reserve()
	if err != nil {
		return fmt.Errorf("start redis-server: %w", err)
	}
	r.address = reserved.Address()
	if r.directory, err = os.MkdirTemp("", "storespec-redis-"); err != nil {
		reserved.Release()
		return fmt.Errorf("make a directory for redis-server: %w", err)
	}
	command := exec.Command(binary, "--bind", "127.0.0.1", "--port", strconv.Itoa(reserved.Number), "--save", "",
		"--appendonly", "no", "--dir", r.directory)
	if err := command.Start(); err != nil {
		reserved.Release()
		return fmt.Errorf("start redis-server: %w", err)
	}
	r.command, r.ended = command, make(chan struct{})
	go func() {
		defer close(r.ended)
		defer reserved.Release()
		_ = command.Wait() // it ends when it is killed
	}()
	// The client sends only the commands it is given, on one connection: the commands that the server has executed are
	// counted.
	r.pool = &redis.Pool{MaxActive: 1, MaxIdle: 1, Wait: true,
		DialContext: func(ctx context.Context) (redis.Conn, error) {
			return redis.DialContext(ctx, "tcp", r.address, redis.DialConnectTimeout(RedisWithin),
				redis.DialReadTimeout(RedisWithin), redis.DialWriteTimeout(RedisWithin))
		}}
	return r.answers(ctx)
}

// URL returns the address that a target uses.
func (r *Redis) URL() string { return "redis://" + r.address + "/0" }

// do runs a command.
func (r *Redis) do(ctx context.Context, command string, args ...any) (answer any, err error) {
	on, err := r.pool.GetContext(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, on.Close()) }()
	return redis.DoContext(on, ctx, command, args...)
}

// answers waits until the server answers.
func (r *Redis) answers(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, RedisWithin)
	defer cancel()
	tick := time.Tick(5 * time.Millisecond)
	for {
		if conn, err := new(net.Dialer).DialContext(ctx, "tcp", r.address); err == nil {
			_, err = r.do(ctx, "PING")
			return errors.Join(conn.Close(), err)
		}
		select {
		case <-tick:
		case <-r.ended:
			return errRedisEnded
		case <-ctx.Done():
			return fmt.Errorf("redis-server did not answer within %s", RedisWithin)
		}
	}
}

// Close kills the server, which loses all its data. A second call does nothing.
func (r *Redis) Close() error {
	if r.command == nil {
		return os.RemoveAll(r.directory)
	}
	defer func() { r.command = nil }()
	err := r.command.Process.Kill()
	if errors.Is(err, os.ErrProcessDone) {
		err = nil
	}
	<-r.ended
	return errors.Join(err, r.pool.Close(), os.RemoveAll(r.directory))
}

// Commands returns how many commands the server has executed, not including this one.
func (r *Redis) Commands(ctx context.Context) (int, error) {
	answer, err := redis.String(r.do(ctx, "INFO", "stats"))
	if err != nil {
		return 0, fmt.Errorf("ask Redis how often it was asked: %w", err)
	}
	for line := range strings.Lines(answer) {
		if number, found := strings.CutPrefix(strings.TrimSpace(line), "total_commands_processed:"); found {
			return strconv.Atoi(number)
		}
	}
	return 0, errors.New("redis-server does not say how often it was asked")
}

// Lives returns the time to live of each key; negative: no expiry.
func (r *Redis) Lives(ctx context.Context) ([]time.Duration, error) {
	keys, err := redis.Strings(r.do(ctx, "KEYS", "*"))
	if err != nil {
		return nil, fmt.Errorf("list the keys in Redis: %w", err)
	}
	lives := make([]time.Duration, len(keys))
	for i, key := range keys {
		seconds, err := redis.Int(r.do(ctx, "TTL", key))
		if err != nil {
			return nil, fmt.Errorf("ask Redis for the life of a key: %w", err)
		}
		lives[i] = time.Duration(seconds) * time.Second
	}
	return lives, nil
}

// Suspend makes it hang: it accepts connections and answers nothing. Errors: ErrCannotHang.
func (r *Redis) Suspend() error { return suspend(r.command.Process) }

// Resume continues it after Suspend. Errors: ErrCannotHang.
func (r *Redis) Resume() error { return resume(r.command.Process) }
