package lane

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/run/proof"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/run/waiting"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire"
)

// Beside returns a lane for one more scenario at the same time on l's target, namespace and surroundings. Its recorder
// has the calls that carry the trace of its own requests. The target must pass the trace on (PassesTrace), and only
// scenarios that need not be Alone may run on it.
func (l *Lane) Beside() *Lane {
	return &Lane{
		Target: l.Target, Recorder: l.Recorder.Beside(), beside: l, Maker: l.Maker, Lease: l.Lease, Gate: l.Gate,
		Paging: l.Paging, Data: l.Data, companions: l.companions, values: l.values, Client: l.Client,
	}
}

// PassesTrace asks the target for something it can only know from the store, and counts the storage calls of that
// request by whether they carried its trace. An error means that the target gave no answer.
func (l *Lane) PassesTrace(ctx context.Context) (wire.Attribution, error) {
	request := l.Recorder.Begin("whether the server passes on its trace")
	defer request.End()
	err := l.needStore(ctx, l.Target.URL, request)
	if err == nil {
		err = l.Recorder.Settle(ctx)
	}
	if err != nil {
		return wire.Attribution{}, fmt.Errorf("check whether the server passes on its trace: %w", err)
	}
	var found wire.Attribution
	for _, call := range request.Calls() {
		switch {
		case call.Provisions():
		case call.ByTrace:
			found.ByTrace++
		default:
			found.ByLane++
		}
	}
	return found, nil
}

// Lane is one target on one namespace of a store, with the gateway between the two. A scenario has a lane to itself.
type Lane struct {
	Target   *target.Instance
	Recorder *wire.Recorder

	Maker   *Maker
	beside  *Lane     // the lane whose surroundings it shares (Beside); nil: it has its own
	others  []Process // in addition to the first, once a scenario has needed several
	warmed  map[*target.Instance]bool
	Lease   *store.Lease
	Gate    *wire.Gateway
	Paging  *wire.Paging // of all its gateways
	Data    *data
	watched map[*target.Instance]bool // its output at the start has been read

	distortion Distortion
	companions []Companion
	values     map[string]string // of the companions, by placeholder
	more       map[string]string // overrides the environment that the contract promises
	added      []system.Mapping  // to that environment
	withheld   []string          // placeholders that the target's environment may not use
	unset      []string          // variables that the target does not get
	Client     *http.Client
	Patience   patience
	prepared   wire.Attribution // calls of the set-up
	colder     wire.Attribution // calls of the cold lanes of its scenarios
}

// Maker makes lanes: it holds everything that all of them share.
type Maker struct {
	System system.System
	Store  store.Store
	Target target.Target
	Secret string // of the run, for a target to sign with: {secret}
	Zone   string // the time zone of a target whose own environment does not name one (TZ); "": this machine's
	Fitting
	Companions []func() Companion // created for each lane
	// AnswerWithin is how long the target may take for an answer; 0 is proof.AnswerWithin. The lane's client waits for
	// proof.Patience of it.
	AnswerWithin time.Duration
	Waits        *waiting.Board // what the run waits for; nil: it is not shown
	// Hangs says that storage calls will go unanswered, or their connections break, on purpose: a configurable target
	// should get a short storage timeout, and is reached over connections.
	Hangs bool
	// Distort returns what makes the surroundings of a lane's target misbehave, on its namespace; nil: nothing does.
	Distort func(*store.Lease) Distortion
	Sockets bool // the target is reached, and reaches its store, over connections only
	// Ignored is called for each process of the target that is killed since it has not ended when it was asked to, with
	// the time it had; nil: it is not shown.
	Ignored func(after time.Duration)
}

// tlsQuiet is the quiet time of a gateway that serves https: before a call there may be a handshake.
const tlsQuiet = 30 * time.Millisecond

// quiet returns the quiet time of the lanes' recorders.
func (m *Maker) quiet() time.Duration {
	if m.Trust != nil {
		return cmp.Or(m.Settle, tlsQuiet)
	}
	return cmp.Or(m.Settle, wire.QuietTime)
}

