package target

import (
	"context"
	"strings"
)

// URL is a target that already runs and was told the gateway's connection strings by its owner.
func URL(base string) Target { return address(strings.TrimRight(base, "/")) }

type address string

func (a address) String() string    { return string(a) }
func (a address) Restartable() bool { return false }

func (a address) Start(ctx context.Context, _ map[string]string, ready string) (*Instance, error) {
	if err := awaitReady(ctx, string(a)+ready, nil); err != nil {
		return nil, &StartError{Target: string(a), Reason: err.Error()}
	}
	return &Instance{URL: string(a)}, nil
}
