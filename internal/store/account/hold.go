package account

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/bloberror"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/lease"

	"github.com/storespec/storespec/internal/store"
)

const (
	// holdFor is the longest finite lease of a container: a crashed run blocks the account no longer than this.
	holdFor = 60 * time.Second
	// renewEvery leaves two attempts before a lease expires.
	renewEvery = 20 * time.Second
)

// hold is the lease of LeaseContainer, renewed until stop.
type hold struct {
	container *lease.ContainerClient
	cancel    context.CancelFunc
	done      chan struct{}

	mu    sync.Mutex
	until time.Time
	err   error
}

// holdAccount acquires the lease, and with it the permission to wipe the account.
func holdAccount(ctx context.Context, config *accountConfig, transport http.RoundTripper) (*hold, error) {
	_, blobs, err := sdkClients(config.connection, transport)
	if err != nil {
		return nil, fmt.Errorf("hold account %s: %w", config.account, err)
	}
	container, err := lease.NewContainerClient(blobs.ServiceClient().NewContainerClient(LeaseContainer), nil)
	if err != nil {
		return nil, fmt.Errorf("hold account %s: %w", config.account, err)
	}
	begin := time.Now()
	_, err = container.AcquireLease(ctx, int32(holdFor/time.Second), nil)
	switch {
	case bloberror.HasCode(err, bloberror.ContainerNotFound):
		return nil, fmt.Errorf("%w: account %s has no container %s, so it is not wiped; if everything in it may be "+
			"deleted, allow it with: az storage container create --account-name %[2]s --name %[3]s",
			store.ErrUnavailable, config.account, LeaseContainer)
	case bloberror.HasCode(err, bloberror.LeaseAlreadyPresent):
		return nil, fmt.Errorf("%w: account %s is in use by another run, or by one that ended without notice less "+
			"than %s ago (lease on container %s)", store.ErrUnavailable, config.account, holdFor, LeaseContainer)
	case err != nil:
		return nil, fmt.Errorf("%w: lease container %s of account %s: %w", store.ErrUnavailable, LeaseContainer,
			config.account, terse(err))
	}
	renewing, cancel := context.WithCancel(context.WithoutCancel(ctx))
	h := &hold{container: container, cancel: cancel, done: make(chan struct{}), until: begin.Add(holdFor)}
	go h.renew(renewing)
	return h, nil
}

func (h *hold) renew(ctx context.Context) {
	defer close(h.done)
	tick := time.Tick(renewEvery)
	for {
		select {
		case <-ctx.Done():
			return
		case begin := <-tick:
			_, err := h.container.RenewLease(ctx, nil)
			h.mu.Lock()
			if h.err = err; err == nil {
				h.until = begin.Add(holdFor)
			}
			h.mu.Unlock()
		}
	}
}

// lost returns an error if the lease expired because it could not be renewed.
func (h *hold) lost() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if time.Now().Before(h.until) {
		return nil
	}
	err := cmp.Or(h.err, errors.New("no renewal in time"))
	return fmt.Errorf("%w: the lease on container %s was lost: %w", store.ErrUnavailable, LeaseContainer, terse(err))
}

func (h *hold) stop(ctx context.Context) error {
	h.cancel()
	<-h.done
	if _, err := h.container.ReleaseLease(ctx, &lease.ContainerReleaseOptions{}); err != nil {
		return fmt.Errorf("release container %s: %w", LeaseContainer, terse(err))
	}
	return nil
}
