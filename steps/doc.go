// Package steps is the vocabulary of the feature files: every step that a rule can be written with, by theme.
//
// A scenario's steps are looked up by their whole text, in one list for all systems: no text matches two steps. The
// steps for every design are in packages of their own, named for their subject; the steps for the rules of one system
// are in the package of its name, and are rejected in the rules of others.
//
// The packages do not know how a target is built, import no service's client, and never decide what an outcome means
// for the run: package internal/verify does. They reach the target only by HTTP. To write rows and to read them back
// they bypass the gateway to reach the store; those calls are never counted.
//
// # An example
//
//	@NOTES-LIST-1
//	Rule: Listing notes is one query of one partition, whoever else has notes
//	  > Listing a person's notes is one query of that person's partition.
//
//	  Scenario: Ana's list holds her notes and none of Ben's
//	    Given Ana sends POST /notes {"id":"milk","text":"Buy milk"}                          package web
//	    And Ben sends POST /notes {"id":"gift","text":"A gift for Ana"}
//	    When Ana sends GET /notes
//	    Then the answer is 200
//	    And the row Notes {Ana.userKey} / milk has                                           package rows
//	      | text | Buy milk |
//	    And the storage calls are at most                                                    package budgets
//	      | service | call            | on    | count |
//	      | table   | partition query | Notes | 1     |
//
// storespec steps lists every step with an example, and storespec steps WORD those related to a word.
//
// # Entry points
//
//	Themes                                 all of them, for scenario.NewVocabulary and for lists
//	web.Requests, Answers                  requests and their answers
//	web.Repeats, Hostile, Routes           repeated; malformed; each route of a table
//	web.Capabilities, Values               parts that a server may lack; names for texts
//	rows.Words, Columns                    rows of tables, whole rows with their types
//	objects.Words, Keys                    blobs; keys and their values
//	budgets.Words                          storage calls
//	faults.Words                           storage calls that fail, or are held
//	races.Words                            requests at the same time
//	surroundings.Outages, Instances        fresh starts, outages, several instances
//	services.Words, OpenAI                 services that a target calls
//	cache.Words, identity.Words            a Redis; a managed identity
//	telemetry.Words, pages.Words           spans and logs; pages for a browser
//	commands.Words                         storespec's own commands
//	familyscheduler.Words, actions.Words,  themes of one system
//	c4lendar.Words, calendsync.Words
//
// To add a step: put it into the function of its theme, with an example from a real rule; the tests here check that
// each example matches its own pattern and no other. To add a theme: one line of [Themes]. To add a system's steps: a
// package with a function Words that returns its themes, and its name in [Themes].
//
// # An unknown step
//
// It is rejected before anything is started, with status 2 and the most similar steps:
//
//	$ storespec verify --features features -- bin/server
//	storespec: features/notes/notes.feature:10:7: no step reads "the anser is 201"; did you mean
//	  the answer is 200
//	  the answer is 403 not_allowed
//	  some answer is 200
//
// A known step that fails is the scenario's outcome: package internal/scenario shows one.
//
// Open themes.go first. The API for a step's function is in package internal/scenario.
package steps
