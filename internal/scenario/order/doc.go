// Package order chooses the order in which the steps of concurrent requests run, so that every order that can make a
// difference is run once.
//
// It does not depend on HTTP, a store or a clock. The code that runs the requests says which steps may be taken next
// and what the chosen step has touched; for each choice an order is rerun from its beginning (stateless search).
//
//	search := order.NewSearch(order.Options{Limit: 200, Seed: seed})
//	for run := search.Next(); run != nil; run = search.Next() {
//		for open := start(); len(open) > 0; open = moves() {
//			run.Took(take(run.Choose(open)))
//		}
//		search.Done(run)
//	}
//
// # What to open first
//
// Search (search.go) explores the orders. It is source-DPOR with sleep sets, after Abdulla, Aronis, Jonsson and
// Sagonas, "Optimal dynamic partial order reduction" (POPL 2014): trace.go finds in each order that was run the pairs
// of steps whose exchange could matter, touch.go says which steps commute. Token (token.go) is an order as text.
//
// # What it never does
//
// It never claims to have tried all orders when it has not: see Tally. It counts a step as done only if it was
// reported, and an order that cannot be repeated is counted, not hidden.
package order
