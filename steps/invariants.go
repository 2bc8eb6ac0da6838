package steps

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/storespec/storespec/internal/wire"
)

// invariants is what holds after every scenario, without a step: an answer of 4xx wrote nothing
// (design, "Calls and budgets"), no key or blob name holds what its system keeps out of them, no log
// holds a secret, and every answer keeps the HTTP contract.
func (w *World) invariants(ctx context.Context) error {
	w.ctx = context.WithoutCancel(ctx)
	if len(w.exchanges) == 0 {
		return nil
	}
	if err := w.settle(); err != nil {
		return err
	}
	var broken []error
	for _, e := range w.exchanges {
		if e.status >= 400 && e.status < 500 && !e.faulted && !e.request.Shared() {
			broken = append(broken, e.wrote(e.calls()))
		}
	}
	_, logged := w.noSecretInLog()
	w.active().log.before = w.secrets()
	return errors.Join(append(broken, w.noKeyHolds(w.system().NotInKeys), logged, w.contractKept())...)
}

// settle waits, once after each request at most, until no storage call is under way, so that late
// calls are seen.
func (w *World) settle() error {
	if w.settled {
		return nil
	}
	if err := w.active().Recorder.Settle(w.ctx); err != nil {
		return fmt.Errorf("wait for the last storage calls: %w", err)
	}
	w.settled = true
	return nil
}

// emailAddress finds an e-mail as it could stand in a key or an address.
var emailAddress = regexp.MustCompile(`[\w.+-]+(@|%40)[\w-]+(\.[\w-]+)+`)

// EMail is an e-mail where none may stand.
func EMail() *Forbidden { return &Forbidden{"an e-mail", emailAddress} }

// noKeyHolds looks through every call of the scenario.
func (w *World) noKeyHolds(forbidden *Forbidden) error {
	if forbidden == nil {
		return nil
	}
	if err := w.settle(); err != nil {
		return err
	}
	for _, call := range w.active().Recorder.Calls() {
		for _, c := range append([]wire.Call{call}, call.Inner...) {
			for _, key := range []string{c.Partition, c.Row, c.Blob, c.Prefix} {
				if forbidden.Pattern.MatchString(key) {
					return fmt.Errorf("a key or blob name of %s on %s holds %s", c.Operation, c.Resource, forbidden.What)
				}
			}
		}
	}
	return nil
}

// Scrub takes out of a text what may not reach a report: e-mails, session ids and sign-in tokens,
// and the values of headers that were given for the target.
func (w *World) Scrub(text string) string {
	if w.shown != nil {
		text = w.shown.world.Scrub(text)
	}
	text = w.lane.maker.Scrub(text)
	if secret := w.system().SecretBlobs; secret != nil {
		text = secret.ReplaceAllString(text, "$1/<secret>")
	}
	for name, p := range w.people {
		if p.session != "" {
			text = strings.ReplaceAll(text, p.session, "<session of "+name+">")
		}
		if p.email != "" {
			text = strings.ReplaceAll(text, p.email, "<e-mail of "+name+">")
		}
	}
	for name, value := range w.kept {
		if strings.HasSuffix(name, "Token") {
			text = strings.ReplaceAll(text, value, "<"+name+">")
		}
	}
	return ScrubEmails(text)
}

// ScrubEmails takes everything out of a text that could be an e-mail.
func ScrubEmails(text string) string { return emailAddress.ReplaceAllString(text, "<e-mail>") }
