package steps

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/target"
	"github.com/storespec/storespec/internal/wire"
)

// Fitting is how a lane is made to suit an implementation that cannot use what its contract offers as
// it is. The zero value changes nothing.
type Fitting struct {
	Places Places
	Trust  *Trust    // makes the gateway serve https; nil: http
	Env    []Mapping // over what the contract promises
	Header http.Header
	// Setup is a line of the shell that prepares the namespace of each lane before its target starts, such as
	// by migrations. It gets the target's environment but for the port, which is chosen later. Its storage calls are
	// neither judged nor counted.
	Setup string
}

// Places are where a lane's surroundings are, for a server that was told so before the run. What is
// empty is new: a free port, a directory that is removed at the end. Only one lane can be there.
type Places struct {
	Table, Blob string // addresses of the gateway, such as 127.0.0.1:10002
	Queue       string // address that says that there are no queues; empty: nothing is there
	OpenAI      string // address of the OpenAI-compatible server
	Outbox      string // directory for sign-in links, which is there and stays
}

// taken reports whether a lane stands where only one can.
func (p Places) taken() bool { return p != Places{} }

// Gateway is what a gateway must be like.
func (f *Fitting) Gateway() wire.GatewayOptions {
	o := wire.GatewayOptions{Addresses: map[wire.Service]string{wire.Table: f.Places.Table, wire.Blob: f.Places.Blob}}
	if f.Trust != nil {
		o.TLS = f.Trust.authority.Server()
	}
	return o
}

// environment is what a target on a lane gets, by the port that it listens at: what the contract promises, what the
// fitting puts over it, and over that more, which is of a scenario.
func (m *LaneMaker) environment(c Connections, more map[string]string) func(port string) map[string]string {
	fitting := m.Fitting
	fitting.Env = slices.Concat(m.System.Env, m.Env)
	return func(port string) map[string]string {
		env := map[string]string{}
		if m.System.Environment != nil {
			env = m.System.Environment(c)
		}
		maps.Copy(env, fitting.Environment(c, port))
		maps.Copy(env, more)
		return env
	}
}

// Environment is what the fitting gives a target by its own names, over what it gets anyway. Without a port, what needs
// one is left out.
func (f *Fitting) Environment(c Connections, port string) map[string]string {
	env := map[string]string{}
	if f.Trust != nil {
		c.CA = f.Trust.ca
		maps.Copy(env, f.Trust.environment())
	}
	for _, mapping := range f.Env {
		if port != "" || !mapping.Uses("port") {
			env[mapping.Name] = mapping.expand(c, port)
		}
	}
	return env
}

// prepare runs the lane's set-up, if there is one, and forgets its calls. Errors: *target.SetupError.
func (m *LaneMaker) prepare(ctx context.Context, lane *Lane) error {
	if m.Setup == "" {
		return nil
	}
	err := target.Setup(ctx, m.Setup, lane.environment(lane.gate)(""))
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

// shortestHidden keeps values such as "1" or "dev" from being taken out of every text.
const shortestHidden = 4

// storageKey finds what opens a storage account: in a connection string, or in an address with a shared access signature.
var storageKey = regexp.MustCompile(`(?i)((?:AccountKey|SharedAccessSignature|[?&]sig)=)[^;&\s"',]+`)

// Scrub takes the values of headers that go to the target out of a text, since they may be keys, and keys of storage accounts.
func (f *Fitting) Scrub(text string) string {
	for name, values := range f.Header {
		for _, value := range values {
			if len(value) >= shortestHidden {
				text = strings.ReplaceAll(text, value, "<header "+name+">")
			}
		}
	}
	return storageKey.ReplaceAllString(text, "$1…")
}

// ScrubOutput is Scrub for what a target wrote outside of any scenario: the e-mails in it are nobody's that is known.
func (f *Fitting) ScrubOutput(text string) string { return ScrubEmails(f.Scrub(text)) }
