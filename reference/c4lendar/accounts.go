package c4lendar

import (
	"context"
	"errors"
)

// outcomes are what became of a command at each account: nil where it is done.
type outcomes []error

// atEach does a command at each of n accounts.
func atEach(n int, do func(i int) error) outcomes {
	results := make(outcomes, n)
	_ = inParallel(n, func(i int) error {
		results[i] = do(i)
		return nil
	})
	return results
}

func (all outcomes) done() (n int) {
	for _, err := range all {
		if err == nil {
			n++
		}
	}
	return n
}

// failed returns the error because of which a command must be delivered again: that of the storage, or a passing one of
// Google's if no account is done.
func (all outcomes) failed() error {
	for _, err := range all {
		if err != nil && !errors.Is(err, errPassing) && !errors.Is(err, errRefused) {
			return err
		}
	}
	if all.done() > 0 {
		return nil
	}
	for _, err := range all {
		if errors.Is(err, errPassing) {
			return err
		}
	}
	return nil
}

// withAccess asks Google for an access token of a connection, and calls do with it. An account that has withdrawn its
// consent is revoked (CB-TOK-1). Errors: errRefused also for a connection without a token that can be read.
func (s connections) withAccess(ctx context.Context, one *connection, do func(access string) error) error {
	if one == nil || !one.active() {
		return errRefused
	}
	token, _, err := s.vault.decrypt(one.RefreshToken)
	if err != nil {
		return errRefused
	}
	given, err := s.google.refresh(ctx, token)
	if errors.Is(err, errRevoked) {
		if failed := s.withdraw(ctx, one); failed != nil {
			return failed
		}
	}
	if err != nil {
		return err
	}
	return do(given.Access)
}

// withdraw revokes a connection whose token Google does not take any more.
func (s connections) withdraw(ctx context.Context, one *connection) error {
	all, err := s.connections(ctx, one.ChatID)
	if err != nil {
		return err
	}
	return s.revoke(ctx, one, all)
}

// accounts returns the connections that an event's mappings are of; nil for one that is missing.
func (s connections) accounts(ctx context.Context, all []*mapping) ([]*connection, error) {
	found := make([]*connection, len(all))
	return found, inParallel(len(all), func(i int) (err error) {
		found[i], err = s.connection(ctx, all[i].ChatID, all[i].GoogleSub)
		return err
	})
}
