package main

import (
	"fmt"
	"io"

	"github.com/storespec/storespec/internal/mutant"
	"github.com/storespec/storespec/internal/verify"
)

// progressLine is one line on a terminal that is written over and over, and gone at the end.
type progressLine struct {
	w      io.Writer
	system string
}

// eraseLine goes to the line's begin and erases it (ECMA-48, EL).
const eraseLine = "\r\x1b[K"

func (l *progressLine) show(p verify.Progress) {
	fmt.Fprintf(l.w, "%s%s: %d of %d rules done; %d of %d scenarios: %d passed, %d failed", eraseLine, l.system, p.RulesDone, p.Rules, p.Done, p.Total, p.Passed, p.Failed)
}

func (l *progressLine) showMutants(p mutant.Progress) {
	fmt.Fprintf(l.w, "%s%s: %d of %d mutants: %d killed, %d not", eraseLine, l.system, p.Done, p.Total, p.Killed, p.Done-p.Killed)
}

func (l *progressLine) clear() { io.WriteString(l.w, eraseLine) }
