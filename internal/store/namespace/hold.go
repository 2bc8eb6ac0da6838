package namespace

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/storespec/storespec/internal/store"
)

// LeaseKey is the key whose existence means "storespec may wipe this namespace". While a run uses the namespace it
// holds the run's name and until when: another run then refuses. Workers KV has no conditional write and shows a write
// elsewhere after up to a minute, so this is a precaution against a forgotten run, not a lock.
const LeaseKey = "storespec-lease"

const (
	// holdFor is how long a run that has crashed blocks the namespace.
	holdFor = 3 * time.Minute
	// renewEvery leaves two attempts before a hold ends.
	renewEvery = time.Minute
)

// lease is what LeaseKey holds. The value of whoever made the key is another one, and holds nothing.
type lease struct {
	Run   string    `json:"run"`
	Until time.Time `json:"until"`
}

// hold is the lease of a run, renewed until stop.
type hold struct {
	keys   *remote
	run    string
	cancel context.CancelFunc
	done   chan struct{}

	mu    sync.Mutex
	until time.Time
	err   error // of the last renewal
}

// holdNamespace takes the lease, and with it the permission to wipe the namespace.
func holdNamespace(ctx context.Context, keys *remote) (*hold, error) {
	found, err := keys.Get(ctx, "", LeaseKey)
	refused, isRefused := errors.AsType[*refusedError](err)
	switch {
	case isRefused && (refused.status == http.StatusUnauthorized || refused.status == http.StatusForbidden):
		return nil, fmt.Errorf("%w: the token of %s may not read namespace %s of account %s: %w", store.ErrUnavailable,
			VariableToken, keys.id.namespace, keys.id.account, err)
	case isRefused && refused.status == http.StatusNotFound:
		return nil, fmt.Errorf("%w: there is no namespace %s in account %s: %w", store.ErrUnavailable,
			keys.id.namespace, keys.id.account, err)
	case err != nil:
		return nil, fmt.Errorf("%w: read the key %s of namespace %s: %w", store.ErrUnavailable, LeaseKey,
			keys.id.namespace, err)
	case found == nil:
		return nil, fmt.Errorf("%w: namespace %s has no key %s, so it is not wiped; if all its keys may be deleted, "+
			"allow it with: wrangler kv key put --remote --namespace-id %[2]s %[3]s yes", store.ErrUnavailable,
			keys.id.namespace, LeaseKey)
	}
	if other := leaseIn(found); time.Now().Before(other.Until) {
		return nil, fmt.Errorf("%w: namespace %s is in use by another run, or by one that ended without notice, "+
			"until %s (key %s)", store.ErrUnavailable, keys.id.namespace, other.Until.Format(time.RFC3339), LeaseKey)
	}
	h := &hold{keys: keys, run: rand.Text(), done: make(chan struct{})}
	if err := h.renew(ctx); err != nil {
		return nil, fmt.Errorf("%w: write the key %s of namespace %s: %w", store.ErrUnavailable, LeaseKey,
			keys.id.namespace, err)
	}
	renewing, cancel := context.WithCancel(context.WithoutCancel(ctx))
	h.cancel = cancel
	go h.keepRenewing(renewing)
	return h, nil
}

// leaseIn reads what the key holds; any other value than a lease is one that has ended.
func leaseIn(value []byte) (l lease) {
	if json.Unmarshal(value, &l) != nil {
		return lease{}
	}
	return l
}

func (h *hold) renew(ctx context.Context) error {
	until := time.Now().Add(holdFor)
	value, err := json.Marshal(lease{h.run, until.UTC().Truncate(time.Second)})
	if err == nil {
		err = h.keys.Put(ctx, "", LeaseKey, value)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.err = err; err == nil {
		h.until = until
	}
	return err
}

func (h *hold) keepRenewing(ctx context.Context) {
	defer close(h.done)
	tick := time.Tick(renewEvery)
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick:
			if err := h.still(ctx); err == nil {
				_ = h.renew(ctx) // kept for lost
			}
		}
	}
}

// still returns an error, which lost returns too, if another run has written the key.
func (h *hold) still(ctx context.Context) error {
	found, err := h.keys.Get(ctx, "", LeaseKey)
	if err != nil {
		return nil // the renewal says so, if it fails too
	}
	if other := leaseIn(found); other.Run != h.run && time.Now().Before(other.Until) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.err, h.until = errors.New("another run has taken it"), time.Time{}
		return h.err
	}
	return nil
}

// lost returns an error if the lease ended because it could not be renewed, or was taken.
func (h *hold) lost() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if time.Now().Before(h.until) {
		return nil
	}
	err := h.err
	if err == nil {
		err = errors.New("no renewal in time")
	}
	return fmt.Errorf("%w: the lease in the key %s was lost: %w", store.ErrUnavailable, LeaseKey, err)
}

// stop gives the lease back: the key stays.
func (h *hold) stop(ctx context.Context) error {
	h.cancel()
	<-h.done
	if h.lost() != nil || h.still(ctx) != nil {
		return nil //nolint:nilerr // it is another run's, or none
	}
	if err := h.keys.Put(ctx, "", LeaseKey, []byte("free")); err != nil {
		return fmt.Errorf("release the key %s: %w", LeaseKey, err)
	}
	return nil
}
