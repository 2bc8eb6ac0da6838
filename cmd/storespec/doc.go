// Command storespec reports which rules of a storage design a server follows. The rules are Gherkin; the server is any
// program that answers HTTP. storespec starts it with connection strings that point to a gateway, so that it sees
// every call the server makes to its store, and can make any of them fail.
//
// # An example
//
// A design is a folder of feature files and a system.yaml. This creates a first one, with a server that follows it:
//
//	storespec init notes
//	cd notes
//	go build -o bin/ ./server
//	storespec verify --features features -- bin/server
//
// One of its rules says that listing a person's notes takes one query of one partition:
//
//	@NOTES-LIST-1
//	Rule: Listing notes is one query of one partition, whoever else has notes
//	  > Listing a person's notes is one query of that person's partition.
//
//	  Scenario: Ana's list holds her notes and none of Ben's
//	    Given Ana sends POST /notes {"id":"milk","text":"Buy milk"}
//	    …
//	    When Ana sends GET /notes
//	    Then the answer is 200
//	    And the storage calls are at most
//	      | service | call            | on    | count |
//	      | table   | partition query | Notes | 1     |
//
// # A broken rule
//
// A server that reads the whole table and picks out Ana's notes gives the same answer. The command then exits with
// status 1, and shows what was expected and what was seen, from the rule down to the storage call:
//
//	NOTES-LIST-1 over budget: Listing notes is one query of one partition, whoever else has notes
//	  design: "Listing a person's notes is one query of that person's partition."
//	  notes/notes.feature:30 Ana's list holds her notes and none of Ben's: over budget
//	    step: the storage calls are at most
//	    over budget: the storage calls of GET /notes
//	      allowed:
//	        table partition query on Notes: 1, seen 0
//	      seen:
//	      → table scan on Notes where text ne 'x': 200, 3 found
//	    before: Ana sent POST /notes: 201, 2 times, 2 storage calls
//	    before: Ben sent POST /notes: 201, 1 storage call
//	    request: Ana sent GET /notes: 200, 1 storage call
//	    by hand: curl -i -X GET "$SERVER"/notes -H 'X-User: 03cad937…'
//
//	4 rules: 3 passed, 1 over budget
//	7 scenarios: 6 passed, 1 over budget
//	notes: a rule is broken
//
// # The commands
//
// Rules and servers:
//
//	verify SYSTEM... [--url URL | -- COMMAND...]   run the rules against a server; without one, the reference server
//	probe SYSTEM [--url URL | -- COMMAND...]       ask each route once, and show where it differs from the contract
//	explore SYSTEM [--url URL | -- COMMAND...]     find bugs that no rule covers: random walks on two servers
//	check [DIR | SYSTEM...]                        report every mistake in a design's files, without starting anything
//	rules [SYSTEM...]                              list every rule, its clause and its scenarios
//	steps [WORD...]                                list what a scenario can say
//	lsp                                            serve an editor: mistakes, completion, definitions
//	init DIR                                       write a first design of one's own
//	serve SYSTEM                                   run a reference server
//
// The results of a run:
//
//	report FILE.ndjson...                          a page, JUnit's XML, annotations, a badge from verify --report
//	compare OLD NEW                                what a run has lost and made dearer since another
//
// Are the rules any good:
//
//	mutants SYSTEM... [-- COMMAND...]              wrong servers, each of which a rule must notice
//	vacuity SYSTEM                                 servers that never touch a store, which rules must notice
//	selftest                                       servers whose verdict is known, of storespec itself
//
// Storage without rules:
//
//	trace -- COMMAND...                            show every storage call of any program
//	emulate                                        run Azure Tables and Blobs on this machine
//
// Records of one system:
//
//	actions load, purge, generate                  load, archive and make up records of the system actions
//	lovehunt migrate, verify, repair, backup, …    move and keep what servers of the system lovehunt have stored
//	dynamodb deploy, seed, migrate, repair        the table of the system calendsync
//
// help, version and completion work as usual; docs man writes man pages. The guides in docs/ are help topics:
// storespec help own-design.
//
// # Exit status
//
//	0    every rule that counts holds
//	1    a rule is broken, a budget exceeded, or a scenario not prepared
//	2    an argument, a feature file or a system.yaml was not understood
//	3    the server or the store could not be used
//	130  interrupted
//	141  whoever read the output has gone away
//
// Messages go to standard error as "storespec: …", with file and line if they are about a file, followed by "hint: …"
// if there is a remedy. The output of --json goes to standard output, alone.
//
// # Where things are
//
// This package contains the flags, the order of work and the exit status, and nothing else. main.go and root.go start
// the program, exit.go ends it; each command is in the file of its name. verify.go is the longest path:
// verify_options.go rejects invalid options and plans the run, verify_all.go runs one system after the other.
//
// What the commands share with those of single designs (reference/*/tools) is internal/host/command. Designs are found
// and read by internal/verify/designs, run by internal/verify with the steps in steps, and reported by
// internal/results/report; built-in ones are in features, their reference servers in reference.
package main
