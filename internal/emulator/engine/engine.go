package engine

import (
	"errors"
	"fmt"
	"hash/maphash"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/vfs"
)

var (
	// ErrFailed says that the disk refused a write. The engine serves reads and refuses writes from then on.
	ErrFailed = errors.New("storage failed: no further writes are accepted")
	// ErrLocked says that another process, or another Engine of this one, is using the directory.
	ErrLocked = errors.New("data directory is in use by another process")
	// ErrNewerFormat says that the directory was written by a newer program.
	ErrNewerFormat = errors.New("data directory has a newer format than this program knows")
	// ErrForeign says that the directory contains something else.
	ErrForeign = errors.New("directory is neither empty nor a data directory")
)

// Options configure where an engine stores its keys.
type Options struct {
	// Dir is the data directory, created if missing; empty: memory.
	Dir string
	// NoSync acknowledges a write that the operating system has and the disk may not. It survives a crash of the
	// process, but not of the machine, and not always a failing disk.
	NoSync bool
	// Wipe deletes what is in Dir first, if it is a data directory that is not in use.
	Wipe bool
	// FS is the file system; nil: the disk, or memory if there is no Dir. Tests pass a faulty one.
	FS vfs.FS
}

// The sizes keep 50,000 rows of 250 bytes under 60 MiB resident; Pebble's defaults need 75 to 120.
const (
	memTableSize = 2 << 20
	cacheSize    = 14 << 20
	blockSize    = 8 << 10
	lockStripes  = 512
)

// Engine is an ordered store of keys and values. All methods may be called concurrently, except Close.
type Engine struct {
	db    *pebble.DB
	write *pebble.WriteOptions
	guard *guardFS // nil in memory
	lock  *pebble.Lock
	files filesDir
	seed  maphash.Seed
	locks [lockStripes]sync.Mutex
	// flushed is the time of the last flush that an iterator has asked for, in nanoseconds since 1970.
	flushed atomic.Int64

	mu       sync.RWMutex
	accounts map[string]*Account
}

// Open opens or creates an engine. The errors wrap ErrLocked, ErrNewerFormat or ErrForeign, or are those of the file
// system.
func Open(opts Options) (*Engine, error) {
	e := &Engine{seed: maphash.MakeSeed(), write: pebble.NoSync, accounts: map[string]*Account{}}
	if opts.Dir == "" {
		if opts.FS == nil {
			opts.FS = vfs.NewMem()
		}
		return e, e.open("db", opts.FS, true)
	}
	disk := opts.FS
	if disk == nil {
		disk = vfs.Default
		e.files.dir = disk.PathJoin(opts.Dir, filesName)
	}
	e.write = pebble.Sync // also with NoSync: Pebble would keep the log in its own memory otherwise
	lock, err := prepare(opts.Dir, disk)
	if err != nil {
		return nil, fmt.Errorf("open data directory %s: %w", opts.Dir, err)
	}
	e.lock = lock
	if opts.Wipe {
		if err := wipe(opts.Dir, disk); err != nil {
			return nil, errors.Join(fmt.Errorf("wipe data directory %s: %w", opts.Dir, err), lock.Close())
		}
	}
	e.guard = newGuardFS(disk, opts.NoSync)
	if err := e.open(disk.PathJoin(opts.Dir, dbName), e.guard, false); err != nil {
		return nil, errors.Join(fmt.Errorf("open data directory %s: %w", opts.Dir, err), lock.Close())
	}
	e.guard.arm()
	return e, nil
}

func (e *Engine) open(dir string, fs vfs.FS, memory bool) error {
	cache := pebble.NewCache(cacheSize)
	defer cache.Unref() // the DB holds it from here on
	options := &pebble.Options{
		Cache:                 cache,
		DisableWAL:            memory,
		EventListener:         e.listener(),
		FS:                    fs,
		FormatMajorVersion:    pebbleFormat,
		L0CompactionThreshold: 2, // an iterator merges what is not compacted
		// small memtables make many small files: a slower read is better than a stalled write
		L0StopWritesThreshold:       24,
		Lock:                        e.lock,
		Logger:                      quietLogger{},
		MemTableSize:                memTableSize,
		MemTableStopWritesThreshold: 4,
	}
	// With a filter, a get of a missing key, with which every insert begins, reads no block.
	options.Levels[0].FilterPolicy = bloom.FilterPolicy(10)
	options.Levels[0].BlockSize = blockSize
	if memory {
		// Compression would halve the memory of many rows, and double the cost of reading them.
		options.ApplyCompressionSettings(func() pebble.DBCompressionSettings { return pebble.DBCompressionNone })
	}
	db, err := pebble.Open(dir, options)
	if err != nil {
		return err
	}
	e.db = db
	if err := e.loadEpochs(); err != nil {
		return errors.Join(err, db.Close())
	}
	return nil
}

func (e *Engine) loadEpochs() error {
	return e.Each([]byte{metaKeys}, []byte{metaKeys + 1}, nil, func(key, value []byte) (bool, error) {
		name, _, err := NextPart(nil, key[1:])
		if err != nil {
			return false, err
		}
		p, err := decodeEpochs(value)
		e.accounts[string(name)] = newAccount(e, string(name), p)
		return true, err
	})
}

// Account returns the namespace of that name, always the same pointer. Nothing is written.
func (e *Engine) Account(name string) *Account {
	e.mu.RLock()
	a := e.accounts[name]
	e.mu.RUnlock()
	if a != nil {
		return a
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if a = e.accounts[name]; a == nil {
		a = newAccount(e, name, epochs{})
		e.accounts[name] = a
	}
	return a
}

// FilesDir returns the directory for bodies that are too large for a value, created at the first call. In memory it is
// a temporary one, which Close removes.
func (e *Engine) FilesDir() (string, error) { return e.files.make() }

// Durable reports whether an acknowledged write is on disk, so that files under FilesDir must be on disk before the
// rows that name them.
func (e *Engine) Durable() bool { return e.write.Sync }

// Lasting reports whether the engine has a directory that outlives it: there may be files from an earlier run.
func (e *Engine) Lasting() bool { return e.lock != nil }

// Close closes the engine. Nothing else may be in progress. The error wraps ErrFailed if the disk had refused a write.
func (e *Engine) Close() error {
	failed := e.failed()
	err := e.db.Close()
	if failed != nil {
		err = failed // Pebble's error for a failed disk adds nothing
	}
	if e.lock != nil {
		err = errors.Join(err, e.lock.Close())
	}
	if err = errors.Join(err, e.files.remove()); err != nil {
		return fmt.Errorf("close engine: %w", err)
	}
	return nil
}

// failed returns why writes are refused, or nil.
func (e *Engine) failed() error {
	if e.guard == nil {
		return nil
	}
	return e.guard.failure()
}

// listener is notified of failed flushes and compactions and of damaged files. If the guard has seen the cause it
// changes nothing; an unreadable file is a separate cause.
func (e *Engine) listener() *pebble.EventListener {
	fail := func(err error) {
		if e.guard != nil {
			e.guard.fail("background work", err)
		}
	}
	return &pebble.EventListener{
		BackgroundError: fail,
		DataCorruption:  func(info pebble.DataCorruptionInfo) { fail(info.Details) },
	}
}

// quietLogger drops Pebble's messages: errors are returned to the caller.
type quietLogger struct{}

func (quietLogger) Infof(string, ...any)  {}
func (quietLogger) Errorf(string, ...any) {}

// Fatalf is called when Pebble's invariants are broken; failing disks do not get here, since the guard keeps their
// errors from the places where they would be fatal. Acknowledged writes are in the log.
func (quietLogger) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
