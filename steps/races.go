package steps

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cucumber/godog"
	messages "github.com/cucumber/messages/go/v34"

	"github.com/storespec/storespec/internal/order"
	"github.com/storespec/storespec/internal/wire"
)

func raceSteps() []Step {
	return []Step{
		{atTheSameTime, "When these run at the same time\n| who | method | path | body |\n| Ben | POST | /api/group/join | {\"groupId\":\"{Family}\"} |\n| Ana | POST | /api/group/remove-member | {\"groupId\":\"{Family}\",\"userKey\":\"{Ben.userKey}\"} |",
			func(w *World) any { return w.raceTogether }},
		{`each answer is one of (\d{3}(?:, \d{3})*)`, `Then each answer is one of 200, 409`,
			func(w *World) any { return w.eachAnswerIsOneOf }},
		{`some answer is (\d{3})`, `Then some answer is 200`,
			func(w *World) any { return w.someAnswerIs }},
		{`where (\w+) was answered (\d{3}), (the row .+ has|the blob .+ has|the partition .+ holds, in this order)`, "Then where Ana was answered 200, the row Groups {Family} / {Family} has\n| groupName | Smiths |",
			func(w *World) any { return w.whereAnswered }},
	}
}

const atTheSameTime = `these run at the same time`

// mostRacers is how many requests a race may have: with a fourth there are too many orders to tell anything by a sample.
const mostRacers = 3

// raceTogether runs two or three requests at the same time, once for every order of their storage calls that can make a
// difference. The steps after it are judged in each.
func (w *World) raceTogether(table *godog.Table) error {
	race := &race{world: w, table: table, summary: CaseSummary{Kind: "order"}}
	if err := race.check(); err != nil {
		return err
	}
	if err := race.learn(); err != nil {
		return err
	}
	if only := w.lane.maker.Proofs.Only; only != nil {
		return w.eachCase(&race.summary, race.again(only.Case))
	}
	return w.eachCase(&race.summary, race.orders())
}

// coldOrders bounds the orders of a cold start: each needs an account that was never used, of which a store has few, and
// processes of its own.
const coldOrders = 50

// race is one step of requests that run at the same time.
type race struct {
	world   *World
	table   *godog.Table
	plans   []*plan // of each request; none while they are learnt
	summary CaseSummary
	stuck   bool        // an order did not come to its end: one is enough
	unnamed atomic.Bool // the only instance made a call that does not tell whose it is
}

// racer is one row of the table.
type racer struct {
	who, method, path, body, key string
	by                           int // the instance of the target that it is sent to, when it is not the row's number that says so
}

func (r *race) check() error {
	_, err := r.racers(r.world)
	return err
}

// raceColumns are the columns that the table must have: the body and the key may be left out.
func raceColumns(table *godog.Table) ([]string, error) {
	if rows := len(table.Rows) - 1; rows < 2 || rows > mostRacers {
		return nil, fmt.Errorf("the step needs a table of two or three requests")
	}
	columns := []string{"who", "method", "path"}
	for _, cell := range table.Rows[0].Cells {
		if cell.Value == "body" || cell.Value == "key" {
			columns = append(columns, cell.Value)
		}
	}
	return columns, nil
}

func (r *race) rows() []*messages.PickleTableRow { return r.table.Rows[1:] }

// racers are the rows as a world reads them: the ids are its own.
func (r *race) racers(w *World) ([]racer, error) {
	columns, err := raceColumns(r.table)
	if err != nil {
		return nil, err
	}
	rows, err := w.rows(r.table, columns...)
	if err != nil {
		return nil, err
	}
	racers := make([]racer, len(rows))
	for i, row := range rows {
		racers[i] = racer{who: row["who"], method: row["method"], path: row["path"], body: row["body"], key: row["key"]}
	}
	return racers, nil
}

// learn runs each request alone.
func (r *race) learn() error {
	if err := r.world.keepState(); err != nil {
		return err
	}
	var plans []*plan
	for i := range r.rows() {
		first, longest, err := r.lesson(i, false)
		if err == nil && first.forks {
			var other *lesson
			other, _, err = r.lesson(i, true)
			plans = append(plans, planOf(longest, first, other))
		} else {
			plans = append(plans, planOf(longest, first))
		}
		switch {
		case r.unnamed.Load():
			return fmt.Errorf("%w: storespec cannot start an instance of this server for each request, and it does not pass traceparent on to its storage calls", godog.ErrSkip)
		case err != nil:
			return fmt.Errorf("run the %s request alone: %w", ordinal(i), err)
		}
	}
	r.plans = plans
	return nil
}

