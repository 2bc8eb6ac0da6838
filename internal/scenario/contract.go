package scenario

import (
	"errors"

	"github.com/storespec/storespec/internal/run/contract"
)

// contractKept checks every answer of the scenario against the system's contract; a system without a contract has no
// such checks. Each kind of violation is reported once, however many answers have it.
func (w *World) contractKept() error {
	held := w.Stage.suite.Contract
	if held == nil {
		return nil
	}
	reported := map[contract.Violation]bool{}
	var broken []error
	for _, e := range w.Requests.exchanges {
		if e.Status == 0 {
			continue // there was no answer; the step has judged whether one was due
		}
		err := held.Check(contract.Answer{Method: e.method, Path: e.Path, Status: e.Status, Header: e.Header,
			Body: e.Body})
		if violation := (*contract.Violation)(nil); errors.As(err, &violation) {
			if reported[*violation] {
				continue
			}
			reported[*violation] = true
		}
		broken = append(broken, e.Blame(err))
	}
	return errors.Join(broken...)
}
