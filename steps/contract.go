package steps

import (
	"errors"

	"github.com/storespec/storespec/internal/contract"
)

// contractKept holds every answer of the scenario to the system's contract; a system without one asks for nothing. Each
// kind of violation is told once, however many answers have it.
func (w *World) contractKept() error {
	held := w.lane.maker.Contract
	if held == nil {
		return nil
	}
	told := map[contract.Violation]bool{}
	var broken []error
	for _, e := range w.exchanges {
		if e.status == 0 {
			continue // there was no answer; whether one was due, its step has judged
		}
		err := held.Check(contract.Answer{Method: e.method, Path: e.path, Status: e.status, Header: e.header, Body: e.body})
		if violation := (*contract.Violation)(nil); errors.As(err, &violation) {
			if told[*violation] {
				continue
			}
			told[*violation] = true
		}
		broken = append(broken, err)
	}
	return errors.Join(broken...)
}
