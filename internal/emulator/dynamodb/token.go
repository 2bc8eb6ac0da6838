package dynamodb

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
	"github.com/storespec/storespec/internal/emulator/engine"
)

// Tokens make a transaction idempotent (API Reference, "TransactWriteItems": ClientRequestToken).

// tokenLife is how long a token is remembered.
const tokenLife = 10 * time.Minute

func (t *transaction) tokenKey() []byte { return t.space.Key(nil, keyTokens, t.token) }

// recall finds out whether the token's request was done before.
func (t *transaction) recall() error {
	if t.token == "" {
		return nil
	}
	raw, found, err := t.account.engine.Get(t.tokenKey(), nil)
	if err != nil || !found || len(raw) != 8+sha256.Size {
		return err
	}
	done := time.Unix(int64(binary.BigEndian.Uint64(raw)), 0)
	if t.account.Now().Sub(done) > tokenLife {
		return nil
	}
	if string(raw[8:]) != string(t.digest[:]) {
		return refuse(kindMismatch, "")
	}
	t.again = true
	return nil
}

// remember adds the token to the batch, and now and then drops those that have expired.
func (t *transaction) remember(b *engine.Batch) error {
	if t.token == "" {
		return nil
	}
	now := t.account.Now().Unix()
	raw := binary.BigEndian.AppendUint64(nil, uint64(now))
	if err := b.Set(t.tokenKey(), append(raw, t.digest[:]...)); err != nil {
		return err
	}
	last := t.account.purged.Load()
	if now-last < int64(tokenLife/time.Second) || !t.account.purged.CompareAndSwap(last, now) {
		return nil
	}
	lower, upper := t.space.Range(keyTokens)
	return t.account.engine.Each(lower, upper, lower, func(key, raw []byte) (bool, error) {
		if len(raw) > 8 && now-int64(binary.BigEndian.Uint64(raw)) > int64(tokenLife/time.Second) {
			return true, b.Delete(key)
		}
		return true, nil
	})
}

// digest is of what the actions say, whatever the order of the members in the body.
func (q *transactRequest) digest() (sum [sha256.Size]byte) {
	h := sha256.New()
	for _, actions := range q.items {
		each := actions[0]
		_, _ = fmt.Fprintf(h, "%s|%s|%s|%s|%s|", each.action, *each.tableName, text(each.in.Condition, ""),
			text(each.in.Update, ""), text(each.onFailure, "")) // never fails
		for _, name := range slices.Sorted(maps.Keys(each.in.Names)) {
			_, _ = fmt.Fprintf(h, "%s=%s|", name, each.in.Names[name])
		}
		for _, item := range []value.Item{each.item, each.key, each.in.Values} {
			_, _ = h.Write(item.AppendStored(nil))
		}
	}
	h.Sum(sum[:0])
	return sum
}
