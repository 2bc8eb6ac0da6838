package dynamodb

import (
	"crypto/md5" //nolint:gosec // spreads partitions over segments, protects nothing
	"encoding/binary"

	"github.com/storespec/storespec/internal/emulator/dynamodb/expression"
	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
	"github.com/storespec/storespec/internal/emulator/engine"
)

// The keys of an account's data, as tuples:
//
//	keyItems    table, "",    partition, sort                             an item, stored
//	keyItems    table, index, partition, sort of the index, partition, sort of the table   what the index has of it
//	keyExpiries table, seconds, partition, sort                           nothing
//	keyStreams  table, stream, sequence number                            a record
//	keyTokens   token                                                     when, and the digest of the request
//
// A partition is a hash of its key, so that the segments of a parallel scan are ranges, and the key.
const (
	keyItems    = "i"
	keyExpiries = "x"
	keyStreams  = "s"
	keyTokens   = "t"
)

// hashBytes is how much of the hash comes before a partition's key.
const hashBytes = 4

// primaryKey is the key of an item in the form of package value.
type primaryKey struct{ partition, sort string }

// keysOf begins the keys of the items of a table or, if x is not nil, of an index.
func (t *table) keysOf(space engine.Space, x *index) []byte {
	short := ""
	if x != nil {
		short = x.Short
	}
	return space.Key(make([]byte, 0, 128), keyItems, t.Short, short)
}

// at is the key of an item.
func (t *table) at(space engine.Space, key primaryKey) []byte {
	return engine.AppendPart(appendPartition(t.keysOf(space, nil), key.partition), key.sort)
}

// entry is the key of an item in an index.
func (t *table) entry(space engine.Space, x *index, of, key primaryKey) []byte {
	dst := engine.AppendPart(appendPartition(t.keysOf(space, x), of.partition), of.sort)
	return engine.AppendPart(engine.AppendPart(dst, key.partition), key.sort)
}

func appendPartition(dst []byte, partition string) []byte {
	raw := make([]byte, hashBytes, 64)
	binary.BigEndian.PutUint32(raw, hashOf(partition))
	return engine.AppendPart(dst, append(raw, partition...))
}

func hashOf(partition string) uint32 {
	sum := md5.Sum([]byte(partition)) //nolint:gosec // see its import
	return binary.BigEndian.Uint32(sum[:hashBytes])
}

// segment returns the bounds of a segment of a parallel scan, as the first bytes of partitions; an end of 1<<32 is
// the end of all.
func segment(number, of int64) (first, end uint64) {
	const all = 1 << 32
	return (uint64(number)*all + uint64(of) - 1) / uint64(of), (uint64(number+1)*all + uint64(of) - 1) / uint64(of)
}

// appendHash appends the beginning of the partitions with this hash, as they are in keys.
func appendHash(dst []byte, hash uint32) []byte {
	var raw [hashBytes]byte
	binary.BigEndian.PutUint32(raw[:], hash)
	dst = engine.AppendPart(dst, raw[:])
	return dst[:len(dst)-2] // without the end of the part
}

// expiryKey is the key that says when an item expires.
func (t *table) expiryKey(space engine.Space, at int64, key primaryKey) []byte {
	var raw [8]byte
	binary.BigEndian.PutUint64(raw[:], uint64(at))
	dst := engine.AppendPart(space.Key(nil, keyExpiries, t.Short), raw[:])
	return engine.AppendPart(engine.AppendPart(dst, key.partition), key.sort)
}

// keyIn returns the key of an item in a schema; ok is false if the item lacks an attribute of it, or has it in another
// type, and then is not in an index with this schema.
func keyIn(s expression.Schema, item value.Item) (key primaryKey, ok bool) {
	v, has := item.Get(s.Partition)
	if !has || v.Kind != s.PartitionKind {
		return key, false
	}
	key.partition = value.KeyString(v)
	if s.Sort != "" {
		if v, has = item.Get(s.Sort); !has || v.Kind != s.SortKind {
			return key, false
		}
		key.sort = value.KeyString(v)
	}
	return key, true
}
