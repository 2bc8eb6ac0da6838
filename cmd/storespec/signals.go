package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// endings are the signals that ask a program to end: by Ctrl-C, by another program, by a terminal that closes unless nohup said
// that this does not matter.
func endings() []os.Signal {
	if signal.Ignored(syscall.SIGHUP) {
		return []os.Signal{os.Interrupt, syscall.SIGTERM}
	}
	return []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
}

// oneSignal is how long signals count as one: coreutils' timeout, and a terminal that closes, send
// theirs to the process and to its group.
const oneSignal = 500 * time.Millisecond

// untilSignal gives a context that ends with the first of these signals, so that what was started
// can be ended and what is known be said. The next one ends the program at once, as the system does.
func (a *app) untilSignal(parent context.Context) (context.Context, func()) {
	ctx, stop := signal.NotifyContext(parent, endings()...)
	detach := context.AfterFunc(ctx, func() {
		if a.onTerminal() {
			fmt.Fprint(a.stderr, eraseLine) // of progress
		}
		fmt.Fprintln(a.stderr, "storespec: stopping; once more ends it at once")
		time.AfterFunc(oneSignal, stop)
	})
	return ctx, func() { detach(); stop() }
}
