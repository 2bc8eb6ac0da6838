package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/storespec/storespec/internal/run/contract"
	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/mapping"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/store"
)

// TrialOptions specify a server of which each route is tried once.
type TrialOptions struct {
	System     system.System
	Spec       *Spec
	Vocabulary *scenario.Vocabulary
	Store      store.Store
	Subject    target.Target
	Ready      string // the path of its health route; "": the design's
	Fitting    lane.Fitting
	Secret     string
	Seed       uint64
	// Oracle is a server that is known to follow the design, on a store of its own. Which requests succeed is found out
	// on it, and every request is sent to both. Nil: it is found out on the subject.
	Oracle      target.Target
	OracleStore store.Store
	// Understand, if it is not nil, returns the JSON of an answer of the subject with the contract's names, as far as
	// it can tell, so that ids in it reach later requests.
	Understand func(o contract.Operation, a *Attempt) any
}

// Tried is what the routes of a server have answered.
type Tried struct {
	Trials []Trial
	// Scrub returns a text without e-mails, sessions and secrets: those of all requests and answers.
	Scrub func(text string) string
}

// Trial is what a route has answered.
type Trial struct {
	Operation contract.Operation
	Skipped   string   // why it was not asked; "": it was
	Lacking   bool     // the mapping says that the server lacks it
	Valid     *Attempt // nil: it was not asked
	Refused   *Attempt // nil: no request was found that the design refuses
}

// Attempt is a request, and its answers.
type Attempt struct {
	Method, Path string // of the contract, with values
	Person       string // who sent it; "": a caller without a session
	Sent         string // method, path and body as the server got them, without secrets
	Got          Reply
	Want         *Reply // of the oracle; nil if the run has no oracle
	Guessed      bool   // it has a value for which an earlier answer of the server should have given another
	Absent       bool   // Got is also what the server answers to a path that no route has
}

// Reply is an answer with the contract's names, as far as the mapping says them.
type Reply struct {
	Status int
	Header http.Header
	Body   []byte
	JSON   any    // nil: it is not JSON
	Err    error  // there was none
	Shown  string // the body as the server sent it, without secrets
}

// trials is the state of one Try.
type trials struct {
	TrialOptions

	contract *contract.Contract
	all      []contract.Operation
	asked    []contract.Operation
	couple   *couple
	secrets  []string
	worlds   []*scenario.World // of all walks, whose people must not be named
	nobodys  nowhere           // nil: not asked yet
}

// Try sends one valid request and one that is refused to each route of the contract, and the few requests that make
// what they need. Errors: those of the store and of lane.Maker.Make.
func Try(ctx context.Context, o TrialOptions) (tried Tried, err error) {
	t := &trials{TrialOptions: o}
	if t.contract, err = contract.Load(o.System.Contract); err != nil {
		return tried, fmt.Errorf("the contract of %s: %w", o.System.Name, err)
	}
	t.all = t.contract.Operations()
	list := t.list()
	defer func() { err = errors.Join(err, t.close(context.WithoutCancel(ctx))) }()
	if err := t.open(ctx); err != nil {
		return tried, err
	}
	plans, err := t.plan(ctx)
	if err != nil {
		return tried, err
	}
	for _, found := range plans {
		if err := t.send(ctx, found, list); err != nil {
			return tried, err
		}
	}
	return Tried{list, t.scrub}, nil
}

// list returns a trial for each route, and notes which are asked.
func (t *trials) list() []Trial {
	missing := t.Fitting.Mapping.Missing()
	list := make([]Trial, len(t.all))
	for i, o := range t.all {
		list[i].Operation = o
		lacks := func(c system.Capability) bool { return c.Name == o.String() }
		if why, skip := t.Spec.Skip[o.String()]; skip {
			list[i].Skipped = why
		} else if slices.ContainsFunc(missing, lacks) {
			list[i].Lacking = true
		} else {
			t.asked = append(t.asked, o)
		}
	}
	return list
}

// open starts the servers.
func (t *trials) open(ctx context.Context) (err error) {
	t.couple = &couple{suite: &scenario.Suite{Vocabulary: t.Vocabulary, Contract: t.contract}, spec: t.Spec,
		contract: t.contract, required: required(t.all)}
	r := &run{Options: Options{System: t.System, Spec: t.Spec, Store: t.Store, Secret: t.Secret}}
	r.System.Ready = cmp.Or(t.Ready, r.System.Ready)
	if t.couple.subject, err = r.side(ctx, t.Subject, t.Fitting, nil); err != nil {
		return err
	}
	if t.couple.subject.uncounted = true; t.Oracle == nil {
		return nil
	}
	r.System, r.Store = t.System, t.OracleStore
	t.couple.oracle, err = r.side(ctx, t.Oracle, lane.Fitting{}, nil)
	return err
}

