package steps

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/contract"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/target"
	"github.com/storespec/storespec/internal/wire"
)

// answerWithin bounds the wait for one answer of a target: its contract says 15 s, whatever happens
// to the store.
const answerWithin = 20 * time.Second

// System is what the harness must know of a design to start an implementation of it.
type System struct {
	Name      string // as on the command line
	Ready     string // path of the health route
	Container string // the container its scenarios read and write
	// NeedsStore is the path of a route that nobody can answer, for a session nobody opened, without
	// asking the store.
	NeedsStore string
	// Session is how a request says whose it is; the zero value: it does not.
	Session Session
	// ErrorCode is the member of an answer's JSON that holds the code of an error, such as "error".
	ErrorCode string
	// TraceID is the member of an answer's JSON that is another in each answer; "" for none.
	TraceID string
	// Names are what the environment calls the system's things, by what features call them: {actions} is a table's name.
	Names map[string]string
	// NotInKeys is what no key and no blob name may hold; nil where they may hold anything.
	NotInKeys *Forbidden
	// SecretBlobs finds what is secret in an address: blobs that are named for a secret. Nil: none is.
	SecretBlobs *regexp.Regexp
	// Shared are the tables whose rows belong to the service as a whole, such as counts of a day: what a scenario
	// expects of them holds while no other one runs on the same account.
	Shared []string
	// Contract is the OpenAPI 3.1 document, in YAML, that every answer is held to; nil for none.
	Contract []byte
	// Capabilities are what an implementation may lack.
	Capabilities []Capability
	// Tool is storespec itself, for rules about its commands; nil: there are none.
	Tool Tool
	// Environment is what the contract promises an implementation, beside PORT; nil for a design that is described by a
	// file, whose Env says it.
	Environment func(Connections) map[string]string
	Own
}

// Session is where requests carry the id of their caller's session.
type Session struct {
	Header string // of API calls
	Cookie string // of browsers
}

// Forbidden is what may not stand somewhere, with its name for people.
type Forbidden struct {
	What    string // such as "an e-mail"
	Pattern *regexp.Regexp
}

// Connections is what a lane offers an implementation.
type Connections struct {
	Storage   string // connection string; its endpoints lead through the gateway
	Container string
	OpenAI    string // base URL, /v1 included
	Outbox    string // directory for sign-in links
	Secret    string // signs sign-in links
	// The parts of Storage; the addresses end with the account.
	Account, Key, Tables, Blobs string
	CA                          string // file with the certificate authority of the gateway; "" without TLS
	Hangs                       bool   // storage calls will go unanswered on purpose: a target that can be told should not wait long for one
}

// Lane is one target on one namespace of a store, with the gateway between the two. A scenario has
// a lane to itself.
type Lane struct {
	Target   *target.Instance
	Recorder *wire.Recorder

	maker  *LaneMaker
	beside *Lane      // whose surroundings it shares (beside.go); nil: they are its own
	others []instance // beside the first, once a scenario has needed several
	warmed map[*target.Instance]bool
	lease  *store.Lease
	gate   *wire.Gateway
	paging *wire.Paging // of all its gateways
	data   *data
	openai *openAI
	queues *http.Server // only where its address is held
	log    watchedLog
	// collector is only of a scenario that starts one.
	collector *collector
	redis     *redis // likewise
	outbox    string
	more      map[string]string // over the environment that the contract promises
	client    *http.Client
	patience  patience
	prepared  wire.Attribution // calls of what prepared it
	colder    wire.Attribution // calls of the cold lanes of its scenarios
}

// LaneMaker makes lanes: everything that is the same for all of them.
type LaneMaker struct {
	System System
	Store  store.Store
	Target target.Target
	Secret string // signs sign-in links
	Fitting
	// Without is the capabilities that the target declares it lacks.
	Without []string
	// Contract is the system's, loaded; nil holds answers to none.
	Contract *contract.Contract
	// AnswerWithin bounds the wait for one answer of the target; 0 is what the contract says, and some.
	AnswerWithin time.Duration
	// OrderWithin bounds one order of requests that run at the same time; 0 is the usual.
	OrderWithin time.Duration
	Vocabulary  *Vocabulary
	sockets     bool // the target is reached, and reaches its store, over connections only
	Proofs      Proofs
}

