// Package lane gives each scenario a target, a namespace of a store, and the gateway between the two, which records
// every storage call.
//
// It knows nothing about scenarios, steps or rules, and never says what an outcome means. It does not know any
// companion by type: companions implement an interface ([Companion]).
//
// # An example
//
// A [Maker] holds what all lanes of a run share. It makes one lane for each scenario that runs at the same time, and
// each scenario gets its lane as good as new:
//
//	maker := &lane.Maker{System: described, Store: opened, Target: target.Command(command), Secret: secret}
//	l, err := maker.Make(ctx, lane.Special{})
//	if err != nil {
//		return err // *target.StartError: it did not start
//	}
//	defer l.Close(context.WithoutCancel(ctx))
//	for _, scenario := range scenarios {
//		if err := l.Renew(ctx); err != nil {
//			return err
//		}
//		run(ctx, l, scenario)
//	}
//
// A target is started with an environment in which the placeholders of its design are replaced by this lane's addresses
// ([Lane.Environment]): its calls to them pass through the gateway.
//
// # Entry points
//
// Making a lane:
//
//	Maker.Make                      lease a namespace, open a gateway, start companions and a target
//	Fitting, Places, Trust          adapt a lane to a server that cannot use the default environment
//	Special                         a special lane: cold, or with more companions or variables
//	Lane.Beside                     one more simultaneous scenario on the same target, separated by traces
//	Lane.Close                      end everything that Make started
//
// Between scenarios, and between the cases of one:
//
//	Lane.Renew, Refresh, Restart    nothing is left of earlier scenarios; the target runs
//	Lane.Snapshot                   save the state of store, companions and pages, to restore it later
//	Lane.Restore                    revert what a scenario did to the surroundings
//
// Within a scenario:
//
//	Lane.Target, Recorder, Client   where requests go, what records them, and what sends them
//	Lane.Data                       rows and objects, bypassing the gateway
//	Lane.SetDown, Paging, Gate      take the store down, shorten its pages, or intercept its calls
//	Lane.StartInstances, Instance   several processes of the target at once
//	CompanionOf                     the companions of the target
//	Lane.Watch, Log                 secrets that the targets wrote to their logs
//
// Checking the target, before any scenario:
//
//	Lane.UsesStore, PassesTrace     whether it uses the store it was given, and passes on the trace of its requests
//
// # Without a lane
//
// A target that does not start ends the run with status 3, and no scenario is judged. Its output is shown without keys
// and e-mails:
//
//	$ storespec verify --features features -- sh -c 'echo "no such table service" >&2; exit 7'
//	storespec: server sh -c echo "no such table service" >&2; exit 7: ended before it was ready: exit status 7
//	It wrote:
//	no such table service
//	hint: a server is ready when GET on its health route (--ready PATH: another) answers 200 on the port in PORT
//
// The run also ends if a target keeps its data somewhere else ([Lane.UsesStore]):
//
//	storespec: the gateway saw no calls: is the connection string in use?
//
// A target that leaves too many requests unanswered is given up on: [UnresponsiveError].
//
// # Files
//
// lane.go makes lanes and ends them; instances.go has further processes of the target, fitting.go and trust.go adapt a
// lane to a server, data.go is the access that bypasses the gateway, log.go finds leaked secrets. Open [Maker.Make]
// first.
package lane
