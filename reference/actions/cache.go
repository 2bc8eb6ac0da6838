package actions

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gomodule/redigo/redis"
)

const (
	// cacheTTL bounds how long another process may be served what could not be taken out of the cache.
	cacheTTL = 300 * time.Second
	// cacheTimeout is what a cache may cost a request at most: a point read takes a few milliseconds.
	cacheTimeout = 100 * time.Millisecond // unless REDIS_TIMEOUT says otherwise
	// cachePause is how long a failed cache is not used.
	cachePause = time.Second
	// markTTL is longer than any read takes: an expired mark only keeps its reader from filling the cache.
	markTTL = storageDeadline + cachePause
	// debtTTL is how long a key is owed: what is cached now, or by a read in flight in another process, has expired
	// from Redis by then.
	debtTTL = cacheTTL + storageDeadline
	// cacheConnections bounds the connections of a process. A request waits for one no longer than for an answer.
	cacheConnections = 32
	// maxOwed bounds the keys that are remembered while the cache is down; beyond it, every key counts as owed.
	maxOwed = 1_000
)

// Each value in Redis begins with a letter for its kind.
const (
	cachedRecord = "r" // then the record, as GET answers it
	cachedMark   = "m" // then a random text: a reader is reading the table, and no write has removed the mark
)

// find returns the value of a key; if there is none, it leaves a mark and returns that.
var find = redis.NewScript(1, `
local found = redis.call('GET', KEYS[1])
if found then return found end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
return ARGV[1]`)

// fill stores a record instead of the mark that its reader found before it read the table. A write removes the mark,
// and so does a Redis that loses data: a read that began before a write never fills the cache after it, in any process.
var fill = redis.NewScript(1, `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3]) end
return 0`)

// cache keeps answers of GET in Redis (GA-CACHE-1). A nil cache is always empty: the table serves.
//
// After a write of this process was answered, the cache serves no older record: the write first deletes the cached one.
// If that fails, the deletion is owed, and the key is not looked up until it is done.
type cache struct {
	pool   *redis.Pool
	within time.Duration // for a request's use of Redis
	prefix string
	newID  func() string
	now    func() time.Time
	log    *slog.Logger
	run    atomic.Value // a string: identifies the Redis that answers

	mu        sync.Mutex
	failedAt  time.Time // when Redis last did not answer
	downUntil time.Time
	owed      map[key]time.Time // until when the cached value of the key may be older than a write
	owedAll   time.Time         // the same for every key
}

// openCache returns the configured cache; nil when none is configured. It makes no call.
func openCache(c Config, now func() time.Time, newID func() string, log *slog.Logger) (*cache, error) {
	if c.RedisURL == "" {
		return nil, nil
	}
	if _, err := url.Parse(c.RedisURL); err != nil || !isRedis.MatchString(c.RedisURL) {
		// What err says may hold a password.
		return nil, errors.New("REDIS_URL must be an address such as redis://localhost:6379/0")
	}
	opened := &cache{within: c.RedisTimeout, prefix: cachePrefix(c), newID: newID, now: now, log: log,
		owed: map[key]time.Time{}}
	opened.pool = &redis.Pool{MaxActive: cacheConnections, MaxIdle: cacheConnections, Wait: true,
		DialContext:  func(ctx context.Context) (redis.Conn, error) { return opened.dial(ctx, c.RedisURL) },
		TestOnBorrow: opened.usable}
	return opened, nil
}

// isRedis matches an address without parameters: the library would ignore them.
var isRedis = regexp.MustCompile(`^rediss?://[^/?#]+(/\d*)?$`)

// dial opens a connection, and records which Redis it reaches. A restarted Redis may bring back records that were
// deleted since it last saved, and so may a replica that replaces it; values kept under another instance's name are not
// found.
func (c *cache) dial(ctx context.Context, address string) (redis.Conn, error) {
	connection, err := redis.DialURLContext(ctx, address, redis.DialConnectTimeout(c.within),
		redis.DialReadTimeout(c.within), redis.DialWriteTimeout(c.within))
	if err != nil {
		return nil, err
	}
	about, err := redis.String(redis.DoContext(connection, ctx, "INFO", "server"))
	run := runID.FindString(about)
	if err == nil && run == "" {
		err = errors.New("redis does not say which one it is")
	}
	if err != nil {
		return nil, errors.Join(err, connection.Close())
	}
	c.run.Store(run)
	return connection, nil
}

var runID = regexp.MustCompile(`run_id:\w+`)

// usable returns an error for a connection that was idle when another one failed: it may have failed, too.
func (c *cache) usable(_ redis.Conn, idleSince time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if idleSince.Before(c.failedAt) {
		return errors.New("the connection is older than the last failure")
	}
	return nil
}