// Make leases a namespace and starts a target on it. cold asks for a namespace nobody has used; more is
// put over the environment that the contract promises.
// Errors: those of the store's lease, and *target.StartError.
func (m *LaneMaker) Make(ctx context.Context, cold bool, more map[string]string) (_ *Lane, err error) {
	lane := &Lane{maker: m, Recorder: wire.NewRecorder(), paging: &wire.Paging{}}
	defer func() {
		if err != nil {
			err = errors.Join(err, lane.Close(context.WithoutCancel(ctx)))
		}
	}()
	lease := m.Store.Lease
	if cold {
		lease = m.Store.LeaseCold
	}
	if lane.lease, err = lease(ctx); err != nil {
		return nil, err
	}
	if lane.gate, err = m.openGate(lane, m.Gateway()); err != nil {
		return nil, err
	}
	if m.Places.Queue != "" {
		if lane.queues, err = startNoQueues(m.Places.Queue); err != nil {
			return nil, err
		}
	}
	if lane.data, err = openData(lane.lease.Direct, m.System.Container, lane.lease.Transport()); err != nil {
		return nil, err
	}
	if lane.outbox = m.Places.Outbox; lane.outbox == "" {
		if lane.outbox, err = os.MkdirTemp("", "storespec-outbox-"); err != nil {
			return nil, fmt.Errorf("make an outbox for sign-in links: %w", err)
		}
	}
	if lane.openai, err = startOpenAI(m.Places.OpenAI); err != nil {
		return nil, err
	}
	lane.client = &http.Client{
		Timeout:       cmp.Or(m.AnswerWithin, answerWithin),
		Transport:     target.WithHeader(m.Header, &http.Transport{MaxIdleConnsPerHost: 4, DisableCompression: true}),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	lane.more = more
	if err = m.prepare(ctx, lane); err != nil {
		return nil, err
	}
	if lane.Target, err = m.start(ctx, lane, lane.gate); err != nil {
		return nil, err
	}
	return lane, nil
}

// openGate opens a gateway to the lane's store.
func (m *LaneMaker) openGate(lane *Lane, o wire.GatewayOptions) (*wire.Gateway, error) {
	return wire.NewGatewayWith(lane.Recorder, map[wire.Service]http.Handler{
		wire.Table: lane.paging.Handler(lane.lease.Upstream(wire.Table)), wire.Blob: lane.lease.Upstream(wire.Blob),
	}, o)
}

// connections is what the lane offers a target behind the gateway.
func (l *Lane) connections(gate *wire.Gateway) Connections {
	tables, blobs := gate.Endpoint(wire.Table), gate.Endpoint(wire.Blob)
	return Connections{
		Storage:   l.lease.ConnectionString(tables, blobs),
		Container: l.maker.System.Container,
		OpenAI:    l.openai.server.URL + "/v1",
		Outbox:    l.outbox,
		Secret:    l.maker.Secret,
		Hangs:     l.maker.Proofs.Faults == FullFaults,
		Account:   l.lease.Account, Key: l.lease.Key,
		Tables: tables + "/" + l.lease.Account, Blobs: blobs + "/" + l.lease.Account,
	}
}

// environment is what a target behind the gateway is given, by the port where it listens.
func (l *Lane) environment(gate *wire.Gateway) func(port string) map[string]string {
	return l.maker.environment(l.connections(gate), l.more)
}

// start starts a target on the lane, behind a gateway of the lane's. Where the store is in this process and the target too,
// no socket stands between the two; the recorder does. Who asks for TLS wants it tried, so there is a socket then.
func (m *LaneMaker) start(ctx context.Context, lane *Lane, gate *wire.Gateway) (*target.Instance, error) {
	to := m.Target
	if here, ok := to.(target.InProcess); ok {
		switch {
		case m.Trust != nil:
			to = here.Over(m.Trust.transport)
		case m.Proofs.Faults == FullFaults || m.sockets: // a connection that breaks is tried on a connection
		case lane.lease.Transport() != nil:
			to = here.Over(gate.Transport())
		}
	}
	instance, err := to.Start(ctx, target.Launch{Env: lane.environment(gate), Ready: m.System.Ready, Header: m.Header})
	if failed, ok := errors.AsType[*target.StartError](err); ok {
		failed.Reason, failed.Output = m.ScrubOutput(failed.Reason), m.ScrubOutput(failed.Output)
	}
	return instance, err
}

// Renew makes the lane as good as new between two scenarios: its rows and blobs are gone, its calls
// forgotten, and its target started again if it had ended. Of one beside others only the calls are forgotten.
func (l *Lane) Renew(ctx context.Context) error {
	if l.beside != nil {
		l.Recorder.Reset()
		return nil
	}
	if err := l.lease.Clean(ctx); err != nil {
		return err
	}
	l.openai.reset()
	return l.refresh(ctx)
}

// refresh forgets the lane's calls, and starts its target again if it had ended.
func (l *Lane) refresh(ctx context.Context) error {
	l.Recorder.Reset()
	if l.Target.Exited() && l.maker.Target.Restartable() {
		instance, err := l.maker.start(ctx, l, l.gate)
		if err != nil {
			return err
		}
		l.Target = instance
		l.patience.answered() // as a new process, at its health route
	}
	return nil
}

// Quieten forgets the lane's calls and requests, and what was scripted for its target to hear.
func (l *Lane) Quieten() {
	l.Recorder.Reset()
	l.openai.reset()
}

// Attributed says how it is known whose the storage calls are that the lane has ever seen, those of its scenarios' cold
// lanes included. Those of Fitting.Setup are not.
func (l *Lane) Attributed() wire.Attribution {
	return l.Recorder.Attributed().Minus(l.prepared).Plus(l.colder)
}

// count keeps what was seen of a cold lane's calls.
func (l *Lane) count(cold *Lane) {
	l.colder = l.colder.Plus(cold.Attributed())
}

// Refused says why the target, over TLS, hung up on the gateway the last time it did; "" when it never did.
func (l *Lane) Refused() string { return l.gate.Refused() }

// StoreEnded is an error that wraps store.ErrUnavailable when the lane's store is known to have ended.
func (l *Lane) StoreEnded() error { return l.lease.Check() }

// UsesStore asks the target for something it can only know from the store, and reports whether the
// gateway has seen any call of it by then. An error says that the target gave no answer, so that it is not known.
func (l *Lane) UsesStore(ctx context.Context) (bool, error) {
	recorded := l.Recorder.Begin("GET " + l.maker.System.NeedsStore)
	defer recorded.End()
	if err := l.needStore(ctx, l.Target.URL, recorded); err != nil {
		return false, fmt.Errorf("ask whether the target uses the store: %w", err)
	}
	return l.Attributed().Sum() > 0, nil
}

// restore takes back what a scenario did to the lane's surroundings.
func (l *Lane) restore() {
	l.setDown(false)
	l.paging.Set(wire.Pages{})
	for _, one := range l.instances() {
		one.gate.Interpose(nil)
	}
}

// Close ends all that Make started. It is safe on a lane that was not made whole.
func (l *Lane) Close(ctx context.Context) error {
	if l.beside != nil {
		return nil
	}
	errs := []error{l.closeOthers(ctx)}
	if l.Target != nil {
		errs = append(errs, l.Target.Stop(ctx))
	}
	if l.client != nil {
		l.client.CloseIdleConnections()
	}
	if l.gate != nil {
		errs = append(errs, l.gate.Close())
	}
	if l.openai != nil {
		l.openai.server.Close()
	}
	if l.queues != nil {
		errs = append(errs, l.queues.Close())
	}
	if l.collector != nil {
		l.collector.server.Close()
	}
	if l.redis != nil {
		errs = append(errs, l.redis.close())
	}
	if l.outbox != l.maker.Places.Outbox {
		errs = append(errs, os.RemoveAll(l.outbox))
	}
	if l.lease != nil {
		l.lease.Release()
	}
	return errors.Join(errs...)
}

// signInLink is a file of the outbox.
type signInLink struct {
	Email string `json:"email"`
	Token string `json:"token"`
	Link  string `json:"link"` // where a person goes: a path of the target, or a whole address
}

// linkFor takes the sign-in link that was written for an address out of the outbox. The target has
// written it when its answer is there.
func (l *Lane) linkFor(email string) (*signInLink, error) {
	files, err := filepath.Glob(filepath.Join(l.outbox, "*.json"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue // taken by another scenario
		}
		if err != nil {
			return nil, fmt.Errorf("read a sign-in link: %w", err)
		}
		var link signInLink
		if err := json.Unmarshal(content, &link); err != nil {
			return nil, fmt.Errorf("a sign-in link in the outbox is not JSON {email,token,link}")
		}
		if strings.EqualFold(link.Email, email) {
			return &link, os.Remove(file)
		}
	}
	return nil, fmt.Errorf("the outbox holds no sign-in link for the person, among %d", len(files))
}
