package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/storespec/storespec/internal/host/terminal"
)

// endings returns the signals that ask a program to end: from Ctrl-C, from another program, or from a closing terminal
// unless nohup has ignored that one.
func endings() []os.Signal {
	if signal.Ignored(syscall.SIGHUP) {
		return []os.Signal{os.Interrupt, syscall.SIGTERM}
	}
	return []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
}

// oneSignal is how long repeated signals count as one: coreutils' timeout and a closing terminal signal both the
// process and its group.
const oneSignal = 500 * time.Millisecond

// untilSignal returns a context that ends at the first of these signals, so that started processes can be stopped and
// known results reported. The next signal ends the program at once, as is the system's default.
func (a *app) untilSignal(parent context.Context) (context.Context, func()) {
	ctx, stop := signal.NotifyContext(parent, endings()...)
	detach := context.AfterFunc(ctx, func() {
		if a.OnTerminal() {
			fmt.Fprint(a.Stderr, terminal.EraseLine) // of progress
		}
		fmt.Fprintln(a.Stderr, "storespec: stopping; interrupt again to stop at once")
		time.AfterFunc(oneSignal, stop)
	})
	return ctx, func() { detach(); stop() }
}
