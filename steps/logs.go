package steps

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/target"
)

// watchedLog is what is known of the logs of a lane's targets between two looks.
type watchedLog struct {
	marks map[*target.Instance]int64
	// before are the secrets of the scenario before: what a child writes arrives a moment after its answer.
	before map[string]string
}

// shortestSecret keeps "session ids" that are none, such as "../x", from being looked for everywhere.
const shortestSecret = 12

// secrets is what the scenario's people must not meet in a log, and what each of them is.
func (w *World) secrets() map[string]string {
	found := map[string]string{}
	add := func(value, what string) {
		if len(value) >= shortestSecret {
			found[value] = what
		}
	}
	for name, p := range w.people {
		add(p.email, "the e-mail of "+name)
		add(url.QueryEscape(p.email), "the e-mail of "+name)
		add(p.session, "the session id of "+name)
	}
	for name, value := range w.kept {
		if strings.HasSuffix(name, "Token") {
			add(value, "the sign-in token of "+strings.TrimSuffix(name, "Token"))
		}
	}
	for _, e := range w.exchanges {
		if id, ok := e.json("sessionId").(string); ok && e.json("expiresAt") != nil { // not that of an ignite session
			add(id, "a session id that was answered")
		}
		for _, cookie := range (&http.Response{Header: e.header}).Cookies() {
			add(cookie.Value, "the cookie "+cookie.Name)
		}
	}
	add(w.lane.maker.Secret, "the secret that signs sign-in links")
	for _, part := range strings.Split(w.active().lease.Direct, ";") {
		if key, ok := strings.CutPrefix(part, "AccountKey="); ok {
			add(key, "the storage account's key")
		}
	}
	return found
}

// leaked names the secrets that a text holds, or "".
func leaked(text string, secrets ...map[string]string) string {
	lower := strings.ToLower(text)
	found := map[string]bool{}
	for _, set := range secrets {
		for value, what := range set {
			if strings.Contains(lower, strings.ToLower(value)) {
				found[what] = true
			}
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(found)), ", ")
}

// noSecretInLog looks through what the targets of the scenario have written since the last look. known
// is false where storespec cannot see it.
func (w *World) noSecretInLog() (known bool, err error) {
	lane := w.active()
	secrets := w.secrets()
	if lane.log.marks == nil {
		lane.log.marks = map[*target.Instance]int64{}
	}
	var names []string
	for _, one := range lane.instances() {
		text, mark, visible := one.OutputSince(lane.log.marks[one.Instance])
		lane.log.marks[one.Instance] = mark
		known = known || visible
		if what := leaked(text, secrets, lane.log.before); what != "" {
			names = append(names, what)
		}
	}
	if len(names) > 0 {
		return known, fmt.Errorf("the target's log holds %s", strings.Join(names, ", "))
	}
	return known, nil
}

func (w *World) logHoldsNoSecret() error {
	known, err := w.noSecretInLog()
	if !known {
		return fmt.Errorf("%w: storespec did not start this target and does not see its log", godog.ErrSkip)
	}
	return err
}
