// Package scenario is the wing of one scenario: its state, and the vocabulary in which scenarios are written.
//
// A scenario and a lane (package run/lane) go in: a [World] is made for them, and a [Vocabulary] runs the scenario's
// steps in it, each a function of package steps. An error comes out, which is the scenario's outcome, with a [Report]
// of its requests and their storage calls, without secrets. The lane is returned in the state in which it was given.
//
// The packages, in reading order:
//
//	.         one scenario: its world, its steps, the errors that end it
//	budget    whether storage calls are within a budget
//	cases     a step that is run many times: once per fault, or once per order of simultaneous requests
//	order     which orders of storage calls are worth running
//	schedule  runs requests in one order: it holds storage calls back and lets them through
//	cause     which failures have the same cause, for reports that group them
//
// It never starts a server, has no steps of its own (package steps does), and never decides what an outcome means for
// the run: package verify does.
//
// # The parts of a world
//
// A world is made of parts, each with its own state and methods:
//
//	Stage     where it runs: the suite, the lane, the step that is running
//	People    who sends requests, and their e-mails, keys and sessions
//	Names     the names of values, and texts and tables in which these are used: {Ana.email}, {Family}, {61×a}
//	Storage   waiting for storage calls, and what was judged of them
//	Requests  the requests that were sent, with their answers
//	Report    what reports and messages show of those
//	Cases     the worlds of a step that is run many times
//
// A part only knows those above it; only Cases knows the world. What a package of steps stores itself is a part too
// ([Part]).
//
// # An example
//
// A step is a pattern, an example, and a function. The function takes a context, the parts of the world that it uses
// (also as an interface that a part has), the newest request if it needs one, what its package stores in the world, the
// pattern's groups, and the table or text below the step if it has one:
//
//	func Words() []scenario.Step {
//		return []scenario.Step{
//			scenario.On(`(\w+) stands for "([^"]*)"`, `Given Octo stands for "octo-{tag}"`, standsFor),
//		}
//	}
//
//	func standsFor(_ context.Context, names *scenario.Names, name, text string) error {
//		text, err := names.Written(text)
//		if err != nil {
//			return err
//		}
//		names.Keep(name, text)
//		return nil
//	}
//
// Themes of such steps make a [Vocabulary], which runs the steps of each scenario:
//
//	vocabulary := scenario.NewVocabulary(steps.Themes())
//	world := scenario.Begin(&scenario.Suite{Vocabulary: vocabulary}, lane, pickle)
//	for _, step := range pickle.Steps {
//		err := vocabulary.Run(ctx, step, world)
//	}
//	err := world.Finish(ctx)
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
// Open world.go and step.go first. The parts are in stage.go, people.go, text.go (Names, with table.go and names.go),
// settle.go (Storage, with cold.go), send.go (Requests, with roundtrip.go), report.go (with shown.go, answered.go and
// repeat.go) and state.go (Cases). invariants.go, contract.go and logs.go check what always holds; doubt.go weighs two
// runs of one scenario. vocabulary.go finds and runs steps, check.go and draft.go find what an author got wrong before
// anything runs, nearest.go suggests a similar step, company.go says which scenarios run alone.
package scenario
