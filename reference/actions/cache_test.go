package actions_test

import (
	"crypto/rand"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/host/port"
	"github.com/storespec/storespec/reference/actions"
)

// redisServer is a real Redis on a free port of loopback that keeps nothing.
type redisServer struct {
	port      int
	command   *exec.Cmd
	directory string
}

// startRedis starts a Redis with nothing in it; without the program the test is skipped, but not in CI.
func startRedis(t *testing.T, number int) *redisServer {
	t.Helper()
	return startRedisIn(t, number, t.TempDir())
}

// startRedisIn starts a Redis with what another has saved in a directory.
func startRedisIn(t *testing.T, number int, directory string) *redisServer {
	t.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("redis-server is not installed: .ci/setup.sh installs it")
		}
		t.Skip("redis-server is not installed")
	}
	if number == 0 {
		reserved, err := port.Reserve()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(reserved.Release)
		number = reserved.Number
	}
	r := &redisServer{number, exec.CommandContext(t.Context(), program, "--bind", "127.0.0.1", "--port",
		strconv.Itoa(number), "--save", "", "--appendonly", "no", "--dir", directory), directory}
	if err := r.command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.kill)
	for deadline := time.Now().Add(20 * time.Second); ; {
		connection, err := net.Dial("tcp", r.address())
		if err == nil {
			_ = connection.Close()
			return r
		}
		if time.Now().After(deadline) {
			t.Fatalf("redis-server does not answer: %v", err)
		}
	}
}

func (r *redisServer) address() string { return "127.0.0.1:" + strconv.Itoa(r.port) }

// run gives Redis a command of one word or two, and waits for its answer.
func (r *redisServer) run(t *testing.T, command string) {
	t.Helper()
	connection, err := net.Dial("tcp", r.address())
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	answer := make([]byte, 64)
	if _, err = connection.Write([]byte(command + "\r\n")); err == nil {
		_, err = connection.Read(answer)
	}
	if err != nil || answer[0] != '+' {
		t.Fatalf("%s: %s %v", command, answer, err)
	}
}

func (r *redisServer) kill() {
	_ = r.command.Process.Kill()
	_ = r.command.Wait()
}

// counting counts the point reads of a server.
type counting struct {
	http.RoundTripper
	reads *atomic.Int64
}

func (c counting) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodGet && strings.Contains(r.URL.Path, "PartitionKey=") {
		c.reads.Add(1)
	}
	return c.RoundTripper.RoundTrip(r)
}

// reads is how many point reads of the table an action takes.
func reads(config *actions.Config) func(do func()) int64 {
	n := new(atomic.Int64)
	config.Storage = counting{config.Storage, n}
	return func(do func()) int64 {
		before := n.Load()
		do()
		return n.Load() - before
	}
}

func TestReadsAreServedFromTheCacheUntilAWrite(t *testing.T) {
	redis := startRedis(t, 0)
	config := lease(t, map[string]string{"REDIS_URL": "redis://" + redis.address()})
	during := reads(&config)
	reversed := strings.Split(strings.Trim(config.TableConnection, ";"), ";")
	slices.Reverse(reversed)
	h := startOn(t, config)
	config.TableConnection = strings.Join(reversed, ";")
	other := startOn(t, config)
	for version := 1; version <= 3; version++ {
		by := []*host{h, other}[version%2] // a write of another process counts too
		by.ask(t, "POST", "/api/ActionsUpsert", fmt.Sprintf(`{"owner":"o","name":"n","v":%d}`, version))
		for i, want := range []int64{1, 0, 0} {
			var got answer
			if n := during(func() { got = h.ask(t, "GET", "/api/actions/O/N", "") }); n != want ||
				got.field("v") != float64(version) {
				t.Errorf("version %d, read %d: %d point reads, %s", version, i, n, got.body)
			}
		}
	}
	if n := during(func() { h.ask(t, "POST", "/api/ActionsUpsert", `{"owner":"o","name":"n","v":3}`) }); n != 1 {
		t.Errorf("whether something changed is for the table to say: %d point reads", n)
	}
	h.ask(t, "POST", "/api/ActionsUpsert/batch", `{"records":[{"owner":"o","name":"n","v":4}]}`)
	if a := other.ask(t, "GET", "/api/actions/o/n", ""); a.field("v") != 4.0 {
		t.Errorf("after a batch: %s", a.body)
	}
	if _, err := h.purge(t.Context(), actions.PurgeOptions{Unchanged: true}); err != nil {
		t.Fatal(err)
	}
	if a := h.ask(t, "GET", "/api/actions/o/n", ""); a.status != 404 {
		t.Errorf("after a purge: %d %s", a.status, a.body)
	}
}