func ordinal(i int) string { return [mostRacers]string{"first", "second", "third"}[i] }

// lesson is what one request does alone, and the longest pause it made.
func (r *race) lesson(i int, last bool) (learnt *lesson, longest time.Duration, err error) {
	err = unlessAbandoned(func() (err error) {
		learnt = newLesson(last)
		longest, err = r.alone(i, learnt)
		return err
	})
	return learnt, longest, err
}

// unlessAbandoned does something, and does it again, twice at most, where a client of the store gave up a call that was
// held: the machine was busy, and nothing is known yet.
func unlessAbandoned(do func() error) (err error) {
	for range 3 {
		if err = do(); !errors.As(err, new(*abandonedError)) {
			break
		}
	}
	return err
}

// alone runs one request from the state that all orders start from, and gives the longest pause it made.
func (r *race) alone(i int, by *lesson) (longest time.Duration, err error) {
	w, err := r.world.again()
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, w.leave(context.WithoutCancel(r.world.ctx))) }()
	s, err := r.run(w, by, i)
	if err != nil {
		return 0, err
	}
	return s.longest, nil
}

// orders gives a case for every order.
func (r *race) orders() iter.Seq[variant] {
	proofs := r.world.lane.maker.Proofs
	return func(yield func(variant) bool) {
		limit := cmp.Or(proofs.Orders, DefaultOrders)
		if r.world.cold != nil {
			limit = min(limit, coldOrders)
		}
		search := order.NewSearch(order.Options{Limit: limit, Seed: proofs.Seed})
		for run := search.Next(); run != nil && !r.stuck; run = search.Next() {
			one := variant{
				run: func(w *World) error {
					if err := r.judgeable(r.run(w, run)); err != nil || !run.Redundant() {
						return err
					}
					return errNotJudged
				},
				called: func() (id, name string) { return order.Moves(run.Steps()), r.tell(run.Steps()) },
			}
			if !yield(one) {
				return
			}
			search.Done(run)
		}
		tally := search.Tally()
		r.summary.Strayed = tally.Strayed
		if tally.Sampled > 0 || r.stuck {
			r.summary.Of = max(tally.AtLeast, r.summary.Run)
		}
	}
}

// again gives the case of one order.
func (r *race) again(moves string) iter.Seq[variant] {
	return func(yield func(variant) bool) {
		yield(variant{id: moves, name: "the order " + moves, run: func(w *World) error {
			fixed, err := order.ParseMoves(moves, len(r.rows()))
			if err != nil {
				return err
			}
			err = r.judgeable(r.run(w, fixed))
			if fixed.Strayed() { // as it may after a repair: what follows is judged all the same
				r.summary.Strayed++
			}
			return err
		}})
	}
}

// judgeable notes how an order went; an error says that it cannot be judged, or that it has failed already.
func (r *race) judgeable(s *schedule, err error) error {
	if s != nil {
		r.summary.Settles += s.settles
	}
	switch {
	case errors.As(err, new(*abandonedError)):
		r.summary.Invalid++
		return errNotJudged
	case errors.As(err, new(*stuckError)):
		r.stuck = true
	}
	return err
}

