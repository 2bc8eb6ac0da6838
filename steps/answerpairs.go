package steps

import (
	"errors"
	"fmt"
	"strings"
)

// lastTwo are the two newest requests.
func (w *World) lastTwo() (a, b *exchange, err error) {
	if len(w.exchanges) < 2 {
		return nil, nil, fmt.Errorf("fewer than two requests were sent before this step")
	}
	return w.exchanges[len(w.exchanges)-2], w.exchanges[len(w.exchanges)-1], nil
}

func (w *World) bothAnswersAre(status int, code string) error {
	a, b, err := w.lastTwo()
	if err != nil {
		return err
	}
	return errors.Join(a.is(status, code), b.is(status, code))
}

func (w *World) answersAre(first, second int) error {
	a, b, err := w.lastTwo()
	if err != nil {
		return err
	}
	if a.status == first && b.status == second || a.status == second && b.status == first {
		return nil
	}
	return fmt.Errorf("%s: the answers were %d and %d, not %d and %d", a, a.status, b.status, first, second)
}

func (w *World) answersEqual() error {
	a, b, err := w.lastTwo()
	if err != nil {
		return err
	}
	if a.status != b.status {
		return fmt.Errorf("the answers to %s differ: status %d and %d", a, a.status, b.status)
	}
	left, right := a.comparable(), b.comparable()
	if left != right {
		return fmt.Errorf("the answers to %s differ:\n  %s\n  %s", a, left, right)
	}
	return nil
}

// comparable is the answer's headers and body without what differs from answer to answer by nature.
func (e *exchange) comparable() string {
	header := e.header.Clone()
	header.Del("Date")
	body := string(e.body)
	if id, ok := e.json(e.system.TraceID).(string); ok && id != "" {
		body = strings.ReplaceAll(body, id, "…")
		for name, values := range header {
			for i := range values {
				header[name][i] = strings.ReplaceAll(values[i], id, "…")
			}
		}
	}
	return fmt.Sprint(header) + " " + body
}