// cachePrefix separates accounts and tables that share a Redis. Servers of one table must be given the same table
// address: otherwise they do not see each other's entries.
func cachePrefix(c Config) string {
	var about []string
	for _, part := range strings.Split(c.TableConnection, ";") {
		name, _, _ := strings.Cut(part, "=")
		if name == "AccountName" || name == "TableEndpoint" || name == "EndpointSuffix" {
			about = append(about, part)
		}
	}
	slices.Sort(about) // the parts of a connection string may be in any order
	sum := sha256.Sum256([]byte(strings.Join(append(about, c.Table), "\n")))
	return "actions:" + hex.EncodeToString(sum[:8]) + ":"
}

func (c *cache) close() error {
	if c == nil {
		return nil
	}
	return c.pool.Close()
}

// ask runs a command on the names of keys; it returns false when Redis does not answer.
func (c *cache) ask(ctx context.Context, command func(ctx context.Context, on redis.Conn, names []any) error,
	keys ...key) bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.within)
	defer cancel()
	for range 2 { // the first try may open the connection, with the names of another Redis
		run, _ := c.run.Load().(string)
		names := make([]any, len(keys))
		for i, k := range keys {
			names[i] = c.prefix + run + "/" + k.partition + "/" + k.row // no key of the table holds a slash
		}
		if err := c.withConnection(ctx, command, names); err != nil {
			c.failed(err)
			return false
		}
		if c.run.Load() == run {
			return true
		}
	}
	return false
}

// withConnection runs a command on a connection of the pool.
func (c *cache) withConnection(ctx context.Context,
	command func(ctx context.Context, on redis.Conn, names []any) error, names []any) error {
	connection, err := c.pool.GetContext(ctx)
	if err != nil {
		return err
	}
	return errors.Join(command(ctx, connection, names), connection.Close())
}

// look returns the record of a key; nil when it is not cached, or possibly outdated. The record then read from the
// table may be passed to keep.
func (c *cache) look(ctx context.Context, k key) (found []byte, keep func([]byte)) {
	nowhere := func([]byte) {}
	if c == nil || !c.up() || c.owes(k) && !c.drop(ctx, k) {
		return nil, nowhere
	}
	var value string
	answered := c.ask(ctx, func(ctx context.Context, on redis.Conn, names []any) (err error) {
		value, err = redis.String(find.DoContext(ctx, on, names[0], cachedMark+c.newID(), int(markTTL.Seconds())))
		return err
	}, k)
	if !answered {
		return nil, nowhere
	}
	if record, ok := strings.CutPrefix(value, cachedRecord); ok {
		return []byte(record), nowhere
	}
	return nil, func(record []byte) {
		c.ask(ctx, func(ctx context.Context, on redis.Conn, names []any) error {
			_, err := fill.DoContext(ctx, on, names[0], value, cachedRecord+string(record), int(cacheTTL.Seconds()))
			return err
		}, k)
	}
}

// forget removes keys from the cache that have been written, or may have been.
func (c *cache) forget(ctx context.Context, keys ...key) {
	if c == nil {
		return
	}
	if !c.up() || !c.drop(ctx, keys...) {
		c.owe(keys)
	}
}

// drop deletes the cached values of keys; it returns false when it could not.
func (c *cache) drop(ctx context.Context, keys ...key) bool {
	owed := c.debts(keys)
	answered := c.ask(ctx, func(ctx context.Context, on redis.Conn, names []any) error {
		_, err := redis.DoContext(on, ctx, "DEL", names...)
		return err
	}, keys...)
	if !answered {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, k := range keys {
		if c.owed[k].Equal(owed[i]) { // otherwise another write has recorded a debt since
			delete(c.owed, k)
		}
	}
	return true
}

// failed disables the cache for a while.
func (c *cache) failed(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failedAt = time.Now() // as the pool knows it
	c.downUntil = c.now().Add(cachePause)
	c.log.Warn("the cache does not answer", "error", fmt.Sprintf("%T", err))
}

func (c *cache) up() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.now().Before(c.downUntil)
}

// debts returns until when the deletion of each key is owed; zero for none.
func (c *cache) debts(keys []key) []time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	debts := make([]time.Time, len(keys))
	for i, k := range keys {
		debts[i] = c.owed[k]
	}
	return debts
}

// owes reports whether a key must not be looked up.
func (c *cache) owes(k key) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now().Before(c.owed[k]) || c.now().Before(c.owedAll)
}

// owe records keys that could not be deleted.
func (c *cache) owe(keys []key) {
	c.mu.Lock()
	defer c.mu.Unlock()
	until := c.now().Add(debtTTL)
	if len(c.owed)+len(keys) > maxOwed {
		clear(c.owed)
		c.owedAll = until
	}
	for _, k := range keys {
		c.owed[k] = until
	}
}
