package steps

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"

	"github.com/storespec/storespec/internal/target"
	"github.com/storespec/storespec/internal/wire"
)

// instance is one process of a lane's target, with the gateway through which it, and no other, reaches the lane's store.
type instance struct {
	*target.Instance
	gate *wire.Gateway
}

// instance is the target's i-th instance, from 0, or the only one.
func (l *Lane) instance(i int) instance {
	if i > 0 && i <= len(l.others) {
		return l.others[i-1]
	}
	return instance{l.Target, l.gate}
}

// instances are all that run.
func (l *Lane) instances() []instance {
	return append([]instance{{l.Target, l.gate}}, l.others...)
}

// setDown makes the store dead for every instance, or alive again.
func (l *Lane) setDown(down bool) {
	for _, one := range l.instances() {
		one.gate.SetDown(down)
	}
}

// startInstances makes sure that there are count instances that run. They live as long as the lane.
func (l *Lane) startInstances(ctx context.Context, count int) error {
	for i, other := range l.others {
		if other.Exited() {
			started, err := l.maker.start(ctx, l, other.gate)
			if err != nil {
				return err
			}
			l.others[i].Instance = started
		}
	}
	for len(l.others) < count-1 {
		gate, err := l.maker.openGate(l, wire.GatewayOptions{TLS: l.maker.Gateway().TLS})
		if err != nil {
			return err
		}
		started, err := l.maker.start(ctx, l, gate)
		if err != nil {
			return errors.Join(err, gate.Close())
		}
		l.others = append(l.others, instance{started, gate})
	}
	return nil
}

// warm makes the lane's instances create what they create at their first use of the store. Later it does nothing.
func (l *Lane) warm(ctx context.Context) error {
	if l.warmed == nil {
		l.warmed = map[*target.Instance]bool{}
	}
	for _, one := range l.instances() {
		if l.warmed[one.Instance] {
			continue
		}
		recorded := l.Recorder.Begin("GET " + l.maker.System.NeedsStore)
		err := l.needStore(ctx, one.URL, recorded)
		recorded.End()
		if err != nil {
			return fmt.Errorf("make the target use its store: %w", err)
		}
		l.warmed[one.Instance] = true
	}
	return nil
}

// needStore asks an instance for something it can only know from the store.
func (l *Lane) needStore(ctx context.Context, base string, recorded *wire.Request) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base+l.maker.System.NeedsStore, nil)
	if err != nil {
		return err
	}
	l.maker.System.introduce(request, &person{name: "Nobody", email: "nobody@example.com", sub: rand.Text(), session: rand.Text()})
	request.Header.Set("traceparent", recorded.Traceparent())
	answer, err := l.client.Do(request)
	if err != nil {
		return err
	}
	return answer.Body.Close()
}

// closeOthers ends every instance but the first, and the gateways of all.
func (l *Lane) closeOthers(ctx context.Context) error {
	var errs []error
	for _, other := range l.others {
		errs = append(errs, other.Stop(ctx), other.gate.Close())
	}
	return errors.Join(errs...)
}