// meanwhile does something once, after a point read was answered by the store and before the server sees it.
type meanwhile struct {
	http.RoundTripper
	once *sync.Once
	do   func()
}

func (m meanwhile) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := m.RoundTripper.RoundTrip(r)
	if r.Method == http.MethodGet && strings.Contains(r.URL.Path, "PartitionKey=") {
		m.once.Do(m.do)
	}
	return response, err
}

func TestAReadThatBeganBeforeAWriteDoesNotFillTheCache(t *testing.T) {
	redis := startRedis(t, 0)
	for name, andThen := range map[string]func(){
		"a write":                       func() {},
		"a write, and Redis forgets it": func() { redis.run(t, "FLUSHALL") },
		"a write, and Redis forgets scripts as well": func() {
			redis.run(t, "FLUSHALL")
			redis.run(t,
				"SCRIPT FLUSH")
		},
	} {
		t.Run(name, func(t *testing.T) {
			config := lease(t, map[string]string{"REDIS_URL": "redis://" + redis.address()})
			other := startOn(t, config)
			other.ask(t, "POST", "/api/ActionsUpsert", `{"owner":"o","name":"n","v":1}`)
			config.Storage = meanwhile{config.Storage, &sync.Once{}, func() {
				other.ask(t, "POST", "/api/ActionsUpsert", `{"owner":"o","name":"n","v":2}`)
				andThen()
			}}
			h := startOn(t, config)
			redis.run(t, "FLUSHALL") // as when the record was written long ago
			if a := h.ask(t, "GET", "/api/actions/o/n", ""); a.field("v") != 1.0 {
				t.Fatalf("the read did not begin before the write: %s", a.body)
			}
			if a := h.ask(t, "GET", "/api/actions/o/n", ""); a.field("v") != 2.0 {
				t.Errorf("an old record was cached after the write: %s", a.body)
			}
		})
	}
}

// A Redis that saves what it holds now and then, as Debian's does, comes back with records that were taken out of it
// since.
func TestARedisThatComesBackIsNotBelieved(t *testing.T) {
	redis := startRedis(t, 0)
	config := lease(t, map[string]string{"REDIS_URL": "redis://" + redis.address()})
	during := reads(&config)
	began := time.Now()
	h := startAt(t, config, func() time.Time { return began.Add(50 * time.Since(began)) })
	h.ask(t, "POST", "/api/ActionsUpsert", `{"owner":"o","name":"n","v":1}`)
	for range 2 {
		h.ask(t, "GET", "/api/actions/o/n", "")
	}
	redis.run(t, "SAVE")
	h.ask(t, "POST", "/api/ActionsUpsert", `{"owner":"o","name":"n","v":2}`)
	redis.kill()
	startRedisIn(t, redis.port, redis.directory)
	for fromTable := int64(1); fromTable > 0; {
		fromTable = during(func() {
			if a := h.ask(t, "GET", "/api/actions/o/n", ""); a.field("v") != 2.0 {
				t.Fatalf("after version 2: %s", a.body)
			}
		})
	}
}

// relay is a way to a Redis on which nothing passes while it is silent: whoever asks gets no answer, and no refusal.
type relay struct {
	listener net.Listener
	accepted chan struct{} // one for each connection
	speaks   sync.RWMutex  // held by who makes it silent
}

func startRelay(t *testing.T, to string) *relay {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	r := &relay{listener: listener, accepted: make(chan struct{}, 10_000)}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			r.accepted <- struct{}{}
			server, err := net.Dial("tcp", to)
			if err != nil {
				_ = client.Close()
				continue
			}
			go r.copy(server, client)
			go r.copy(client, server)
		}
	}()
	return r
}

