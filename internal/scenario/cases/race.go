package cases

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cucumber/godog"
	messages "github.com/cucumber/messages/go/v34"

	"github.com/storespec/storespec/internal/run/proof"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/scenario/order"
	"github.com/storespec/storespec/internal/scenario/schedule"
	"github.com/storespec/storespec/internal/wire"
)

// mostRacers is the maximum number of requests in a race: with a fourth there are too many orders for a sample to be
// meaningful.
const mostRacers = 3

// RunTogether runs the two or three requests of a table at the same time, once for every order of their storage calls
// that can make a difference. The steps after it are judged in each. Errors: *Error, or why the orders cannot be run.
func RunTogether(ctx context.Context, w *scenario.World, table *godog.Table) error {
	race := &race{world: w, table: table, summary: CaseSummary{Kind: "order"}}
	if _, err := race.racers(w); err != nil {
		return err
	}
	if err := race.learn(ctx); err != nil {
		return err
	}
	if only := w.Stage.Suite().Proofs.Only; only != nil {
		return eachCase(ctx, w, &race.summary, race.counted(1), race.again(ctx, only.Case))
	}
	return eachCase(ctx, w, &race.summary, race.counted(race.limit()), race.orders(ctx))
}

// coldOrders limits the orders of a cold start: each needs an unused account, of which a store has few, and its own
// processes.
const coldOrders = 50

// race is one step whose requests run at the same time.
type race struct {
	world   *scenario.World
	table   *godog.Table
	plans   []*schedule.Plan // of each request; nil while they are being learnt
	summary CaseSummary
	taken   []schedule.Taken // in the last order that was run
	stuck   bool             // an order did not finish: one is enough
	unnamed atomic.Bool      // the only instance made a call that does not identify its request
}

// Racer is one row of the table: what one person sends.
type Racer struct {
	Who string
	scenario.Request
	By int // the target instance it is sent to, if that differs from the row's number
}

// Columns of a table of simultaneous requests: those that it must have, and those that it may.
var (
	raceColumns = []string{"who", "method", "path"}
	mayColumns  = []string{"body", "key", "header"}
)

// RaceColumns returns the columns of a table of simultaneous requests.
func RaceColumns(table *godog.Table) ([]string, error) {
	if rows := len(table.Rows) - 1; rows < 2 || rows > mostRacers {
		return nil, fmt.Errorf("the step needs a table of two or three requests, with the columns %s; it may also "+
			"have %s (a name for an Idempotency-Key) and %s (such as If-Match: *)", strings.Join(raceColumns, ", "),
			strings.Join(mayColumns[:2], ", "), mayColumns[2])
	}
	columns := slices.Clone(raceColumns)
	for _, cell := range table.Rows[0].Cells {
		switch {
		case slices.Contains(mayColumns, cell.Value):
			columns = append(columns, cell.Value)
		case !slices.Contains(raceColumns, cell.Value):
			return nil, fmt.Errorf("the table has a column %q; its columns are %s, and it may have %s", cell.Value,
				strings.Join(raceColumns, ", "), strings.Join(mayColumns, ", "))
		}
	}
	return columns, nil
}

// Header reads a header in a cell, such as If-Match: *.
func Header(cell string) (scenario.Header, error) {
	name, value, ok := strings.Cut(cell, ": ")
	if !ok || strings.ContainsAny(name, ` "`) {
		return scenario.Header{}, fmt.Errorf("the header %q must be written like If-Match: *", cell)
	}
	return scenario.Header{Name: name, Value: value}, nil
}

func (r *race) rows() []*messages.PickleTableRow { return r.table.Rows[1:] }

// racers returns the rows as read in a world: each world has its own ids.
func (r *race) racers(w *scenario.World) ([]Racer, error) {
	columns, err := RaceColumns(r.table)
	if err != nil {
		return nil, err
	}
	rows, err := w.Names.Table(r.table, columns...)
	if err != nil {
		return nil, err
	}
	racers := make([]Racer, len(rows))
	for i, row := range rows {
		racers[i] = Racer{Who: row["who"],
			Request: scenario.Request{Method: row["method"], Path: row["path"], Body: row["body"]}}
		if key := row["key"]; key != "" { // within a scenario, the same name is the same key
			racers[i].Set = []scenario.Header{{Name: scenario.IdempotencyKey, Value: key + "-" + w.People.Tag()}}
		}
		if header := row["header"]; header != "" {
			set, err := Header(header)
			if err != nil {
				return nil, err
			}
			racers[i].Set = append(racers[i].Set, set)
		}
	}
	return racers, nil
}

