package scenario

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/storespec/storespec/internal/run/system"
)

// shortestSecret excludes "session ids" that are not secrets, such as "../x", from the search.
const shortestSecret = 12

// Secrets returns the values of the scenario's people that must not appear in a log, and what each of them is.
func (r *Requests) Secrets() map[string]string {
	found := map[string]string{}
	add := func(value, what string) {
		if len(value) >= shortestSecret {
			found[value] = what
		}
	}
	for name, p := range r.names.people.byName {
		add(p.Email, "the e-mail of "+name)
		add(url.QueryEscape(p.Email), "the e-mail of "+name)
		add(p.Session, "the session id of "+name)
	}
	for name, value := range r.names.kept {
		for ending, what := range r.stage.suite.Vocabulary.secrets {
			if owner, secret := strings.CutSuffix(name, ending); secret {
				add(value, what+" of "+owner)
			}
		}
	}
	opened := r.stage.System().Session
	for _, e := range r.exchanges {
		id, ok := e.JSON(opened.Answer).(string)
		if ok && opened.Answer != "" && (opened.Expires == "" || e.JSON(opened.Expires) != nil) {
			add(id, "a session id that was answered")
		}
		for _, cookie := range (&http.Response{Header: e.Header}).Cookies() {
			add(cookie.Value, "the cookie "+cookie.Name)
		}
	}
	add(r.stage.lane.Maker.Secret, system.SecretIs)
	for _, key := range r.stage.Lane().Lease.Secrets() {
		add(key, "the storage account's key")
	}
	return found
}

// NoSecretInLog searches what the scenario's targets have written, once all of it has arrived. known is false if
// storespec cannot see it.
func (w *World) NoSecretInLog(ctx context.Context) (known bool, err error) {
	w.log.Look(w.Stage.Lane(), w.Requests.Secrets())
	return w.log.Visible(), w.Leaked(ctx)
}

// LogLines returns the lines that the scenario's targets have written so far. known is false if storespec cannot see
// them.
func (w *World) LogLines() (lines []string, known bool) { return w.log.Lines(w.Stage.Lane()) }

// Prints reports whether the scenario's targets may still write about its requests, after Finish.
func (w *World) Prints() bool { return len(w.Requests.exchanges) > 0 && w.log.Lags() }

// Leaked returns an error that names the secrets of the scenario and its cases in what its targets wrote, unless an
// earlier one has named them. It waits until what they wrote has arrived: for a server in a process of its own, a
// quarter of a second. It may be called after Finish, while the lane serves another scenario.
func (w *World) Leaked(ctx context.Context) error {
	w.log.Await(ctx)
	if names := w.log.Leaks(); len(names) > 0 {
		return fmt.Errorf("the server's log holds %s", strings.Join(names, ", "))
	}
	return nil
}
