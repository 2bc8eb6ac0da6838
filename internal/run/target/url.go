package target

import (
	"cmp"
	"context"
	"net/url"
	"strings"
)

// URL is a target that its owner starts. announce is called with the environment that the owner must give it, before
// the wait for it begins; nil: the owner knows.
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

func (a address) Start(ctx context.Context, launch Launch) (*Instance, error) {
	a.announce(launch.Env(a.port()))
	if err := launch.awaitReady(ctx, a.base, nil, nil); err != nil {
		return nil, &StartError{Target: a.base, Reason: err.Error()}
	}
	return &Instance{URL: a.base}, nil
}

// port returns the port that the target listens on, if its address contains it.
func (a address) port() string {
	parsed, err := url.Parse(a.base)
	switch {
	case err != nil:
		return ""
	case parsed.Scheme == "https":
		return cmp.Or(parsed.Port(), "443")
	}
	return cmp.Or(parsed.Port(), "80")
}
