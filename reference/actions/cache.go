package actions

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"
)

const (
	// cacheTTL bounds how long another process may be served what nobody could take out of the cache.
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
	// maxOwed bounds the keys that are remembered while the cache is down; beyond it, every key counts as owed.
	maxOwed = 1_000
)

// Each value in Redis begins with a letter for its kind.
const (
	cachedRecord = "r" // then the record, as GET answers it
	cachedMark   = "m" // then a random text: a reader is reading the table, and no write has removed the mark
)

// find returns the value of a key; if there is none, it leaves a mark and returns that.
var find = redis.NewScript(`
local found = redis.call('GET', KEYS[1])
if found then return found end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
return ARGV[1]`)

// fill stores a record in place of the mark that its reader found before it read the table. A write removes the mark,
// and so does a Redis that loses data: a read that began before a write never fills the cache after it, in any process.
var fill = redis.NewScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3]) end
return 0`)

// cache keeps answers of GET in Redis (GA-CACHE-1). A nil cache is always empty: the table serves.
//
// After a write of this process was answered, the cache serves no older record: the write first deletes the cached one.
// If that fails, the deletion is owed, and the key is not looked up until it is done.
type cache struct {
	client *redis.Client
	prefix string
	newID  func() string
	now    func() time.Time
	log    *slog.Logger
	run    atomic.Value // a string: identifies the Redis that answers

	mu        sync.Mutex
	downUntil time.Time
	owed      map[key]time.Time // until when the cached value of the key may be older than a write
	owedAll   time.Time         // the same for every key
}

// openCache returns the configured cache; nil when none is configured. It makes no call.
func openCache(c Config, now func() time.Time, newID func() string, log *slog.Logger) (*cache, error) {
	if c.RedisURL == "" {
		return nil, nil
	}
	options, err := redis.ParseURL(c.RedisURL)
	if err != nil { // its text may quote a password
		return nil, errors.New("REDIS_URL must be an address such as redis://localhost:6379/0")
	}
	within := c.RedisTimeout
	options.DialTimeout, options.ReadTimeout, options.WriteTimeout, options.PoolTimeout = within, within, within, within
	options.MaxRetries, options.DialerRetries = -1, 1 // the table is always the fallback
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	opened := &cache{prefix: cachePrefix(c), newID: newID, now: now, log: log, owed: map[key]time.Time{}}
	options.OnConnect = opened.connected
	opened.client = redis.NewClient(options)
	return opened, nil
}

// SilenceCache keeps the Redis library from writing to standard error itself, where it prints the server's address at
// every failure; failures are in the server's own log. It affects the whole process, so only a program's main calls it.
func SilenceCache() { redis.SetLogger(&logging.VoidLogger{}) }

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
	return c.client.Close()
}

// connected records which Redis a new connection reaches. A restarted Redis may bring back records that were deleted
// since it last saved, and so may a replica that replaces it; values kept under another instance's name are not found.
func (c *cache) connected(ctx context.Context, connection *redis.Conn) error {
	about, err := connection.Info(ctx, "server").Result()
	if err != nil {
		return err
	}
	run := runID.FindString(about)
	if run == "" {
		return errors.New("redis does not say which one it is")
	}
	c.run.Store(run)
	return nil
}

var runID = regexp.MustCompile(`run_id:\w+`)

// ask runs a command on the names of keys; it returns false when Redis does not answer.
func (c *cache) ask(ctx context.Context, command func(ctx context.Context, names []string) error, keys ...key) bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.client.Options().ReadTimeout)
	defer cancel()
	for range 2 { // the first try may open the connection, with the names of another Redis
		run, _ := c.run.Load().(string)
		names := make([]string, len(keys))
		for i, k := range keys {
			names[i] = c.prefix + run + "/" + k.partition + "/" + k.row // no key of the table holds a slash
		}
		if err := command(ctx, names); err != nil {
			c.failed(err)
			return false
		}
		if c.run.Load() == run {
			return true
		}
	}
	return false
}

// look returns the record of a key; nil when it is not cached, or possibly outdated. The record then read from the
// table may be passed to keep.
func (c *cache) look(ctx context.Context, k key) (found []byte, keep func([]byte)) {
	nowhere := func([]byte) {}
	if c == nil || !c.up() || c.owes(k) && !c.drop(ctx, k) {
		return nil, nowhere
	}
	var value string
	answered := c.ask(ctx, func(ctx context.Context, names []string) (err error) {
		value, err = find.Run(ctx, c.client, names, cachedMark+c.newID(), int(markTTL.Seconds())).Text()
		return err
	}, k)
	if !answered {
		return nil, nowhere
	}
	if record, ok := strings.CutPrefix(value, cachedRecord); ok {
		return []byte(record), nowhere
	}
	return nil, func(record []byte) {
		c.ask(ctx, func(ctx context.Context, names []string) error {
			return fill.Run(ctx, c.client, names, value, cachedRecord+string(record), int(cacheTTL.Seconds())).Err()
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
	answered := c.ask(ctx, func(ctx context.Context, names []string) error { return c.client.Del(ctx, names...).Err() },
		keys...)
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