func (r *relay) copy(to, from net.Conn) {
	defer func() { _, _ = to.Close(), from.Close() }()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		r.speaks.RLock()
		_, failed := to.Write(buffer[:n])
		r.speaks.RUnlock()
		if err != nil || failed != nil {
			return
		}
	}
}

// Redis falls silent, is killed and comes back while records are written and read: every answer is a 2xx, and nobody
// reads less than what this process has acknowledged.
func TestTheTableServesWhileRedisIsDown(t *testing.T) {
	redis := startRedis(t, 0)
	way := startRelay(t, redis.address())
	began := time.Now()
	faster := func() time.Time { return began.Add(20 * time.Since(began)) } // so that the cache is soon asked again
	h := startAt(t, lease(t, map[string]string{"REDIS_URL": "redis://" + way.listener.Addr().String()}), faster)
	var version atomic.Int64
	stop := make(chan struct{})
	var all sync.WaitGroup
	write := func() {
		v := version.Load() + 1
		if a, err := h.try("POST", "/api/ActionsUpsert",
			fmt.Sprintf(`{"owner":"o","name":"n","v":%d}`, v)); err != nil || a.status >= 300 {
			t.Errorf("version %d: %d %s %v", v, a.status, a.body, err)
		}
		version.Store(v)
	}
	write()
	for range 4 {
		all.Go(func() {
			for stopped := false; !stopped; {
				select {
				case <-stop:
					stopped = true
				default:
				}
				acknowledged := version.Load()
				a, err := h.try("GET", "/api/actions/o/n", "")
				if v, _ := a.field("v").(float64); err != nil || a.status != 200 || int64(v) < acknowledged {
					t.Errorf("after version %d: %d %s %v", acknowledged, a.status, a.body, err)
				}
			}
		})
	}
	for _, next := range []func(){
		way.speaks.Lock, way.speaks.Unlock, redis.kill, func() { startRedis(t, redis.port) }, func() {},
		way.speaks.Lock, way.speaks.Unlock,
	} {
		for range 30 {
			write()
		}
		next()
	}
	write()
	close(stop)
	all.Wait()
}

// When a Redis has ended, one failed command is enough to drop all connections to it.
func TestConnectionsOlderThanAFailureAreNotUsed(t *testing.T) {
	redis := startRedis(t, 0)
	way := startRelay(t, redis.address())
	config := lease(t, map[string]string{"REDIS_URL": "redis://" + way.listener.Addr().String(), "REDIS_TIMEOUT": "5s"})
	during := reads(&config)
	var later atomic.Int64
	began := time.Now()
	h := startAt(t, config, func() time.Time { return began.Add(time.Duration(later.Load())) })
	get := func() { h.ask(t, "GET", "/api/actions/o/n", "") }
	h.ask(t, "POST", "/api/ActionsUpsert", `{"owner":"o","name":"n","v":1}`)
	get()
	way.speaks.Lock() // so that each request has a connection of its own
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { _, _ = h.try("GET", "/api/actions/o/n", "") })
	}
	for deadline := time.Now().Add(20 * time.Second); len(way.accepted) < 8; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d connections, not 8", len(way.accepted))
		}
	}
	way.speaks.Unlock()
	all.Wait()
	redis.kill()
	startRedis(t, redis.port)
	get() // fails, on one of the connections
	later.Store(int64(2 * time.Second))
	get() // fills the cache
	if fromTable := during(get); fromTable > 0 {
		t.Error("it has failed again, on another connection")
	}
}

func TestAddressesOfARedis(t *testing.T) {
	for address, right := range map[string]bool{
		"redis://localhost": true, "redis://[::1]:6379": true, "rediss://user:s3cret@host:6379/2": true,
		"localhost:6379": false, "http://localhost:6379": false, "redis://": false, "redis://localhost/first": false,
		"redis://localhost/0?db=2": false, "redis://user:s3cret@localhost:port": false,
	} {
		config := lease(t, map[string]string{"REDIS_URL": address})
		server, err := actions.New(config, time.Now, rand.Text, slog.New(slog.DiscardHandler))
		if err == nil {
			_ = server.Close()
		}
		if (err == nil) != right || err != nil && strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: %v", address, err)
		}
	}
}