// run runs the requests, or the one that is given, in the order that by chooses.
func (r *race) run(w *World, by chooser, only ...int) (*schedule, error) {
	racers, err := r.racers(w)
	if err != nil {
		return nil, err
	}
	lane := w.active()
	oneForAll := !lane.maker.Target.Restartable()
	if !oneForAll {
		if err := lane.startInstances(w.ctx, len(racers)); err != nil {
			return nil, err
		}
	}
	if w.cold == nil {
		if err := lane.warm(w.ctx); err != nil {
			return nil, err
		}
	}
	outer := w.ctx
	ctx, cancel := context.WithCancel(outer)
	w.ctx = ctx
	defer func() { cancel(); w.ctx = outer }()

	s := newSchedule(cmp.Or(lane.maker.OrderWithin, scheduleWithin), w.pointName, r.key(w))
	if r.plans == nil {
		s.quiet = learnQuiet
	}
	exchanges, errs := make([]*exchange, len(racers)), make([]error, len(racers))
	var first *wire.Request
	holds := map[*wire.Request]wire.Interposer{}
	for i, one := range racers {
		if len(only) > 0 && !slices.Contains(only, i) {
			continue
		}
		recorded, caller := besides(lane, first, one), w.caller(one.who)
		first = cmp.Or(first, recorded)
		here := lane.instance(i)
		holds[recorded] = s.add(one.who+"'s "+one.method+" "+one.path, here.gate, r.plan(i), func() {
			exchanges[i], errs[i] = w.roundTrip(here.URL, recorded, caller, one.method, one.path, one.body, one.headers(w)...)
		})
	}
	if oneForAll {
		lane.gate.Interpose(lane.Recorder.Apart(holds, func() { r.unnamed.Store(true) }))
	}
	err = s.run(ctx, cancel, by)
	w.sent(exchanges...)
	return s, cmp.Or(err, errors.Join(errs...))
}

// key is what a key of a row or blob is called: as it is where each run begins with the same rows, else by the name that the
// scenario has for it. Ids that only the target knows are one then, which makes for more orders, never for fewer.
func (r *race) key(w *World) func(string) string {
	if r.world.restore != nil {
		return func(key string) string { return key }
	}
	return w.symbolic
}

func besides(lane *Lane, first *wire.Request, one racer) *wire.Request {
	name := one.method + " " + one.path
	if first == nil {
		return lane.Recorder.Begin(name)
	}
	return first.Beside(name)
}

// headers of a request under a key: the same name is the same key, within a scenario.
func (one racer) headers(w *World) []header {
	if one.key == "" {
		return nil
	}
	return []header{{idempotencyKey, one.key + "-" + w.tag}}
}

func (r *race) plan(i int) *plan {
	if r.plans == nil {
		return nil
	}
	return r.plans[i]
}

// tell says for people who did what after whom.
func (r *race) tell(steps []order.Step) string {
	var text strings.Builder
	text.WriteString("the order")
	for i, step := range steps {
		if i == 0 || steps[i-1].Request != step.Request {
			fmt.Fprintf(&text, "\n    %c %s:", 'a'+step.Request, r.rows()[step.Request].Cells[0].Value)
		} else {
			text.WriteByte(',')
		}
		text.WriteString(" " + step.Call)
	}
	return text.String()
}

// together are the requests that were sent at the same moment as the last one.
func (w *World) together() ([]*exchange, error) {
	last, err := w.last()
	if err != nil {
		return nil, err
	}
	var all []*exchange
	for _, e := range w.exchanges {
		if e.request.Together(last.request) {
			all = append(all, e)
		}
	}
	return all, nil
}

func (w *World) eachAnswerIsOneOf(statuses string) error {
	all, err := w.together()
	for _, e := range all {
		if !slices.Contains(strings.Split(statuses, ", "), strconv.Itoa(e.status)) {
			code, _ := e.json(e.system.ErrorCode).(string)
			err = errors.Join(err, fmt.Errorf("%s's %s answered %s, none of %s", e.person, e, named(e.status, code), statuses))
		}
	}
	return err
}

func (w *World) someAnswerIs(status int) error {
	all, err := w.together()
	if err != nil || slices.ContainsFunc(all, func(e *exchange) bool { return e.status == status }) {
		return err
	}
	return fmt.Errorf("none of %d requests was answered %d", len(all), status)
}

// whereAnswered holds the store to what a person was told: the step after the comma is judged when that was the answer.
func (w *World) whereAnswered(name string, status int, claim string, table *godog.Table) error {
	all, err := w.together()
	if err != nil {
		return err
	}
	var theirs []*exchange
	for _, e := range all {
		if e.person == name {
			theirs = append(theirs, e)
		}
	}
	switch {
	case len(theirs) == 0:
		return fmt.Errorf("%s sent nothing at the same time as others", name)
	case len(theirs) > 1:
		return fmt.Errorf("%s sent %d of these requests, each with an answer of its own: let different people send them", name, len(theirs))
	case theirs[0].status != status:
		return nil
	}
	return w.vocabulary().run(&godog.Step{Text: claim, Argument: &messages.PickleStepArgument{DataTable: table}}, w)
}
