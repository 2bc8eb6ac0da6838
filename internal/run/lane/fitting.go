package lane

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/run/mapping"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/run/waiting"
	"github.com/storespec/storespec/internal/wire"
)

// Fitting adapts a lane to an implementation that cannot use what its contract offers as it is. The zero value changes
// nothing.
type Fitting struct {
	Places Places
	Trust  *Trust // makes the gateway serve https; nil: http
	// OnDemand makes the gateways of lanes that need https serve it, while the others use http. The target is known to
	// trust its certificate; nil: no lane can need https.
	OnDemand *Trust
	Env      []system.Mapping // overrides what the contract promises
	Header   http.Header
	// Mapping says how the names of an implementation differ from the contract's; nil: they do not.
	Mapping *mapping.Mapping
	// Setup is a shell command that prepares the namespace of each lane before its target starts, for example by
	// running migrations. It gets the target's environment without the port, which is chosen later. Its storage calls
	// are neither judged nor counted.
	Setup   string
	SetupIn string // the directory that Setup is run in; "": the working directory
	// Settle is the quiet time after which storage calls are judged; 0: one that fits the transport.
	Settle time.Duration
	// ReadyWithin is how long a target may take to be ready; 0: as long as usual.
	ReadyWithin time.Duration
}

// Places says where a lane's surroundings are, for a server that was configured before the run. Anything not named is
// new: a free port, a directory that is removed at the end. Only one lane can use them.
type Places struct {
	Gateway    map[wire.Service]string // addresses, such as 127.0.0.1:10002
	Companions map[string]string       // addresses or directories, by the companions' names
}

// Taken reports whether the lane is at a place that only one lane can use.
func (p Places) Taken() bool { return len(p.Gateway)+len(p.Companions) > 0 }

// OverTLS returns a maker of lanes whose gateways serve https; nil: the run has no certificate that the target trusts.
func (m *Maker) OverTLS() *Maker {
	over := *m
	if over.Trust = cmp.Or(m.Trust, m.OnDemand); over.Trust == nil {
		return nil
	}
	return &over
}

// Gateway returns the options of a gateway.
func (f *Fitting) Gateway() wire.GatewayOptions {
	o := wire.GatewayOptions{Addresses: f.Places.Gateway}
	if f.Trust != nil {
		o.TLS = f.Trust.authority.Server()
	}
	return o
}

// environment returns the environment of a target on a lane, by the port it listens on: what the contract promises,
// overridden by the fitting, overridden by what belongs to a scenario.
func (m *Maker) environment(l *Lane, values map[string]string) func(port string) map[string]string {
	fitting, unset := m.Fitting, m.unset(l)
	fitting.Env = m.variables(l)
	return func(port string) map[string]string {
		env := fitting.Environment(values, port)
		if _, named := env["TZ"]; !named && m.Zone != "" {
			env["TZ"] = m.Zone
		}
		for _, name := range unset {
			delete(env, name)
		}
		maps.Copy(env, l.more)
		return env
	}
}

// variables returns those that a lane promises to its target; of two with a name, the last one counts.
func (m *Maker) variables(l *Lane) []system.Mapping {
	return slices.Concat(m.System.Env, l.added, m.Env)
}

// unset returns the names of the variables that a lane's target does not get, in no order.
func (m *Maker) unset(l *Lane) []string {
	withheld := map[string]bool{}
	for _, one := range m.variables(l) {
		withheld[one.Name] = slices.ContainsFunc(l.withheld, one.Uses)
	}
	maps.DeleteFunc(withheld, func(_ string, is bool) bool { return !is })
	return slices.AppendSeq(slices.Clone(l.unset), maps.Keys(withheld))
}

// Environment returns what the fitting sets in a target's environment under the target's own names, in addition to what
// it gets anyway. Without a port, variables that need one are left out.
func (f *Fitting) Environment(values map[string]string, port string) map[string]string {
	if f.Trust == nil {
		return system.Expand(f.Env, values, port)
	}
	values = maps.Clone(values)
	values["ca"] = f.Trust.ca
	env := f.Trust.environment()
	maps.Copy(env, system.Expand(f.Env, values, port))
	return env
}

// prepare runs the lane's set-up, if there is one, and forgets its calls. Errors: *target.SetupError.
func (m *Maker) prepare(ctx context.Context, lane *Lane) error {
	if m.Setup == "" {
		return nil
	}
	end := m.Waits.Begin(waiting.Reason, func(lasted time.Duration) string {
		return "waiting for the command of --setup, " + waiting.Of(lasted, target.SetupWithin)
	})
	err := target.Setup(ctx, m.SetupIn, m.Setup, lane.Environment(lane.Gate)(""), m.unset(lane)...)
	end()
	if failed, ok := errors.AsType[*target.SetupError](err); ok {
		failed.Output = m.ScrubOutput(failed.Output)
	}
	if err != nil {
		return err
	}
	if err := lane.Recorder.Settle(ctx); err != nil {
		return fmt.Errorf("wait for the last storage calls of the set-up: %w", err)
	}
	lane.Recorder.Reset()
	lane.prepared = lane.Recorder.Attributed()
	return nil
}

// shortestHidden prevents values such as "1" or "dev" from being removed from every text.
const shortestHidden = 4

// storageKey matches the keys to a storage account: in a connection string, or in an address with a shared access
// signature.
var storageKey = regexp.MustCompile(`(?i)((?:AccountKey|SharedAccessSignature|[?&]sig)=)[^;&\s"',]+`)

// Scrub removes from a text the values of headers that go to the target, since they may be keys, and the keys of
// storage accounts.
func (f *Fitting) Scrub(text string) string {
	for name, values := range f.Header {
		for _, value := range values {
			if len(value) >= shortestHidden {
				text = strings.ReplaceAll(text, value, "<header "+name+">")
			}
		}
	}
	if !strings.Contains(text, "=") {
		return text // which spares most texts the search
	}
	return storageKey.ReplaceAllString(text, "$1…")
}

// ScrubOutput is Scrub for what a target wrote outside of any scenario: it removes all e-mails, since their owners are
// unknown.
func (f *Fitting) ScrubOutput(text string) string { return ScrubEmails(f.Scrub(text)) }

// EmailAddress matches an e-mail as it could appear in a key or an address.
var EmailAddress = regexp.MustCompile(`[\w.+-]+(@|%40)[\w-]+(\.[\w-]+)+`)

// ScrubEmails removes everything from a text that could be an e-mail.
func ScrubEmails(text string) string {
	if !strings.Contains(text, "@") && !strings.Contains(text, "%40") {
		return text // which spares most texts the search
	}
	return EmailAddress.ReplaceAllString(text, "<e-mail>")
}