// learn runs each request alone.
func (r *race) learn(ctx context.Context) error {
	if err := r.world.Cases.KeepState(ctx); err != nil {
		return err
	}
	var plans []*schedule.Plan
	var unsent error
	for i := range r.rows() {
		learnt, longest, err := r.lesson(ctx, i, false)
		lessons := []*schedule.Lesson{learnt}
		if err == nil && learnt.Forks {
			learnt, _, err = r.lesson(ctx, i, true)
			lessons = append(lessons, learnt)
		}
		switch {
		case r.unnamed.Load():
			return fmt.Errorf("%w: storespec cannot start an instance of this server for each request, and it does "+
				"not pass traceparent on to its storage calls", godog.ErrSkip)
		case errors.Is(err, godog.ErrSkip): // what the others do wrong counts all the same
			unsent = cmp.Or(unsent, err)
			continue
		case err != nil:
			return fmt.Errorf("run the %s request alone: %w", ordinal(i), err)
		}
		plans = append(plans, schedule.PlanOf(longest, lessons...))
	}
	if unsent == nil {
		r.plans = plans
	}
	return unsent
}

func ordinal(i int) string { return [mostRacers]string{"first", "second", "third"}[i] }

// lesson runs one request from the state that all orders start from, and returns what it does alone and its longest
// pause.
func (r *race) lesson(ctx context.Context, i int, last bool) (learnt *schedule.Lesson, longest time.Duration,
	err error) {
	err = schedule.UnlessAbandoned(func() (err error) {
		learnt = schedule.NewLesson(last)
		w, err := r.world.Cases.Again(ctx)
		if err != nil {
			return err
		}
		defer func() { err = scenario.Joined(err, w.Leave(context.WithoutCancel(ctx))) }()
		s, err := r.run(ctx, w, learnt, i)
		if err == nil {
			longest = s.Longest
		}
		return err
	})
	return learnt, longest, err
}

// limit returns how many orders are run at most.
func (r *race) limit() int {
	limit := cmp.Or(r.world.Stage.Suite().Proofs.Orders, proof.DefaultOrders)
	if r.world.Stage.StartedCold() {
		limit = min(limit, coldOrders)
	}
	return limit
}

// counted returns the tally of the race, which has so many orders at most.
func (r *race) counted(most int) *tally {
	var sent []string
	for _, row := range r.rows() {
		for i, cell := range r.table.Rows[0].Cells {
			if cell.Value == "method" || cell.Value == "path" {
				sent = append(sent, row.Cells[i].Value)
			}
		}
	}
	return &tally{kind: "order", of: strings.Join(sent, " "), most: true, total: most}
}

// orders yields a case for every order.
func (r *race) orders(ctx context.Context) iter.Seq[variant] {
	proofs := r.world.Stage.Suite().Proofs
	return func(yield func(variant) bool) {
		search := order.NewSearch(order.Options{Limit: r.limit(), Seed: proofs.Seed})
		for run := search.Next(); run != nil && !r.stuck; run = search.Next() {
			judge := func(w *scenario.World) error {
				if err := r.judgeable(r.run(ctx, w, run)); err != nil || !run.Redundant() {
					return err
				}
				return errNotJudged
			}
			one := variant{
				run: judge,
				again: func(w *scenario.World) error {
					if !r.stuck {
						return r.inOrder(ctx, w, order.Moves(run.Steps()))
					}
					r.stuck, run = false, search.Again(run)
					return judge(w)
				},
				called: func() (id, name string) { return order.Moves(run.Steps()), r.tell(run.Steps()) },
				turns:  r.turns,
			}
			if !yield(one) {
				return
			}
			search.Done(run)
		}
		tally := search.Tally()
		r.summary.Strayed, r.summary.Cut = tally.Strayed, tally.Sampled > 0 || tally.AtLeast > tally.Orders
		if tally.Sampled > 0 || r.stuck {
			r.summary.Of = max(tally.AtLeast, r.summary.Run)
		}
	}
}

// again yields the case of one order.
func (r *race) again(ctx context.Context, moves string) iter.Seq[variant] {
	return func(yield func(variant) bool) {
		yield(variant{id: moves, name: "in the order " + moves,
			run:   func(w *scenario.World) error { r.stuck = false; return r.inOrder(ctx, w, moves) },
			turns: r.turns})
	}
}

