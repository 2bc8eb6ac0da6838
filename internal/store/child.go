package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/storespec/storespec/internal/host/process"
)

// Ended returns the Pool.Broken of a store that is a child process; what is its name and its address.
func Ended(child *process.Process, what string) func() error {
	return func() error {
		select {
		case <-child.Done():
			return fmt.Errorf("%w: %s: %s\n%s", ErrUnavailable, what, child.Exit(), child.Output())
		default:
			return nil
		}
	}
}

// Run runs a program in a directory to its end. The error has its output.
func Run(ctx context.Context, dir string, args ...string) error {
	child, err := process.Start(args, process.Options{Dir: dir})
	if err != nil {
		return err
	}
	select {
	case <-child.Done():
	case <-ctx.Done():
		return errors.Join(ctx.Err(), child.Stop(ctx))
	}
	if exit := child.Exit(); exit != "exit status 0" {
		return fmt.Errorf("%s\n%s", exit, child.Output())
	}
	return nil
}

// CacheDir returns the directory in which a program is installed: the given one, or storespec in the user's cache
// directory. The error wraps ErrUnavailable.
func CacheDir(given, program string) (string, error) {
	if given != "" {
		return given, nil
	}
	user, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("%w: no directory to install %s in: %w", ErrUnavailable, program, err)
	}
	return filepath.Join(user, "storespec"), nil
}
