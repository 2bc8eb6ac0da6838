// Package verify is the wing of a run: it runs the rules of systems against a server and says which of them hold.
//
// Feature files, a design and the options of a run go in: which rules, which server, which store, which known failures.
// Feature files are read into a [Catalogue], which refuses what no run should begin with, such as two rules of one id.
// [Run] takes the scenarios of the selected rules, gives each a lane of its own, the longest first, runs its steps with
// godog, and judges how it ended; those that cannot be judged by one run are run again, alone. A [Result] comes out: an
// outcome for each rule and scenario, with what reports need to explain it.
//
//	catalogue, err := verify.Load(features.Files, design)
//	if err != nil {
//		return err // it names the file and line
//	}
//	result, err := verify.Run(ctx, verify.Options{Catalogue: catalogue, System: design, Store: opened,
//		Target: target.Command(command), Lanes: 4})
//	if err != nil {
//		return err // nothing can be said of the server: it did not start, or does not use its store
//	}
//	fmt.Println(result.ScenarioCounts()[verify.Failed])
//
// The packages, in reading order:
//
//	.               the catalogue, the run, its outcomes
//	baseline        the file of known failures: a listed scenario may fail, and must not pass unnoticed
//	rerun           which scenarios failed in the last run, for --failed
//	project         the project file: the flags of a run that everyone in a repository uses
//	lint            mistakes in features that no run is needed for
//	languageserver  the same mistakes, completions and descriptions in an editor
//
// The wing knows neither a design's contract nor how a server is started, and it prints nothing: package results/report
// does. It counts for itself: godog counts skipped scenarios as passed, and an empty selection as success.
//
// Open run.go first, then bound.go (one scenario), judge.go (its outcome) and confirm.go (a second run). catalogue.go
// reads features; selection.go, shard.go and queue.go say which scenarios run, and in which order; fill.go and
// shared.go write the examples of every route; result.go is what comes out.
package verify