// inOrder runs one order.
func (r *race) inOrder(ctx context.Context, w *scenario.World, moves string) error {
	fixed, err := order.ParseMoves(moves, len(r.rows()))
	if err != nil {
		return err
	}
	err = r.judgeable(r.run(ctx, w, fixed))
	if fixed.Strayed() { // this can happen after a repair: the answers are judged anyway
		r.summary.Strayed++
	}
	return err
}

// judgeable records how an order went; the error says that it cannot be judged, or that it has already failed.
func (r *race) judgeable(s *schedule.Schedule, err error) error {
	if s != nil {
		r.summary.Settles += s.Settles
	}
	switch {
	case errors.As(err, new(*schedule.AbandonedError)):
		r.summary.Invalid++
		return errNotJudged
	case errors.As(err, new(*schedule.StuckError)):
		r.stuck = true
	}
	return err
}

// run runs the requests, or only the given one, in the order that by chooses.
func (r *race) run(ctx context.Context, w *scenario.World, by schedule.Chooser, only ...int) (
	*schedule.Schedule, error) {
	racers, err := r.racers(w)
	if err != nil {
		return nil, err
	}
	lane := w.Stage.Lane()
	oneForAll := !lane.Maker.Target.Restartable()
	if !oneForAll {
		if err := lane.StartInstances(ctx, len(racers)); err != nil {
			return nil, err
		}
	}
	if !w.Stage.StartedCold() {
		if err := lane.Warm(ctx); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	s := schedule.NewSchedule(cmp.Or(w.Stage.Suite().OrderWithin, proof.AnswerWithin),
		w.Names.CallName, r.key(w))
	if r.plans == nil {
		s.Quiet = schedule.LearnQuiet
	}
	exchanges, errs := make([]*scenario.RoundTrip, len(racers)), make([]error, len(racers))
	var first *wire.Request
	holds := map[*wire.Request]wire.Interposer{}
	for i, one := range racers {
		if len(only) > 0 && !slices.Contains(only, i) {
			continue
		}
		recorded, err := besides(ctx, w, first, one)
		if err != nil {
			return nil, err
		}
		caller := w.People.Caller(one.Who)
		first = cmp.Or(first, recorded)
		here := lane.Instance(i)
		gate := here.Gate
		if oneForAll {
			gate = nil
		}
		holds[recorded] = s.Add(one.Who+"'s "+one.String(), gate, r.plan(i), func() {
			exchanges[i], errs[i] = w.Requests.RoundTrip(ctx, here.URL, recorded, caller, one.Request)
		})
		if !oneForAll {
			defer here.Gate.Interpose(recorded.Own())()
		}
	}
	if oneForAll {
		defer lane.Gate.Interpose(lane.Recorder.Apart(holds, func() { r.unnamed.Store(true) }))()
	}
	err = s.Run(ctx, cancel, by)
	r.taken = s.Taken()
	w.Requests.Sent(exchanges...)
	return s, cmp.Or(err, scenario.Joined(errs...))
}

// key returns the name of a row or blob key: the key itself if each run begins with the same rows, otherwise the
// scenario's name for it. All ids that only the target knows then have the same name, which can lead to more orders but
// never to fewer.
func (r *race) key(w *scenario.World) func(string) string {
	if r.world.Cases.Restorable() {
		return func(key string) string { return key }
	}
	return w.Names.Symbolic
}

func besides(ctx context.Context, w *scenario.World, first *wire.Request, one Racer) (*wire.Request, error) {
	if first == nil {
		return w.Requests.BeginRequest(ctx, one.String())
	}
	return first.Beside(one.String()), nil
}

func (r *race) plan(i int) *schedule.Plan {
	if r.plans == nil {
		return nil
	}
	return r.plans[i]
}

// turns returns what happened in turn in the last order that was run.
func (r *race) turns() []Turn {
	list := make([]Turn, len(r.taken))
	for i, one := range r.taken {
		list[i] = Turn{one.Request, r.rows()[one.Request].Cells[0].Value, one.Call, one.Status}
	}
	return list
}

// tell describes an order for people: which request made which call, and in what order.
func (r *race) tell(steps []order.Step) string {
	var text strings.Builder
	text.WriteString("in the order")
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
