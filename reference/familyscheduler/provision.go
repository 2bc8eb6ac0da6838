package familyscheduler

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
)

// provisionTimeout is below the 15 s in which every request is answered.
const provisionTimeout = 10 * time.Second

// provisioning remembers, in memory, that the tables and the container exist. The zero value has not begun.
type provisioning struct {
	mu      sync.Mutex
	done    bool
	attempt *attempt // under way, shared by all requests that wait for it
}

type attempt struct {
	finished chan struct{}
	err      error
}

// ready creates all tables and the container at the first use of the store. Requests that come meanwhile share the one
// attempt; after one that failed, the next request begins another.
func (s *store) ready(ctx context.Context) error {
	p := &s.provisioned
	p.mu.Lock()
	if p.done {
		p.mu.Unlock()
		return nil
	}
	current := p.attempt
	if current == nil {
		current = &attempt{finished: make(chan struct{})}
		p.attempt = current
		// The attempt is everybody's: a client that goes away does not end it.
		go s.provision(context.WithoutCancel(ctx), current)
	}
	p.mu.Unlock()
	select {
	case <-current.finished:
		return current.err
	case <-ctx.Done():
		return failed("waiting for the tables", ctx.Err())
	}
}

func (s *store) provision(ctx context.Context, a *attempt) {
	ctx, cancel := context.WithTimeout(ctx, provisionTimeout)
	defer cancel()
	a.err = s.createAll(ctx)
	s.provisioned.mu.Lock()
	defer s.provisioned.mu.Unlock()
	s.provisioned.done = a.err == nil
	s.provisioned.attempt = nil
	close(a.finished)
}

// createAll creates ten tables and the container in parallel. What another instance created first is as good.
func (s *store) createAll(ctx context.Context) error {
	names := allTables()
	errs := make([]error, len(names)+1)
	var all sync.WaitGroup
	for i, name := range names {
		all.Go(func() {
			_, err := s.table(name).CreateTable(ctx, nil)
			errs[i] = created("creating table "+name, err)
		})
	}
	all.Go(func() {
		_, err := s.blobs.Create(ctx, nil)
		errs[len(names)] = created("creating the container", err)
	})
	all.Wait()
	return errors.Join(errs...)
}

func created(what string, err error) error {
	var answer *azcore.ResponseError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &answer) && answer.StatusCode == http.StatusConflict &&
		(answer.ErrorCode == "TableAlreadyExists" || answer.ErrorCode == "ContainerAlreadyExists"):
		return nil
	}
	return failed(what, err)
}
