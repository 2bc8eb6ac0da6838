package lane

import (
	"context"
)

// Renew makes the lane as good as new between two scenarios: its rows and blobs are deleted, its calls are forgotten,
// and its target is restarted if it had ended. For a lane made by Beside, only the calls are forgotten.
func (l *Lane) Renew(ctx context.Context) error {
	if l.beside != nil {
		l.Recorder.Reset()
		return nil
	}
	if err := l.Lease.Clean(ctx); err != nil {
		return err
	}
	l.resetCompanions()
	l.distortion.renew()
	return l.Refresh(ctx)
}

// Refresh forgets the lane's calls, and restarts its target if it had ended.
func (l *Lane) Refresh(ctx context.Context) error {
	l.Recorder.Reset()
	if l.Target.Exited() && l.Maker.Target.Restartable() {
		if err := l.Restart(ctx); err != nil {
			return err
		}
		l.Patience.answered() // as a new process, at its health route
	}
	return nil
}

// Restart starts the lane's target, which has ended, on the same store.
func (l *Lane) Restart(ctx context.Context) error {
	l.Recorder.Started()
	started, err := l.Maker.start(ctx, l, l.Gate)
	if err != nil {
		return err
	}
	l.Target = started
	return nil
}

// RestartWith ends the lane's target and starts it on the same store with another value of a variable, which it keeps.
func (l *Lane) RestartWith(ctx context.Context, name, value string) error {
	more := l.More()
	if more == nil {
		more = map[string]string{}
	}
	more[name] = value
	l.more = more
	if err := l.Target.Stop(ctx); err != nil {
		return err
	}
	return l.Restart(ctx)
}

// StartAgain ends the lane's target and starts it on the same store, as a process that has had no request.
func (l *Lane) StartAgain(ctx context.Context) error {
	if err := l.Target.Stop(ctx); err != nil {
		return err
	}
	if err := l.Restart(ctx); err != nil {
		return err
	}
	l.Patience.answered()
	return nil
}
