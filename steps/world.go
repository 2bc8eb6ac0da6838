package steps

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/wire"
)

// World is what one scenario knows. Its zero value can be bound to steps; Begin makes it ready.
type World struct {
	ctx    context.Context
	lane   *Lane
	cold   *Lane // the lane of a cold start, made by the scenario and ended with it
	pickle *godog.Scenario
	at     int // the step of the pickle that runs, from 0

	tag    string // unique per scenario: no two scenarios share an id or an address
	people map[string]*person
	kept   map[string]string // ids and values by the name the scenario has for them
	routes []route

	tools     tools
	spread    int         // instances that requests at once go to; 0: one
	fault     *fault      // of the next request, as a step before it says; nil: none
	broken    *fault      // of the next request, as the case says that it belongs to; nil: none
	exchanges []*exchange // every request of the scenario, in order
	settled   bool

	// Of a scenario one of whose steps is run in many cases (cases.go):
	inCase    bool                        // this is the world of one of them
	casesRun  bool                        // the steps that are still to come were run in each
	restore   func(context.Context) error // puts back what they start from; nil: it is made anew
	summaries []CaseSummary
	shown     *shown

	budgets []Budget // every budget that was judged
}

// Begin makes the world ready for a scenario. The lane must be the scenario's own until Finish.
func (w *World) Begin(ctx context.Context, lane *Lane, pickle *godog.Scenario) {
	*w = World{
		ctx: ctx, lane: lane, pickle: pickle,
		tag:    strings.ToLower(rand.Text()[:8]),
		people: map[string]*person{}, kept: map[string]string{},
	}
}

// active is the lane the scenario's requests go to.
func (w *World) active() *Lane {
	if w.cold != nil {
		return w.cold
	}
	return w.lane
}

// system is the design whose rule the scenario shows.
func (w *World) system() System { return w.lane.maker.System }

// Finish checks what must hold after every scenario and ends what the scenario started. The error
// is the scenario's when no step failed before. Nothing is checked when the context that Begin was given has ended: the
// target may go on calling a store that is gone, and there is nobody to tell.
func (w *World) Finish(ctx context.Context) error {
	var err error
	if w.ctx.Err() == nil {
		err = w.invariants(ctx)
	}
	if leaving := w.leave(ctx); err == nil {
		err = leaving
	}
	return err
}

// leave ends what the scenario started.
func (w *World) leave(ctx context.Context) error {
	w.lane.restore()
	closed := w.tools.close()
	if w.cold == nil {
		return closed
	}
	err := errors.Join(closed, w.cold.Close(ctx))
	w.lane.count(w.cold)
	w.cold = nil
	return err
}

// Exchange is one request of a scenario, for reports. It holds of its headers those that say whose it is, and of its query
// and body what their names do not say is confidential.
type Exchange struct {
	Person   string        `json:"person"`
	Method   string        `json:"method"`
	Path     string        `json:"path"`
	Status   int           `json:"status"` // 0: no answer came
	Start    time.Time     `json:"start,omitzero"`
	Duration time.Duration `json:"durationNs,omitempty"` // until the whole answer was read, or given up
	Query    string        `json:"query,omitempty"`      // with its question mark
	Type     string        `json:"type,omitempty"`       // of its body
	Body     string        `json:"body,omitempty"`
	Caller   []string      `json:"caller,omitempty"` // headers that say whose it is, as "Name: value", with {session} and {email} for those of its person
	Calls    []wire.Call   `json:"calls,omitempty"`
	Odd      []int         `json:"odd,omitempty"` // the calls that may not be, by number, from 0
}

// Exchanges is every request the scenario has sent so far, in order.
func (w *World) Exchanges() []Exchange {
	if w.shown != nil {
		return w.shown.exchanges
	}
	list := make([]Exchange, len(w.exchanges))
	for i, e := range w.exchanges {
		path, query, _ := strings.Cut(e.path, "?")
		list[i] = Exchange{Person: e.person, Method: e.method, Path: path, Status: e.status, Start: e.start, Duration: e.duration,
			Query: shownQuery(query), Type: e.kind, Body: shownBody(e.kind, e.sent), Caller: e.caller, Calls: e.calls(), Odd: e.odd}
	}
	return list
}

