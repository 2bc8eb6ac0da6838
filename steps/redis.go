package steps

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/cucumber/godog"
)

const (
	// redisWithin bounds the start of a redis-server and the answer to one command: both take milliseconds.
	redisWithin = 10 * time.Second
	// longestCached is how long an entry of a cache may live (CACHE-1), in seconds.
	longestCached = 300
)

// redis is a redis-server of a scenario's own, as a child process: a cache that can be taken away. It keeps nothing on disk.
type redis struct {
	address   string
	command   *exec.Cmd
	directory string
	ended     chan struct{}
}

func redisSteps() []Step {
	return []Step{
		{`a fresh target with a Redis`, `Given a fresh target with a Redis`,
			func(w *World) any { return w.startWithRedis }},
		{`Redis is down`, `When Redis is down`,
			func(w *World) any { return w.redisIsDown }},
		{`Redis hangs`, `When Redis hangs`,
			func(w *World) any { return func() error { return w.toRedis(suspend) } }},
		{`Redis goes on`, `When Redis goes on`,
			func(w *World) any { return func() error { return w.toRedis(resume) } }},
		{`(\w+) sends GET ([/{]\S*) until Redis is asked again`, `When Ben sends GET /api/notes/1 until Redis is asked again`,
			func(w *World) any { return w.asksUntilRedisIsAsked }},
		{`Redis holds (\d+) keys?, none for longer than it may`, `Then Redis holds 1 key, none for longer than it may`,
			func(w *World) any { return w.redisHolds }},
	}
}

// startRedis starts a redis-server on a free port. Another program may take the port between the two; then it ends, which
// is an error.
func startRedis(ctx context.Context) (*redis, error) {
	binary, err := exec.LookPath("redis-server")
	if err != nil {
		return nil, fmt.Errorf("%w: there is no redis-server on the PATH", godog.ErrSkip)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("find a port for redis-server: %w", err)
	}
	r := &redis{address: listener.Addr().String(), ended: make(chan struct{})}
	if err := listener.Close(); err != nil {
		return nil, err
	}
	if r.directory, err = os.MkdirTemp("", "storespec-redis-"); err != nil {
		return nil, fmt.Errorf("make a directory for redis-server: %w", err)
	}
	_, port, _ := net.SplitHostPort(r.address)
	r.command = exec.Command(binary, "--bind", "127.0.0.1", "--port", port, "--save", "", "--appendonly", "no", "--dir", r.directory)
	if err := r.command.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("start redis-server: %w", err), os.RemoveAll(r.directory))
	}
	go func() {
		defer close(r.ended)
		_ = r.command.Wait() // it ends when it is killed
	}()
	if err := r.answers(ctx); err != nil {
		return nil, errors.Join(err, r.close())
	}
	return r, nil
}

// answers waits until the server answers.
func (r *redis) answers(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, redisWithin)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		if _, err := r.ask("PING"); err == nil {
			return nil
		}
		select {
		case <-tick.C:
		case <-r.ended:
			return errors.New("redis-server ended at its start")
		case <-ctx.Done():
			return fmt.Errorf("redis-server did not answer within %s", redisWithin)
		}
	}
}

// ask sends an inline command and gives the lines of its answer (Redis documentation, "Redis serialization protocol").
func (r *redis) ask(command string) ([]string, error) {
	conn, err := net.DialTimeout("tcp", r.address, redisWithin)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(time.Now().Add(redisWithin)); err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintf(conn, "%s\r\n", command); err != nil {
		return nil, err
	}
	return readReply(bufio.NewReader(conn))
}

// readReply reads a simple reply as one line, and an array as one line for each item.
func readReply(from *bufio.Reader) ([]string, error) {
	line, err := from.ReadString('\n')
	if err != nil {
		return nil, err
	}
	if line = strings.TrimSpace(line); line == "" {
		return nil, errors.New("redis-server answers with an empty line")
	}
	count, err := strconv.Atoi(line[1:])
	switch {
	case line[0] == '-':
		return nil, fmt.Errorf("redis-server refuses: %s", line)
	case line[0] == '$' && err == nil:
		text := make([]byte, count+len("\r\n"))
		_, err := io.ReadFull(from, text)
		return []string{string(text[:count])}, err
	case line[0] != '*':
		return []string{line[1:]}, nil
	case err != nil:
		return nil, fmt.Errorf("redis-server answers %q", line)
	}
	var items []string
	for range count {
		item, err := readReply(from)
		if err != nil {
			return nil, err
		}
		items = append(items, item...)
	}
	return items, nil
}

func (r *redis) close() error {
	err := r.command.Process.Kill()
	if errors.Is(err, os.ErrProcessDone) {
		err = nil
	}
	<-r.ended
	return errors.Join(err, os.RemoveAll(r.directory))
}

// startWithRedis gives a cold start's lane a Redis, which ends with the lane.
func (w *World) startWithRedis() error {
	r, err := startRedis(w.ctx)
	if err != nil {
		return err
	}
	if err := w.startCold(1, map[string]string{"REDIS_URL": "redis://" + r.address + "/0"}); err != nil {
		return errors.Join(err, r.close())
	}
	w.cold.redis = r
	return nil
}

func (w *World) redis() (*redis, error) {
	if w.cold == nil || w.cold.redis == nil {
		return nil, errors.New("the scenario has no Redis")
	}
	return w.cold.redis, nil
}

// redisIsDown kills it, with all that it holds.
func (w *World) redisIsDown() error {
	r, err := w.redis()
	if err != nil {
		return err
	}
	return r.close()
}

func (w *World) toRedis(do func(*os.Process) error) error {
	r, err := w.redis()
	if err != nil {
		return err
	}
	return do(r.command.Process)
}

// asksUntilRedisIsAsked sends a request over and over: a server may well leave a cache alone for a while that has failed.
func (w *World) asksUntilRedisIsAsked(name, path string) error {
	r, err := w.redis()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(w.ctx, redisWithin)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		before, err := r.commands()
		if err != nil {
			return err
		}
		if err := w.sends(name, http.MethodGet, path, ""); err != nil {
			return err
		}
		after, err := r.commands()
		if err != nil || after > before+1 { // the one that asked how many there were before
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("the target did not ask Redis within %s", redisWithin)
		}
	}
}

// commands is how many commands the server has carried out, this one not among them.
func (r *redis) commands() (int, error) {
	answer, err := r.ask("INFO stats")
	if err != nil {
		return 0, fmt.Errorf("ask Redis how often it was asked: %w", err)
	}
	for line := range strings.Lines(answer[0]) {
		if number, found := strings.CutPrefix(strings.TrimSpace(line), "total_commands_processed:"); found {
			return strconv.Atoi(number)
		}
	}
	return 0, errors.New("redis-server does not say how often it was asked")
}

func (w *World) redisHolds(count int) error {
	r, err := w.redis()
	if err != nil {
		return err
	}
	keys, err := r.ask("KEYS *")
	if err != nil {
		return fmt.Errorf("list the keys in Redis: %w", err)
	}
	if len(keys) != count {
		return fmt.Errorf("there are %d keys in Redis, not %d", len(keys), count)
	}
	for _, key := range keys {
		answer, err := r.ask("TTL " + strconv.Quote(key))
		if err != nil {
			return fmt.Errorf("ask Redis for the life of a key: %w", err)
		}
		if seconds, err := strconv.Atoi(answer[0]); err != nil || seconds < 0 || seconds > longestCached {
			return fmt.Errorf("a key in Redis lives for %s seconds, not at most %d", answer[0], longestCached)
		}
	}
	return nil
}
