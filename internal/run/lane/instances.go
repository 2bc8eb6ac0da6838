package lane

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"

	"github.com/storespec/storespec/internal/run/mapping"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/wire"
)

// Process is one process of a lane's target, with the gateway through which only this process reaches the lane's store.
type Process struct {
	*target.Instance
	Gate *wire.Gateway
}

// Instance returns the target's i-th instance, from 0, or the only one.
func (l *Lane) Instance(i int) Process {
	if i > 0 && i <= len(l.others) {
		return l.others[i-1]
	}
	return Process{l.Target, l.Gate}
}

// At returns the instance with an address, and how much it has written so far; nil if there is none.
func (l *Lane) At(url string) (found *target.Instance, written int64) {
	for _, one := range l.instances() {
		if one.URL == url {
			return one.Instance, one.Written()
		}
	}
	return nil, 0
}

// instances returns all running instances.
func (l *Lane) instances() []Process {
	return append([]Process{{l.Target, l.Gate}}, l.others...)
}

// SetDown makes the store, or only some of its services, unavailable for every instance, or available again.
func (l *Lane) SetDown(down bool, services ...wire.Service) {
	for _, one := range l.instances() {
		one.Gate.SetDown(down, services...)
	}
}

// StartInstances ensures that count instances are running. They live as long as the lane.
func (l *Lane) StartInstances(ctx context.Context, count int) error {
	for i, other := range l.others {
		if other.Exited() {
			started, err := l.Maker.start(ctx, l, other.Gate)
			if err != nil {
				return err
			}
			l.others[i].Instance = started
		}
	}
	for len(l.others) < count-1 {
		gate, err := l.Maker.openGate(l, wire.GatewayOptions{TLS: l.Maker.Gateway().TLS})
		if err != nil {
			return err
		}
		started, err := l.Maker.start(ctx, l, gate)
		if err != nil {
			return errors.Join(err, gate.Close())
		}
		l.others = append(l.others, Process{started, gate})
	}
	return nil
}

// Warm makes the lane's instances create what they create on first use of the store. Later calls do nothing.
func (l *Lane) Warm(ctx context.Context) error {
	if l.warmed == nil {
		l.warmed = map[*target.Instance]bool{}
	}
	for _, one := range l.instances() {
		if l.warmed[one.Instance] {
			continue
		}
		recorded := l.Recorder.Begin("GET " + l.Maker.System.NeedsStore)
		err := l.needStore(ctx, one.URL, recorded)
		recorded.End()
		if err != nil && mapping.Unsent(err) == nil { // a server without that route is not prepared for anything
			return fmt.Errorf("make the server use its store: %w", err)
		}
		l.warmed[one.Instance] = true
	}
	return nil
}

// needStore asks an instance for something it can only know from the store.
func (l *Lane) needStore(ctx context.Context, base string, recorded *wire.Request) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base+l.Maker.System.NeedsStore, nil)
	if err != nil {
		return err
	}
	const nobody = "nobody@example.com"
	l.Maker.System.Introduce(request, system.Caller{Name: "Nobody", Email: nobody, UserKey: system.UserKey(nobody),
		Session: rand.Text()})
	request.Header.Set("traceparent", recorded.Traceparent())
	answer, err := l.Client.Do(request)
	if err != nil {
		return err
	}
	return answer.Body.Close()
}

// closeOthers ends every instance but the first, and the gateways of all.
func (l *Lane) closeOthers(ctx context.Context) error {
	var errs []error
	for _, other := range l.others {
		errs = append(errs, other.Stop(ctx), other.Gate.Close())
	}
	return errors.Join(errs...)
}