// last is the newest request of the scenario.
func (w *World) last() (*exchange, error) {
	if len(w.exchanges) == 0 {
		return nil, fmt.Errorf("no request was sent before this step")
	}
	return w.exchanges[len(w.exchanges)-1], nil
}

var placeholder = regexp.MustCompile(`\{([A-Za-z][\w.]*)\}`)

// expand replaces each {name} in text: {Ana.userKey}, a kept name such as {Family}, or a name of the system's.
func (w *World) expand(text string) (string, error) {
	return w.expandWith(text, func(value string) string { return value })
}

// expandWith is expand with each value spelled another way.
func (w *World) expandWith(text string, spelled func(string) string) (string, error) {
	var failed error
	expanded := placeholder.ReplaceAllStringFunc(text, func(match string) string {
		value, err := w.value(match[1 : len(match)-1])
		if err != nil && failed == nil {
			failed = err
		}
		return spelled(value)
	})
	return expanded, failed
}

func (w *World) value(name string) (string, error) {
	if value, ok := w.kept[name]; ok {
		return value, nil
	}
	if value, ok := w.system().Names[name]; ok {
		return value, nil
	}
	if owner, field, dotted := strings.Cut(name, "."); dotted {
		if p, ok := w.people[owner]; ok {
			if value, ok := p.field(field); ok {
				return value, nil
			}
		}
	}
	switch name {
	case "now":
		return timestamp(time.Now()), nil
	case "today":
		return time.Now().UTC().Format(time.DateOnly), nil
	case "month":
		return time.Now().UTC().Format("2006-01"), nil
	case "otherDay": // of this month
		if now := time.Now().UTC(); now.Day() > 1 {
			return now.Format("2006-01") + "-01", nil
		}
		return time.Now().UTC().Format("2006-01") + "-02", nil
	case "lastMonthsEnd":
		now := time.Now().UTC()
		return now.AddDate(0, 0, -now.Day()).Format(time.DateOnly), nil
	case "tag": // of this scenario alone: no other has it, nor has it had it before
		return w.tag, nil
	case "target":
		return w.active().Target.URL, nil
	case "png":
		return onePixelPNG, nil
	case "jpeg":
		return onePixelJPEG, nil
	}
	known := slices.Concat(slices.Sorted(maps.Keys(w.kept)), slices.Sorted(maps.Keys(w.system().Names)))
	for _, p := range slices.Sorted(maps.Keys(w.people)) {
		known = append(known, p+".email", p+".userKey", p+".memberKey", p+".session")
	}
	known = append(known, "now", "today", "month", "otherDay", "lastMonthsEnd", "tag", "target", "png", "jpeg")
	return "", fmt.Errorf("{%s} %w; it knows %s, and people once a step has named them", name, ErrNoName, strings.Join(known, ", "))
}

// ErrNoName is what a step returns that uses a name which no step before it has given: the rule is written wrong.
var ErrNoName = errors.New("names nothing in this scenario")

// timestamp is a time as the designs store it: UTC, ISO 8601, milliseconds.
func timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// onePixelPNG is a whole PNG of one pixel, base64.
const onePixelPNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// onePixelJPEG is a whole JPEG of one grey pixel, base64.
const onePixelJPEG = "/9j/2wCEAP////////////////////////////////////////////////////////////////////////////////////8B//////////////" +
	"/////////////////////////////////////////////////////////////////////////AAAsIAAEAAQEBEQD/xADSAAABBQEBAQEBAQAA" +
	"AAAAAAAAAQIDBAUGBwgJCgsQAAIBAwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKC" +
	"kqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfI" +
	"ycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAAgBAQAAPwCOv//Z"
