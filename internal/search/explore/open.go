package explore

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/storespec/storespec/internal/run/companion"
	"github.com/storespec/storespec/internal/run/contract"
	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/scenario"
)

// open reads the contract and starts the servers.
func (r *run) open(ctx context.Context) error {
	suite := &scenario.Suite{Vocabulary: r.Vocabulary, Without: r.Without}
	if r.System.Contract != nil {
		read, err := contract.Load(r.System.Contract)
		if err != nil {
			return fmt.Errorf("the contract of %s: %w", r.System.Name, err)
		}
		suite.Contract = read
		r.known.operations = read.Operations()
	}
	missing := r.Fitting.Mapping.Missing()
	for _, o := range r.known.operations {
		r.result.Routes = append(r.result.Routes, o.String())
		why, skip := r.Spec.Skip[o.String()]
		if slices.Contains(r.Lacks, o.String()) {
			why, skip = "the server lacks it (--without)", true
		}
		if slices.ContainsFunc(missing, func(c system.Capability) bool { return c.Name == o.String() }) {
			why, skip = "the server lacks it (--map)", true
		}
		if skip {
			r.result.Skipped[o.String()] = why
			continue
		}
		for range 1 + len(r.Spec.Requests[o.String()])/3 { // one that does many things is asked more often
			r.operating = append(r.operating, o)
		}
	}
	for _, route := range r.Lacks {
		if !slices.Contains(r.result.Routes, route) {
			return &UnknownRouteError{route, r.System.Name}
		}
	}
	if len(r.operating) == 0 {
		return fmt.Errorf("the contract of %s has no route to ask", r.System.Name)
	}
	invariants, err := prepareAll(r.Invariants)
	if err != nil {
		return err
	}
	for range max(1, r.Workers) {
		c := &couple{suite: suite, spec: r.Spec, invariants: invariants, contract: suite.Contract, local: r.Local,
			noCalls: r.NoCalls, required: required(r.known.operations)}
		r.couples = append(r.couples, c)
		if c.subject, err = r.side(ctx, r.Subject, r.Fitting, r.SubjectTool); err != nil {
			return err
		}
		if r.Oracle == nil {
			continue
		}
		if c.oracle, err = r.side(ctx, r.Oracle, lane.Fitting{}, nil); err != nil {
			return err
		}
	}
	return nil
}

// able reports whether the subject has what steps of Spec.Sometimes need.
func (r *run) able(some int) bool {
	if len(r.Without) == 0 {
		return true
	}
	steps, err := scenario.Prepare(r.Spec.Sometimes[some])
	return err == nil && steps.Lacks(r.System.Capabilities, r.Without) == nil
}

// UnknownRouteError is a route that the contract does not have.
type UnknownRouteError struct{ Route, System string }

func (e *UnknownRouteError) Error() string {
	return fmt.Sprintf("the contract of %s has no route %q", e.System, e.Route)
}

// side starts a server on a lane of its own, and lets it create what it creates on its first use.
func (r *run) side(ctx context.Context, on target.Target, fitting lane.Fitting, tool system.Tool) (*side, error) {
	designed := fitting.Mapping.Fit(r.System)
	if tool != nil {
		designed.Tool, designed.ToolJudged = tool, true
	}
	maker := &lane.Maker{System: designed, Store: r.Store, Target: on, Secret: r.Secret, Fitting: fitting,
		Companions: slices.Concat(companion.Makers(r.System.Companions, fitting.Places.Companions),
			companion.ServiceMakers(r.System.Services, fitting.Places.Companions))}
	made, err := maker.Make(ctx, lane.Special{})
	if err != nil {
		return nil, err
	}
	s := &side{lane: made, env: map[string]string{}, usually: map[string]string{}}
	for name, values := range r.Spec.Environment {
		s.usually[name] = values[0]
	}
	if err := made.Warm(ctx); err != nil {
		return nil, errors.Join(err, made.Close(context.WithoutCancel(ctx)))
	}
	return s, nil
}

func (r *run) close(ctx context.Context) (err error) {
	for _, c := range r.couples {
		err = errors.Join(err, c.close(ctx))
	}
	return err
}

// close closes the lanes of both sides, as far as they were opened.
func (c *couple) close(ctx context.Context) (err error) {
	for _, s := range []*side{c.subject, c.oracle} {
		if s != nil {
			err = errors.Join(err, s.lane.Close(ctx))
		}
	}
	return err
}

// required returns Operation.Required by route.
func required(all []contract.Operation) map[string]map[string]map[string]bool {
	required := map[string]map[string]map[string]bool{}
	for _, o := range all {
		required[o.String()] = o.Required
	}
	return required
}