// Special is what is special about a lane. The zero value means nothing is.
type Special struct {
	Cold bool        // its namespace has never been used
	With []Companion // in addition to those of every lane
	// Env overrides the environment that the contract promises; nil: nothing. It is called after the companions have
	// started.
	Env func() map[string]string
	// Added are variables in addition to those that the contract promises.
	Added []system.Mapping
	// Withheld are placeholders: a variable that uses one of them is not set.
	Withheld []string
	// Unset are variables that are not set, unless by Env: not even if storespec's own environment has them.
	Unset []string
}

// Make leases a namespace and starts a target on it. Errors: those of the store's lease and of companions, and
// *target.StartError.
func (m *Maker) Make(ctx context.Context, special Special) (_ *Lane, err error) {
	lane := &Lane{Maker: m, Recorder: wire.NewRecorder(), Paging: &wire.Paging{}, values: map[string]string{}}
	lane.Recorder.SetQuiet(m.quiet())
	defer func() {
		if err != nil {
			err = errors.Join(err, lane.Close(context.WithoutCancel(ctx)))
		}
	}()
	lease := m.Store.Lease
	if special.Cold {
		lease = m.Store.LeaseCold
	}
	if lane.Lease, err = lease(ctx); err != nil {
		return nil, err
	}
	if m.Distort != nil {
		lane.distortion = m.Distort(lane.Lease)
	}
	lane.Data = newData(lane)
	if err = lane.provision(ctx); err != nil {
		return nil, err
	}
	for _, companion := range m.Companions {
		special.With = append(special.With, companion())
	}
	for _, companion := range special.With {
		if err = lane.accompany(ctx, companion); err != nil {
			return nil, err
		}
	}
	if lane.Gate, err = m.openGate(lane, m.Gateway()); err != nil {
		return nil, err
	}
	lane.added, lane.withheld, lane.unset = special.Added, special.Withheld, special.Unset
	if special.Env != nil {
		lane.more = special.Env()
	}
	lane.Client = newClient(m.Header, proof.Patience(m.Answers()))
	if distorted := lane.distortion.Answers; distorted != nil {
		lane.Client.Transport = distorted(lane.Client.Transport)
	}
	lane.Client.Transport = m.Mapping.Transport(lane.Client.Transport)
	if err = m.prepare(ctx, lane); err != nil {
		return nil, err
	}
	if lane.Target, err = m.start(ctx, lane, lane.Gate); err != nil {
		return nil, err
	}
	return lane, nil
}

// openGate opens a gateway to the lane's store.
func (m *Maker) openGate(lane *Lane, o wire.GatewayOptions) (*wire.Gateway, error) {
	o.Before = lane.distortion.Calls
	return wire.NewGateway(lane.Recorder, lane.Paging.Handlers(lane.upstream()), o)
}

// Placeholders returns the names that every lane offers to the templates of a target's environment, in addition to
// those of its store and its companions.
func Placeholders() []string {
	return []string{"ca", "container", "port", "secret", "storage-try-timeout"}
}

// How long a configurable server waits for the answer to one storage call. An answer takes milliseconds, but on a busy
// machine, or where orders hold a call back, seconds: a call that is given up and sent again is another order than the
// one that is judged. If calls hang on purpose, a scenario takes several times as long as this.
const (
	TryTimeout  = "10s"
	hungTimeout = "250ms"
)

// offered returns the values that a target behind the gateway can be configured with, by placeholder.
func (l *Lane) offered(gate *wire.Gateway) map[string]string {
	values := l.Lease.Values(gate.Endpoints())
	maps.Copy(values, l.values)
	values["container"], values["secret"] = l.Maker.System.Container, l.Maker.Secret
	values["storage-try-timeout"] = TryTimeout
	if l.Maker.Hangs {
		values["storage-try-timeout"] = hungTimeout
	}
	return values
}

// StoreVariables returns the variables with the target's store: those that hold an address of the
// gateway.
func (l *Lane) StoreVariables() []string {
	var names []string
	for name, value := range l.Environment(l.Gate)("") {
		for _, address := range l.Gate.Endpoints() {
			if strings.Contains(value, address) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// Zone returns the time zone that the target was started in, as the variable TZ names it; "" if it is not set.
func (l *Lane) Zone() string { return l.Environment(l.Gate)("")["TZ"] }

// Environment returns the environment of a target behind the gateway, by the port it listens on.
func (l *Lane) Environment(gate *wire.Gateway) func(port string) map[string]string {
	return l.Maker.environment(l, l.offered(gate))
}

// Promised returns the environment that the design promises to every target, for storespec's own commands: with the
// lane's gateway and its certificate, and without what the fitting passes under other names.
func (l *Lane) Promised() map[string]string {
	fitting := Fitting{Trust: l.Maker.Trust, Env: l.Maker.System.Env}
	env := fitting.Environment(l.offered(l.Gate), "")
	maps.Copy(env, l.more)
	return env
}

// More returns the variables that a scenario adds to the environment of the lane's target.
func (l *Lane) More() map[string]string { return maps.Clone(l.more) }

// start starts a target on the lane, behind one of the lane's gateways. If both the store and the target are in this
// process, they are connected without a socket, but the recorder is still between them. If TLS was requested there is a
// socket, so that TLS is tested.
func (m *Maker) start(ctx context.Context, lane *Lane, gate *wire.Gateway) (*target.Instance, error) {
	to := m.Target
	if here, ok := to.(target.InProcess); ok {
		switch {
		case m.Trust != nil:
			to = here.Over(m.Trust.transport)
		case m.Hangs || m.Sockets: // a broken connection needs a real connection
		case lane.Lease.Transport() != nil:
			to = here.Over(gate.Transport())
		}
	}
	instance, err := to.Start(ctx, target.Launch{Env: lane.Environment(gate), Unset: m.unset(lane),
		Ready: m.System.Ready, Within: m.ReadyWithin, Header: m.Header, Waits: m.Waits, Ignored: m.Ignored})
	if failed, ok := errors.AsType[*target.StartError](err); ok {
		failed.Reason, failed.Output = m.ScrubOutput(failed.Reason), m.ScrubOutput(failed.Output)
	}
	return instance, err
}

// Quieten forgets the lane's calls and requests, and what was scripted for its companions.
func (l *Lane) Quieten() {
	l.Recorder.Reset()
	l.resetCompanions()
}

// Attributed says how the storage calls that the lane has ever seen were matched to requests, those of its scenarios'
// cold lanes included. Those of Fitting.Setup are not included.
func (l *Lane) Attributed() wire.Attribution {
	return l.Recorder.Attributed().Minus(l.prepared).Plus(l.colder)
}

// Count adds what was seen of a cold lane's calls.
func (l *Lane) Count(cold *Lane) { l.colder = l.colder.Plus(cold.Attributed()) }

// Refused says why the target, over TLS, last hung up on the gateway; "" if it never did.
func (l *Lane) Refused() string { return l.Gate.Refused() }

// StoreEnded returns an error that wraps store.ErrUnavailable if the lane's store is known to have ended.
func (l *Lane) StoreEnded() error { return l.Lease.Check() }

// NeverReady reports whether an error of Make says that the target has ended, or was not ready in time.
func NeverReady(err error) bool {
	_, is := errors.AsType[*target.StartError](err)
	return is
}

// UsesStore asks the target for something it can only know from the store, and reports whether the gateway has seen any
// of its calls by then. An error means that this is not known: the mapping cannot send that request, or the target gave
// no answer.
func (l *Lane) UsesStore(ctx context.Context) (bool, error) {
	recorded := l.Recorder.Begin("GET " + l.Maker.System.NeedsStore)
	defer recorded.End()
	if err := l.needStore(ctx, l.Target.URL, recorded); err != nil {
		return false, fmt.Errorf("check whether the server uses the store: %w", err)
	}
	return l.Attributed().OfTarget() > 0, nil
}

// Restore reverts what a scenario did to the lane's surroundings.
func (l *Lane) Restore() {
	l.SetDown(false)
	l.Paging.Set(wire.Pages{})
	for _, one := range l.instances() {
		one.Gate.Clear()
	}
}

// Close ends everything that Make started. It is safe on a lane that was only partly made.
func (l *Lane) Close(ctx context.Context) error {
	if l.beside != nil {
		return nil
	}
	errs := []error{l.closeOthers(ctx)}
	if l.Target != nil {
		errs = append(errs, l.Target.Stop(ctx))
	}
	if l.Client != nil {
		l.Client.CloseIdleConnections()
	}
	if l.Gate != nil {
		errs = append(errs, l.Gate.Close())
	}
	for _, companion := range l.companions {
		errs = append(errs, companion.Close())
	}
	if l.Lease != nil {
		l.Lease.Release()
	}
	return errors.Join(errs...)
}
