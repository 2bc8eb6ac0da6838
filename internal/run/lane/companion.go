package lane

import (
	"context"
	"errors"
	"maps"
	"net/http"

	"github.com/storespec/storespec/internal/wire"
)

// Companion runs next to a lane's target, which uses it: for example a server that the target calls or a directory that
// it writes to.
type Companion interface {
	// Start makes it ready. values replace placeholders in the environment of a target, by their names.
	Start(ctx context.Context) (values map[string]string, err error)
	// Reset forgets what a scenario has scripted and what was seen.
	Reset()
	// Snapshot returns a function that restores its current state.
	Snapshot() (restore func())
	// Close ends it. It is safe to call on one that did not start.
	Close() error
}

// Gatekeeper is a companion that calls pass on their way from the lane's recorder to its store.
type Gatekeeper interface {
	Companion
	// Admit wraps a service of the lane's store.
	Admit(l *Lane, protocol wire.Protocol, service http.Handler) http.Handler
}

// upstream returns the services of the lane's store, behind its gatekeepers.
func (l *Lane) upstream() map[wire.Protocol]http.Handler {
	services := maps.Clone(l.distortion.upstream(l.Lease))
	for _, one := range l.companions {
		if keeper, ok := one.(Gatekeeper); ok {
			for protocol, service := range services {
				services[protocol] = keeper.Admit(l, protocol, service)
			}
		}
	}
	return services
}

// CompanionOf returns the lane's companion of a type; ok is false if there is none.
func CompanionOf[T Companion](l *Lane) (found T, ok bool) {
	for _, one := range l.companions {
		if found, ok = one.(T); ok {
			return found, true
		}
	}
	return found, false
}

// CompanionsOf returns all of the lane's companions of a type.
func CompanionsOf[T Companion](l *Lane) (found []T) {
	for _, one := range l.companions {
		if one, ok := one.(T); ok {
			found = append(found, one)
		}
	}
	return found
}

// accompany starts a companion that ends with the lane.
func (l *Lane) accompany(ctx context.Context, one Companion) error {
	values, err := one.Start(ctx)
	if err != nil {
		return errors.Join(err, one.Close())
	}
	l.companions = append(l.companions, one)
	maps.Copy(l.values, values)
	return nil
}

func (l *Lane) resetCompanions() {
	for _, one := range l.companions {
		one.Reset()
	}
}

// Snapshot returns a function that restores the current state of the lane's store and companions, and of how the store
// answers. Errors: those of the lease's Snapshot.
func (l *Lane) Snapshot(ctx context.Context) (restore func(context.Context) error, err error) {
	rows, err := l.Lease.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	pages := l.Paging.Pages()
	var each []func()
	for _, one := range l.companions {
		each = append(each, one.Snapshot())
	}
	return func(ctx context.Context) error {
		l.Paging.Set(pages)
		for _, restore := range each {
			restore()
		}
		return rows(ctx)
	}, nil
}
