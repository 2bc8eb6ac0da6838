package target

import (
	"context"
	"strings"
)

// URL is a target that its owner starts. announce is told the environment that the owner must give
// it, before it is waited for; nil: the owner knows.
func URL(base string, announce func(env map[string]string)) Target {
	if announce == nil {
		announce = func(map[string]string) {}
	}
	return address{strings.TrimRight(base, "/"), announce}
}

type address struct {
	base     string
	announce func(env map[string]string)
}

func (a address) String() string    { return a.base }
func (a address) Restartable() bool { return false }

func (a address) Start(ctx context.Context, env map[string]string, ready string) (*Instance, error) {
	a.announce(env)
	if err := awaitReady(ctx, a.base+ready, nil); err != nil {
		return nil, &StartError{Target: a.base, Reason: err.Error()}
	}
	return &Instance{URL: a.base}, nil
}