func (t *trials) close(ctx context.Context) error {
	if t.couple == nil {
		return nil
	}
	return t.couple.close(ctx)
}

// plan searches for requests on the oracle, or else on the subject. What one walk does not find, the next
// ones look for.
func (t *trials) plan(ctx context.Context) (all []*plan, err error) {
	leading := &couple{suite: t.couple.suite, spec: t.Spec, subject: t.couple.subject, required: t.couple.required}
	walks, rounds := 1, roundsSubject
	if t.couple.oracle != nil {
		leading.subject, walks, rounds = t.couple.oracle, walksReference, roundsReference
	}
	left := t.asked
	for i := 0; i < walks && len(left) > 0; i++ {
		p, err := t.newPlanner(ctx, leading, t.Seed+uint64(i))
		if err != nil {
			return nil, err
		}
		p.mixed = i > 0
		found, later, err := p.search(ctx, left, rounds)
		if err = errors.Join(err, leading.subject.end(ctx)); err != nil {
			return nil, err
		}
		if i+1 < walks {
			found.forget(later)
		}
		found.seed, left = t.Seed+uint64(i), later
		found.short(p.taken)
		same, err := t.succeeds(ctx, leading, found, p)
		if err != nil {
			return nil, err
		}
		if !same {
			found.whole(p)
		}
		if len(found.steps) > 0 {
			all = append(all, found)
		}
	}
	return all, nil
}

// succeeds reports whether the requests of a plan are answered as they were when they were found.
func (t *trials) succeeds(ctx context.Context, leading *couple, found *plan, p *planner) (same bool, err error) {
	same = true
	err = t.walk(ctx, leading, found.seed, func() error {
		for _, step := range found.steps {
			a, err := leading.subject.answer(ctx, step)
			if err != nil {
				return err
			}
			same = same && a.succeeded() == p.fits[step.ID]
		}
		return nil
	})
	return same, err
}

// walk does something between the beginning and the end of a walk.
func (t *trials) walk(ctx context.Context, c *couple, seed uint64, do func() error) error {
	w := &Walk{System: t.System.Name, Tag: tagOf(seed, 2)}
	if err := c.both(func(s *side) error { return s.begin(ctx, c.suite, t.Spec, w) }); err != nil {
		return fmt.Errorf("lay what the requests need: %w", err)
	}
	t.meet(c)
	return errors.Join(do(), c.end(ctx))
}

// send sends the requests of a plan to both servers, and notes what they answer.
func (t *trials) send(ctx context.Context, found *plan, list []Trial) error {
	return t.walk(ctx, t.couple, found.seed, func() (err error) {
		if t.nobodys == nil {
			if t.nobodys, err = t.nowhere(ctx); err != nil {
				return err
			}
		}
		for _, step := range found.steps {
			attempt, got, err := t.attempt(ctx, step)
			if err != nil {
				return err
			}
			attempt.Absent = t.nobodys.has(step.Path, got)
			i := slices.IndexFunc(list, func(one Trial) bool { return one.Operation.String() == step.route() })
			switch step {
			case found.valid[step.route()]:
				list[i].Valid = attempt
			case found.refused[step.route()]:
				list[i].Refused = attempt
			}
			if t.Understand != nil {
				got.parsed = t.Understand(list[i].Operation, attempt)
			}
		}
		return nil
	})
}

// attempt sends a request to both servers.
func (t *trials) attempt(ctx context.Context, step *Step) (*Attempt, *answer, error) {
	for _, s := range t.couple.sides() {
		s.missed = false
	}
	subject, oracle := t.couple.subject, t.couple.oracle
	got, want, err := t.couple.answer(ctx, step)
	if err != nil {
		return nil, nil, err
	}
	t.confide(got)
	attempt := &Attempt{Method: got.method, Path: got.path, Sent: t.sent(got, subject.bodies[step.ID]),
		Got: t.reply(got), Guessed: subject.missed && (oracle == nil || !oracle.missed)}
	if step.Person != nobody {
		attempt.Person = step.Person
	}
	if want != nil {
		reply := t.reply(want)
		attempt.Want = &reply
	}
	return attempt, got, nil
}

func (t *trials) reply(a *answer) Reply {
	_, body := a.wired.Raw(a.header, a.body)
	return Reply{Status: a.status, Header: a.header, Body: a.body, JSON: a.parsed, Err: a.err,
		Shown: t.scrub(string(body))}
}

// sent returns a request as the server got it.
func (t *trials) sent(a *answer, body string) string {
	return t.scrub(cmp.Or(a.wired.Method, a.method) + " " + cmp.Or(a.wired.Path, a.path) + "\n" +
		cmp.Or(a.wired.Body, body))
}

// Unsent returns why the mapping could not send the request; nil if it was sent.
func (a *Attempt) Unsent() *mapping.UnsendableError { return mapping.Unsent(a.Got.Err) }
