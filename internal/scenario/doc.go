// Package scenario holds the state of one scenario, its [World], and the vocabulary in which scenarios are written.
//
// A World has the scenario's people, the names of its values, and every request with its answer and its storage calls.
// It runs on a lane, which it returns in the state it was given. The package does not know how a target is built, has
// no steps of its own (package steps has them), and never decides what an outcome means for the run: package verify
// does.
//
// # An example
//
// A step is a pattern, an example, and a function that takes a context, the world, the newest request if it needs one,
// the pattern's groups, and the table or text below the step if it has one:
//
//	func Words() []scenario.Step {
//		return []scenario.Step{
//			scenario.On(`(\w+) stands for "([^"]*)"`, `Given Octo stands for "octo-{tag}"`, standsFor),
//		}
//	}
//
//	func standsFor(_ context.Context, w *scenario.World, name, text string) error {
//		text, err := w.Written(text)
//		if err != nil {
//			return err
//		}
//		w.Keep(name, text)
//		return nil
//	}
//
// Themes of such steps make a [Vocabulary], which runs the steps of each scenario:
//
//	vocabulary := scenario.NewVocabulary(steps.Themes())
//	world := &scenario.World{}
//	world.Begin(&scenario.Suite{Vocabulary: vocabulary}, lane, pickle)
//	for _, step := range pickle.Steps {
//		err := vocabulary.Run(ctx, step, world)
//	}
//	err := world.Finish(ctx)
//
// # Entry points
//
// Steps:
//
//	On, Step.Alone, Step.Checked           a step; one that needs the target to itself; one with a table check
//	Theme, Fact                            steps about one subject; a fact about each person
//	Vocabulary.Check                       checks whether a step can run, without running it
//	Vocabulary.Draft, Keeps, Step.Keeps, Sends, After      finds what an author got wrong, before anything runs
//	Vocabulary.Company                     which scenarios may run at the same time on one target
//	Vocabulary.Run                         runs a step, for godog or from another one
//	Lacking                                why a scenario is skipped: a missing capability
//
// Texts:
//
//	World.Expand, Written, WriteOut        {Ana.email} and {Family}; {61×a} and {byte ff} too
//	World.Address, Counted, Counting       a path; a text repeated, with {i}
//	World.Table, Pairs                     a table with a header, or with two columns
//	World.Keep, KeepValue, Kept, Names     names for values
//	World.Tag, NewID                       a text unique to this scenario, and ids
//
// Requests:
//
//	World.Person, Caller                   who sends them
//	World.Sends, Send                      a request as written in a step, or with its texts expanded
//	World.RoundTrip, Do, Sent              simultaneous requests, and special ones
//	World.Last, RoundTrips, Together       what was sent; RoundTrip.Is and RoundTrip.JSON judge an answer
//	World.AroundNext                       interferes with the next request's storage calls
//
// Storage:
//
//	World.Lane                             rows, objects, companions and the gateway
//	World.Settle, Drain                    wait until no storage call is in progress
//	World.BeginRequest                     announces a request, once earlier ones have left nothing behind
//	World.Weigh, RestsOn                   which calls were judged, and which a failure rests on
//	World.Judged, Complain                 the result of a budget, and calls that are not allowed
//	World.StartCold                        a target on an unused account
//
// Packages of steps, and cases:
//
//	Part                                   what a package stores in a world
//	World.KeepState, Again, Rest           a world after the earlier steps, for one case
//	World.Show, Done                       which case's requests are shown; the later steps were run in each
//
// Runs:
//
//	World.BeCareful, Confirm, Doubtful     a second run, for calls that may belong to an earlier request
//	World.Unprepared                       why a failure may come from what only prepares the scenario
//	World.Begin, Finish, Leave             start on a clean lane; check what must hold after every scenario
//	World.Exchanges, Budgets               for reports, without secrets
//	World.Scrub, Shown                     without secrets; with names in place of ids
//
// # A step that fails
//
// The error of a step's function is the scenario's outcome. It says where it failed, what was expected and what was
// seen; the request in question is shown below, with its storage calls:
//
//	NOTES-ADD-1 failed: Adding a note is one insert into its owner's partition
//	  design: "A note is one row of Notes: PartitionKey is its owner, RowKey its id. Adding one is one insert."
//	  notes/notes.feature:8 adding a note is one insert of its row: failed
//	    step: the answer is 200
//	    POST /notes answered 201, not 200
//	    request: Ana sent POST /notes: 201, 1 storage call
//	      table insert on Notes {Ana.userKey} / milk: 201
//
// After the last step, [World.Finish] checks what no step says: a 4xx answer that wrote something, a key that holds
// something it must not, a secret in a log, an answer that breaks the contract. An error that wraps godog.ErrSkip skips
// the scenario; ErrNoName and MisuseError mean that the rule is written incorrectly, PreparationError that the server
// could not do what the scenario begins with, ToolError that storespec could not do its own part.
//
// # Files
//
// world.go is the World, send.go and roundtrip.go its requests, settle.go the waits for their storage calls, doubt.go
// the weighing of two runs, text.go and table.go the texts of feature files, people.go the people, invariants.go and
// logs.go what always holds, state.go the worlds of cases. step.go and vocabulary.go are the steps, check.go and
// nearest.go the errors for a step that cannot be read, company.go which scenarios run alone. Open world.go and step.go
// first.
package scenario
