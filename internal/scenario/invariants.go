package scenario

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/scenario/budget"
	"github.com/storespec/storespec/internal/wire"
)

// Wrote returns an error that names the first call that changed something.
func (e *RoundTrip) Wrote(calls []wire.Call) error {
	for _, call := range calls {
		if call.Writes() && call.Succeeded() {
			e.Complain(call)
			wrote := fmt.Errorf("%s answered %d and wrote: %s", e, e.Status, budget.Describe(call))
			return e.Blame(RestsOn(wrote, call))
		}
	}
	return nil
}

// invariants checks what holds after every scenario, without a step: a 4xx answer wrote nothing (design, "Calls and
// budgets"), no key or blob name holds what its system keeps out of them, no answer gives the store away, and every
// answer follows the HTTP contract.
// That no log holds a secret is known a moment later: Leaked.
func (w *World) invariants(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	if len(w.Requests.exchanges) == 0 {
		return nil
	}
	if w.Requests.around != nil && !w.Cases.done {
		return Misused("a step says what happens to the next request, and none was sent after it that this is for: a " +
			"single one, or a page that is opened")
	}
	w.log.Look(w.Stage.Lane(), w.Requests.Secrets())
	if err := w.Storage.Settle(ctx); err != nil {
		return err
	}
	var broken []error
	for _, e := range w.Requests.exchanges {
		if e.Status >= 400 && e.Status < 500 && !e.Faulted && !e.Request.Shared() {
			broken = append(broken, e.Wrote(e.Calls()))
		}
	}
	return errors.Join(append(broken, w.Storage.NoKeyHolds(ctx, w.Stage.System().NotInKeys), w.storeHidden(),
		w.contractKept())...)
}

// storeHidden searches every answer for what only the store can have said, or only the target knows of it. Each kind is
// reported once.
func (w *World) storeHidden() error {
	reported := map[string]bool{}
	var broken []error
	for _, e := range w.Requests.exchanges {
		if found := w.Stage.Lane().StoreIn(e.raw()); found != "" && !reported[found] {
			reported[found] = true
			broken = append(broken, e.Blame(fmt.Errorf("%s answered %d with %s", e, e.Status, found)))
		}
	}
	return errors.Join(broken...)
}

// raw returns the header and the body of the answer as the server sent them.
func (e *RoundTrip) raw() (header http.Header, body []byte) {
	return e.wired.Raw(e.Header, e.Body)
}

// EMail matches an e-mail where none is allowed.
func EMail() *system.Forbidden {
	return &system.Forbidden{What: "an e-mail", Pattern: lane.EmailAddress}
}

// NoKeyHolds searches the keys of every call of the scenario.
func (s *Storage) NoKeyHolds(ctx context.Context, forbidden *system.Forbidden) error {
	if forbidden == nil {
		return nil
	}
	if err := s.Settle(ctx); err != nil {
		return err
	}
	searched := map[string]bool{} // most keys are those of several calls
	for _, call := range s.stage.Lane().Recorder.Calls() {
		for _, c := range append([]wire.Call{call}, call.Inner...) {
			for _, key := range c.Names() {
				if searched[key] {
					continue
				}
				searched[key] = true
				if forbidden.Pattern.MatchString(key) {
					return fmt.Errorf("a key or blob name of %s on %s holds %s", c.Operation, c.Resource,
						forbidden.What)
				}
			}
		}
	}
	return nil
}

// Scrub removes from a text what must not appear in a report: e-mails, session ids and sign-in tokens, and the values
// of headers that were given for the target.
func (n *Names) Scrub(text string) string {
	if n.shown != nil {
		text = n.shown.Scrub(text)
	}
	text = n.stage.lane.Maker.Scrub(text)
	if secret := n.stage.System().SecretBlobs; secret != nil {
		text = secret.ReplaceAllString(text, "$1/<secret>")
	}
	for name, p := range n.people.byName {
		if p.Session != "" {
			text = strings.ReplaceAll(text, p.Session, "<session of "+name+">")
		}
		if p.Email != "" {
			text = strings.ReplaceAll(text, p.Email, "<e-mail of "+name+">")
		}
	}
	for name, value := range n.kept {
		if strings.HasSuffix(name, "Token") {
			text = strings.ReplaceAll(text, value, "<"+name+">")
		}
	}
	return lane.ScrubEmails(text)
}
