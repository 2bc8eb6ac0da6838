package verify

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/target"
)

// ErrUntrusted is the error of a target that made no calls for a known reason: the gateway serves https, and the target
// hangs up.
var ErrUntrusted = errors.New("the server does not trust the gateway's certificate")

// NoCallsError says that the target answered but made no storage call through the gateway.
type NoCallsError struct {
	Variables []string // of the target's environment, that contain the gateway's address
	PlainHTTP string   // what the target's SDK said when it refused plain http; "": it did not
}

func (e *NoCallsError) Error() string {
	if e.PlainHTTP != "" {
		return "the gateway saw no calls: the server's SDK refuses plain http: " + e.PlainHTTP
	}
	return "the gateway saw no calls: is the connection string in use?"
}

// plainHTTP matches how the official SDKs of Azure refuse an address that begins with http: those for JavaScript, for
// Python and .NET, for Go, and for Java.
var plainHTTP = regexp.MustCompile(`(?i).*(allowInsecureConnection is false|not permitted for non.TLS protected|` +
	`without HTTPS|only supported with HTTPS|using the HTTPS protocol scheme).*`)

// noCalls returns the error of a target on a lane that made no calls; results are those of its scenarios.
func noCalls(l *lane.Lane, results []ScenarioResult) error {
	e := &NoCallsError{Variables: l.StoreVariables()}
	if l.Maker.Trust != nil {
		return e
	}
	said := []string{l.Maker.ScrubOutput(l.Target.Output())}
	for _, result := range results {
		for _, request := range result.Requests {
			said = append(said, request.Answer)
		}
	}
	e.PlainHTTP = strings.TrimSpace(plainHTTP.FindString(strings.Join(said, "\n")))
	return e
}

// usesStore returns a *NoCallsError, a *NoRoutesError or ErrUntrusted for a target that answered without the store
// although it needed it. A few rules, such as that of the health route, hold without a call: in that case the target is
// asked.
func (r *run) usesStore(ctx context.Context, result *Result) error {
	if result.Attributed.OfTarget() > 0 || !r.answered || r.options.Storeless {
		return nil
	}
	unused := r.unused(ctx, r.lanes.all[0])
	if ended := r.lanes.ended(); ended != nil {
		return &target.StartError{Target: r.options.Target.String(), Reason: "ended by itself: " + ended.Exit(),
			Output: r.options.Fitting.ScrubOutput(strings.TrimSpace(ended.Output()))}
	}
	return unused
}

// unused asks the target of a lane that no scenario is using, and returns why it does not use its store, with the
// errors of usesStore; nil if it does, or if that is not known.
func (r *run) unused(ctx context.Context, l *lane.Lane) error {
	if uses, err := l.UsesStore(ctx); err != nil || uses {
		return nil // a target that gives no answer is judged by its scenarios
	}
	if reason := l.Refused(); reason != "" {
		return fmt.Errorf("%w: %s", ErrUntrusted, reason)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.routes.none(1, 1); err != nil {
		return err
	}
	return noCalls(l, r.results)
}
